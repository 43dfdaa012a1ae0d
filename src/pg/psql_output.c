#include "pg/psql_output.h"

#include "base/strbuf.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "psql:"
#define STATE "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

enum { STATE_SIZE = 5, WORDS_LINES = 10 };

/* One message: from a line that begins it to the next such line. */
struct block {
    const char *text;
    size_t size;
    const char *body; /* behind "psql:FILE:LINE: ", if that is there */
    const char *file; /* `file_size` bytes; NULL if there is none */
    size_t file_size;
    size_t line;
};

static bool begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Of "ERROR:  42601: syntax error": where "42601: " begins; NULL: it is not like that. */
static const char *state_of(const char *message)
{
    const char *colon = message + strcspn(message, ":\n");
    const char *state = begins(colon, ":  ") ? colon + 3 : NULL;
    bool is = state && strspn(state, STATE) == STATE_SIZE && begins(state + STATE_SIZE, ": ");
    return is ? state : NULL;
}

/* The start of the last block before `end`; NULL if none. */
static const char *last_block(const char *text, const char *end)
{
    const char *found = NULL;
    for (const char *at = text; at && at < end; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (at < end && (begins(at, PREFIX) || state_of(at))) {
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
    block->body = block->text;
    if (!begins(block->text, PREFIX)) {
        return;
    }
    block->body += strlen(PREFIX);
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

/* The text behind a label at the start of a line, up to the next label. */
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
    const char *state = state_of(body);
    if (state) {
        memcpy(out->sqlstate, state, STATE_SIZE);
        out->message = state + STATE_SIZE + 2;
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
    out->inside = line;
    size_t prefix = strlen("LINE ") + (size_t)(end - text) + 2;
    const char *shown = end + 2;
    const char *below = strchr(shown, '\n');
    const char *caret = below ? strchr(below, '^') : NULL;
    if (caret && !begins(shown, "...")) {
        size_t column = (size_t)(caret - below - 1);
        out->column = column >= prefix ? column - prefix + 1 : 0;
    }
}

/* A line of a text, without its newline. */
struct line {
    const char *text;
    const char *start;
    size_t size;
};

/* The line of the text that ends there. */
static struct line line_to(const char *text, const char *end)
{
    const char *start = end;
    while (start > text && start[-1] != '\n') {
        start--;
    }
    return (struct line){text, start, (size_t)(end - start)};
}

/* To the line before; false: there is none. */
static bool go_up(struct line *line)
{
    bool can = line->start > line->text;
    if (can) {
        *line = line_to(line->text, line->start - 1);
    }
    return can;
}

const char *psql_words(const char *output, size_t size, struct arena *arena)
{
    struct strbuf out = {0};
    while (size > 0 && output[size - 1] == '\n') {
        size--;
    }
    struct line line = line_to(output, output + size);
    for (size_t i = 1; i < WORDS_LINES && go_up(&line); i++) {
    }
    for (const char *at = line.start; at < output + size; at += strcspn(at, "\n") + 1) {
        if (!begins(at, "LOCATION:  ")) {
            strbuf_adds(&out, out.size ? "\n" : "");
            strbuf_add(&out, at, strcspn(at, "\n"));
        }
    }
    const char *words = out.size ? strbuf_copy(&out, arena) : NULL;
    strbuf_free(&out);
    return words;
}

struct psql_failure psql_failure_read(const char *output, struct arena *arena)
{
    struct psql_failure failure = {.message = "psql failed without a message", .inside = 1};
    struct block block;
    const char *end = output + strlen(output);
    bool found = find_block(output, end, &block);
    /* \gexec makes two of them: the file's is the last one */
    while (found && begins(block.body, "STATEMENT:  ")) {
        if (!failure.statement) {
            failure.statement = arena_strdup(arena, block.body + strlen("STATEMENT:  "));
        }
        end = block.text;
        found = find_block(output, end, &block);
    }
    if (!found) {
        failure.before = psql_words(output, (size_t)(end - output), arena);
        return failure;
    }
    if (block.file) {
        failure.file = arena_strndup(arena, block.file, block.file_size);
        failure.line = block.line > 0 ? block.line : 1;
    }
    read_message(&block, &failure, arena);
    read_pointer(&block, &failure, arena);
    failure.detail = labelled(&block, "DETAIL:  ", arena);
    failure.hint = labelled(&block, "HINT:  ", arena);
    failure.context = labelled(&block, "CONTEXT:  ", arena);
    failure.before = psql_words(output, (size_t)(block.text - output), arena);
    return failure;
}

/* Line number `*number` of the text, or its last one, whose number `*number` becomes. */
static struct line line_at(const char *text, size_t *number)
{
    const char *end = text + strcspn(text, "\n");
    size_t at = 1;
    for (; at < *number && *end; at++) {
        end += 1 + strcspn(end + 1, "\n");
    }
    *number = at;
    return line_to(text, end);
}

static size_t count_newlines(const char *text, const char *end)
{
    size_t count = 0;
    for (; text < end; text++) {
        count += *text == '\n';
    }
    return count;
}

/* From the end of both: each line of the statement is one of the file, and between them there are
 * the empty ones that psql left out. */
size_t psql_failure_line(const struct psql_failure *failure, const char *text)
{
    size_t number = failure->line;
    const char *end = failure->statement;
    if (!end) {
        return number;
    }
    end += strlen(end);
    while (end > failure->statement && end[-1] == '\n') {
        end--;
    }
    size_t above = 1 + count_newlines(failure->statement, end);
    above -= failure->inside < above ? failure->inside : above;
    struct line line = line_to(failure->statement, end);
    struct line of_file = line_at(text, &number);
    for (;; above--) {
        while (line.size > 0 && of_file.size == 0 && go_up(&of_file)) {
            number--;
        }
        if (above == 0 || !go_up(&line) || !go_up(&of_file)) {
            return number;
        }
        number--;
    }
}
