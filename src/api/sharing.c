#include "api/sharing.h"

#include "api/errors.h"
#include "base/hash.h"
#include "os/wait.h"
#include "pg/store/store.h"
#include "trace/name.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <pgfsm/version.h>

enum { NAP_LEAST_MS = 100, NAP_MOST_MS = 1000, EXAMPLES_LEAST = 4 /* of a chunk */ };

static bool on_interrupted(void *host)
{
    const struct run_session *session = host;
    return database_interrupted(session->database);
}

/* --- what decides what the examples do --- */

static uint64_t hash_machine(const struct run_session *session)
{
    const struct source *source = session->machine->source;
    return source ? hash_bytes(HASH_START, source->text, source_written_size(source)) : HASH_START;
}

/* Of a server: its version, and which database it is, if that is tested as it is. */
static const char *describe_target(const struct pg_target *target, bool as_it_is,
                                   struct arena *arena)
{
    return arena_printf(arena, "\n%d\n%s", pg_target_version(target),
                        as_it_is ? pg_target_description(target) : "");
}

/* Whether the processes may all have one database. */
static bool tests_as_it_is(const struct run_session *session)
{
    const struct pgfsm_run_options *options = &session->options;
    return (options->in_place || options->schema_count == 0) &&
           !pg_target_is_embedded(session->database->target);
}

static const char *describe_targets(const struct run_session *session, struct arena *arena)
{
    const struct pgfsm_run_options *options = &session->options;
    const struct pgfsm_diff_options *diff = options->diff;
    const char *first = describe_target(session->database->target, tests_as_it_is(session), arena);
    return diff && diff->database
               ? arena_printf(arena, "%s%s", first,
                              describe_target(diff->database->target,
                                              options->schema_count + diff->schema_count == 0 &&
                                                  !pg_target_is_embedded(diff->database->target),
                                              arena))
               : first;
}

static struct pg_store_run describe_run(struct run_session *session, struct arena *arena)
{
    const struct settings *settings = &session->settings;
    const struct machine *machine = session->machine;
    const struct pgfsm_run_options *options = &session->options;
    return (struct pg_store_run){
        .key =
            arena_printf(arena, "%s\n%s\n%016" PRIx64 "\n%s\n%" PRId64 "\n%" PRId64 "\n%s\n%d%s",
                         options->run_id, machine->name, hash_machine(session),
                         session->run->report.inputs, (int64_t)settings->seed, settings->examples,
                         pgfsm_version(), options->measure, describe_targets(session, arena)),
        .name = arena_strndup(arena, options->run_id, strcspn(options->run_id, "\n")),
        .machine = machine->name,
        .examples = settings->examples,
        .least = EXAMPLES_LEAST,
    };
}

/* --- opening --- */

bool sharing_splits(const struct run_session *session)
{
    return session->sharing && session->sharing->run.key;
}

/* Runs that make all examples that they are told to. */
static bool wants_split(const struct run_session *session)
{
    const struct pgfsm_run_options *options = &session->options;
    return options->run_id && !options->shard_count && !options->merge && !options->trace &&
           !options->last_failed && !options->ways && session->settings.examples > 0;
}

static bool grades(const struct pgfsm_run_options *options)
{
    return options->mutate && options->mutate->prove == 0;
}

bool sharing_keeps(const struct run_session *session)
{
    return session->sharing && !grades(&session->options);
}

bool sharing_open(struct run_session *session)
{
    const struct pgfsm_run_options *options = &session->options;
    struct error err = {0};
    if (!options->shared || (grades(options) && !wants_split(session))) {
        return true;
    }
    if (!pg_store_is_url(options->shared)) {
        (void)error_set(&err, ERROR_USAGE, "the store is no URL of a database");
        (void)error_hint(&err, "write postgresql://user@host/database");
        return errors_add(session->errors, &err);
    }
    struct sharing *sharing = memory_alloc(sizeof *sharing);
    *sharing = (struct sharing){.hooks = {.interrupted = on_interrupted, .host = session}};
    session->sharing = sharing;
    const struct pg_store_options how = {.url = options->shared,
                                         .wait_ms = session->database->options.wait_ms,
                                         .hooks = &sharing->hooks};
    if (!pg_store_open(&sharing->store, &how, &err)) {
        sharing_close(session);
        return errors_add(session->errors, &err);
    }
    session->database->tick = sharing_tick;
    session->database->tick_host = session;
    return true;
}

