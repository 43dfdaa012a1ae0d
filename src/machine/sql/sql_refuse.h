/*
 * Commands that SQL in a machine may not use, and the reasons. They end or nest the example's
 * transaction, change the user or settings of later statements behind pgfsm's back, need a data
 * stream, or can't run inside a transaction.
 */
#ifndef MACHINE_SQL_REFUSE_H
#define MACHINE_SQL_REFUSE_H

#include "base/error.h"
#include "sql/lex.h"

enum { SQL_WORDS_MAX = 6 };

/* The head of a statement, in upper case: its words up to the first token that is not a word. */
struct sql_head {
    char words[SQL_WORDS_MAX][32]; /* a longer word is cut */
    size_t count;
};

/* The facts about a statement read so far. */
struct sql_statement {
    struct sql_head head;
    bool head_done;
    struct sql_token last; /* the token before; `end` is 0 for none */
    size_t body;           /* depth of BEGIN ATOMIC and of the CASE … END in it */
    size_t body_start;     /* offset of BEGIN */
    bool from;             /* the last word was FROM */
    bool to;               /* … TO */
    bool reads_stream;     /* COPY … FROM STDIN */
    bool writes_stream;    /* COPY … TO STDOUT */
    bool concurrently;     /* CREATE INDEX CONCURRENTLY and its like */
    bool adds_value;       /* ALTER TYPE … ADD VALUE */
    bool select_into;      /* INTO, but not of INSERT and MERGE */
    bool returning;        /* the word was there */
};

/* Takes the next token of the statement. `nested`: it is inside brackets. */
void sql_statement_read(struct sql_statement *statement, const struct sql_lexer *lexer,
                        const struct sql_token *token, bool nested);
/* Returns true if the head begins with these words, in upper case and separated by a space. `|`
 * separates alternatives, as in "CREATE ROLE|DROP ROLE". */
bool sql_head_is(const struct sql_head *head, const char *words);

/* Returns true if the statement is allowed, and otherwise reports it. `outside`: it will run
 * outside of a transaction. */
bool sql_refuse(const struct sql_statement *statement, bool outside, struct source_pos pos,
                struct diagnostics *diagnostics);
/* The command, if the statement is transaction control ("COMMIT", "PREPARE TRANSACTION"); otherwise
 * NULL. */
const char *sql_transaction_control(const struct sql_statement *statement);
/* The command, if the statement can't run inside a transaction; otherwise NULL. */
const char *sql_outside_transaction(const struct sql_statement *statement);
/* Returns true if later statements may depend on objects that this one creates. */
bool sql_is_ddl(const struct sql_head *head);
/* Returns true if it changes objects that all databases of a server share, mostly roles. */
bool sql_is_shared(const struct sql_head *head);
/* Returns true if the server refuses bound parameters in the statement: GRANT, CREATE ROLE, SET, …
 */
bool sql_takes_no_values(const struct sql_head *head);

#endif
