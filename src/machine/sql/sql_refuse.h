/*
 * Commands that SQL in a machine may not use, and why: those that end or nest the transaction that
 * every example runs in, change who or what the statements after them run as behind the runner's
 * back, need a data stream of their own, or cannot run inside a transaction at all.
 */
#ifndef MACHINE_SQL_REFUSE_H
#define MACHINE_SQL_REFUSE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { SQL_WORDS_MAX = 6 };

/* The head of a statement, in upper case: its words up to the first token that is none. */
struct sql_head {
    char words[SQL_WORDS_MAX][32]; /* a longer word is cut */
    size_t count;
};

/* Adds a word, in upper case; `head` must not be full. */
void sql_head_add(struct sql_head *head, const char *word, size_t size);

/* What else of a statement decides whether it is refused. */
struct sql_traits {
    bool copies_stream; /* COPY … FROM STDIN or TO STDOUT */
    bool concurrently;  /* CREATE INDEX CONCURRENTLY and its like */
};

/* Reports a statement that is refused; false if it was. */
bool sql_refuse(const struct sql_head *head, const struct sql_traits *traits, struct source_pos pos,
                struct diagnostics *diagnostics);
/* The transaction control that the statement is ("COMMIT", "PREPARE TRANSACTION"), or NULL. */
const char *sql_transaction_control(const struct sql_head *head);
/* The command that can't run inside a transaction that the statement is, or NULL. `concurrently` is
 * of its traits. */
const char *sql_outside_transaction(const struct sql_head *head, bool concurrently);
/* Whether statements that come later may depend on what this one creates. */
bool sql_is_ddl(const struct sql_head *head);
/* Whether it changes what all databases of a server have in common: roles, mostly. */
bool sql_is_shared(const struct sql_head *head);
/* Whether the server accepts no bound parameter in the statement: GRANT, CREATE ROLE, SET, … */
bool sql_takes_no_values(const struct sql_head *head);

#endif
