#include "mutate/judge.h"

#include "os/thread.h"

#include <stdlib.h>
#include <string.h>

enum {
    TIMEOUT_MS = 3000 /* of a statement on a mutant, at most: one that loops is not waited for */
};

/* What the workers share, under the lock. */
struct bench {
    const struct judging *judging;
    struct mutant *mutants;
    size_t count;
    size_t next;
    struct judged judged;
    pthread_mutex_t lock;
    bool ok;
    struct error *err;
};

struct worker {
    struct bench *bench;
    struct backend *backend;
    pthread_t thread;
    struct run_chunk chunk; /* that it judges */
    bool is_first;          /* its thread is the one that called judge */
    bool lost;              /* the connection is */
    bool lacking;           /* the server, while an example ran */
};

static uint64_t now_us(const struct judging *judging)
{
    return judging->options->callbacks.now_us(judging->options->callbacks.host);
}

static bool time_is_up(const struct judging *judging)
{
    return judging->deadline_us && now_us(judging) >= judging->deadline_us;
}

/* What is left of the time, at least a moment; 0: no limit. */
static int64_t time_left_ms(const struct judging *judging)
{
    uint64_t now = judging->deadline_us ? now_us(judging) : 0;
    return now < judging->deadline_us ? (int64_t)((judging->deadline_us - now) / 1000) + 1
                                      : judging->deadline_us != 0;
}

static int64_t timeout_ms(const struct judging *judging)
{
    int64_t own = judging->options->settings.statement_timeout_ms;
    return own > 0 && own < TIMEOUT_MS ? own : TIMEOUT_MS;
}

