/* A machine from YAML text on the fake database, with which most tests of the engine start. */
#ifndef SUPPORT_RIG_H
#define SUPPORT_RIG_H

#include "examine/rerun.h"
#include "run/run.h"

#include "support/fake.h"

struct rig {
    struct arena arena; /* the machine */
    struct arena results;
    const struct machine *machine;
    struct fake fake;
    struct run_options options; /* 1 example of 10 steps, seed 1, nothing is shrunk */
    struct run_result result;
    struct error err;
    struct strbuf printed; /* what the model prints */
    uint64_t now_us;       /* the clock: goes on by 1 at each look */
    uint64_t interrupt_at; /* interrupted when asked so often; 0: never */
    uint64_t asked;
    bool masked;                /* between two calls of mask_interrupts */
    uint64_t progress;          /* how often progress was called */
    struct engine engine;       /* of rig_start */
    struct examiner examiner;   /* on it */
    struct example_result last; /* of rig_example */
};

/* Reads the machine (a mistake in it ends the test) and readies the database. */
void rig_open(struct rig *rig, const char *yaml, const struct fake_script *script, void *state,
              size_t size);
void rig_close(struct rig *rig);

/* A whole run, into rig->result; the database begins anew. */
bool rig_run(struct rig *rig);
/* The same, where it must work. */
void rig_run_ok(struct rig *rig);
/* The one failure that the run must have found. */
const struct failure *rig_failure(struct rig *rig);
/* The failure's steps as they are shown, a line each; in rig->results. */
const char *rig_steps(struct rig *rig, const struct failure *failure);

/* Sets up an engine for running single examples; rig_stop ends it. */
void rig_start(struct rig *rig);
void rig_stop(struct rig *rig);
/* Runs a plan on it, which must work; valid until the next. */
const struct example_result *rig_example(struct rig *rig, const struct example_plan *plan);

/* The index of a rule by name. */
size_t rig_rule(const struct rig *rig, const char *name);

#endif
