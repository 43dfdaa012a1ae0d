#include "report/locks/locks.h"

#include <string.h>

enum { WIDTH = 120 };

/* For a cell of a table: what Markdown or HTML would read is escaped. */
static void add_escaped(struct strbuf *out, const char *text)
{
    for (const char *at = text; *at; at++) {
        if (*at == '<' || *at == '&') {
            strbuf_adds(out, *at == '<' ? "&lt;" : "&amp;");
            continue;
        }
        if (strchr("\\`*_{}[]()#+!|~@>", *at)) {
            strbuf_addc(out, '\\');
        }
        strbuf_addc(out, *at);
    }
}

void locks_markdown(const struct blocking *blocking, const char *files, struct strbuf *out)
{
    struct arena arena = {0};
    size_t findings = blocking_findings(blocking);
    strbuf_addf(out, "### %s: ", findings ? "blocks" : "ok");
    add_escaped(out, locks_words(files, WIDTH, &arena));
    strbuf_addf(out, "\n\n%s; %zu finding%s\n\n| statement | what it does |\n| --- | --- |\n",
                locks_summary(blocking, &arena), findings, plural(findings));
    for (size_t i = 0; i < blocking->statements.count; i++) {
        const struct locks_lines lines = locks_lines(blocking, i, &arena);
        strbuf_adds(out, "| ");
        add_escaped(out, locks_words(blocking->statements.items[i].text, WIDTH, &arena));
        strbuf_adds(out, " | ");
        for (size_t j = 0; j < lines.items.count; j++) {
            const struct locks_line *line = &lines.items.items[j];
            strbuf_addf(out, "%s%s%s%s ", j ? "<br>" : "", line->finding ? "**" : "", line->head,
                        line->finding ? "**" : "");
            add_escaped(out, line->text);
        }
        strbuf_adds(out, " |\n");
    }
    for (size_t i = 0; i < blocking->invalid.items.count; i++) {
        strbuf_adds(out, "\n**left behind** ");
        add_escaped(out, locks_invalid(blocking->invalid.items.items[i], &arena));
        strbuf_addc(out, '\n');
    }
    arena_free(&arena);
}
