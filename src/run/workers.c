#include "run/workers.h"

#include "base/strbuf.h"
#include "examine/examine.h"
#include "example/counts.h"
#include "example/setup/setup.h"
#include "os/thread.h"
#include "run/known.h"
#include "run/passing.h"
#include "run/retry.h"

#include <stdlib.h>
#include <string.h>

enum {
    FAILURES_MAX = 5, /* the default */
    EXAMPLES_AFTER_FAILURE =
        25, /* examples after the first failure, to find others; most fail in the same way again */
    EXAMPLES_AFTER_TIMEOUT = 3, /* the same if each has to be waited for */
    AHEAD_MAX = 16,             /* examples per worker that passed before their turn */
};

/* The counts of an example that passed before its turn. */
struct finished_ahead {
    uint64_t number; /* 0: free */
    struct arena arena;
    struct run_stats stats;
    struct strbuf printed;
};

/* Shared by the workers. The lock protects it and the findings. */
struct worker;
struct crew {
    struct findings *findings;
    pthread_mutex_t lock;
    pthread_cond_t turned;
    uint64_t next; /* number of the example to be taken next */
    uint64_t turn; /* number of the example that counts next */
    uint64_t last; /* that counts */
    uint64_t stride;
    size_t learned;        /* as of the last example that counts */
    uint64_t again_before; /* one of those before this number taught something */
    bool closed;           /* take no more examples; running ones still count */
    bool stop;             /* running examples do not count either */
    bool ok;
    struct error *err;
    struct worker *workers; /* the first one is the caller; owned */
    size_t count;
    struct finished_ahead *finished; /* owned */
    size_t finished_count;
};

struct worker {
    struct crew *crew;
    struct engine *engine;
    struct strbuf printed; /* until it is the example's turn: head, text; head, … */
    pthread_t thread;
    struct engine own; /* of a helper */
    bool ready;        /* it is set up */
    bool unfit;        /* its set-up failed */
};

