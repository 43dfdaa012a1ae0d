#include "report/sentence.h"

#include "base/utf8.h"
#include "example/divergence.h"
#include "report/race.h"

#include <inttypes.h>
#include <string.h>

/* How much there is room for. */
struct room {
    size_t kinds;   /* of differences: missing, unexpected, changed rows */
    size_t rows;    /* of each kind */
    size_t columns; /* of such a row */
    size_t value;   /* characters of a value */
    size_t message; /* characters of the server's message */
    size_t fors;    /* characters of each `for` value; 0: they are left out */
    size_t code;    /* characters of an expression */
};

/* What is shortened first comes first. */
static const struct room rooms[] = {
    {3, 20, 20, 60, 120, 60, 90}, {3, 4, 4, 60, 120, 60, 90}, {3, 2, 2, 60, 120, 60, 90},
    {3, 1, 1, 60, 120, 60, 90},   {2, 1, 1, 60, 120, 60, 90}, {2, 1, 1, 24, 120, 60, 90},
    {1, 1, 1, 24, 120, 60, 90},   {1, 1, 1, 24, 60, 60, 90},  {1, 1, 1, 24, 30, 24, 90},
    {1, 1, 1, 24, 30, 0, 60},     {1, 1, 1, 24, 30, 0, 30},
};

struct telling {
    struct arena *arena;
    const struct machine *machine;
    const struct failure *failure;
    struct show_names names;
    struct room room;
    struct strbuf out;
};

/* What was cut, without how long it is: "aaaa… (1,002 characters)". */
static const char *brief(const struct telling *telling, const char *text)
{
    static const char mark[] = " (";
    static const char ellipsis[] = "…";
    size_t size = strlen(text);
    const char *at = NULL;
    for (const char *next = text; (next = strstr(next, mark)); next++) {
        at = next;
    }
    size_t rest = at ? (size_t)(at - text) : 0;
    bool cut = rest >= sizeof ellipsis - 1 && text[size - 1] == ')' && strstr(at, " characters") &&
               (strncmp(text, ellipsis, sizeof ellipsis - 1) == 0 ||
                strncmp(at - (sizeof ellipsis - 1), ellipsis, sizeof ellipsis - 1) == 0);
    return cut ? arena_strndup(telling->arena, text, rest) : text;
}

static const char *told_value(const struct telling *telling, struct value value, size_t limit)
{
    return brief(telling, show_value(telling->arena, &telling->names, value, limit));
}

static const char *shown(const struct telling *telling, const char *text, size_t limit)
{
    return brief(telling, show_text(telling->arena, &telling->names, text ? text : "", limit));
}

/* Of long ones the part in which they differ. */
static void show_sides(const struct telling *telling, const char *texts[2])
{
    show_two(telling->arena, &telling->names, texts, telling->room.value);
    for (size_t i = 0; i < 2; i++) {
        texts[i] = brief(telling, texts[i]);
    }
}

/* Who, and when. */

static void add_fors(struct telling *telling)
{
    const struct failure *failure = telling->failure;
    for (size_t i = 0; i < failure->fors.count && telling->room.fors; i++) {
        const struct shown_arg *arg = &failure->fors.items[i];
        strbuf_adds(&telling->out, i ? ", " : " of ");
        if (arg->reference) {
            strbuf_adds(&telling->out, show_name(telling->arena, arg->reference));
        } else {
            strbuf_addf(&telling->out, "%s=%s", arg->name,
                        told_value(telling, arg->value, telling->room.fors));
        }
    }
}

/* The migration of a diff by its files. */
static const char *rule_text(const struct telling *telling, const struct rule *rule)
{
    return rule->files ? arena_printf(telling->arena, "%s %s", rule->name,
                                      show_name(telling->arena, rule->files))
                       : rule->name;
}

static void add_after(struct telling *telling)
{
    const struct failure *failure = telling->failure;
    if (failure->step && failure->rule) {
        strbuf_addf(&telling->out, " after %s (step %zu)", rule_text(telling, failure->rule),
                    failure->step);
    } else {
        strbuf_adds(&telling->out, " after initialize");
    }
}

