/* Writes the comment at the top: what failed, how it was found, how to run the script. */
#include "base/shell.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "replay/script.h"
#include "replay/sessions/moves.h"
#include "trace/ids.h"

#include <inttypes.h>
#include <string.h>

enum {
    LINE_MAX_BYTES = 110, /* of a comment; the rest is cut */
    SQL_LINES = 12,
};

#define FIRST_MARK "-- Load first: "
/* Every head has one of these two lines. */
#define SCRIPT_MARK "It prints TAP and rolls back all that it did."
#define COMMIT_MARK "It prints TAP and commits what it does."
#define EMPTY_MARK "To run it, in an empty database:"
#define SIDES_MARK "It prints what both databases answer, and rolls back all that it did."
#define SIDES_COMMIT_MARK "It prints what both databases answer, and commits what it does."
#define SIDES_EMPTY_MARK "To run it on both sides, each time in an empty database:"
#define FIRST_BEFORE_MARK "-- Load first, before: "
#define FIRST_AFTER_MARK "-- Load first, after: "
/* For scripts that check if the connection is lost. */
#define LOSES_STATUS " Exit status: 2 while the connection is lost, 0 once it is fixed."

/* A comment of one line, cut after `most` bytes. */
static void add_head_line(struct strbuf *out, const char *text, size_t most)
{
    struct strbuf line = {0};
    visible_adds(&line, VISIBLE_LINE, text);
    bool cut = line.size > most;
    strbuf_adds(out, line.size ? "-- " : "--");
    strbuf_add(out, strbuf_text(&line), cut ? utf8_cut(strbuf_text(&line), most) : line.size);
    strbuf_adds(out, cut ? " …\n" : "\n");
    strbuf_free(&line);
}

void comment_line(struct strbuf *out, const char *text)
{
    add_head_line(out, text, LINE_MAX_BYTES);
}

/* A command to copy, which is never cut. */
static void command_line(struct strbuf *out, const char *before, const char *path)
{
    struct strbuf text = {0};
    strbuf_addf(&text, "%s%s", before, path);
    add_head_line(out, strbuf_text(&text), SIZE_MAX);
    strbuf_free(&text);
}