/* Output of the model's print() or of the narrator. */
struct printed_head {
    bool told;
    size_t size; /* of the text after it */
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

/* What an example printed, of a crew that keeps it. */
static void record_printed(struct example_record *record, const struct strbuf *printed,
                           struct arena *arena)
{
    const char *text = strbuf_text(printed);
    struct printed_head head;
    for (size_t at = 0; at < printed->size; at += sizeof head + head.size) {
        memcpy(&head, text + at, sizeof head);
        if (!head.told) {
            *VEC_PUSH(arena, &record->printed) =
                arena_strndup(arena, text + at + sizeof head, head.size);
        }
    }
}

static size_t learned(const struct findings *findings)
{
    const struct run_callbacks *callbacks = &findings->options->callbacks;
    return callbacks->learned ? callbacks->learned(callbacks->host) : 0;
}

/* Whether the example may have taught something that the whole run is to know, or may have met a
 * failure that was told, and is looked past. */
static bool depends_on_others(struct crew *crew)
{
    const struct findings *findings = crew->findings;
    bool past = false;
    if (learned(findings) != crew->learned) {
        crew->learned = learned(findings);
        crew->again_before = crew->next;
    }
    for (size_t i = 0; i < findings->result->failures.count; i++) {
        past = past || findings_is_past(&findings->result->failures.items[i]);
    }
    return past || crew->turn < crew->again_before;
}

/* A record of the example whose turn it is; NULL if the run is to have none. */
static struct example_record *add_record(struct crew *crew, const struct run_stats *stats)
{
    struct findings *findings = crew->findings;
    struct strbuf text = {0};
    struct json json = {&text, false};
    if (!findings->options->record_each) {
        return NULL;
    }
    struct example_record *record = VEC_PUSH(findings->arena, &findings->result->records);
    json_open(&json, NULL, '{');
    counts_write(&json, stats, findings->engine->machine);
    json_close(&json, '}');
    *record = (struct example_record){
        .number = crew->turn,
        .counts = strbuf_take(&text, findings->arena),
        .again = depends_on_others(crew),
    };
    return record;
}

/* Records an example that ran and counts. */
static void record_example(struct crew *crew, const struct run_stats *stats,
                           const struct failure *failure, const struct strbuf *printed)
{
    struct arena *arena = crew->findings->arena;
    struct example_record *record = add_record(crew, stats);
    if (!record) {
        return;
    }
    record_printed(record, printed, arena);
    if (failure) {
        record->identity = arena_strdup(arena, failure->identity);
        record->fails = !known_has(crew->findings->engine, failure);
        record->slow = failure->kind == FAILURE_TIMEOUT;
        record->least = failure_least_length(failure);
    }
}

/* Records one that another process ran. */
static void record_reported(struct crew *crew, const struct reported_example *reported)
{
    struct arena *arena = crew->findings->arena;
    struct example_record *record = add_record(crew, &reported->stats);
    if (!record) {
        return;
    }
    for (size_t i = 0; i < reported->printed.count; i++) {
        *VEC_PUSH(arena, &record->printed) = arena_strdup(arena, reported->printed.items[i]);
    }
    if (reported->how == REPORTED_FAILED) {
        record->identity = arena_strdup(arena, reported->identity);
        record->fails = reported->fails;
        record->least = reported->least;
    }
}

void record_write(struct json *json, const struct example_record *record)
{
    json_count(json, "number", record->number);
    json_optional(json, "failure", record->identity);
    if (record->identity && !record->fails) {
        json_flag(json, "known", true);
    } else if (record->identity) {
        json_count(json, "least", record->least);
    }
    if (record->printed.count) {
        json_open(json, "printed", '[');
        for (size_t i = 0; i < record->printed.count; i++) {
            json_text(json, NULL, record->printed.items[i]);
        }
        json_close(json, ']');
    }
    if (record->again) {
        json_flag(json, "again", true);
    }
    json_raw(json, "counts", record->counts);
}

/* Two databases differ there by nature, which other examples may show first. */
static void record_dropped(const struct crew *crew)
{
    struct run_result *result = crew->findings->result;
    if (crew->findings->options->record_each) {
        struct example_record *record = &result->records.items[result->records.count - 1];
        record->identity = NULL;
        record->fails = false;
        record->again = true;
    }
}

static void print_all(const struct crew *crew, struct strbuf *printed)
{
    const struct run_callbacks *callbacks = &crew->findings->options->callbacks;
    const char *text = strbuf_text(printed);
    struct printed_head head;
    for (size_t at = 0; at < printed->size; at += sizeof head + head.size) {
        memcpy(&head, text + at, sizeof head);
        (head.told ? callbacks->tell : callbacks->print)(callbacks->host, text + at + sizeof head,
                                                         head.size);
    }
    strbuf_clear(printed);
}

static void stop_crew(struct crew *crew)
{
    crew->stop = true;
    (void)pthread_cond_broadcast(&crew->turned);
}

static void fail_crew(struct crew *crew, const struct error *err)
{
    if (crew->ok) {
        crew->ok = false;
        *crew->err = *err;
    }
    stop_crew(crew);
}

/* False if there is nothing left to do. */
static bool take_number(struct worker *worker, uint64_t *number)
{
    struct crew *crew = worker->crew;
    if (crew->stop || crew->closed || crew->next > crew->last) {
        return false;
    }
    if (clock_is_up(&worker->engine->options.clock)) {
        crew->findings->result->cut_short = true;
        crew->closed = true;
        return false;
    }
    *number = crew->next;
    crew->next += crew->stride;
    return true;
}

/* The last example that counts when that of number `turn` is the first that fails, by a timeout or
 * not (`slow`). Of a shard's examples too, as the first one of all shards fails no later. */
static uint64_t last_after(uint64_t turn, bool slow)
{
    return turn + (slow ? EXAMPLES_AFTER_TIMEOUT : EXAMPLES_AFTER_FAILURE);
}

/* Limits the number of examples after this one; `first`: it is the first failure. */
static void limit_run(struct crew *crew, uint64_t turn, const struct failure *failure, bool first)
{
    if (crew->findings->options->max_failures || findings_is_past(failure)) {
        return;
    }
    bool slow = failure->kind == FAILURE_TIMEOUT;
    uint64_t last = last_after(turn, slow);
    if ((first || slow) && last < crew->last) {
        crew->last = last;
    }
}

/* How many of the first ones end the run: not those that it looks past, unless they are many. */
static uint64_t count_ending(const struct run_result *result, size_t count)
{
    uint64_t past = 0;
    for (size_t i = 0; i < count; i++) {
        past += findings_is_past(&result->failures.items[i]);
    }
    return count - (past < FAILURES_MAX ? past : FAILURES_MAX);
}

static bool has_enough(const struct findings *findings)
{
    const struct run_options *options = findings->options;
    const struct run_result *result = findings->result;
    size_t count = result->failures.count;
    return options->finding == FIND_FIRST ? count > 0
           : options->max_failures        ? count >= options->max_failures
                                          : count_ending(result, count) >= FAILURES_MAX;
}

/* Counts the last example, with `ok` and `err` from example_run. A new failure is confirmed and
 * shrunk; a known one may be a shorter form. */
static bool take_over(struct worker *worker, const struct example_result *result, bool ok,
                      struct error *err)
{
    struct findings *findings = worker->crew->findings;
    findings->result->cut_short = findings->result->cut_short || worker->engine->cut;
    struct failure *failure = findings_take(findings, worker->engine, result, ok ? NULL : err);
    if (ok && failure) {
        return findings_examine(findings, worker->engine, failure, err);
    }
    if (ok && !result->failure && !worker->engine->cut) {
        passing_offer(findings, worker->crew->turn, result->stats);
    }
    return ok && (!result->failure || findings_compare(findings, worker->engine, err));
}

/* Counts the example, whose turn it is. */
static void take_turn(struct worker *worker, const struct example_result *result, bool ok,
                      struct error *err)
{
    struct crew *crew = worker->crew;
    struct run_result *found = crew->findings->result;
    size_t before = found->failures.count;
    uint64_t failed = found->failed;
    bool differs = crew->findings->options->differs && result->failure;
    bool cut = !ok || (worker->engine->cut && crew->findings->options->callbacks.done);
    if (!cut || result->failure) { /* the example is whole */
        record_example(crew, result->stats, result->failure, &worker->printed);
    }
    print_all(crew, &worker->printed);
    if (!take_over(worker, result, ok, err)) {
        fail_crew(crew, err);
        return;
    }
    if (differs && found->failed == failed) {
        record_dropped(crew);
    }
    if (found->failures.count > before) {
        limit_run(crew, crew->turn, &found->failures.items[before],
                  count_ending(found, before) == 0);
    }
    if (has_enough(crew->findings)) {
        stop_crew(crew);
    }
}

/* Keeps an example that passed before its turn, so that the worker need not wait; false if it must.
 */
static bool finish_ahead(struct worker *worker, uint64_t number,
                         const struct example_result *result)
{
    struct crew *crew = worker->crew;
    const struct engine *engine = worker->engine;
    struct finished_ahead *finished = crew->finished;
    size_t left = crew->finished_count;
    for (; left > 0 && finished->number; left--) {
        finished++;
    }
    if (left == 0 || result->failure || engine->cut) {
        return false;
    }
    finished->number = number;
    arena_reset(&finished->arena);
    stats_begin(&finished->stats, engine->machine, engine->options.settings->steps,
                engine->options.measure, &finished->arena);
    stats_merge(&finished->stats, engine->machine, result->stats, &finished->arena);
    struct strbuf empty = finished->printed;
    finished->printed = worker->printed;
    worker->printed = empty;
    return true;
}

static struct finished_ahead *find_finished(const struct crew *crew, uint64_t number)
{
    for (size_t i = 0; i < crew->finished_count; i++) {
        if (crew->finished[i].number == number) {
            return &crew->finished[i];
        }
    }
    return NULL;
}

/* Ends the turn, and counts the next examples that have already passed. */
static void next_turn(struct crew *crew)
{
    struct finished_ahead *finished;
    crew->turn += crew->stride;
    while (!crew->stop && (finished = find_finished(crew, crew->turn))) {
        if (crew->turn <= crew->last) {
            record_example(crew, &finished->stats, NULL, &finished->printed);
            print_all(crew, &finished->printed);
            findings_count(crew->findings, &finished->stats);
            passing_offer(crew->findings, crew->turn, &finished->stats);
        }
        finished->number = 0;
        crew->turn += crew->stride;
    }
    (void)pthread_cond_broadcast(&crew->turned);
}

static bool run_number(struct worker *worker, uint64_t number, struct example_result *result,
                       struct error *err)
{
    const struct way *forced = worker->crew->findings->options->way;
    const struct example_plan plan = {.way = forced ? forced : way_of(number),
                                      .near = !forced,
                                      .number = number,
                                      .observer = worker->engine->options.observer};
    return run_with_retry(worker->engine, &plan, result, err);
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
        bool ok = run_number(worker, number, &result, &err);
        (void)pthread_mutex_lock(&crew->lock);
        if (ok && crew->turn != number && finish_ahead(worker, number, &result)) {
            continue;
        }
        while (crew->turn != number && !crew->stop) {
            (void)pthread_cond_wait(&crew->turned, &crew->lock);
        }
        if (!crew->stop && number <= crew->last) {
            take_turn(worker, &result, ok, &err);
        }
        next_turn(crew);
    }
    (void)pthread_mutex_unlock(&crew->lock);
}

