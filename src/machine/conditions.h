/*
 * The names of errors: PostgreSQL's condition names and their SQLSTATEs.
 *
 * Source: the PostgreSQL manual, appendix A (errors only, as PL/pgSQL knows them). A few names
 * stand for two SQLSTATEs, so a name is matched against a code, never turned into one.
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

/* What other tools, or messages, call a condition. Sorted by word. */
struct condition_word {
    const char *word;
    const char *condition;
};
extern const struct condition_word condition_words[];
extern const size_t condition_word_count;

bool condition_is_name(const char *name);
/* Whether the text is five digits and upper-case letters, in the list or not: a schema may raise
 * its own. */
bool condition_is_sqlstate(const char *text);
/* The condition that is meant by what other tools call it, or by its name in another spelling:
 * check_violation for check_constraint_violation, CheckViolation, ERRCODE_CHECK_VIOLATION. NULL:
 * not known. */
const char *condition_meant(const char *word);
/* The first name with that SQLSTATE, or NULL. */
const char *condition_name(const char *sqlstate);
/* Whether an error with that SQLSTATE is the condition (a name or an SQLSTATE). A category, whose
 * code ends with 000, matches every error of its class, as in PL/pgSQL (manual, section 43.6.8). */
bool condition_matches(const char *condition, const char *sqlstate);

#endif
