#include "api/hold.h"

#include "api/errors.h"
#include "init/adjust.h"

#include <stdlib.h>
#include <string.h>

#include <pgfsm/machine.h>
#include <pgfsm/run.h>

enum {
    SEEDS = 3,       /* each from the start, after the last change too */
    ROUNDS_MAX = 40, /* runs in all */
    EXAMPLES = 20,   /* of a run; fewer where there are many rules */
    TRIED_MAX = 600, /* examples times rules of a run */
    TIME_MAX_MS = 20000,
};

/* A machine under trial. */
struct trial {
    struct strbuf *text;
    struct pgfsm_database *database;
    const struct pgfsm_draft_options *options;
    const struct pgfsm_callbacks *callbacks;
    struct pgfsm_errors *errors;
    struct pgfsm_errors *found; /* of the last try */
    int64_t seed;
    bool shortened;     /* the examples, in this round */
    int64_t seeds;      /* one where there are many rules: opening such a machine takes long */
    struct arena arena; /* of the adjustments */
    VEC(struct adjustment) adjustments;
};

/* What does not hold is not worth shrinking. The lines stay where they are. */
static void add_settings(struct strbuf *text)
{
    static const char head[] = "\nsettings: {";
    static const char shrink[] = "shrink: {executions: 0}";
    char *at = strstr(text->data, head);
    struct strbuf out = {0};
    if (at) {
        size_t size = (size_t)(at - text->data) + sizeof head - 1;
        strbuf_add(&out, text->data, size);
        strbuf_addf(&out, "%s, %s", shrink, text->data + size);
    } else {
        strbuf_addf(&out, "%ssettings: {%s}\n", text->data, shrink);
    }
    strbuf_free(text);
    *text = out;
}

static const char *name_of(const struct trial *trial)
{
    return trial->options->path ? trial->options->path : "machine.yaml";
}

static struct pgfsm_machine *read_machine(struct trial *trial)
{
    struct pgfsm_machine *machine = NULL;
    struct strbuf text = {0};
    strbuf_add(&text, trial->text->data, trial->text->size);
    add_settings(&text);
    (void)pgfsm_machine_read(&machine, name_of(trial), strbuf_text(&text), text.size, NULL,
                             trial->found);
    strbuf_free(&text);
    return machine;
}

static void note(struct trial *trial, const struct adjustment *adjustment)
{
    struct adjustment *copy = VEC_PUSH(&trial->arena, &trial->adjustments);
    *copy = *adjustment;
    copy->sqlstate = arena_strdup(&trial->arena, adjustment->sqlstate);
    copy->why = arena_strdup(&trial->arena, adjustment->why);
}

/* Whether it lost the connection, or never ended: nothing can be expected of that. */
static bool is_hopeless(const struct pgfsm_failure *failure, bool lost)
{
    static const char *const codes[] = {"57014", "57P", "08"}; /* query_canceled; the server ends */
    bool hopeless = lost && !*failure->sqlstate && !*failure->message;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        hopeless = hopeless || strncmp(failure->sqlstate, codes[i], strlen(codes[i])) == 0;
    }
    return hopeless;
}

static void note_failures(struct trial *trial, const struct pgfsm_run *run, bool lost)
{
    const struct pgfsm_failure *failure;
    for (size_t i = 0; (failure = pgfsm_run_failure(run, i)); i++) {
        bool hopeless = is_hopeless(failure, lost);
        bool silent = hopeless && !*failure->message;
        note(trial, &(struct adjustment){.line = failure->line,
                                         .sqlstate = failure->sqlstate,
                                         .why = silent ? "the server ended the connection"
                                                       : failure->message,
                                         .mistake = hopeless});
    }
}

/* "settings: {steps: 100}": half as many, where an example does not fit. */
static bool halve_steps(struct strbuf *text)
{
    enum { STEPS_MIN = 5 };
    static const char head[] = "\nsettings: {steps: ";
    struct strbuf out = {0};
    const char *at = strstr(text->data, head);
    char *end = NULL;
    long steps = at ? strtol(at + sizeof head - 1, &end, 10) / 2 : 0;
    if (steps < STEPS_MIN) {
        return false;
    }
    strbuf_add(&out, text->data, (size_t)(at - text->data) + sizeof head - 1);
    strbuf_addf(&out, "%ld%s", steps, end);
    strbuf_free(text);
    *text = out;
    return true;
}

/* Mistakes have a place in the text, which is not that of the schema. Limits are those of a whole
 * example. Other errors end the trial. */
