#include "report/alike.h"

#include "example/divergence.h"
#include "report/delivery.h"
#include "run/run.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool is_plain(const struct failure *failure) { return !failure->flaky && !failure->pinned; }

/* Whether `first` has the same steps as the failure. If it is what steps left behind in two
 * databases, it may have the first ones of them: rows that differ lead to further differences. */
static bool has_its_steps(const struct failure *first, const struct failure *failure)
{
    bool leads = first->divergence && failure->divergence && first->at_end &&
                 first->steps.count < failure->steps.count;
    struct failure begun = *failure;
    if (!first->steps.count || !is_plain(first) || !is_plain(failure) ||
        (!leads && first->step != failure->step)) {
        return false;
    }
    begun.steps.count = leads ? first->steps.count : begun.steps.count;
    return failure_same_steps(first, &begun);
}

static bool is_word(const char *text, const char *word)
{
    size_t size = strlen(word);
    return strncasecmp(text, word, size) == 0 && !isalnum((unsigned char)text[size]) &&
           text[size] != '_';
}

static const char *next_word(const char *text)
{
    text += strcspn(text, " \t\n(");
    return text + strspn(text, " \t\n");
}

/* The table that an INSERT, an UPDATE or a DELETE writes to, up to the end of the SQL; NULL: it is
 * none of these. */
static const char *target_of(const struct failure *failure)
{
    const char *sql = failure->sql ? failure->sql + strspn(failure->sql, " \t\n") : "";
    bool update = is_word(sql, "update");
    if (!update && !is_word(sql, "insert") && !is_word(sql, "delete")) {
        return NULL;
    }
    const char *target = update ? next_word(sql) : next_word(next_word(sql));
    return is_word(target, "only") ? next_word(target) : target;
}

/* Errors that name no table may come from two of them. */
static bool same_target(const struct failure *a, const struct failure *b)
{
    const char *one = target_of(a);
    const char *other = target_of(b);
    size_t size = one ? strcspn(one, " \t\n(") : 0;
    return !one || !other || (size == strcspn(other, " \t\n(") && memcmp(one, other, size) == 0);
}

static bool names_table(const struct divergence *divergence)
{
    const struct server_error *error =
        divergence->error_after ? divergence->error_after : divergence->error_before;
    return error && error->table && *error->table;
}

static bool has_its_cause(const struct failure *a, const struct failure *b)
{
    return is_plain(a) && is_plain(b) && divergence_same_cause(a->divergence, b->divergence) &&
           (names_table(a->divergence) || same_target(a, b));
}

/* Whether one of them is what the steps of the other one had left behind before that showed it, or
 * both show the same of that. */
static bool follows(const struct failure *a, const struct failure *b)
{
    const char *one = a->follows ? a->follows : a->identity;
    const char *other = b->follows ? b->follows : b->identity;
    return (a->follows || b->follows) && strcmp(one, other) == 0;
}

/* The steps before the one that shows it. */
static size_t steps_before(const struct failure *failure)
{
    return failure->steps.count - (!failure->at_end && !failure->invariant);
}

static bool same_rules(const struct failure *a, const struct failure *b)
{
    size_t count = steps_before(a);
    bool same = count == steps_before(b);
    for (size_t i = 0; same && i < count; i++) {
        same = a->steps.items[i].rule == b->steps.items[i].rule;
    }
    return same;
}

