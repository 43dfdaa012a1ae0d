/*
 * Commands that SQL in a machine may not use, and why. They end or nest the transaction of the
 * example, change the user or settings of later statements without pgfsm knowing, need a data
 * stream of their own, or can't run inside a transaction.
 */
#ifndef MACHINE_SQL_REFUSE_H
#define MACHINE_SQL_REFUSE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { SQL_WORDS_MAX = 6 };

/* The head of a statement, in upper case: its words up to the first token that is not a word. */
struct sql_head {
    char words[SQL_WORDS_MAX][32]; /* a longer word is cut */
    size_t count;
};

/* Adds a word, in upper case; `head` must not be full. */
void sql_head_add(struct sql_head *head, const char *word, size_t size);

/* Other properties of a statement that decide whether it is refused. */
struct sql_traits {
    bool copies_stream; /* COPY … FROM STDIN or TO STDOUT */
    bool concurrently;  /* CREATE INDEX CONCURRENTLY and its like */
};

/* Reports a statement that must be refused, and returns false. */
bool sql_refuse(const struct sql_head *head, const struct sql_traits *traits, struct source_pos pos,
                struct diagnostics *diagnostics);
/* The command, if the statement is transaction control ("COMMIT", "PREPARE TRANSACTION"); otherwise
 * NULL. */
const char *sql_transaction_control(const struct sql_head *head);
/* The command, if the statement can't run inside a transaction; otherwise NULL. `concurrently` is
 * one of its traits. */
const char *sql_outside_transaction(const struct sql_head *head, bool concurrently);
/* Whether later statements may depend on what this one creates. */
bool sql_is_ddl(const struct sql_head *head);
/* Whether it changes something that all databases of a server share: mostly roles. */
bool sql_is_shared(const struct sql_head *head);
/* Whether the server accepts no bound parameter in the statement: GRANT, CREATE ROLE, SET, … */
bool sql_takes_no_values(const struct sql_head *head);

#endif