static void write_comment(struct script *script, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void write_comment(struct script *script, const char *format, ...)
{
    struct strbuf text = {0};
    va_list args;
    va_start(args, format);
    strbuf_vaddf(&text, format, args);
    va_end(args);
    comment_line(script->out, strbuf_text(&text));
    strbuf_free(&text);
}

static const char *const said[] = {
    [FAILURE_INVARIANT] = "does not hold",
    [FAILURE_EXPECT] = "does not return what is expected",
    [FAILURE_CHECK] = "does not pass its check",
    [FAILURE_UNEXPECTED_ERROR] = "raises an unexpected error",
    [FAILURE_MISSING_ERROR] = "does not raise the expected error",
    [FAILURE_DIFFERENT_ERROR] = "raises a different error than expected",
    [FAILURE_TIMEOUT] = "takes too long",
    [FAILURE_CONNECTION] = "takes the server down",
    [FAILURE_RACE] = "is explained by no serial order",
    [FAILURE_DIFFERS] = "answers differently in the second database",
};

static void add_shown_value(const struct shown_arg *arg, struct strbuf *out)
{
    if (arg->reference) {
        strbuf_adds(out, arg->reference);
    } else {
        value_repr(arg->value, out);
    }
}

static void add_who(const struct failure *failure, struct strbuf *out)
{
    if (failure->invariant) {
        strbuf_addf(out, "invariant %s", failure->invariant->name);
        for (size_t i = 0; i < failure->fors.count; i++) {
            strbuf_addf(out, "%s%s=", i ? ", " : " for ", failure->fors.items[i].name);
            add_shown_value(&failure->fors.items[i], out);
        }
    } else if (failure->rule) {
        strbuf_addf(out, "%s%s", failure->rule->initialize ? "" : "rule ", failure->rule->name);
    } else {
        strbuf_adds(out, "the end");
    }
}

static void write_headline(struct script *script)
{
    const struct failure *failure = script->failure;
    struct strbuf text = {0};
    strbuf_addf(&text, "%s: ", script->machine->name);
    add_who(failure, &text);
    strbuf_addf(&text, " %s", said[failure->kind]);
    if (failure->step) {
        strbuf_addf(&text, failure->invariant ? " after step %zu" : ", in step %zu", failure->step);
    } else if (failure->invariant) {
        strbuf_adds(&text, " after initialize");
    }
    strbuf_addc(&text, '.');
    comment_line(script->out, strbuf_text(&text));
    strbuf_free(&text);
}

/* The text with names in place of ids that the database generated, which differ in each run. */
static const char *by_name(struct script *script, const char *text)
{
    const struct failure *failure = script->failure;
    VEC(struct shown_arg) names = {0};
    struct strbuf out = {0};
    size_t size = strlen(text);
    for (size_t i = 0; i < failure->bundled.count; i++) {
        const struct shown_arg *arg = &failure->bundled.items[i];
        if (value_is_id(arg->value) && !failure_draws(failure, arg->value)) {
            *VEC_PUSH(&script->arena, &names) = *arg;
        }
    }
    for (size_t i = 0; i < size;) {
        const struct shown_arg *name = id_at(names.items, names.count, text, i, size);
        strbuf_add(&out, name ? name->reference : text + i, name ? strlen(name->reference) : 1);
        i += name ? name->value.as.string->size : 1;
    }
    return strbuf_take(&out, &script->arena);
}

static void write_sql(struct script *script)
{
    const struct failure *failure = script->failure;
    const char *at = failure->sql;
    for (size_t i = 0; at && *at && i < SQL_LINES; i++) {
        size_t size = strcspn(at, "\n");
        write_comment(script, "    %.*s", (int)size, at);
        at += size + (at[size] == '\n');
    }
    if (failure->context) {
        write_comment(script, "    %s", failure->context);
    }
    for (size_t i = 0; i < failure->settings.count; i++) {
        write_comment(script, "      with %s = %s", failure->settings.items[i].name,
                      by_name(script, failure->settings.items[i].value));
    }
}

static void add_cell(const struct shown_cell *cell, struct strbuf *out)
{
    if (cell->name && !cell->maybe) {
        strbuf_adds(out, cell->name);
    } else {
        value_repr(cell->value, out);
    }
}

/* Writes a row like the report, with names in place of generated values, which differ in each run.
 */
static void write_row(struct script *script, const char *label, const struct shown_cell *cells)
{
    const struct failure *failure = script->failure;
    struct strbuf text = {0};
    for (size_t i = 0; i < failure->column_count; i++) {
        strbuf_adds(&text, i ? ", " : "");
        if (failure->column_count > 1) {
            strbuf_addf(&text, "%s=", failure->columns[i]);
        }
        add_cell(&cells[i], &text);
    }
    write_comment(script, "      %s%s", label, strbuf_text(&text));
    strbuf_free(&text);
}

static void write_difference(struct script *script, const struct difference *difference)
{
    bool changed = difference->kind == DIFFERENCE_CHANGED;
    bool sides = script->failure->kind == FAILURE_DIFFERS;
    if (difference->expected) {
        write_row(script,
                  sides     ? "before  "
                  : changed ? "instead of  "
                            : "missing     ",
                  difference->expected);
    }
    if (difference->actual) {
        write_row(script,
                  sides     ? "after   "
                  : changed ? "there is    "
                            : "unexpected  ",
                  difference->actual);
    }
}

static void write_comparison(struct script *script)
{
    const struct failure *failure = script->failure;
    bool sides = failure->kind == FAILURE_DIFFERS;
    if (failure->expected) {
        write_comment(script, "  %s  %s", sides ? "before" : "expected",
                      by_name(script, failure->expected));
    }
    if (failure->actual) {
        write_comment(script, "  %s  %s", sides ? "after " : "actual  ",
                      by_name(script, failure->actual));
    }
    for (size_t i = 0; i < failure->differences.count; i++) {
        write_difference(script, &failure->differences.items[i]);
    }
    if (failure->error.sqlstate[0] && failure->error.message) {
        write_comment(script, "            %s", by_name(script, failure->error.message));
    }
}

static void write_origin(struct script *script)
{
    const struct failure *failure = script->failure;
    struct strbuf text = {0};
    if (failure->pinned) {
        strbuf_addf(&text, "The pinned example '%s' of %s.", failure->pinned->name,
                    script->machine->path);
    } else {
        if (failure->example) {
            strbuf_addf(&text, "Found by pgfsm in example %" PRIu64 " of seed", failure->example);
        } else {
            strbuf_adds(&text, "Found by pgfsm in initialize, before the first example, with seed");
        }
        strbuf_addf(&text, " %" PRIu64, failure->seed);
        strbuf_addf(&text, " (%zu step%s)", failure->example_steps, plural(failure->example_steps));
        if (failure->kind == FAILURE_CONNECTION) {
            strbuf_adds(&text, ", not shrunk.");
        } else {
            strbuf_addf(&text, ", shrunk to %zu.", failure->steps.count);
        }
        strbuf_adds(&text, failure->shrinking.cut_short ? " There may be a shorter one." : "");
    }
    comment_line(script->out, strbuf_text(&text));
    strbuf_free(&text);
    if (failure->pos.source) {
        write_comment(script, "Stated in %s:%zu.", failure->pos.source->name,
                      source_place(failure->pos).line);
    }
}

static void write_session_notes(struct script *script)
{
    write_comment(script,
                  "The bug is there while the answers that no order explains are the same: of "
                  "others, SQL can't");
    write_comment(script,
                  "tell whether they are right. Sessions are connections of the extension dblink "
                  "(TAP: SKIP where");
    write_comment(script, "there is none). What they need to connect, such as a password: -v "
                          "connect='password=…'.");
}

static void write_death_notes(struct script *script)
{
    write_comment(script,
                  "The session that ends in the middle of a step is a connection of the extension "
                  "dblink (TAP: SKIP where");
    write_comment(script, "there is none). What it needs to connect, such as a password: -v "
                          "connect='password=…'.");
}

static void write_usage(struct script *script)
{
    const struct replay *replay = script->replay;
    write_comment(script, "%s",
                  replay->machine->clock || (!replay->file_count && !script->commits) ? "To run it:"
                  : replay->in_place
                      ? "To run it, in the database that it was found in (pgfsm: by -d):"
                      : EMPTY_MARK);
    for (size_t i = 0; i < replay->file_count; i++) {
        if (replay->files[i].first) {
            /* not cut, because it is read again */
            strbuf_addf(script->out, FIRST_MARK "%s\n", replay->files[i].path);
        }
    }
    struct strbuf path = {0};
    shell_quote(&path, replay->path);
    if (!replay->machine->clock) {
        command_line(script->out, "    psql -X -f ", strbuf_text(&path));
    }
    command_line(script->out,
                 replay->machine->clock ? "    pgfsm replay "
                                        : "or, on a server started for it: pgfsm replay ",
                 strbuf_text(&path));
    strbuf_free(&path);
    write_comment(script, "%s%s", script->commits ? COMMIT_MARK : SCRIPT_MARK,
                  script->failure->kind == FAILURE_CONNECTION
                      ? LOSES_STATUS
                      : " Exit status: 3 while the bug is there, 0 once it is fixed.");
    if (script->commits) {
        write_comment(script,
                      "Each step is a transaction of its own, as it was when the bug was found.");
    }
    if (script->recording->sessions) {
        write_session_notes(script);
    } else if (recording_ends_within(script->recording)) {
        write_death_notes(script);
    }
    clock_write_head(script);
    if (replay->machine->schema_found) {
        write_comment(script,
                      "It loads the schema's files of that day: add later ones, as a migration.");
    }
    if (replay->file_count && replay->files[0].first) {
        write_comment(
            script,
            "What the files to load first create stays. Of a migration, load only the way up.");
    }
}

/* Writes the steps of the sessions, and the contradiction of each order. */
static void write_race(struct script *script)
{
    const struct race *race = script->failure->race;
    write_comment(script, "%s: %u sessions: no serial order explains this.", script->machine->name,
                  race->sessions);
    comment_line(script->out, "");
    for (size_t i = 0; i < race->steps.count; i++) {
        struct strbuf text = {0};
        trace_print_step(&race->steps.items[i].shown, &text);
        write_comment(script, "    %s  %s", race_step_name(&script->arena, race, i),
                      strbuf_text(&text));
        strbuf_free(&text);
    }
}

static void write_failure(struct script *script)
{
    write_headline(script);
    comment_line(script->out, "");
    write_sql(script);
    write_comparison(script);
}

/* Not cut, because it is read again. */
static void write_first(struct script *script, const char *mark, const struct replay_file *files,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (files[i].first) {
            strbuf_addf(script->out, "%s%s\n", mark, files[i].path);
        }
    }
}

