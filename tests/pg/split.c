/* Prints the statements of the SQL on standard input, a line's end behind each, as psql does under
 * ECHO=queries. A mistake goes to standard error. */
#include "machine/sql/sql.h"

#include <stdio.h>
#include <string.h>

static bool known(const void *context, const char *name, size_t size)
{
    (void)context;
    (void)name;
    return size > 0;
}

static void print_statement(const struct sql_template *template)
{
    const char *text = template->snippet.text;
    const char *end = strchr(text + template->snippet.size, ';');
    (void)fwrite(text, 1, end ? (size_t)(end - text) + 1 : template->snippet.size, stdout);
    (void)putchar('\n');
}

int main(void)
{
    static char text[1 << 20];
    size_t size = fread(text, 1, sizeof text - 1, stdin);
    struct source source = {.name = "stdin", .text = text, .size = size};
    struct snippet snippet = snippet_of_source(&source);
    struct arena arena = {0};
    struct diagnostics diagnostics = {.arena = &arena};
    struct sql_templates templates = {0};
    bool ok = sql_scan(&snippet, known, NULL, &arena, &templates, &diagnostics);
    for (size_t i = 0; i < templates.items.count; i++) {
        print_statement(templates.items.items[i]);
    }
    if (!ok) {
        struct strbuf message = {0};
        error_format(&diagnostics.errors.items[0], &message);
        (void)fputs(strbuf_text(&message), stderr);
        strbuf_free(&message);
    }
    arena_free(&arena);
    return ok ? 0 : 1;
}
