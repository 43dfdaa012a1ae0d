/*
 * The names of errors: PostgreSQL's condition names and their SQLSTATEs.
 *
 * Source: the PostgreSQL manual, appendix A (errors only, as PL/pgSQL knows them). A few names
 * stand for two SQLSTATEs, so names are matched against codes, and never converted to them.
 */
#ifndef MACHINE_CONDITIONS_H
#define MACHINE_CONDITIONS_H

#include <stdbool.h>
#include <stddef.h>

struct condition {
    const char *name;
    char sqlstate[6];
};

/* Sorted by name, `condition_count` of them. */
extern const struct condition conditions[];
extern const size_t condition_count;

/* Names of conditions in other tools and in messages, sorted by word. */
struct condition_word {
    const char *word;
    const char *condition;
};
extern const struct condition_word condition_words[];
extern const size_t condition_word_count;

bool condition_is_name(const char *name);
/* Returns true for five digits and upper-case letters. They need not be in the list, because a
 * schema may raise its own SQLSTATEs. */
bool condition_is_sqlstate(const char *text);
/* The condition for its name in another tool or in another spelling: check_violation for
 * check_constraint_violation, CheckViolation, ERRCODE_CHECK_VIOLATION. NULL if unknown. */
const char *condition_meant(const char *word);
/* The first name with that SQLSTATE, or NULL. */
const char *condition_name(const char *sqlstate);
/* Returns true if an error with that SQLSTATE matches the condition (a name or an SQLSTATE). A
 * category, whose code ends with 000, matches every error of its class, as in PL/pgSQL (manual,
 * section 43.6.8). */
bool condition_matches(const char *condition, const char *sqlstate);

#endif