/* A helper sets up its database like the first one. */
static void *run_helper(void *arg)
{
    struct worker *worker = arg;
    struct crew *crew = worker->crew;
    const struct failure *failure = NULL;
    struct error err = {0};
    if (!worker->ready && !worker->unfit && !engine_setup(worker->engine, NULL, &failure, &err)) {
        (void)pthread_mutex_lock(&crew->lock);
        fail_crew(crew, &err);
        (void)pthread_mutex_unlock(&crew->lock);
        return NULL;
    }
    worker->unfit = worker->unfit || failure; /* intermittent: the first engine's did not fail */
    worker->ready = !worker->unfit;
    if (worker->ready) {
        run_examples(worker);
    }
    return NULL;
}

/* Counts an example as another process reports it. */
static void count_reported(struct crew *crew, const struct reported_example *reported)
{
    const struct run_callbacks *callbacks = &crew->findings->options->callbacks;
    record_reported(crew, reported);
    for (size_t i = 0; callbacks->print && i < reported->printed.count; i++) {
        const char *line = reported->printed.items[i];
        callbacks->print(callbacks->host, line, strlen(line));
    }
    findings_count(crew->findings, &reported->stats);
    if (reported->how == REPORTED_PASSED) {
        passing_offer(crew->findings, crew->turn, &reported->stats);
    } else {
        crew->findings->result->failed += reported->fails;
    }
}

