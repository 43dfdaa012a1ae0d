#include "engine/workers.h"

#include "base/strbuf.h"
#include "engine/mutate.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum {
    FAILURES_MAX = 5,
    EXAMPLES_AFTER_FAILURE = 25, /* to find other failures: most of them meet the first one again */
    EXAMPLES_AFTER_TIMEOUT = 3,  /* the same, where each of them has to be waited for */
    STACK_SIZE = 16 << 20,       /* as much as the deepest model code needs, and then some */
};

/* What the workers share; all of it, and the running's result, under the lock. */
struct crew {
    struct running *running;
    pthread_mutex_t lock;
    pthread_cond_t turned;
    uint64_t next; /* number of the example to be taken next */
    uint64_t turn; /* number of the example that counts next */
    uint64_t last; /* that counts */
    uint64_t stride;
    bool closed; /* no more are taken; those that run count */
    bool stop;   /* and they do not count either */
    bool ok;
    struct error *err;
};

struct worker {
    struct crew *crew;
    struct engine *engine;
    struct strbuf printed; /* until it is the example's turn: head, text; head, … */
    pthread_t thread;
    struct engine own; /* of a helper */
};

/* What was printed by the model or told of the example. */
struct printed_head {
    bool told;
    size_t size; /* of the text behind it */
};

static void keep_text(struct worker *worker, bool told, const char *text, size_t size)
{
    const struct printed_head head = {told, size};
    strbuf_add(&worker->printed, (const char *)&head, sizeof head);
    strbuf_add(&worker->printed, text, size);
}

static void on_print(void *host, const char *line, size_t size)
{
    keep_text(host, false, line, size);
}

static void on_tell(void *host, const char *text, size_t size)
{
    keep_text(host, true, text, size);
}

static void print_all(struct worker *worker)
{
    const struct run_callbacks *callbacks = &worker->engine->options->callbacks;
    const char *text = strbuf_text(&worker->printed);
    struct printed_head head;
    for (size_t at = 0; at < worker->printed.size; at += sizeof head + head.size) {
        memcpy(&head, text + at, sizeof head);
        (head.told ? callbacks->tell : callbacks->print)(callbacks->host, text + at + sizeof head,
                                                         head.size);
    }
    strbuf_clear(&worker->printed);
}

static void stop(struct crew *crew)
{
    crew->stop = true;
    (void)pthread_cond_broadcast(&crew->turned);
}

static void fail(struct crew *crew, const struct error *err)
{
    if (crew->ok) {
        crew->ok = false;
        *crew->err = *err;
    }
    stop(crew);
}

/* False where there is nothing more to do. */
static bool take_number(struct worker *worker, uint64_t *number)
{
    struct crew *crew = worker->crew;
    if (crew->stop || crew->closed || crew->next > crew->last) {
        return false;
    }
    if (engine_time_is_up(worker->engine)) {
        crew->running->result->cut_short = true;
        crew->closed = true;
        return false;
    }
    *number = crew->next;
    crew->next += crew->stride;
    return true;
}

/* How many examples come after this one, at most; `first`: it is the first failure. */
static void shorten_run(struct crew *crew, uint64_t turn, const struct failure *failure, bool first)
{
    bool slow = failure->kind == FAILURE_TIMEOUT;
    uint64_t most = slow ? EXAMPLES_AFTER_TIMEOUT : EXAMPLES_AFTER_FAILURE;
    uint64_t last = turn + most * crew->stride;
    if ((first || slow) && last < crew->last) {
        crew->last = last;
    }
}

/* The example counts now. */
static void take_turn(struct worker *worker, const struct example_result *result, bool ok,
                      struct error *err)
{
    struct crew *crew = worker->crew;
    const struct run_result *found = crew->running->result;
    size_t before = found->failures.count;
    print_all(worker);
    if (!run_take_over(crew->running, worker->engine, result, ok, err)) {
        fail(crew, err);
        return;
    }
    if (found->failures.count > before) {
        shorten_run(crew, crew->turn, &found->failures.items[before], before == 0);
    }
    if (found->failures.count >= FAILURES_MAX) {
        stop(crew);
    }
}