/* Two commands to copy, with the names of databases that whoever runs them has. */
static void write_sides_usage(struct script *script)
{
    const struct replay *replay = script->replay;
    struct strbuf path = {0};
    bool empty = replay->file_count || replay->sides->file_count;
    shell_quote(&path, replay->path);
    if (!replay->machine->clock) {
        write_comment(script, "%s",
                      empty ? SIDES_EMPTY_MARK
                            : "To run it, in the databases that it was found in:");
        write_first(script, FIRST_BEFORE_MARK, replay->files, replay->file_count);
        write_first(script, FIRST_AFTER_MARK, replay->sides->files, replay->sides->file_count);
        command_line(script->out, "    psql -X -d BEFORE > before.txt -f ", strbuf_text(&path));
        command_line(script->out, "    psql -X -d AFTER -v after=1 > after.txt -f ",
                     strbuf_text(&path));
        command_line(script->out, "    diff before.txt after.txt", "");
    }
    command_line(script->out,
                 replay->machine->clock ? "To run it on both sides: pgfsm replay "
                                        : "or, on a server started for it: pgfsm replay ",
                 strbuf_text(&path));
    comment_line(script->out, script->commits ? SIDES_COMMIT_MARK : SIDES_MARK);
    clock_write_head(script);
    strbuf_free(&path);
}