/* Runs an example that is to be examined, or that no shard reports. */
static void run_unreported(struct worker *worker, const struct reported_example *reported)
{
    struct crew *crew = worker->crew;
    struct run_result *found = crew->findings->result;
    struct example_result result;
    struct error err = {0};
    bool ok = run_number(worker, crew->turn, &result, &err);
    bool told = crew->findings->options->differs && found->failures.count; /* and looked past */
    if (ok && !result.failure && !worker->engine->cut && reported->how == REPORTED_FAILED &&
        !told) {
        *VEC_PUSH(crew->findings->arena, &found->unconfirmed) = (struct unconfirmed_example){
            crew->turn, arena_strdup(crew->findings->arena, reported->identity)};
    }
    take_turn(worker, &result, ok, &err);
}

/* Takes the examples from the reports of shards. */
static void merge_examples(struct worker *worker)
{
    struct crew *crew = worker->crew;
    const struct run_callbacks *callbacks = &crew->findings->options->callbacks;
    for (; !crew->stop && crew->turn <= crew->last; crew->turn += crew->stride) {
        struct reported_example reported = {.how = REPORTED_NOT};
        struct error err = {0};
        crew->next = crew->turn + crew->stride;
        if (!callbacks->reported(callbacks->host, crew->turn, &reported, &err)) {
            fail_crew(crew, &err);
        } else if (reported.how == REPORTED_CUT) {
            crew->findings->result->cut_short = true;
        } else if (reported.how == REPORTED_PASSED ||
                   (reported.how == REPORTED_FAILED && findings_has(crew->findings, &reported))) {
            count_reported(crew, &reported);
        } else {
            run_unreported(worker, &reported);
        }
    }
}

