/* What was expected and what came. */
#include "report/text/block.h"

#include "base/utf8.h"
#include "example/divergence.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum {
    INDENT = 5,
    SQL_LINES = 6, /* of longer SQL: the first and the last lines */
    SQL_FIRST = 3,
    SQL_LAST = 2,
    TEXT_WIDTH = 400, /* characters of a text of the server */
    PART_LINES_MAX = 20,
    HINT_WIDTH = 90, /* of a wider terminal, too */
};

/* What the context set for it. */
static void write_settings(struct block *block)
{
    const struct failure *failure = block->failure;
    struct arena *arena = &block->text->scratch;
    for (size_t i = 0; i < failure->settings.count; i++) {
        const struct shown_setting *setting = &failure->settings.items[i];
        text_addf(block->text, "%s%s = %s\n", i ? "            " : "       with ",
                  show_name(arena, setting->name),
                  show_text(arena, &block->names, setting->value, block_limit(block, TEXT_WIDTH)));
    }
}

static size_t line_count(const char *text)
{
    size_t count = 0;
    while (*text) {
        text += strcspn(text, "\n");
        text += *text == '\n';
        count++;
    }
    return count;
}

/* Behind so many lines of the text. */
static const char *skip_lines(const char *text, size_t count)
{
    for (; count && *text; count--) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return text;
}

/* The statement's text, long SQL without its middle. */
static const char *sql_text(struct block *block)
{
    struct arena *arena = &block->text->scratch;
    const char *sql = show_sql(arena, block->failure->sql, INDENT, SHOW_ALL);
    size_t count = line_count(sql);
    size_t limit = block_limit(block, SQL_LINES);
    if (limit == SHOW_ALL || count <= limit) {
        return sql;
    }
    size_t left_out = count - SQL_FIRST - SQL_LAST;
    const char *last = skip_lines(sql, count - SQL_LAST);
    return arena_printf(arena, "%.*s%*s… %zu lines; -v shows them\n%s",
                        (int)(skip_lines(sql, SQL_FIRST) - sql), sql, INDENT, "", left_out, last);
}

static bool fits_beside(const struct block *block, const char *sql, const char *which)
{
    size_t width = INDENT + utf8_length(sql, strlen(sql)) + strlen("        ");
    return width + utf8_length(which, strlen(which)) <= text_width(block->text);
}

/* "statement 2 of 3, as ann"; NULL: there is only one, and the connecting user ran it. */
static const char *which_and_who(struct block *block)
{
    const struct failure *failure = block->failure;
    struct arena *arena = &block->text->scratch;
    const char *which = failure->statement ? arena_printf(arena, "statement %zu of %zu",
                                                          failure->statement, failure->statements)
                                           : NULL;
    return which && failure->context ? arena_printf(arena, "%s, %s", which, failure->context)
           : which                   ? which
                                     : failure->context;
}

/* The statement, which it is and who ran it: beside it where it is one short line, else below. */
static void write_statement(struct block *block)
{
    const struct failure *failure = block->failure;
    struct strbuf *out = block->text->out;
    bool state = failure->divergence && failure->at_end;
    if (!failure->sql && !state) {
        return;
    }
    const char *sql =
        state ? arena_printf(&block->text->scratch, "%*s%s", INDENT, "",
                             show_name(&block->text->scratch, failure->divergence->place))
              : sql_text(block);
    strbuf_adds(out, sql);
    const char *which = which_and_who(block);
    if (which) {
        bool beside = !strchr(sql, '\n') && fits_beside(block, sql, which);
        strbuf_adds(out, beside ? "        " : "\n     ");
        text_paint(block->text, PAINT_DIM, which);
    }
    strbuf_addc(out, '\n');
    write_settings(block);
}

/* What was expected; of a statement that took too long, how long it may take. */
static const char *expected_text(const struct block *block)
{
    const struct failure *failure = block->failure;
    int64_t timeout = block->text->run->machine->settings.statement_timeout_ms;
    if (failure->kind == FAILURE_TIMEOUT && failure->error.sqlstate[0] && timeout > 0) {
        return arena_printf(&block->text->scratch,
                            "an answer within %" PRId64 " ms (statement_timeout)", timeout);
    }
    return failure->expected;
}

