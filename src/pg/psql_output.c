#include "pg/psql_output.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "psql:"

/* One message: from a line that begins with "psql:" to the next such line. */
struct block {
    const char *text;
    size_t size;
    const char *body; /* behind "psql:FILE:LINE: " */
    const char *file; /* `file_size` bytes; NULL: none */
    size_t file_size;
    size_t line;
};

static bool begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* The start of the last block before `end`; NULL if none. */
static const char *last_block(const char *text, const char *end)
{
    const char *found = NULL;
    for (const char *at = text; at && at < end; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (at < end && begins(at, PREFIX)) {
            found = at;
        }
        if (*at == '\0') {
            break;
        }
    }
    return found;
}

/* "FILE:LINE: ": a file's name may hold colons. */
static void read_place(struct block *block)
{
    const char *end = block->text + block->size;
    block->body = block->text + strlen(PREFIX);
    block->body += *block->body == ' ';
    for (const char *at = block->body; at < end && *at != '\n'; at++) {
        size_t digits = *at == ':' ? strspn(at + 1, "0123456789") : 0;
        if (digits > 0 && at[digits + 1] == ':' && at[digits + 2] == ' ') {
            block->file = block->body;
            block->file_size = (size_t)(at - block->body);
            block->line = strtoul(at + 1, NULL, 10);
            block->body = at + digits + 3;
            return;
        }
    }
}

static bool find_block(const char *text, const char *end, struct block *out)
{
    const char *start = last_block(text, end);
    if (!start) {
        return false;
    }
    *out = (struct block){.text = start, .size = (size_t)(end - start)};
    read_place(out);
    return true;
}

static size_t count_lines(const char *text, const char *end)
{
    size_t count = 0;
    while (end > text && end[-1] == '\n') {
        end--;
    }
    for (; text < end; text++) {
        count += *text == '\n';
    }
    return count;
}

/* What stands behind a label at the start of a line, up to the next label. */
static const char *labelled(const struct block *block, const char *label, struct arena *arena)
{
    static const char *const labels[] = {
        "LINE ",        "DETAIL:  ",      "HINT:  ",         "CONTEXT:  ",
        "LOCATION:  ",  "QUERY:  ",       "SCHEMA NAME:",    "TABLE NAME:",
        "COLUMN NAME:", "DATATYPE NAME:", "CONSTRAINT NAME:"};
    const char *end = block->text + block->size;
    const char *start = NULL;
    for (const char *at = block->text; at && at < end; at = memchr(at, '\n', (size_t)(end - at))) {
        at += *at == '\n';
        if (start) {
            for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
                if (begins(at, labels[i])) {
                    return arena_strndup(arena, start, (size_t)(at - 1 - start));
                }
            }
        } else if (begins(at, label)) {
            start = at + strlen(label);
        }
        if (at >= end) {
            break;
        }
    }
    while (start && end > start && isspace((unsigned char)end[-1])) {
        end--;
    }
    return start ? arena_strndup(arena, start, (size_t)(end - start)) : NULL;
}

/* "ERROR:  42601: syntax error …" or "error: invalid command \foo". */
static void read_message(const struct block *block, struct psql_failure *out, struct arena *arena)
{
    size_t size = (size_t)(block->text + block->size - block->body);
    size_t line = 0;
    while (line < size && block->body[line] != '\n') {
        line++;
    }
    const char *body = arena_strndup(arena, block->body, line);
    const char *colon = strstr(body, ":  ");
    const char *state = colon ? colon + 3 : NULL;
    if (state && strspn(state, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 5 && state[5] == ':') {
        memcpy(out->sqlstate, state, 5);
        out->message = state + 7;
    } else {
        out->message = begins(body, "error: ") ? body + strlen("error: ") : body;
    }
}

/* "LINE n: text" and the caret below it: line and column in the statement. psql shows a part of a
 * long line only, between dots: then the column is not known. */
static void read_pointer(const struct block *block, struct psql_failure *out, struct arena *arena)
{
    const char *text = labelled(block, "LINE ", arena);
    char *end = NULL;
    size_t line = text ? strtoul(text, &end, 10) : 0;
    if (line == 0 || !end || end[0] != ':' || end[1] != ' ') {
        return;
    }
    out->line += line - 1;
    size_t prefix = strlen("LINE ") + (size_t)(end - text) + 2;
    const char *shown = end + 2;
    const char *below = strchr(shown, '\n');
    const char *caret = below ? strchr(below, '^') : NULL;
    if (caret && !begins(shown, "...")) {
        size_t column = (size_t)(caret - below - 1);
        out->column = column >= prefix ? column - prefix + 1 : 0;
    }
}

struct psql_failure psql_failure_read(const char *output, struct arena *arena)
{
    struct psql_failure failure = {.message = "psql failed without a message"};
    struct block block;
    const char *end = output + strlen(output);
    if (!find_block(output, end, &block)) {
        return failure;
    }
    size_t lines = 0;
    if (begins(block.body, "STATEMENT:  ")) {
        lines = count_lines(block.body, end);
        end = block.text;
        if (!find_block(output, end, &block)) {
            return failure;
        }
    }
    if (block.file) {
        failure.file = arena_strndup(arena, block.file, block.file_size);
        failure.line = block.line > lines ? block.line - lines : 1;
    }
    read_message(&block, &failure, arena);
    read_pointer(&block, &failure, arena);
    failure.detail = labelled(&block, "DETAIL:  ", arena);
    failure.hint = labelled(&block, "HINT:  ", arena);
    failure.context = labelled(&block, "CONTEXT:  ", arena);
    return failure;
}