static void worker_begin(struct worker *worker, struct crew *crew, struct backend *backend)
{
    struct engine *first = crew->findings->engine;
    *worker = (struct worker){.crew = crew, .engine = first};
    if (backend) {
        worker->engine = &worker->own;
        engine_init(worker->engine, first->machine, backend, &first->options);
    }
}

/* Printed lines wait for the example's turn. Progress within an example is not reported. */
static void side_by_side(const struct run_options *options, struct worker *workers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct engine *engine = workers[i].engine;
        engine->options.print = engine->options.print ? on_print : NULL;
        engine->options.print_host = &workers[i];
        engine->options.step = NULL;
        if (engine->options.observer) {
            engine->options.observer = options->narrator(
                &engine->arena, (struct teller){&workers[i], on_tell, options->tell_statements});
        }
    }
}

static void crew_begin(struct crew *crew, struct findings *findings, struct error *err)
{
    const struct run_options *options = findings->options;
    *crew = (struct crew){.findings = findings,
                          .lock = PTHREAD_MUTEX_INITIALIZER,
                          .turned = PTHREAD_COND_INITIALIZER,
                          .stride = options->shard_count ? options->shard_count : 1,
                          .learned = learned(findings),
                          .ok = true,
                          .err = err};
    crew->count = options->callbacks.reported ? 1 : 1 + options->helper_count;
    crew->workers = memory_alloc(crew->count * sizeof *crew->workers);
    for (size_t i = 0; i < crew->count; i++) {
        worker_begin(&crew->workers[i], crew, i > 0 ? options->helpers[i - 1] : NULL);
    }
    if (crew->count > 1 || options->record_each) {
        side_by_side(options, crew->workers, crew->count);
    }
    if (crew->count > 1) {
        crew->finished_count = AHEAD_MAX * crew->count;
        crew->finished = memory_alloc(crew->finished_count * sizeof *crew->finished);
        memset(crew->finished, 0, crew->finished_count * sizeof *crew->finished);
    }
}

static void crew_end(struct crew *crew)
{
    for (size_t i = 0; i < crew->count; i++) {
        strbuf_free(&crew->workers[i].printed);
        if (i > 0) {
            engine_free(crew->workers[i].engine);
        }
    }
    for (size_t i = 0; i < crew->finished_count; i++) {
        arena_free(&crew->finished[i].arena);
        strbuf_free(&crew->finished[i].printed);
    }
    (void)pthread_cond_destroy(&crew->turned);
    (void)pthread_mutex_destroy(&crew->lock);
    free(crew->workers);
    free(crew->finished);
}