/* Whether a step takes or makes the value of that name. */
static bool is_used(const struct failure *failure, const char *name)
{
    bool used = false;
    for (size_t i = 0; i < failure->steps.count && !used; i++) {
        const struct shown_step *step = &failure->steps.items[i];
        used = shown_step_takes(step, name) || shown_step_gives(step, name);
    }
    return used;
}

/* A line of the comparison, its text cut where it is long. */
static void write_line(struct block *block, const char *label, const char *text, size_t width)
{
    if (text) {
        text_addf(block->text, "       %s   %s\n", label,
                  show_text(&block->text->scratch, &block->names, text, block_limit(block, width)));
    }
}

/* The names of constraints that errors consist of are mostly alike in front: these are not cut. */
static size_t width_of(const struct failure *failure)
{
    bool error = failure->error.sqlstate[0] != '\0' || failure->kind == FAILURE_MISSING_ERROR;
    return error ? TEXT_WIDTH : BLOCK_VALUE_WIDTH;
}

/* Two texts that are compared: of long ones that part is shown in which they differ. */
static void write_two(struct block *block, const char *const *labels, const char *expected,
                      const char *actual)
{
    const char *texts[] = {expected ? expected : "", actual ? actual : ""};
    show_two(&block->text->scratch, &block->names, texts,
             block_limit(block, width_of(block->failure)));
    if (expected) {
        text_addf(block->text, "       %s   %s\n", labels[0], texts[0]);
    }
    if (actual) {
        text_addf(block->text, "       %s   %s\n", labels[1], texts[1]);
    }
}

static void write_comparison(struct block *block)
{
    static const char *const wide[] = {"expected (model)   ", "actual   (database)"};
    static const char *const narrow[] = {"expected", "actual  "};
    static const char *const sides[] = {"left    ", "right   "};
    const struct failure *failure = block->failure;
    if (failure->check) {
        write_line(block, "check   ", failure->check, TEXT_WIDTH);
        if (!failure->sides.source) {
            write_line(block, "gives   ", failure->actual, BLOCK_VALUE_WIDTH);
        }
        write_line(block, "returned", failure->returned, TEXT_WIDTH);
        write_two(block, sides, failure->sides.left, failure->sides.right);
    } else if (failure->kind != FAILURE_CONNECTION) { /* the title has said it */
        write_two(block, failure->sql ? wide : narrow, expected_text(block), failure->actual);
    }
}

/* Whether the digits stand in the text as a number of their own. */
static bool has_number(const char *text, const char *digits)
{
    size_t size = strlen(digits);
    for (const char *at = strstr(text, digits); at; at = strstr(at + 1, digits)) {
        if ((at == text || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[size])) {
            return true;
        }
    }
    return false;
}

static bool is_set(const struct failure *failure, const char *digits)
{
    for (size_t i = 0; i < failure->settings.count; i++) {
        if (has_number(failure->settings.items[i].value, digits)) {
            return true;
        }
    }
    return false;
}