bool sharing_begin(struct run_session *session)
{
    struct sharing *sharing = session->sharing;
    struct error err = {0};
    if (!sharing || !wants_split(session)) {
        return true;
    }
    sharing->run = describe_run(session, &sharing->arena);
    sharing->work = "runs the examples";
    if (pg_store_begin(sharing->store, &sharing->run, &err)) {
        return true;
    }
    session->run->report.stopped = err.code;
    return errors_add(session->errors, &err);
}

void sharing_close(struct run_session *session)
{
    struct sharing *sharing = session->sharing;
    if (sharing) {
        session->database->tick = NULL;
        pg_store_close(sharing->store);
        arena_free(&sharing->arena);
        arena_free(&sharing->records);
        free(sharing);
    }
    session->sharing = NULL;
}

void sharing_tick(void *host)
{
    const struct run_session *session = host;
    pg_store_tick(session->sharing->store);
}

void sharing_lose(struct run_session *session, const struct error *err)
{
    struct sharing *sharing = session->sharing;
    if (!sharing->lost && err->code != ERROR_INTERRUPTED) {
        sharing->lost = true;
        sharing->why = *err;
        pg_store_give_all_back(sharing->store); /* what it holds, others may want */
        session_warn(session, arena_printf(&session->run->arena,
                                           "%s; the run goes on without the store%s", err->message,
                                           sharing_splits(session)
                                               ? ", and ends with an error after its report: what "
                                                 "the other processes found is not known"
                                               : ""));
    }
}

/* --- failures --- */

struct known *sharing_find(struct sharing *sharing, const char *identity, const char *name)
{
    for (size_t i = 0; i < sharing->known.count; i++) {
        struct known *known = &sharing->known.items[i];
        if (known->identity ? strcmp(known->identity, identity) == 0
                            : name && strcmp(known->name, name) == 0) {
            return known;
        }
    }
    return NULL;
}

struct known *sharing_add(struct sharing *sharing, const char *identity, const char *name)
{
    struct known *known = sharing_find(sharing, identity, NULL);
    if (!known) {
        known = VEC_PUSH(&sharing->arena, &sharing->known);
        known->identity = arena_strdup(&sharing->arena, identity);
        known->name = arena_strdup(&sharing->arena, name);
    }
    return known;
}

static bool on_load(void *host, const struct machine *machine, struct arena *arena,
                    struct store_texts *out, struct error *err)
{
    struct run_session *session = host;
    struct sharing *sharing = session->sharing;
    struct pg_store_failures found;
    if (!pg_store_load(sharing->store, machine->name, sharing->run.key, arena, &found, err)) {
        sharing_lose(session, err);
        return true;
    }
    for (size_t i = 0; i < found.items.count; i++) {
        const struct pg_store_failure *failure = &found.items.items[i];
        *VEC_PUSH(&sharing->arena, &sharing->known) =
            (struct known){.name = arena_strdup(&sharing->arena, failure->name),
                           .epoch = failure->epoch,
                           .times = failure->times};
        *VEC_PUSH(arena, &out->items) =
            (struct store_text){.path = trace_is_name(failure->name)
                                            ? arena_printf(arena, "%s of the store", failure->name)
                                            : "a failure of the store",
                                .text = failure->trace,
                                .size = strlen(failure->trace)};
    }
    return true;
}

struct pg_store_failure sharing_row(const struct machine *machine, const struct stored_trace *trace,
                                    struct arena *arena)
{
    struct strbuf text = {0};
    store_write_text(machine, trace, NULL, &text);
    return (struct pg_store_failure){.machine = machine->name,
                                     .identity = store_identity(trace, arena),
                                     .name = trace->name ? trace->name : "",
                                     .trace = strbuf_take(&text, arena)};
}

static bool on_save(void *host, const struct machine *machine, const struct stored_trace *trace,
                    struct arena *arena, const char **path, struct error *err)
{
    struct run_session *session = host;
    struct sharing *sharing = session->sharing;
    const struct pg_store_failure row = sharing_row(machine, trace, arena);
    const struct known *known = sharing_find(sharing, row.identity, NULL);
    (void)path;
    bool ok = known && known->mine
                  ? !trace->shrunk || pg_store_save(sharing->store, &row, known->epoch, err)
                  : known || pg_store_add(sharing->store, &row, err);
    if (!ok) {
        sharing_lose(session, err);
    }
    return true;
}

