/* Sends statements with their parameters and contexts to the backend, and receives their answers.
 */
#ifndef EXAMPLE_STATEMENT_H
#define EXAMPLE_STATEMENT_H

#include "example/backend.h"

struct example;

/* A sent statement. */
struct sent {
    const struct machine_statement *statement;
    backend_ticket ticket;
    struct backend_context context; /* valid until the flight's arena is emptied */
    bool taken;
    struct answer answer; /* once it is taken */
};

struct sending {
    struct sent *items; /* with room for all statements */
    size_t count;
    bool checks;             /* true for an invariant */
    const struct rule *rule; /* the rule; NULL for an invariant */
    const char *asker;       /* its name, or the invariant's */
    bool has_deferred;
    backend_ticket deferred;
};

bool statements_send(struct example *example, const struct machine_statement *statements,
                     size_t count, struct value *locals, struct sending *out, struct error *err);
/* Makes room for so many statements, and sends the next one. */
void sending_begin(struct example *example, size_t count, struct sending *out);
bool statement_send(struct example *example, const struct machine_statement *statement,
                    struct value *locals, struct sending *out, struct error *err);
bool deferred_send(struct example *example, const struct machine_statement *statements,
                   size_t count, struct value *locals, struct sending *out, struct error *err);
/* The values of a statement's parameters, in the flight's arena. */
bool statement_values(struct example *example, const struct sql_template *sql,
                      const struct value *locals, struct items *out, struct error *err);
/* Queues a call, and tells the observer. */
bool send_call(struct example *example, struct backend_call *call, backend_ticket *ticket,
               struct error *err);

/* The answer of the last statement, or the first error. */
struct received {
    struct answer answer;
    bool raised;
    struct server_error error;
    const struct machine_statement *statement; /* that raised it; NULL for the deferred check */
    const struct divergence *divergence;       /* the first one, of two databases; or NULL */
    const struct machine_statement *diverged;  /* its statement; NULL for the deferred check */
    bool parts;                                /* as in struct answer, as the next one */
    bool undone;
    uint64_t statements; /* executed */
    uint64_t time_us;
};
/* Takes the answer of one of them, if it is not taken yet. */
bool statement_take(struct example *example, struct sending *sending, size_t index,
                    struct arena *arena, struct error *err);
/* Takes what is not taken yet. */
bool statements_receive(struct example *example, struct sending *sending, struct arena *arena,
                        struct received *out, struct error *err);

/* Statement `index` of a sending; NULL if it has not so many. */
const struct machine_statement *sending_at(const struct sending *sending, size_t index);
/* The last statement of a sending; NULL if it has none. */
const struct machine_statement *sending_last(const struct sending *sending);
/* The position of an error in the file: in the statement, if the server gave a position. */
struct source_pos statement_error_pos(const struct machine_statement *statement,
                                      const struct server_error *error);

#endif