struct run_options judging_options(const struct run_options *of)
{
    struct run_options options = {
        .settings = of->settings,
        .rules_off = of->rules_off,
        .no_pipeline = of->no_pipeline,
        .finding = FIND_FIRST,
        .callbacks = {.host = of->callbacks.host,
                      .now_us = of->callbacks.now_us,
                      .interrupted = of->callbacks.interrupted},
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
    worker->lacking = !ok && began && err->code == ERROR_SYSTEM && err->sqlstate[0];
    return ok;
}

static void note(struct mutant *mutant, enum verdict verdict, const char *by, struct arena *arena)
{
    mutant->verdict = verdict;
    mutant->by = by ? arena_strdup(arena, by) : NULL;
}

static const char *killer_of(const struct failure *failure, struct arena *arena)
{
    bool is_rule = failure->rule && !failure->rule->initialize;
    return failure->invariant ? arena_printf(arena, "invariant %s", failure->invariant->name)
           : is_rule          ? arena_printf(arena, "rule %s", failure->rule->name)
                              : "initialize";
}

static void note_result(struct mutant *mutant, const struct run_result *result, struct arena *arena)
{
    if (result->refused) {
        note(mutant, VERDICT_STILLBORN, result->refused, arena);
    } else if (result->failures.count == 0) {
        note(mutant, result->cut_short ? VERDICT_NONE : VERDICT_SURVIVED, NULL, arena);
    } else {
        const struct failure *failure = &result->failures.items[0];
        note(mutant, failure->kind == FAILURE_TIMEOUT ? VERDICT_TIMED_OUT : VERDICT_KILLED,
             failure->identity, arena);
        mutant->example = failure->example;
        mutant->killer = killer_of(failure, arena);
        mutant->trace = trace_copy(arena, &failure->trace);
    }
}

/* A failure kills only if it comes again: what shows once may be the machine's or the server's, not
 * the fault's. */
static bool repeats(struct worker *worker, const struct run_options *first, struct arena *arena,
                    const struct failure *failure, bool *out, struct error *err)
{
    struct run_options options = *first;
    struct run_result result;
    const struct stored_trace trace = {.identity = failure->identity,
                                       .seed = options.settings.seed,
                                       .example = failure->example,
                                       .trace = failure->trace};
    *out = true;
    if (failure->kind == FAILURE_TIMEOUT || failure->example == 0) {
        return true;
    }
    options.settings.max_time_ms = 0;
    options.stored = &trace;
    options.stored_count = 1;
    options.scope = RUN_KEPT;
    bool ok = run_anew(worker, &options, arena, &result, err);
    *out = ok && result.failures.count > 0;
    return ok;
}

/* The examples; `again`: what failed, if anything did, did so once more. */
static bool run_examples(struct worker *worker, const struct run_options *options,
                         struct arena *arena, struct run_result *result, bool *again,
                         struct error *err)
{
    *again = true;
    return run_anew(worker, options, arena, result, err) &&
           (result->failures.count == 0 ||
            repeats(worker, options, arena, &result->failures.items[0], again, err));
}

static void note_unrepeated(struct mutant *mutant, const struct failure *failure,
                            struct arena *arena)
{
    note(mutant, VERDICT_BROKE,
         arena_printf(arena, "example %llu failed, and held when it ran again: %s",
                      (unsigned long long)failure->example, failure->identity),
         arena);
}

/* Whether the mutant brought the error about, so that the work goes on with the next one. */
static bool is_of_the_fault(const struct worker *worker, const struct error *err)
{
    return err->code == ERROR_MACHINE || err->code == ERROR_LIMIT || worker->lost ||
           worker->lacking;
}

/* If the server goes away, or an example fails and holds when it runs again, all examples run once
 * more: what comes twice is the fault's doing. */
static bool judge_mutant(struct worker *worker, struct mutant *mutant, struct error *err)
{
    struct bench *bench = worker->bench;
    struct arena *kept = bench->judging->arena;
    struct run_options options = judging_options(bench->judging->options);
    struct run_result result;
    struct arena arena = {0};
    bool again;
    options.plant = mutant->ddl;
    options.settings.max_time_ms = time_left_ms(bench->judging);
    uint64_t began_us = now_us(bench->judging);
    bool ok = run_examples(worker, &options, &arena, &result, &again, err);
    if (ok ? !again : worker->lost) {
        *err = (struct error){0};
        options.settings.max_time_ms = time_left_ms(bench->judging);
        ok = run_examples(worker, &options, &arena, &result, &again, err);
    }
    (void)pthread_mutex_lock(&bench->lock);
    if (ok && again) {
        note_result(mutant, &result, kept);
    } else if (ok) {
        note_unrepeated(mutant, &result.failures.items[0], kept);
    } else if (is_of_the_fault(worker, err)) {
        note(mutant, VERDICT_BROKE, err->message, kept);
        *err = (struct error){0};
        ok = true;
    }
    mutant->time_us = now_us(bench->judging) - began_us;
    (void)pthread_mutex_unlock(&bench->lock);
    arena_free(&arena);
    return ok;
}

/* Under the lock. */
static void count_judged(const struct worker *worker, const struct mutant *mutant)
{
    struct bench *bench = worker->bench;
    const struct judging *judging = bench->judging;
    bool survived = mutant->verdict == VERDICT_SURVIVED && !mutant->reason;
    bench->judged.count++;
    bench->judged.killed += mutant->verdict == VERDICT_KILLED;
    bench->judged.survived += survived;
    bench->judged.survivor = survived ? mutant : bench->judged.survivor;
    if (worker->is_first && judging->progress) {
        judging->progress(judging->host, &bench->judged);
    }
}

/* A fault is to blame only if the trace holds without it. Pinned examples did, in the run before.
 */
static bool confirm(struct worker *worker, const struct mutant *mutants, size_t count,
                    struct error *err)
{
    const struct bench *bench = worker->bench;
    struct run_options options = judging_options(bench->judging->options);
    struct arena arena = {0};
    struct run_result result = {0};
    VEC(struct stored_trace) traces = {0};
    for (size_t i = 0; i < count; i++) {
        const struct mutant *mutant = &mutants[i];
        if (mutant->verdict == VERDICT_KILLED && mutant->example > 0) {
            *VEC_PUSH(&arena, &traces) = (struct stored_trace){.identity = mutant->by,
                                                               .seed = options.settings.seed,
                                                               .example = mutant->example,
                                                               .trace = mutant->trace};
        }
    }
    options.stored = traces.items;
    options.stored_count = traces.count;
    options.scope = RUN_KEPT;
    bool ok = traces.count == 0 || run_anew(worker, &options, &arena, &result, err);
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

/* The next ones: one mutant, or a chunk of those that are shared. Under the lock, or without
 * threads. False with the bench's error. */
static bool take(struct bench *bench, bool wait, struct run_chunk *out)
{
    const struct run_callbacks *callbacks = &bench->judging->options->callbacks;
    *out = (struct run_chunk){0};
    if (callbacks->take) {
        bench->ok = callbacks->take(callbacks->host, wait, out, bench->err);
    } else if (bench->next < bench->count && !time_is_up(bench->judging)) {
        bench->next++;
        *out = (struct run_chunk){bench->next, bench->next};
    }
    return bench->ok;
}

/* Gives the verdicts of a chunk to other processes. Under the lock. */
static bool hand_in(const struct bench *bench, const struct run_chunk *chunk, struct error *err)
{
    const struct run_callbacks *callbacks = &bench->judging->options->callbacks;
    struct strbuf text = {0};
    struct run_part part = {0};
    size_t size = (size_t)(chunk->last - chunk->first) + 1;
    const struct mutant *mutants = &bench->mutants[chunk->first - 1];
    for (; part.count < size && mutants[part.count].verdict != VERDICT_NONE; part.count++) {
        struct json json = {&text, false};
        json_open(&json, NULL, '{');
        mutant_write(&json, &mutants[part.count]);
        json_close(&json, '}');
        strbuf_addc(&text, '\n');
    }
    part.records = strbuf_text(&text);
    part.cut = part.count < size;
    bool ok = callbacks->done(callbacks->host, chunk, &part, err);
    strbuf_free(&text);
    return ok;
}

static bool judge_chunk(struct worker *worker, const struct run_chunk *chunk, struct error *err)
{
    struct bench *bench = worker->bench;
    struct mutant *mutants = &bench->mutants[chunk->first - 1];
    size_t count = (size_t)(chunk->last - chunk->first) + 1;
    bool shared = bench->judging->options->callbacks.take != NULL;
    bool ok = true;
    for (size_t i = 0; ok && i < count && !time_is_up(bench->judging); i++) {
        if (mutants[i].verdict != VERDICT_NONE) {
            continue;
        }
        ok = judge_mutant(worker, &mutants[i], err);
        if (ok) {
            (void)pthread_mutex_lock(&bench->lock);
            count_judged(worker, &mutants[i]);
            (void)pthread_mutex_unlock(&bench->lock);
        }
    }
    return ok && (!shared || confirm(worker, mutants, count, err));
}

static void *judge_all(void *arg)
{
    struct worker *worker = arg;
    struct bench *bench = worker->bench;
    worker->backend->ops->limit(worker->backend, timeout_ms(bench->judging));
    (void)pthread_mutex_lock(&bench->lock);
    while (bench->ok && (worker->chunk.last || take(bench, false, &worker->chunk)) &&
           worker->chunk.last) {
        struct error err = {0};
        (void)pthread_mutex_unlock(&bench->lock);
        bool ok = judge_chunk(worker, &worker->chunk, &err);
        (void)pthread_mutex_lock(&bench->lock);
        ok = ok &&
             (!bench->judging->options->callbacks.take || hand_in(bench, &worker->chunk, &err));
        if (!ok && bench->ok) {
            bench->ok = false;
            *bench->err = err;
        }
        worker->chunk = (struct run_chunk){0};
    }
    (void)pthread_mutex_unlock(&bench->lock);
    return NULL;
}

/* Judges side by side, beginning with the chunk of the first worker, until there is no other. */
static void judge_round(struct worker *workers, size_t count)
{
    size_t started = 1;
    while (started < count &&
           thread_start(&workers[started].thread, judge_all, &workers[started])) {
        started++;
    }
    (void)judge_all(&workers[0]);
    for (size_t i = 1; i < started; i++) {
        (void)pthread_join(workers[i].thread, NULL);
    }
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
    for (size_t i = 0; i < judging->backend_count; i++) {
        workers[i] =
            (struct worker){.bench = &bench, .backend = judging->backends[i], .is_first = i == 0};
    }
    while (bench.ok && take(&bench, true, &workers[0].chunk) && workers[0].chunk.last) {
        judge_round(workers, judging->backend_count);
    }
    bool ok = bench.ok && (judging->options->callbacks.take != NULL ||
                           confirm(&workers[0], mutants, count, err));
    (void)pthread_mutex_destroy(&bench.lock);
    free(workers);
    return ok;
}