static bool on_remove(void *host, const struct machine *machine, const struct stored_trace *trace,
                      struct error *err)
{
    struct run_session *session = host;
    struct sharing *sharing = session->sharing;
    struct arena arena = {0};
    struct pg_store_failure row = {.machine = machine->name,
                                   .identity = store_identity(trace, &arena)};
    const struct known *known = sharing_find(sharing, row.identity, trace->name);
    row.epoch = known ? known->epoch : 0;
    row.times = known ? known->times : 0;
    if (known && !pg_store_forget(sharing->store, &row, err)) {
        sharing_lose(session, err);
    }
    arena_free(&arena);
    return true;
}

void sharing_release(struct run_session *session, const struct stored_trace *trace)
{
    struct arena arena = {0};
    if (session->sharing) {
        pg_store_release(session->sharing->store, session->machine->name,
                         store_identity(trace, &arena));
    }
    arena_free(&arena);
}

struct store sharing_store(struct run_session *session)
{
    static const struct store_kind database = {on_load, on_save, on_remove};
    return (struct store){&database, session};
}

static bool is_time_up(const struct run_session *session)
{
    int64_t max_ms = session->settings.max_time_ms;
    return max_ms > 0 && clock_us() - session->began_us >= max_ms * 1000;
}

bool sharing_wait(struct run_session *session, const char *holder, const char *what,
                  int64_t *nap_ms)
{
    struct sharing *sharing = session->sharing;
    const char *who = holder ? holder : "another process";
    if (!sharing->waits_for || strcmp(sharing->waits_for, who) != 0) {
        sharing->waits_for = arena_strdup(&sharing->arena, who);
        note_line(&session->database->note,
                  arena_printf(&sharing->arena, "waiting for %s, which %s", who, what));
    }
    *nap_ms = *nap_ms ? *nap_ms * 3 / 2 : NAP_LEAST_MS;
    *nap_ms = *nap_ms < NAP_MOST_MS ? *nap_ms : NAP_MOST_MS;
    return !is_time_up(session) &&
           wait_for(NULL, 0, clock_ms() + *nap_ms, &sharing->hooks) != WAIT_INTERRUPTED;
}

/* --- the numbers that are split --- */

/* False if the run must stop; otherwise it goes on with what it has. */
static bool go_on(struct run_session *session, struct error *err)
{
    if (err->code == ERROR_INTERRUPTED) {
        return false;
    }
    sharing_lose(session, err);
    *err = (struct error){0};
    return true;
}

bool sharing_go_on(struct run_session *session, const char *work, uint64_t hash, size_t count,
                   struct error *err)
{
    struct sharing *sharing = session->sharing;
    sharing->run.key =
        arena_printf(&sharing->arena, "%s\n%s\n%016" PRIx64, sharing->run.key, work, hash);
    sharing->run.examples = (int64_t)count;
    /* What is planted in a database locks its table. So one process at a time does all of it. */
    sharing->run.least = tests_as_it_is(session) ? (int64_t)count : 1;
    sharing->work = work;
    sharing->own.count = 0;
    sharing->asked = 0;
    return sharing->lost || pg_store_begin(sharing->store, &sharing->run, err) ||
           go_on(session, err);
}

bool sharing_take(void *host, bool wait, struct run_chunk *out, struct error *err)
{
    struct run_session *session = host;
    struct sharing *sharing = session->sharing;
    int64_t nap_ms = 0;
    *out = (struct run_chunk){0};
    while (!sharing->lost && !is_time_up(session)) {
        struct pg_store_chunk chunk;
        if (!pg_store_take(sharing->store, &sharing->run, &sharing->arena, &chunk, err)) {
            return go_on(session, err);
        }
        if (chunk.last) {
            *VEC_PUSH(&sharing->arena, &sharing->own) = chunk;
            *out = (struct run_chunk){(uint64_t)chunk.first, (uint64_t)chunk.last};
        }
        if (chunk.last || !chunk.first || !wait) {
            return true;
        }
        const char *what =
            arena_printf(&sharing->arena, "%s from %" PRId64 " on", sharing->work, chunk.first);
        if (!sharing_wait(session, chunk.holder, what, &nap_ms)) {
            return !interrupt_wanted(&sharing->hooks) || error_interrupted(err);
        }
    }
    return true;
}

/* One that this process runs. */
static struct pg_store_chunk *find_own(const struct sharing *sharing, const struct run_chunk *chunk)
{
    struct pg_store_chunk *own = sharing->own.items + sharing->own.count - 1;
    while (own->first != (int64_t)chunk->first || own->records) {
        own--;
    }
    return own;
}

/* A line behind those of the examples: which differences that are accepted this process has seen so
 * far, by number. */