/* Whether a cell may be the value of that name, without being shown by it. */
static bool may_stand(const struct failure *failure, const char *name)
{
    for (size_t i = 0; i < failure->differences.count; i++) {
        const struct difference *difference = &failure->differences.items[i];
        const struct shown_cell *const sides[] = {difference->expected, difference->actual};
        for (size_t j = 0; j < 2 * failure->column_count; j++) {
            const struct shown_cell *side = sides[j % 2];
            if (side && side[j / 2].maybe && strcmp(side[j / 2].name, name) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* Which of the numbers in the rows, or in the text from `start` on, are values that the steps call
 * by a name: "ids_1 = 8". One in a column of which nothing is known may be a constant of the
 * statement. */
static void write_names(struct block *block, size_t start)
{
    const struct failure *failure = block->failure;
    struct arena *arena = &block->text->scratch;
    const char *line = NULL;
    for (size_t i = 0; i < failure->bundled.count; i++) {
        const struct shown_arg *arg = &failure->bundled.items[i];
        if (arg->value.type != VALUE_INT || !is_used(failure, arg->reference)) {
            continue;
        }
        const char *digits = value_repr_text(arena, arg->value);
        bool constant = failure->sql && has_number(failure->sql, digits);
        if ((!constant && may_stand(failure, arg->reference)) || is_set(failure, digits) ||
            has_number(strbuf_text(block->text->out) + start, digits)) {
            line = arena_printf(arena, "%s%s%s = %s", line ? line : "", line ? ", " : "",
                                arg->reference, digits);
        }
    }
    const char *label = failure->divergence               ? "where "
                        : failure->sql && !failure->check ? "where              "
                                                          : "where   ";
    write_line(block, label, line, TEXT_WIDTH);
}

/* Words in lines. */
static void write_hint(struct block *block)
{
    static const char label[] = "       hint: ";
    struct strbuf *out = block->text->out;
    if (!block->failure->hint) {
        return;
    }
    strbuf_adds(out, label);
    size_t width = sizeof label - 1;
    size_t most = text_width(block->text) < HINT_WIDTH ? text_width(block->text) : HINT_WIDTH;
    for (const char *word =
             show_text(&block->text->scratch, &block->names, block->failure->hint, SHOW_ALL);
         *word;) {
        size_t size = strcspn(word, " ");
        if (width + size > most) {
            strbuf_addf(out, "\n%*s", (int)sizeof label - 1, "");
            width = sizeof label - 1;
        } else if (width > sizeof label - 1) {
            strbuf_addc(out, ' ');
        }
        strbuf_add(out, word, size);
        width += size + 1;
        word += size + (word[size] == ' ');
    }
    strbuf_addc(out, '\n');
}

/* One part of the server's error; further lines of it are set below the first. */
static void write_part(struct block *block, const char *label, const char *part)
{
    struct arena *arena = &block->text->scratch;
    size_t limit = block_limit(block, PART_LINES_MAX);
    for (size_t lines = 0; part && *part; lines++) {
        if (limit != SHOW_ALL && lines == limit) {
            text_addf(block->text, "         %-11s  … %s\n", "",
                      show_counted(arena, line_count(part), "more line"));
            break;
        }
        size_t size = strcspn(part, "\n");
        const char *line = arena_strndup(arena, part, size);
        text_addf(block->text, "         %-11s  %s\n", label,
                  show_text(arena, &block->names, line, block_limit(block, TEXT_WIDTH)));
        label = "";
        part += size + (part[size] == '\n');
    }
}

static void write_error(struct block *block, const struct server_error *error)
{
    const struct {
        const char *label;
        const char *part;
    } parts[] = {
        {"message", error->message},       {"detail", error->detail},   {"hint", error->hint},
        {"table", error->table},           {"column", error->column},   {"type", error->datatype},
        {"constraint", error->constraint}, {"context", error->context}, {"at", error->place},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        write_part(block, parts[i].label, parts[i].part);
    }
}

/* Of two databases, what each answered; of a migration that fails, its error alone. */
static void write_databases(struct block *block)
{
    const struct divergence *divergence = block->failure->divergence;
    const struct server_error *errors[] = {divergence->error_before, divergence->error_after};
    const char *const *sides = block_sides(block);
    const char *texts[] = {divergence->before, divergence->after};
    show_two(&block->text->scratch, &block->names, texts,
             block_limit(block, width_of(block->failure)));
    for (size_t i = 0; i < 2; i++) {
        if (divergence->kind != DIVERGES_MIGRATE) {
            text_addf(block->text, "       %-6s   %s\n", sides[i], texts[i]);
        }
        if (errors[i]) {
            write_error(block, errors[i]);
        }
    }
}

void block_comparison(struct block *block)
{
    write_statement(block);
    size_t start = block->text->out->size;
    size_t first = start;
    if (block->failure->divergence) {
        write_databases(block);
    } else {
        write_comparison(block);
    }
    block_differences(block);
    bool from_start = block->failure->check || block->failure->divergence;
    start = from_start ? start : block->text->out->size;
    if (!block->failure->divergence && block->failure->error.sqlstate[0]) {
        write_error(block, &block->failure->error);
    }
    write_names(block, start);
    write_hint(block);
    text_fold(block->text, first, TEXT_HANG);
}
