#include "mutate/judge.h"

#include "run/thread.h"

#include <stdlib.h>
#include <string.h>

enum {
    TIMEOUT_MS = 3000 /* of a statement on a mutant: one that loops is not waited for longer */
};

/* What the workers share, under the lock. */
struct bench {
    const struct judging *judging;
    struct mutant *mutants;
    size_t count;
    size_t next;
    size_t judged;
    pthread_mutex_t lock;
    bool ok;
    struct error *err;
};

struct worker {
    struct bench *bench;
    struct backend *backend;
    pthread_t thread;
    bool lost; /* the connection is */
};

/* A run that only says whether an example fails. */
static struct run_options judge_options(const struct judging *judging)
{
    const struct run_callbacks *callbacks = &judging->options->callbacks;
    struct run_options options = {
        .settings = judging->options->settings,
        .rules_off = judging->options->rules_off,
        .no_pipeline = judging->options->no_pipeline,
        .judge = true,
        .callbacks = {.host = callbacks->host,
                      .now_us = callbacks->now_us,
                      .interrupted = callbacks->interrupted},
    };
    options.settings.max_time_ms = 0;
    return options;
}

/* Runs on the worker's connection, in a transaction that begins anew. What a mutant left behind on
 * the connection ends with it. */
static bool run_anew(struct worker *worker, const struct run_options *options, struct arena *arena,
                     struct run_result *result, struct error *err)
{
    struct backend *backend = worker->backend;
    const struct backend_ops *ops = backend->ops;
    *result = (struct run_result){0};
    bool began = worker->lost ? ops->reconnect(backend, err) : ops->restart(backend, err);
    bool ok =
        began && run_machine(worker->bench->judging->machine, backend, options, arena, result, err);
    worker->lost = !ok && err->code == ERROR_CONNECTION;
    return ok;
}

static void note(struct mutant *mutant, enum verdict verdict, const char *by, struct arena *arena)
{
    mutant->verdict = verdict;
    mutant->by = by ? arena_strdup(arena, by) : NULL;
}

static void note_result(struct mutant *mutant, const struct run_result *result, struct arena *arena)
{
    if (result->refused) {
        note(mutant, VERDICT_STILLBORN, result->refused, arena);
    } else if (result->failures.count == 0) {
        note(mutant, VERDICT_SURVIVED, NULL, arena);
    } else {
        const struct failure *failure = &result->failures.items[0];
        note(mutant, failure->kind == FAILURE_TIMEOUT ? VERDICT_TIMED_OUT : VERDICT_KILLED,
             failure->identity, arena);
        mutant->example = failure->example;
        mutant->trace = trace_copy(arena, &failure->trace);
    }
}

/* That the model meets a mistake, or the server goes away, is what the fault does, if it does so
 * again; anything else ends the work. */
static bool judge_mutant(struct worker *worker, struct mutant *mutant, struct error *err)
{
    struct bench *bench = worker->bench;
    struct run_options options = judge_options(bench->judging);
    struct run_result result;
    struct arena arena = {0};
    options.plant = mutant->ddl;
    uint64_t began_us = options.callbacks.now_us(options.callbacks.host);
    bool ok = run_anew(worker, &options, &arena, &result, err);
    if (!ok && worker->lost) {
        *err = (struct error){0};
        ok = run_anew(worker, &options, &arena, &result, err);
    }
    (void)pthread_mutex_lock(&bench->lock);
    if (ok) {
        note_result(mutant, &result, bench->judging->arena);
    } else if (err->code == ERROR_MACHINE || err->code == ERROR_LIMIT || worker->lost) {
        note(mutant, VERDICT_BROKE, err->message, bench->judging->arena);
        *err = (struct error){0};
        ok = true;
    }
    mutant->time_us = options.callbacks.now_us(options.callbacks.host) - began_us;
    (void)pthread_mutex_unlock(&bench->lock);
    arena_free(&arena);
    return ok;
}

static void *judge_all(void *arg)
{
    struct worker *worker = arg;
    struct bench *bench = worker->bench;
    const struct judging *judging = bench->judging;
    worker->backend->ops->limit(worker->backend, TIMEOUT_MS);
    (void)pthread_mutex_lock(&bench->lock);
    while (bench->ok && bench->next < bench->count) {
        struct mutant *mutant = &bench->mutants[bench->next++];
        struct error err = {0};
        if (mutant->verdict != VERDICT_NONE) {
            continue;
        }
        (void)pthread_mutex_unlock(&bench->lock);
        bool ok = judge_mutant(worker, mutant, &err);
        (void)pthread_mutex_lock(&bench->lock);
        if (!ok && bench->ok) {
            bench->ok = false;
            *bench->err = err;
        }
        bench->judged += ok;
        if (ok && judging->progress) {
            judging->progress(judging->host, bench->judged);
        }
    }
    (void)pthread_mutex_unlock(&bench->lock);
    return NULL;
}

/* A fault is to blame only if the trace holds without it. Pinned examples did, in the run before.
 */
static bool confirm(struct worker *worker, struct error *err)
{
    const struct bench *bench = worker->bench;
    struct run_options options = judge_options(bench->judging);
    struct arena arena = {0};
    struct run_result result;
    VEC(struct stored_trace) traces = {0};
    for (size_t i = 0; i < bench->count; i++) {
        const struct mutant *mutant = &bench->mutants[i];
        if (mutant->verdict == VERDICT_KILLED && mutant->example > 0) {
            *VEC_PUSH(&arena, &traces) = (struct stored_trace){.identity = mutant->by,
                                                               .seed = options.settings.seed,
                                                               .example = mutant->example,
                                                               .trace = mutant->trace};
        }
    }
    options.stored = traces.items;
    options.stored_count = traces.count;
    options.stored_only = true;
    bool ok = run_anew(worker, &options, &arena, &result, err);
    if (ok && result.failures.count > 0) {
        ok = error_set(err, ERROR_MACHINE,
                       "example %llu, which kills a mutant, fails on the schema as it is, too: %s",
                       (unsigned long long)result.failures.items[0].example,
                       result.failures.items[0].identity);
        error_hint(err, "a machine that does not always give the same answer can't be graded; run "
                        "it with more examples to see what fails");
    }
    arena_free(&arena);
    return ok;
}

bool judge(const struct judging *judging, struct mutant *mutants, size_t count, struct error *err)
{
    struct bench bench = {.judging = judging,
                          .mutants = mutants,
                          .count = count,
                          .lock = PTHREAD_MUTEX_INITIALIZER,
                          .ok = true,
                          .err = err};
    struct worker *workers = memory_alloc(judging->backend_count * sizeof *workers);
    size_t started = 1;
    for (size_t i = 0; i < judging->backend_count; i++) {
        workers[i] = (struct worker){.bench = &bench, .backend = judging->backends[i]};
    }
    while (started < judging->backend_count &&
           thread_start(&workers[started].thread, judge_all, &workers[started])) {
        started++;
    }
    (void)judge_all(&workers[0]);
    for (size_t i = 1; i < started; i++) {
        (void)pthread_join(workers[i].thread, NULL);
    }
    bool ok = bench.ok && confirm(&workers[0], err);
    (void)pthread_mutex_destroy(&bench.lock);
    free(workers);
    return ok;
}