static const char *write_seen(const struct run_session *session, struct arena *arena)
{
    struct strbuf text = {0};
    for (size_t i = 0; session->accepted && i < accepted_count(session->accepted); i++) {
        bool seen;
        (void)accepted_at(session->accepted, i, &seen);
        if (seen) {
            strbuf_addf(&text, "%zu ", i);
        }
    }
    strbuf_adds(&text, text.size ? "\n" : "");
    return strbuf_take(&text, arena);
}

static void read_seen(const struct run_session *session, const char *line)
{
    while (session->accepted && line && *line >= '0' && *line <= '9') {
        char *end;
        size_t index = strtoul(line, &end, 10);
        if (index < accepted_count(session->accepted)) {
            accepted_mark(session->accepted, index);
        }
        line = end + (*end == ' ');
    }
}

bool sharing_done(void *host, const struct run_chunk *chunk, const struct run_part *part,
                  struct error *err)
{
    struct run_session *session = host;
    struct sharing *sharing = session->sharing;
    struct pg_store_chunk *own = find_own(sharing, chunk);
    bool whole = !part->cut && part->count > chunk->last - chunk->first;
    sharing->limited = !part->cut && !whole;
    own->records =
        arena_printf(&sharing->arena, "%s%s", part->records, write_seen(session, &sharing->arena));
    if (!whole) { /* only this process counts it: another one is to run all of it */
        own->last = own->first + (int64_t)part->count - 1;
        pg_store_give_back(sharing->store, &sharing->run, own);
        return true;
    }
    return sharing->lost ||
           pg_store_done(sharing->store, &sharing->run, own, own->records, (int64_t)part->stop,
                         err) ||
           go_on(session, err);
}

/* NULL: there is none. */
static const char *line_of(const struct pg_store_chunk *chunk, uint64_t number, size_t *size)
{
    const char *line = chunk ? chunk->records : NULL;
    for (int64_t i = chunk ? chunk->first : 0; line && i < (int64_t)number; i++) {
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    *size = line ? strcspn(line, "\n") : 0;
    return *size ? line : NULL;
}

static bool holds(const struct pg_store_chunk *chunk, uint64_t number)
{
    return chunk->first <= (int64_t)number && (int64_t)number <= chunk->last;
}

/* Asks the store for the next chunk, once for all examples up to the chunk's end. */
static void ask_records(struct run_session *session, uint64_t number)
{
    struct sharing *sharing = session->sharing;
    struct pg_store_chunk *next = &sharing->reported;
    struct error err = {0};
    if (sharing->asked && sharing->asked <= number &&
        (!next->last || (int64_t)number <= next->last)) {
        return;
    }
    arena_reset(&sharing->records);
    sharing->asked = number;
    *next = (struct pg_store_chunk){0};
    if (!sharing->lost && !pg_store_records(sharing->store, &sharing->run, (int64_t)number,
                                            &sharing->records, next, &err)) {
        sharing_lose(session, &err);
        *next = (struct pg_store_chunk){0};
    }
    size_t size;
    read_seen(session, line_of(next, (uint64_t)next->last + 1, &size));
}

/* The chunk with that example: from the store, or without it from this process. */
static const struct pg_store_chunk *find_chunk(struct run_session *session, uint64_t number)
{
    struct sharing *sharing = session->sharing;
    ask_records(session, number);
    if (holds(&sharing->reported, number)) {
        return &sharing->reported;
    }
    for (size_t i = 0; i < sharing->own.count; i++) {
        if (sharing->own.items[i].records && holds(&sharing->own.items[i], number)) {
            return &sharing->own.items[i];
        }
    }
    return NULL;
}

const char *sharing_line(struct run_session *session, uint64_t number, size_t *size)
{
    return line_of(find_chunk(session, number), number, size);
}

bool sharing_reported(void *host, uint64_t number, struct reported_example *out, struct error *err)
{
    struct run_session *session = host;
    const struct pg_store_chunk *chunk = find_chunk(session, number);
    size_t size;
    const char *line = line_of(chunk, number, &size);
    if (!chunk && !session->sharing->limited) {
        out->how = REPORTED_CUT;
    }
    return !line || merge_read(session, "the store", line, size, number, out, err);
}

bool sharing_finish(struct run_session *session)
{
    const struct sharing *sharing = session->sharing;
    if (!sharing_splits(session) || !sharing->lost) {
        return true;
    }
    session->run->report.stopped = sharing->why.code;
    return errors_add(session->errors, &sharing->why);
}
