/* A mutant: a schema with one small fault in it, and what a machine made of it. */
#ifndef MUTATE_MUTANT_H
#define MUTATE_MUTANT_H

#include "base/json.h"
#include "mutate/change.h"
#include "trace/trace.h"

enum verdict {
    VERDICT_NONE,      /* not run */
    VERDICT_KILLED,    /* an example failed that holds on the schema as it is */
    VERDICT_SURVIVED,  /* no example failed */
    VERDICT_TIMED_OUT, /* a statement ran too long: says nothing of what the machine checks */
    VERDICT_STILLBORN, /* the server refused the fault */
    VERDICT_BROKE,     /* the model met a mistake, the server went away, a failure did not repeat */
    VERDICT_EQUIVALENT, /* it can't change what the schema does */
    VERDICT_ACCEPTED,   /* it survived, as the machine says that it may */
    VERDICTS
};

/* Texts are in the arena of whoever made the mutant. */
struct mutant {
    size_t
        number; /* from 1, among all that were chosen: shards share them out by it, and processes */
    const char *id;         /* eight hexadecimal digits; see mutant_identify */
    const char *operator;   /* what was done: "drop-check" */
    const char *kind;       /* of the object: "constraint" */
    const char *object;     /* "members.members_role_check", "leave(uuid)" */
    const char *relation;   /* the table or function that it is about */
    const char *was;        /* the part of the definition that differs, before and after */
    const char *becomes;    /* "": it is gone */
    const char *ddl;        /* what makes the change */
    const char *equivalent; /* why it can't change anything; NULL: it can */
    const char *reason;     /* why the machine accepts that it survives; NULL: it does not */
    struct source_pos pos;  /* in the schema's files (locate.h); without a source: not found */
    size_t size;            /* bytes from there on */
    size_t earlier;         /* places of the object's text that are like `was`, and come first */
    struct source_pos statement; /* that creates the object; without a source: not found */
    struct change change;        /* in that statement; otherwise in the catalog's definition */

    enum verdict verdict;
    /* What showed it: the failure's identity, "invariant editors"; of a stillborn or broken one
     * the error's message; NULL: nothing. */
    const char *by;
    /* Of one that survived (cause.h): why, and what to do, or NULL in a shard; a rule or invariant
     * that kills it, as lines of YAML, or NULL. */
    const char *cause;
    const char *remedy;
    const char *rule;
    const char *rule_kind; /* "rule", "invariant" */
    const char *killer;    /* what failed, as a case is called: "invariant editors"; or NULL */
    uint64_t example;      /* that failed, from 1; 0: a pinned or stored one */
    struct trace trace;
    uint64_t time_us; /* that it took */
};

struct mutation {
    VEC(struct mutant) mutants;
    size_t counts[VERDICTS];
    uint64_t time_us;
    bool listed;            /* none was to be run */
    bool drawn;             /* some of them, of a run that is about something else */
    bool partial;           /* the others are those of other shards: the score is not that of all */
    double min_score;       /* percent; 0: none */
    VEC(const char *) gone; /* what the machine accepts, and no mutant is */
};

/* Whether the operator is one of the patterns, as in a shell, with spaces between them. */
bool mutant_fits(const char *operator, const char * patterns);

/* How many were killed or survived. */
size_t mutation_graded(const struct mutation *mutation);
/* Percent of those that were killed or survived; -1: there are none. */
double mutation_score(const struct mutation *mutation);
/* "killed", "timed out", … */
extern const char *const verdict_names[VERDICTS];

/* Writes what became of it as members of a JSON object. */
void mutant_write(struct json *json, const struct mutant *mutant);

/* Gives each of the mutants its id: a hash of operator, object and the change, so that it outlives
 * changes elsewhere in the schema. Those that are equal in all three are told apart by their order.
 */
void mutants_identify(struct mutant *mutants, size_t count, struct arena *arena);

#endif