static bool note_mistakes(struct trial *trial)
{
    const struct pgfsm_error *error;
    for (size_t i = 0; (error = pgfsm_errors_at(trial->found, i)); i++) {
        if (error->code == PGFSM_ERROR_LIMIT && halve_steps(trial->text)) {
            trial->shortened = true;
            return true;
        }
        if (error->line == 0 || error->code != PGFSM_ERROR_MACHINE ||
            strcmp(error->file, name_of(trial)) != 0) {
            return errors_add_found(trial->errors, trial->found);
        }
        note(trial,
             &(struct adjustment){
                 .line = error->line, .sqlstate = "", .why = error->message, .mistake = true});
    }
    return true;
}

/* Runs the machine once. False: the trial is over. */
static bool try_once(struct trial *trial)
{
    struct pgfsm_run_options run_options = PGFSM_RUN_OPTIONS_INIT;
    const struct pgfsm_callbacks callbacks = {
        .struct_size = sizeof callbacks,
        .host = trial->callbacks ? trial->callbacks->host : NULL,
        .interrupted = trial->callbacks ? trial->callbacks->interrupted : NULL};
    struct pgfsm_run *run = NULL;
    struct pgfsm_machine *machine = read_machine(trial);
    if (!machine) {
        return note_mistakes(trial);
    }
    size_t rules = pgfsm_machine_rule_count(machine);
    run_options.examples = (int64_t)(rules * EXAMPLES > TRIED_MAX ? TRIED_MAX / rules : EXAMPLES);
    run_options.examples += run_options.examples == 0;
    trial->seeds = rules > TRIED_MAX ? 1 : SEEDS;
    run_options.seed = trial->seed;
    run_options.jobs = 1;
    run_options.max_time_ms = TIME_MAX_MS;
    bool went_on =
        pgfsm_machine_run(&run, machine, trial->database, &run_options, &callbacks, trial->found);
    if (run) {
        note_failures(trial, run, !went_on);
    }
    pgfsm_run_free(run);
    pgfsm_machine_free(machine);
    return went_on || trial->adjustments.count > 0 || note_mistakes(trial);
}

/* The one that is lowest in the text, and above the line. */
static const struct adjustment *lowest_above(const struct trial *trial, size_t line)
{
    const struct adjustment *found = NULL;
    for (size_t i = 0; i < trial->adjustments.count; i++) {
        const struct adjustment *one = &trial->adjustments.items[i];
        if (one->line < line && (!found || one->line > found->line)) {
            found = one;
        }
    }
    return found;
}

/* From below, so that the lines above stay where they are; once for each rule. False: nothing could
 * be changed. */
static bool adjust_all(struct trial *trial)
{
    const struct adjustment *adjustment;
    size_t line = SIZE_MAX;
    bool changed = false;
    while ((adjustment = lowest_above(trial, line))) {
        size_t start = adjust_text(trial->text, adjustment);
        changed = changed || start > 0;
        line = start > 0 ? start : adjustment->line;
    }
    return changed;
}

/* Rounds until it holds from each seed. False: it was not tried to the end. */
static bool hold(struct trial *trial)
{
    trial->seed = 1;
    trial->seeds = SEEDS;
    for (int round = 0; round < ROUNDS_MAX && trial->seed <= trial->seeds; round++) {
        trial->adjustments.count = 0;
        trial->shortened = false;
        pgfsm_errors_clear(trial->found);
        if (!try_once(trial)) {
            return false;
        }
        if (trial->adjustments.count == 0) {
            trial->seed += !trial->shortened;
        } else if (!adjust_all(trial)) {
            return errors_addf(trial->errors, ERROR_MACHINE,
                               "the machine does not hold: %s; choose tables with --table",
                               trial->adjustments.items[0].why);
        }
    }
    return trial->seed > trial->seeds ||
           errors_addf(trial->errors, ERROR_MACHINE,
                       "the machine does not hold after %d changes; choose tables with --table",
                       ROUNDS_MAX);
}

bool hold_machine(struct strbuf *text, struct pgfsm_database *database,
                  const struct pgfsm_draft_options *options,
                  const struct pgfsm_callbacks *callbacks, struct pgfsm_errors *errors)
{
    struct trial trial = {.text = text,
                          .database = database,
                          .options = options,
                          .callbacks = callbacks,
                          .errors = errors,
                          .found = pgfsm_errors_new()};
    bool held = hold(&trial);
    pgfsm_errors_free(trial.found);
    arena_free(&trial.arena);
    return held;
}