/* "table public.orders as ann" */
static void add_place(struct telling *telling)
{
    const struct divergence *divergence = telling->failure->divergence;
    strbuf_adds(&telling->out, show_name(telling->arena, divergence->place));
    if (divergence->context) {
        strbuf_addf(&telling->out, " %s", show_name(telling->arena, divergence->context));
    }
}

static void add_who(struct telling *telling)
{
    const struct failure *failure = telling->failure;
    const struct rule *rule = failure->rule;
    struct strbuf *out = &telling->out;
    if (failure->invariant) {
        strbuf_addf(out, "invariant %s", failure->invariant->name);
        add_fors(telling);
        add_after(telling);
    } else if (failure->divergence && failure->at_end) {
        add_place(telling);
        add_after(telling);
    } else if (!rule || failure->at_end) {
        strbuf_adds(out, rule ? "end of example" : "initialize");
    } else {
        bool unnamed = strncmp(rule->name, "initialize ", strlen("initialize ")) == 0;
        strbuf_addf(out, "%s%s",
                    unnamed || rule->files ? ""
                    : rule->initialize     ? "initialize "
                                           : "rule ",
                    rule_text(telling, rule));
        if (failure->step) {
            strbuf_addf(out, " (step %zu)", failure->step);
        }
    }
}

/* Rows that differ. */

static const char *cell_text(const struct telling *telling, const struct shown_cell *cell)
{
    return cell->name && !cell->maybe ? show_name(telling->arena, cell->name)
                                      : told_value(telling, cell->value, telling->room.value);
}

/* "projects_1"; of several columns "(item="nut", quantity=3)". */
static void add_row(struct telling *telling, const struct shown_cell *cells)
{
    const struct failure *failure = telling->failure;
    struct strbuf *out = &telling->out;
    if (failure->column_count == 1) {
        strbuf_adds(out, cell_text(telling, &cells[0]));
        return;
    }
    strbuf_addc(out, '(');
    for (size_t i = 0; i < failure->column_count && i < telling->room.columns; i++) {
        strbuf_addf(out, "%s%s=%s", i ? ", " : "", show_name(telling->arena, failure->columns[i]),
                    cell_text(telling, &cells[i]));
    }
    strbuf_adds(out, failure->column_count > telling->room.columns ? ", …)" : ")");
}

/* What tells a changed row from the others: its place, or the first value that did not change. */
static void add_key(struct telling *telling, const struct difference *difference)
{
    const struct failure *failure = telling->failure;
    const struct shown_cell *cells = difference->actual;
    if (difference->place) {
        strbuf_addf(&telling->out, "row %" PRId64, difference->place);
        return;
    }
    size_t i = 0;
    while (i < failure->column_count && cells[i].differs) {
        i++;
    }
    if (i == failure->column_count) {
        strbuf_adds(&telling->out, "a row");
    } else if (cells[i].name && !cells[i].maybe) {
        strbuf_adds(&telling->out, show_name(telling->arena, cells[i].name));
    } else {
        strbuf_addf(&telling->out, "%s=%s", show_name(telling->arena, failure->columns[i]),
                    cell_text(telling, &cells[i]));
    }
}

/* `"open", expected "paid"`: with their types if they look the same. */
static void add_sides(struct telling *telling, const struct shown_cell *actual,
                      const struct shown_cell *expected)
{
    const struct shown_cell *const cells[] = {actual, expected};
    const char *texts[2];
    for (size_t i = 0; i < 2; i++) {
        texts[i] = cells[i]->name && !cells[i]->maybe
                       ? cells[i]->name
                       : value_repr_text(telling->arena, cells[i]->value);
    }
    show_sides(telling, texts);
    bool alike = strcmp(texts[0], texts[1]) == 0;
    const char *types[] = {value_type_name(actual->value), value_type_name(expected->value)};
    if (telling->failure->divergence) {
        strbuf_addf(&telling->out,
                    alike ? "%s (%s) before, %s (%s) after" : "%s%.0s before, %s%.0s after",
                    texts[1], types[1], texts[0], types[0]);
        return;
    }
    strbuf_addf(&telling->out, alike ? "%s (%s), expected %s (%s)" : "%s%.0s, expected %s%.0s",
                texts[0], types[0], texts[1], types[1]);
}

