/* A page without scripts: the picture of what is locked over which statements, and the lines. */
#include "report/locks/locks.h"

#include <string.h>

enum { COLUMN = 56, ROW = 26, NAMES = 260, WORDS_WIDTH = 400 };

static const char style[] =
    "<style>:root{--bg:#f6f5f1;--card:#fff;--ink:#1c1c1a;--soft:#5d5b55;--line:#e2dfd6;"
    "--bad:#b3261e;--good:#1a6b3a;--s1:#0b6a6a;--bar:#6d93bf;--bar-2:#b9c9dc}"
    "@media(prefers-color-scheme:dark){:root{--bg:#141518;--card:#1c1e22;--ink:#e9e7e1;"
    "--soft:#aaa79e;--line:#32353b;--bad:#ff9088;--good:#7fd39a;--s1:#6fcfc6;--bar:#4f7fb5;"
    "--bar-2:#2e435c}}"
    "body{margin:24px auto;max-width:76em;padding:0 16px;background:var(--bg);color:var(--ink);"
    "font:15px/1.5 system-ui,sans-serif}code,text{font-family:ui-monospace,Menlo,monospace;"
    "font-size:13px}.card{background:var(--card);border:1px solid var(--line);border-radius:10px;"
    "padding:12px 16px;margin:12px 0;overflow-x:auto}.bad{color:var(--bad)}.good{color:var(--good)}"
    ".soft{color:var(--soft)}th{text-align:left;font-weight:600;color:var(--soft);"
    "padding-right:14px;vertical-align:top}text{fill:var(--ink)}</style>";

static void add_escaped(struct strbuf *out, const char *text)
{
    for (const char *at = text; *at; at++) {
        const char *entity = *at == '<'   ? "&lt;"
                             : *at == '>' ? "&gt;"
                             : *at == '&' ? "&amp;"
                             : *at == '"' ? "&quot;"
                                          : NULL;
        if (entity) {
            strbuf_adds(out, entity);
        } else {
            strbuf_addc(out, *at);
        }
    }
}

/* A bar of the picture: a relation's lock, or a rule that waits, from a statement to the end of its
 * transaction. */
static void add_bar(const struct blocking *blocking, size_t index, size_t row, const char *colour,
                    const char *title, struct strbuf *out)
{
    const struct blocking_transaction *transaction =
        &blocking->transactions.items[blocking->statements.items[index].transaction];
    size_t columns = transaction->first + transaction->count - index;
    strbuf_addf(out,
                "<rect x=\"%zu\" y=\"%zu\" width=\"%zu\" height=\"%d\" rx=\"4\" "
                "fill=\"var(--%s)\"><title>",
                NAMES + index * COLUMN + 2, row * ROW + 4, columns * COLUMN - 4, ROW - 8, colour);
    add_escaped(out, title);
    strbuf_adds(out, "</title></rect>");
}

struct picture {
    const struct blocking *blocking;
    struct arena *arena;
    struct strbuf *out;
    struct blocking_names rows; /* relations, then rules that wait */
};

static size_t row_of(struct picture *picture, const char *name)
{
    size_t row = 0;
    while (row < picture->rows.items.count && strcmp(picture->rows.items.items[row], name) != 0) {
        row++;
    }
    if (row == picture->rows.items.count) {
        *VEC_PUSH(picture->arena, &picture->rows.items) = name;
        strbuf_addf(picture->out, "<text x=\"0\" y=\"%zu\">", (row + 1) * ROW + ROW - 8);
        add_escaped(picture->out, locks_words(name, NAMES / 8, picture->arena));
        strbuf_adds(picture->out, "</text>");
    }
    return row + 1;
}

static void add_picture_of(struct picture *picture, size_t index)
{
    const struct blocking_statement *statement = &picture->blocking->statements.items[index];
    strbuf_addf(picture->out, "<text x=\"%zu\" y=\"%d\"%s>%zu</text>",
                NAMES + index * COLUMN + COLUMN / 2 - 4, ROW - 8,
                blocking_touches(statement) ? " font-weight=\"700\"" : "", index + 1);
    for (size_t i = 0; i < statement->locks.count; i++) {
        const struct blocking_lock *lock = &statement->locks.items[i];
        const char *name = locks_words(lock->relation, WORDS_WIDTH, picture->arena);
        const char *colour = strcmp(lock->mode, "AccessExclusiveLock") == 0 ? "bar" : "bar-2";
        if (!lock->made) {
            add_bar(picture->blocking, index, row_of(picture, name), colour, lock->mode,
                    picture->out);
        }
    }
}