/* Runs the examples from number `first` to `last`. */
static void run_crew(struct crew *crew, uint64_t first, uint64_t last)
{
    const struct run_result *result = crew->findings->result;
    struct worker *workers = crew->workers;
    size_t started = 1;
    crew->next = crew->turn = first;
    crew->last = last;
    for (size_t i = 0; i < result->failures.count; i++) { /* stored and pinned ones */
        limit_run(crew, 0, &result->failures.items[i], true);
    }
    crew->stop = has_enough(crew->findings);
    while (started < crew->count &&
           thread_start(&workers[started].thread, run_helper, &workers[started])) {
        started++;
    }
    (crew->findings->options->callbacks.reported ? merge_examples : run_examples)(&workers[0]);
    for (size_t i = 1; i < started; i++) {
        (void)pthread_join(workers[i].thread, NULL);
    }
}

/* How many of the chunk's examples ran, up to the first one that did not. */
static size_t count_whole(const struct run_result *result, size_t before,
                          const struct run_chunk *chunk)
{
    size_t count = 0;
    while (before + count < result->records.count &&
           result->records.items[before + count].number == chunk->first + count) {
        count++;
    }
    return count;
}

/* The last example that still counts, as one of these is among the first failures that end a run;
 * 0: all do. What two databases answer differently may be dropped or looked past once it is
 * examined. */
static uint64_t stop_of(const struct run_options *options, const struct example_record *records,
                        size_t count)
{
    uint64_t stop = 0;
    for (size_t i = 0; i < count && options->max_failures <= 1 && !options->differs; i++) {
        uint64_t last = options->max_failures ? records[i].number
                                              : last_after(records[i].number, records[i].slow);
        if (records[i].fails && (!stop || last < stop)) {
            stop = last;
        }
    }
    return stop;
}

/* Gives the examples of a chunk to others. */
static bool hand_in(const struct crew *crew, const struct run_chunk *chunk, size_t before,
                    struct run_part *part, struct error *err)
{
    const struct run_options *options = crew->findings->options;
    const struct example_record *records = crew->findings->result->records.items + before;
    struct strbuf text = {0};
    for (size_t i = 0; i < part->count; i++) {
        struct json json = {&text, false};
        json_open(&json, NULL, '{');
        record_write(&json, &records[i]);
        json_close(&json, '}');
        strbuf_addc(&text, '\n');
    }
    part->records = strbuf_text(&text);
    part->stop = stop_of(options, records, part->count);
    bool ok = options->callbacks.done(options->callbacks.host, chunk, part, err);
    strbuf_free(&text);
    return ok;
}

/* Runs the chunks that this process gets. A helper sets up its database once. */
static bool run_chunks(struct crew *crew, struct error *err)
{
    const struct run_callbacks *callbacks = &crew->findings->options->callbacks;
    const struct run_result *result = crew->findings->result;
    struct run_chunk chunk;
    while (callbacks->take(callbacks->host, true, &chunk, err)) {
        size_t before = result->records.count;
        if (!chunk.last) {
            return true;
        }
        run_crew(crew, chunk.first, chunk.last);
        if (!crew->ok && !clock_stopped(&crew->findings->engine->options.clock, err)) {
            return false;
        }
        struct error why = {0};
        struct run_part part = {.count = count_whole(result, before, &chunk),
                                .cut = result->cut_short || !crew->ok};
        if (!hand_in(crew, &chunk, before, &part, &why)) {
            *err = why;
            return false;
        }
        if (part.cut || part.count <= chunk.last - chunk.first) {
            return crew->ok;
        }
    }
    return false;
}

bool workers_run(struct findings *findings, struct error *err)
{
    const struct run_options *options = findings->options;
    struct crew crew;
    bool ok = true;
    crew_begin(&crew, findings, err);
    if (options->callbacks.take && !options->callbacks.reported) {
        ok = run_chunks(&crew, err);
    } else {
        run_crew(&crew, options->shard_count ? options->shard + 1 : 1,
                 (uint64_t)options->settings.examples);
    }
    crew_end(&crew);
    return ok && crew.ok;
}