/* Whether the column of some row has another value. */
static bool differs_in(const struct failure *failure, const char *column)
{
    for (size_t i = 0; i < failure->differences.count; i++) {
        const struct difference *difference = &failure->differences.items[i];
        for (size_t j = 0; difference->kind == DIFFERENCE_CHANGED && j < failure->column_count;
             j++) {
            if (difference->actual[j].differs && strcmp(failure->columns[j], column) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* Whether steps of the same rules leave other values in a column of the same name. */
static bool has_its_column(const struct failure *a, const struct failure *b)
{
    bool found = false;
    for (size_t i = 0; i < a->column_count && !found; i++) {
        found = differs_in(a, a->columns[i]) && differs_in(b, a->columns[i]);
    }
    return found && is_plain(a) && is_plain(b) && same_rules(a, b);
}

static bool are_alike(const struct failure *first, const struct failure *failure)
{
    if (has_its_steps(first, failure)) {
        return true;
    }
    return first->divergence && failure->divergence &&
           (has_its_cause(first, failure) || follows(first, failure) ||
            has_its_column(first, failure));
}

enum rank {
    RANK_MIGRATION, /* it can't be applied to some rows */
    RANK_FAILS,     /* what succeeded fails */
    RANK_SUCCEEDS,  /* what failed succeeds, or has other columns */
    RANK_ANSWERS,   /* other rows, counts, notifications */
    RANK_ERRORS,    /* what failed fails otherwise */
    RANK_FLAKY,
};

static enum rank rank_of(const struct failure *failure)
{
    const struct divergence *divergence = failure->divergence;
    if (failure->flaky || !divergence) {
        return failure->flaky ? RANK_FLAKY : RANK_MIGRATION;
    }
    return divergence->kind == DIVERGES_MIGRATE                              ? RANK_MIGRATION
           : divergence->error_before && divergence->error_after             ? RANK_ERRORS
           : divergence->error_after                                         ? RANK_FAILS
           : divergence->error_before || divergence_shows_always(divergence) ? RANK_SUCCEEDS
                                                                             : RANK_ANSWERS;
}

/* Whether the failure stands before the other one, of two that are alike. */
static bool leads(const struct failure *failure, const struct failure *other)
{
    bool migrates = failure->divergence && rank_of(failure) == RANK_MIGRATION;
    bool other_migrates = other->divergence && rank_of(other) == RANK_MIGRATION;
    if (migrates != other_migrates) {
        return migrates;
    }
    return failure->steps.count < other->steps.count ||
           (failure->steps.count == other->steps.count && failure < other);
}

const struct failure *alike_head(const struct run_result *result, const struct failure *failure)
{
    const struct failure *head = NULL;
    const struct failure *next = failure;
    while (head != next) {
        head = next;
        for (size_t i = 0; i < result->failures.count; i++) {
            const struct failure *other = &result->failures.items[i];
            next = leads(other, next) && are_alike(other, head) ? other : next;
        }
    }
    return head;
}

size_t alike_count(const struct run_result *result)
{
    size_t count = 0;
    for (size_t i = 0; i < result->failures.count; i++) {
        count += alike_head(result, &result->failures.items[i]) == &result->failures.items[i];
    }
    return count;
}

/* Where a failure goes: its cause first by its worst failure, and then as it was found. */
struct place {
    enum rank rank;
    size_t head;
    bool behind; /* it is not the head */
    size_t index;
};

static bool is_before(const struct place *a, const struct place *b)
{
    if (a->rank != b->rank || a->head != b->head) {
        return a->rank != b->rank ? a->rank < b->rank : a->head < b->head;
    }
    return a->behind != b->behind ? b->behind : a->index < b->index;
}

static void find_places(const struct run_result *result, struct place *out)
{
    size_t count = result->failures.count;
    for (size_t i = 0; i < count; i++) {
        const struct failure *failure = &result->failures.items[i];
        const struct failure *head = alike_head(result, failure);
        out[i] = (struct place){rank_of(failure), (size_t)(head - result->failures.items),
                                head != failure, i};
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            bool worse = out[j].head == out[i].head && out[j].rank < out[i].rank;
            out[i].rank = worse ? out[j].rank : out[i].rank;
        }
    }
}

void alike_sort(struct run_result *result, struct delivery *deliveries)
{
    struct arena arena = {0};
    size_t count = result->failures.count;
    struct place *places = ARENA_ARRAY(&arena, struct place, count);
    find_places(result, places);
    for (size_t i = 1; i < count; i++) { /* there are few */
        for (size_t j = i; j > 0 && is_before(&places[j], &places[j - 1]); j--) {
            const struct place place = places[j];
            const struct failure failure = result->failures.items[j];
            const struct delivery delivery = deliveries[j];
            places[j] = places[j - 1];
            result->failures.items[j] = result->failures.items[j - 1];
            deliveries[j] = deliveries[j - 1];
            places[j - 1] = place;
            result->failures.items[j - 1] = failure;
            deliveries[j - 1] = delivery;
        }
    }
    arena_free(&arena);
}