static void add_waits_of(struct picture *picture, size_t index)
{
    const struct blocking_statement *statement = &picture->blocking->statements.items[index];
    for (size_t i = 0; i < statement->waits.count; i++) {
        const char *rule = picture->blocking->rules.items[statement->waits.items[i].rule].name;
        const char *name = arena_printf(picture->arena, "%s waits",
                                        locks_words(rule, WORDS_WIDTH, picture->arena));
        add_bar(picture->blocking, index, row_of(picture, name),
                blocking_refuses(picture->blocking, index, &statement->waits.items[i]) ? "bad"
                                                                                       : "s1",
                name, picture->out);
    }
}

static void add_picture(const struct blocking *blocking, struct arena *arena, struct strbuf *out)
{
    struct strbuf inner = {0};
    struct picture picture = {.blocking = blocking, .arena = arena, .out = &inner};
    size_t count = blocking->statements.count;
    for (size_t i = 0; i < count; i++) {
        add_picture_of(&picture, i);
    }
    for (size_t i = 0; i < count; i++) {
        add_waits_of(&picture, i);
    }
    size_t width = NAMES + count * COLUMN;
    size_t height = (picture.rows.items.count + 1) * ROW + 8;
    strbuf_addf(out,
                "<div class=card><svg role=\"img\" aria-label=\"what is locked, and which rules "
                "wait, by statement\" width=\"%zu\" height=\"%zu\">",
                width, height);
    strbuf_adds(out, strbuf_text(&inner));
    strbuf_adds(out,
                "</svg><p class=soft>From each statement to the end of its transaction. A bold "
                "number: it reads or writes rows.</p></div>");
    strbuf_free(&inner);
}

static void add_statement(const struct blocking *blocking, size_t index, struct arena *arena,
                          struct strbuf *out)
{
    const struct blocking_statement *statement = &blocking->statements.items[index];
    const struct locks_lines lines = locks_lines(blocking, index, arena);
    strbuf_addf(out, "<div class=card><b>%zu</b> <code>", index + 1);
    add_escaped(out, locks_words(statement->text, WORDS_WIDTH, arena));
    strbuf_adds(out, "</code> <span class=soft>");
    add_escaped(out, locks_words(statement->place, WORDS_WIDTH, arena));
    strbuf_adds(out, "</span><table>");
    for (size_t i = 0; i < lines.items.count; i++) {
        const struct locks_line *line = &lines.items.items[i];
        strbuf_addf(out, "<tr%s><th>%s</th><td>", line->finding ? " class=bad" : "", line->head);
        add_escaped(out, line->text);
        strbuf_adds(out, "</td></tr>");
    }
    strbuf_adds(out, "</table></div>\n");
}

void locks_html(const struct blocking *blocking, const char *files, struct strbuf *out)
{
    struct arena arena = {0};
    size_t findings = blocking_findings(blocking);
    strbuf_adds(out, "<!doctype html>\n<html lang=en><meta charset=utf-8><meta name=viewport "
                     "content=\"width=device-width\"><title>What a migration blocks</title>");
    strbuf_adds(out, style);
    strbuf_addf(out, "<h1><span class=%s>%s</span> ", findings ? "bad" : "good",
                findings ? "blocks" : "ok");
    add_escaped(out, locks_words(files, WORDS_WIDTH, &arena));
    strbuf_addf(out, "</h1><p class=soft>%s; %zu finding%s</p>\n", locks_summary(blocking, &arena),
                findings, plural(findings));
    add_picture(blocking, &arena, out);
    for (size_t i = 0; i < blocking->statements.count; i++) {
        add_statement(blocking, i, &arena, out);
    }
    for (size_t i = 0; i < blocking->invalid.items.count; i++) {
        strbuf_adds(out, "<p class=bad>");
        add_escaped(out, locks_invalid(blocking->invalid.items.items[i], &arena));
        strbuf_adds(out, "</p>");
    }
    const char *untried = locks_untried(blocking, &arena);
    if (untried) {
        strbuf_adds(
            out, "<p class=soft>No example ran these, or what they sent fails when sent again: ");
        add_escaped(out, untried);
        strbuf_adds(out, "</p>");
    }
    strbuf_adds(out, "</html>\n");
    arena_free(&arena);
}