void head_write(struct script *script)
{
    if (script->recording->sessions) {
        write_race(script);
    } else {
        write_failure(script);
    }
    comment_line(script->out, "");
    write_origin(script);
    comment_line(script->out, "");
    if (script->replay->sides) {
        write_sides_usage(script);
    } else {
        write_usage(script);
    }
}

/* Reads the next line of the head, without its newline; false at the end of the head. An editor may
 * have added a CR to each line. */
static bool next_head_line(const char **at, const char **line, size_t *size)
{
    *line = *at;
    if (strncmp(*at, "--", 2) != 0) {
        return false;
    }
    *size = strcspn(*at, "\n");
    *at += *size + ((*at)[*size] == '\n');
    *size -= (*line)[*size - 1] == '\r';
    return true;
}

static bool line_begins(const char *line, size_t size, const char *with)
{
    return size >= strlen(with) && memcmp(line, with, strlen(with)) == 0;
}

bool replay_is_script(const char *script)
{
    const char *line;
    size_t size;
    bool is = false;
    while (!is && next_head_line(&script, &line, &size)) {
        is = line_begins(line, size, "-- " SCRIPT_MARK) ||
             line_begins(line, size, "-- " COMMIT_MARK) ||
             line_begins(line, size, "-- " SIDES_MARK) ||
             line_begins(line, size, "-- " SIDES_COMMIT_MARK);
    }
    return is;
}

static const char *rest_of(struct arena *arena, const char *line, size_t size, const char *mark)
{
    return line_begins(line, size, mark)
               ? arena_strndup(arena, line + strlen(mark), size - strlen(mark))
               : NULL;
}

void replay_read_head(const char *script, struct arena *arena, struct replay_head *out)
{
    const char *line;
    size_t size;
    while (next_head_line(&script, &line, &size)) {
        const char *first = rest_of(arena, line, size, FIRST_MARK);
        const char *before = rest_of(arena, line, size, FIRST_BEFORE_MARK);
        const char *after = rest_of(arena, line, size, FIRST_AFTER_MARK);
        if (first || before) {
            *VEC_PUSH(arena, &out->paths) = first ? first : before;
        }
        if (after) {
            *VEC_PUSH(arena, &out->paths_after) = after;
        }
        out->sides |= line_begins(line, size, "-- " SIDES_MARK) ||
                      line_begins(line, size, "-- " SIDES_COMMIT_MARK);
        (void)clock_read_head(line, size, out);
        out->empty |= line_begins(line, size, "-- " EMPTY_MARK) ||
                      line_begins(line, size, "-- " SIDES_EMPTY_MARK);
        out->loses |= line_begins(line, size, "-- " SCRIPT_MARK LOSES_STATUS) ||
                      line_begins(line, size, "-- " COMMIT_MARK LOSES_STATUS);
    }
}

void tap_text(struct strbuf *out, const char *text)
{
    struct strbuf line = {0};
    visible_adds(&line, VISIBLE_LINE, text);
    for (const char *at = strbuf_text(&line); *at; at++) {
        if (*at == '#') {
            strbuf_addc(out, ' '); /* otherwise the text after it would be a directive */
        } else {
            strbuf_fill(out, *at, *at == '\'' || *at == '\\' ? 2 : 1);
        }
    }
    strbuf_free(&line);
}