static void add_changed(struct telling *telling, const struct difference *difference)
{
    const struct failure *failure = telling->failure;
    size_t told = 0;
    add_key(telling, difference);
    for (size_t i = 0; i < failure->column_count && told < telling->room.columns; i++) {
        if (difference->actual[i].differs) {
            strbuf_adds(&telling->out, told++ ? " and " : failure->column_count > 1 ? " has " : "");
            strbuf_addf(&telling->out, failure->column_count > 1 ? "%s " : " is %.0s",
                        show_name(telling->arena, failure->columns[i]));
            add_sides(telling, &difference->actual[i], &difference->expected[i]);
        }
    }
}

/* How many rows of that kind were told. */
static size_t add_kind(struct telling *telling, enum difference_kind kind, const char *word)
{
    const struct failure *failure = telling->failure;
    size_t told = 0;
    for (size_t i = 0; i < failure->differences.count && told < telling->room.rows; i++) {
        const struct difference *difference = &failure->differences.items[i];
        bool first = told == 0;
        if (difference->kind != kind) {
            continue;
        }
        told++;
        if (kind == DIFFERENCE_CHANGED) {
            strbuf_adds(&telling->out, first ? word : "; ");
            add_changed(telling, difference);
        } else {
            strbuf_adds(&telling->out, first ? word : ", ");
            add_row(telling, difference->expected ? difference->expected : difference->actual);
        }
    }
    return told;
}

static bool same_cells(const struct shown_cell *a, const struct shown_cell *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!value_equal(a[i].value, b[i].value)) {
            return false;
        }
    }
    return true;
}

/* Whether the rows are the same, each as often, in another order. */
static bool is_reordered(const struct telling *telling)
{
    const struct failure *failure = telling->failure;
    size_t count = failure->differences.count;
    const struct difference *items = failure->differences.items;
    bool *taken = ARENA_ARRAY(telling->arena, bool, count);
    for (size_t i = 0; i < count; i++) {
        size_t j = 0;
        if (!items[i].place || !items[i].expected || !items[i].actual) {
            return false;
        }
        while (j < count &&
               (taken[j] || !items[j].actual ||
                !same_cells(items[i].expected, items[j].actual, failure->column_count))) {
            j++;
        }
        if (j == count) {
            return false;
        }
        taken[j] = true;
    }
    return count > 0 && count == failure->difference_count;
}

static void add_differences(struct telling *telling)
{
    static const struct {
        enum difference_kind kind;
        const char *word;
        const char *of_two; /* databases */
    } kinds[] = {{DIFFERENCE_MISSING, "missing ", "only before "},
                 {DIFFERENCE_UNEXPECTED, "unexpected ", "only after "},
                 {DIFFERENCE_CHANGED, "", ""}};
    const struct failure *failure = telling->failure;
    bool two = failure->divergence != NULL;
    size_t told = 0;
    strbuf_adds(&telling->out, ": ");
    if (two ? failure->divergence->kind == DIVERGES_ORDER : is_reordered(telling)) {
        strbuf_addf(&telling->out, "the same %s in another order",
                    shown(telling, failure->expected, telling->room.value));
        return;
    }
    for (size_t i = 0, left = telling->room.kinds; i < sizeof kinds / sizeof *kinds && left; i++) {
        const char *word = arena_printf(telling->arena, "%s%s", told ? "; " : "",
                                        two ? kinds[i].of_two : kinds[i].word);
        size_t of_kind = add_kind(telling, kinds[i].kind, word);
        told += of_kind;
        left -= of_kind > 0;
    }
    if (told < failure->difference_count) {
        size_t more = failure->difference_count - told;
        strbuf_addf(&telling->out, more == 1 ? "; %zu more row differs" : "; %zu more rows differ",
                    more);
    }
}

/* Errors. */

