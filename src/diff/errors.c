#include "diff/cells.h"
#include "diff/verdict.h"
#include "example/step/raises.h"

#include <string.h>

static const struct server_error *error_of(const struct answer *answer)
{
    return answer->status == ANSWER_ERROR ? &answer->error : NULL;
}

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* "unique_violation (23505) orders_pkey" */
static const char *outcome_text(struct arena *arena, const struct server_error *error)
{
    if (error == NULL) {
        return "no error";
    }
    const char *text = error_text(arena, error);
    return error->constraint == NULL || *error->constraint == '\0'
               ? text
               : arena_printf(arena, "%s %s", text, error->constraint);
}

/* Errors that say that a table, a function, a column, a schema or a type is not there. */
static bool says_missing(const struct server_error *error)
{
    static const char *const states[] = {"42P01", "42883", "42703", "3F000", "42704"};
    for (size_t i = 0; error != NULL && i < sizeof states / sizeof *states; i++) {
        if (strcmp(error->sqlstate, states[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* A constraint of a domain belongs to no table, as does one that a function names: it may be that
 * of a table under another name. */
static bool same_constraint(const struct comparing_answers *answers,
                            const struct server_error *before, const struct server_error *after)
{
    const struct comparing_sides *sides = answers->sides;
    const struct constraint_name a =
        constraints_root(sides->constraints, (struct constraint_name){before->schema, before->table,
                                                                      before->constraint});
    const struct constraint_name b =
        constraints_root(sides->constraints,
                         (struct constraint_name){after->schema, after->table, after->constraint});
    const char *table = constraint_table(sides->arena, a.table != NULL ? a : b);
    if (a.name == NULL || b.name == NULL) {
        return same_text(a.name, b.name) && same_text(a.table, b.table);
    }
    if (a.table != NULL && b.table != NULL && strcmp(a.table, b.table) != 0) {
        return false;
    }
    if (strcmp(a.name, b.name) == 0) {
        return true;
    }
    table = table != NULL                                  ? table
            : same_text(before->datatype, after->datatype) ? before->datatype
                                                           : NULL;
    return table != NULL && sides->purpose != LEARNS && same_text(before->column, after->column) &&
           natures_rename(sides->natures, table, a.name, b.name);
}

static bool same_message(const struct comparing_answers *answers, const struct server_error *before,
                         const struct server_error *after)
{
    if (!answers->sides->messages || before->message == NULL || after->message == NULL) {
        return true;
    }
    struct arena *arena = answers->sides->arena;
    return cells_agree(answers->sides, NATURE_EQUAL, value_text(arena, before->message),
                       value_text(arena, after->message));
}

/* A time limit, and a server without room, say nothing about the schema. */
static bool says_nothing(const struct server_error *error)
{
    return error != NULL && (error->cancelled || error->lacking);
}

/* The new schema ran into a time limit where the old one answered at once. It counts only if that
 * shows again when the example is run again, as every difference. */
static bool hangs(const struct comparing_answers *answers, const struct server_error *after)
{
    enum { TIMES = 100, SHORTEST_US = 1000 };
    int64_t before_us = answers->before->time_us;
    return after != NULL && after->cancelled && answers->sides->purpose == COMPARES &&
           answers->after->time_us / TIMES >= (before_us > SHORTEST_US ? before_us : SHORTEST_US);
}

const struct divergence *compare_errors(const struct comparing_answers *answers)
{
    const struct server_error *before = error_of(answers->before);
    const struct server_error *after = error_of(answers->after);
    bool hung = hangs(answers, after);
    if (says_nothing(before) || (says_nothing(after) && !hung)) {
        return NULL;
    }
    bool same = before != NULL && after != NULL && strcmp(before->sqlstate, after->sqlstate) == 0 &&
                same_constraint(answers, before, after) && same_message(answers, before, after);
    if (same ||
        natures_of(answers->sides->natures, answers->asked->place, NATURES_ERROR) == NATURE_FREE) {
        return NULL;
    }
    bool missing = says_missing(after) && !says_missing(before);
    struct arena *arena = answers->sides->arena;
    const char *text_before = outcome_text(arena, before);
    const char *text_after = outcome_text(arena, after);
    if (before != NULL && after != NULL && strcmp(text_before, text_after) == 0) {
        text_before = before->message == NULL ? text_before : before->message;
        text_after = after->message == NULL ? text_after : after->message;
    }
    return diverges(answers,
                    &(struct divergence){.kind = missing ? DIVERGES_MISSING : DIVERGES_ERROR,
                                         .before = text_before,
                                         .after = text_after},
                    NATURES_ERROR);
}