static void run_examples(struct worker *worker)
{
    struct crew *crew = worker->crew;
    uint64_t number;
    (void)pthread_mutex_lock(&crew->lock);
    while (take_number(worker, &number)) {
        struct example_result result;
        struct error err = {0};
        (void)pthread_mutex_unlock(&crew->lock);
        bool ok = fresh_run(worker->engine, number, &result, &err);
        (void)pthread_mutex_lock(&crew->lock);
        while (crew->turn != number && !crew->stop) {
            (void)pthread_cond_wait(&crew->turned, &crew->lock);
        }
        if (!crew->stop && number <= crew->last) {
            take_turn(worker, &result, ok, &err);
        }
        crew->turn += crew->stride;
        (void)pthread_cond_broadcast(&crew->turned);
    }
    (void)pthread_mutex_unlock(&crew->lock);
}

/* A helper sets its database up as the first one was. */
static void *help(void *arg)
{
    struct worker *worker = arg;
    struct crew *crew = worker->crew;
    const struct failure *failure = NULL;
    struct error err = {0};
    if (!engine_setup(worker->engine, &failure, &err)) {
        (void)pthread_mutex_lock(&crew->lock);
        fail(crew, &err);
        (void)pthread_mutex_unlock(&crew->lock);
    } else if (!failure) { /* the first one's did not fail: one that comes and goes */
        run_examples(worker);
    }
    return NULL;
}

/* Signals are for the thread that runs the command line: helpers are told by its callback. */
static bool start(struct worker *worker)
{
    sigset_t all;
    sigset_t before;
    pthread_attr_t attributes;
    (void)sigfillset(&all);
    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    (void)pthread_attr_setstacksize(&attributes, STACK_SIZE);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&worker->thread, &attributes, help, worker) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&attributes);
    return started;
}

static void worker_begin(struct worker *worker, struct crew *crew, struct backend *backend)
{
    const struct engine *first = &crew->running->engine;
    worker->crew = crew;
    worker->engine = &worker->own;
    engine_init(worker->engine, first->machine, backend, first->options, first->results);
    worker->engine->started_us = first->started_us;
}

/* Printed lines wait for their turn; how far an example has come is not told. */
static void side_by_side(struct worker *workers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct engine *engine = workers[i].engine;
        engine->print = engine->print ? on_print : NULL;
        engine->tell = engine->tell ? on_tell : NULL;
        engine->print_host = &workers[i];
        engine->total = NULL;
    }
}

static void run_crew(struct crew *crew, struct worker *workers, size_t count)
{
    size_t started = 1;
    while (started < count && start(&workers[started])) {
        started++;
    }
    run_examples(&workers[0]);
    for (size_t i = 1; i < started; i++) {
        (void)pthread_join(workers[i].thread, NULL);
    }
    for (size_t i = 0; i < count; i++) {
        strbuf_free(&workers[i].printed);
        if (i > 0) {
            engine_free(workers[i].engine);
        }
    }
    (void)pthread_cond_destroy(&crew->turned);
    (void)pthread_mutex_destroy(&crew->lock);
}

bool workers_run(struct running *running, struct error *err)
{
    const struct run_options *options = running->engine.options;
    struct crew crew = {.running = running,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .turned = PTHREAD_COND_INITIALIZER,
                        .stride = options->shard_count ? options->shard_count : 1,
                        .last = (uint64_t)options->settings.examples,
                        .ok = true,
                        .err = err};
    crew.next = crew.turn = options->shard_count ? options->shard + 1 : 1;
    for (size_t i = 0; i < running->result->failures.count; i++) { /* stored and pinned ones */
        shorten_run(&crew, 0, &running->result->failures.items[i], true);
    }
    crew.stop = running->result->failures.count >= FAILURES_MAX;
    size_t count = 1 + options->helper_count;
    struct worker *workers = memory_alloc(count * sizeof *workers);
    for (size_t i = 0; i < count; i++) {
        workers[i] = (struct worker){.crew = &crew, .engine = &running->engine};
        if (i > 0) {
            worker_begin(&workers[i], &crew, options->helpers[i - 1]);
        }
    }
    const struct run_stats *total = running->engine.total;
    if (count > 1) {
        side_by_side(workers, count);
    }
    run_crew(&crew, workers, count);
    running->engine.total = total;
    free(workers);
    return crew.ok;
}