/* "unique_violation (23505), a_key" without the number. */
static const char *conditions(const struct telling *telling, const char *text)
{
    struct strbuf out = {0};
    for (const char *at = text; *at;) {
        bool code = strncmp(at, " (", 2) == 0 && strlen(at) > 7 && at[7] == ')' &&
                    strspn(at + 2, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 5;
        strbuf_add(&out, at, code ? 0 : 1);
        at += code ? 8 : 1;
    }
    const char *shorter = strbuf_take(&out, telling->arena);
    return shown(telling, shorter, SHOW_ALL);
}

/* Its first line; of a long one that would be cut, what it is about, if that is known. */
static const char *told_message(const struct telling *telling, const struct server_error *error)
{
    struct arena *arena = telling->arena;
    const char *line = arena_strndup(arena, error->message, strcspn(error->message, "\n"));
    bool constraint = error->constraint && *error->constraint;
    const char *kind = constraint ? "constraint" : "column";
    const char *name = constraint ? error->constraint : error->column;
    if (utf8_length(line, strlen(line)) <= telling->room.message || !name || !*name) {
        return shown(telling, line, telling->room.message);
    }
    const char *table = error->table && *error->table
                            ? arena_printf(arena, " of table %s", show_name(arena, error->table))
                            : "";
    return arena_printf(arena, "%s %s%s", kind, show_name(arena, name), table);
}

static void add_error(struct telling *telling)
{
    const struct server_error *error = &telling->failure->error;
    strbuf_addf(&telling->out, " raised %s",
                error->sqlstate[0] ? show_condition(error->sqlstate) : "an error");
    const char *message = error->message ? error->message : "";
    if (error->constraint && *error->constraint && !strstr(message, error->constraint)) {
        strbuf_addf(&telling->out, " of constraint %s",
                    show_name(telling->arena, error->constraint));
    }
    if (*message && *message != '\n') {
        strbuf_addf(&telling->out, ": %s", told_message(telling, error));
    }
}

static void add_other_error(struct telling *telling)
{
    const struct failure *failure = telling->failure;
    if (failure->actual && failure->expected) {
        strbuf_addf(&telling->out, " raised %s instead of %s", conditions(telling, failure->actual),
                    conditions(telling, failure->expected));
    } else {
        add_error(telling);
    }
}

static void add_timeout(struct telling *telling)
{
    static const char within[] = "an answer within ";
    const struct failure *failure = telling->failure;
    int64_t timeout = telling->machine->settings.statement_timeout_ms;
    const char *limit =
        failure->expected && strncmp(failure->expected, within, sizeof within - 1) == 0
            ? failure->expected + sizeof within - 1
        : failure->error.sqlstate[0] && timeout > 0
            ? arena_printf(telling->arena, "%" PRId64 " ms", timeout)
            : NULL;
    if (limit) {
        strbuf_addf(&telling->out, " took longer than %s", limit);
    } else {
        strbuf_adds(&telling->out, " took too long");
    }
}

/* Answers. */

/* "LEFT is X, should be OP Y"; "EXPR is false for 1 row: (2, None)". */
static void add_check(struct telling *telling)
{
    const struct failure *failure = telling->failure;
    const struct shown_sides *sides = &failure->sides;
    size_t value = telling->room.value;
    size_t code = telling->room.code;
    if (sides->source) {
        const char *texts[] = {sides->left, sides->right};
        show_sides(telling, texts);
        strbuf_addf(&telling->out, ": %s is %s, should be %s %s",
                    shown(telling, sides->source, code), texts[0], sides->op, texts[1]);
        return;
    }
    strbuf_addf(&telling->out, ": %s", shown(telling, failure->check, code));
    if (!failure->actual || strcmp(failure->actual, "False") == 0) {
        strbuf_adds(&telling->out, " is false");
    } else {
        strbuf_addf(&telling->out, " gives %s", shown(telling, failure->actual, value));
    }
    if (failure->returned) {
        strbuf_addf(&telling->out, " for %s", shown(telling, failure->returned, value));
    }
}

static void add_answer(struct telling *telling)
{
    const struct failure *failure = telling->failure;
    if (failure->check) {
        add_check(telling);
    } else if (failure->differences.count) {
        add_differences(telling);
    } else if (failure->actual && failure->expected) {
        const char *texts[] = {failure->actual, failure->expected};
        show_sides(telling, texts);
        strbuf_addf(&telling->out, " %s %s, expected %s", failure->id.affects ? "changed" : "gave",
                    texts[0], texts[1]);
    } else {
        strbuf_adds(&telling->out, " does not hold");
    }
}

/* "succeeded", "raised unique_violation orders_pkey"; without the constraint if `alone`, as the
 * message follows, which names it. */
static const char *outcome(const struct telling *telling, const struct server_error *error,
                           const char *text, const struct server_error *alone)
{
    bool named = alone && error && error->constraint && error->message &&
                 strstr(error->message, error->constraint);
    return !error
               ? "succeeded"
               : arena_printf(telling->arena, "raised %s",
                              named ? show_condition(error->sqlstate) : conditions(telling, text));
}

/* "succeeded before and raised unique_violation after: duplicate key …" */
static void add_two_outcomes(struct telling *telling)
{
    const struct divergence *divergence = telling->failure->divergence;
    const struct server_error *before = divergence->error_before;
    const struct server_error *after = divergence->error_after;
    const struct server_error *alone = before && after ? NULL : before ? before : after;
    strbuf_addf(&telling->out, " %s before and %s after",
                outcome(telling, before, divergence->before, alone),
                alone ? outcome(telling, after, divergence->after, alone)
                      : conditions(telling, divergence->after));
    if (alone && alone->message && *alone->message) {
        strbuf_addf(&telling->out, ": %s", told_message(telling, alone));
    }
}

/* Of two databases. */
static void add_divergence(struct telling *telling)
{
    const struct failure *failure = telling->failure;
    const struct divergence *divergence = failure->divergence;
    if (divergence->kind == DIVERGES_MIGRATE) {
        add_error(telling);
    } else if (divergence->error_before || divergence->error_after) {
        add_two_outcomes(telling);
    } else if (failure->differences.count) {
        add_differences(telling);
    } else {
        const char *texts[] = {divergence->before, divergence->after};
        show_sides(telling, texts);
        strbuf_addf(&telling->out, ": %s before, %s after", texts[0], texts[1]);
    }
}

static void add_rest(struct telling *telling)
{
    const struct failure *failure = telling->failure;
    switch (failure->kind) {
    case FAILURE_UNEXPECTED_ERROR:
        add_error(telling);
        break;
    case FAILURE_MISSING_ERROR:
        strbuf_addf(&telling->out, " should have raised %s, but succeeded",
                    failure->expected ? conditions(telling, failure->expected) : "an error");
        break;
    case FAILURE_DIFFERENT_ERROR:
        add_other_error(telling);
        break;
    case FAILURE_TIMEOUT:
        add_timeout(telling);
        break;
    case FAILURE_CONNECTION:
        strbuf_addf(&telling->out, ": %s",
                    failure->actual ? failure->actual : "the server closed the connection");
        break;
    case FAILURE_INVARIANT:
    case FAILURE_EXPECT:
    case FAILURE_CHECK:
    case FAILURE_RACE:
        add_answer(telling);
        break;
    case FAILURE_DIFFERS:
        add_divergence(telling);
        break;
    }
}

/* Where names alone are longer. */
static const char *cut(struct arena *arena, const char *text)
{
    size_t size = strlen(text);
    return utf8_length(text, size) <= SENTENCE_MAX
               ? text
               : arena_printf(arena, "%.*s…", (int)utf8_offset(text, size, SENTENCE_MAX - 1), text);
}

const char *sentence(struct arena *arena, const struct machine *machine,
                     const struct failure *failure)
{
    struct telling telling = {.arena = arena, .machine = machine, .failure = failure};
    const size_t count = sizeof rooms / sizeof *rooms;
    if (failure->race) {
        return cut(arena, race_headline(arena, failure->race));
    }
    show_names_collect(&telling.names, arena, failure);
    for (size_t i = 0; i < count; i++) {
        telling.room = rooms[i];
        strbuf_clear(&telling.out);
        add_who(&telling);
        add_rest(&telling);
        if (utf8_length(telling.out.data, telling.out.size) <= SENTENCE_MAX) {
            break;
        }
    }
    return cut(arena, strbuf_take(&telling.out, arena));
}
