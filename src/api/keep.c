#include "api/session.h"
#include "api/sharing.h"

#include "base/names.h"
#include "report/alike.h"
#include "trace/name.h"

#include <assert.h>
#include <string.h>

/* Whether or not they are run again: a name stays with the failure that it stands for. The trace
 * that is replayed does not live as long as the run. */
static void note_names(struct run_session *session)
{
    const struct stored_traces *stored = &session->stored;
    struct arena *arena = &session->run->arena;
    for (size_t i = 0; i < stored->items.count; i++) {
        const struct stored_trace *trace = &stored->items.items[i];
        if (name_is_in(trace->name, ROWS_OF(session->names, name))) {
            continue; /* of an earlier version, which named no traces: another gets a new name */
        }
        *VEC_PUSH(arena, &session->names) = (struct name_in_use){
            arena_strdup(arena, trace->name), arena_strdup(arena, trace->identity), .taken = false};
    }
}

/* The name that the failure had in an earlier run; NULL: it had none, or another failure with this
 * identity, of another pinned example, has it now. */
static const char *take_earlier_name(struct run_session *session, const struct failure *failure)
{
    for (size_t i = 0; i < session->names.count; i++) {
        struct name_in_use *named = &session->names.items[i];
        if (!named->taken && strcmp(named->identity, failure->identity) == 0) {
            named->taken = true;
            return named->name;
        }
    }
    return NULL;
}

static const char *make_name(struct run_session *session, const struct failure *failure)
{
    struct arena *arena = &session->run->arena;
    struct strbuf base = {0};
    trace_name(session->machine->name, failure->identity, &base);
    const char *name = strbuf_take(&base, arena);
    const char *first = name;
    for (size_t i = 2; name_is_in(name, ROWS_OF(session->names, name)); i++) {
        name = arena_printf(arena, "%s-%zu", first, i);
    }
    *VEC_PUSH(arena, &session->names) =
        (struct name_in_use){name, failure->identity, .taken = true};
    return name;
}

/* One session says nothing of what several did. */
static void leave_out_sessions(struct run_session *session, struct stored_traces *stored)
{
    size_t kept = 0;
    unsigned sessions = 0;
    for (size_t i = 0; i < stored->items.count && session->settings.sessions < 2; i++) {
        unsigned count = trace_sessions(&stored->items.items[i].trace);
        sessions = count > sessions ? count : sessions;
        stored->items.items[kept] = stored->items.items[i];
        kept += count == 0;
    }
    if (sessions) {
        session_warn(session, arena_printf(&session->run->arena,
                                           "failures of several sessions are not run again; run "
                                           "with --sessions %u",
                                           sessions));
        stored->items.count = kept;
    }
}

/* A run over two databases repeats failures of such runs, and any other run those of others. */
static void leave_out_other_runs(struct run_session *session, struct stored_traces *stored)
{
    size_t kept = 0;
    for (size_t i = 0; i < stored->items.count; i++) {
        stored->items.items[kept] = stored->items.items[i];
        kept += stored->items.items[i].differs == (session->options.diff != NULL);
    }
    stored->items.count = kept;
}

/* Of a failure that is in two stores, the first one's trace is repeated. */
static bool has_trace(const struct stored_traces *traces, const struct stored_trace *trace)
{
    for (size_t i = 0; i < traces->items.count; i++) {
        const struct stored_trace *item = &traces->items.items[i];
        if (item->differs == trace->differs && strcmp(item->identity, trace->identity) == 0) {
            return true;
        }
    }
    return false;
}

static void load(struct run_session *session, const struct store *store)
{
    struct stored_traces *out = &session->stored;
    struct arena *arena = &session->run->arena;
    struct stored_traces found;
    struct error err = {0};
    if (!store_load(store, session->machine, arena, &found, &err)) {
        session_warn(session, arena_strdup(arena, err.message));
        return;
    }
    for (size_t i = 0; i < found.items.count; i++) {
        if (!has_trace(out, &found.items.items[i])) {
            *VEC_PUSH(arena, &out->items) = found.items.items[i];
        }
    }
    for (size_t i = 0; i < found.skipped.count; i++) {
        *VEC_PUSH(arena, &out->skipped) = found.skipped.items[i];
    }
}

void keep_load(struct run_session *session)
{
    struct stored_traces *out = &session->stored;
    struct arena *arena = &session->run->arena;
    if (sharing_keeps(session)) {
        session->stores[session->store_count++] = sharing_store(session);
    }
    if (session->options.store) {
        session->stores[session->store_count++] = store_folder(session->options.store);
    }
    for (size_t i = 0; i < session->store_count; i++) {
        load(session, &session->stores[i]);
    }
    if (!session->store_count) {
        note_names(session); /* of the trace that is replayed */
        return;
    }
    note_names(session);
    leave_out_other_runs(session, out);
    leave_out_sessions(session, out);
    for (size_t i = 0; i < out->skipped.count; i++) {
        session_warn(session, arena_printf(arena, "%s; it is ignored, and you can delete it",
                                           out->skipped.items[i].message));
    }
}

/* The steps as calls, if these alone repeat the failure. */
static void add_calls(const struct failure *failure, struct arena *arena, struct stored_trace *out)
{
    bool alone = failure->pinnable && !failure->race && !failure->flaky && !failure->leftover;
    for (size_t i = 0; alone && i < failure->steps.count; i++) {
        struct strbuf call = {0};
        trace_print_step(&failure->steps.items[i], &call);
        *VEC_PUSH(arena, &out->calls) = strbuf_take(&call, arena);
    }
}

static struct delivery *delivery_of(struct run_session *session, const struct failure *failure)
{
    struct pgfsm_run *run = session->run;
    size_t index = (size_t)(failure - run->result.failures.items);
    assert(index < run->result.failures.count);
    while (session->deliveries.count <= index) {
        *VEC_PUSH(&run->arena, &session->deliveries) = (struct delivery){0};
    }
    run->report.result = &run->result;
    run->report.deliveries = session->deliveries.items;
    run->report.delivery_count = session->deliveries.count;
    return &session->deliveries.items[index];
}

static void name_failure(struct run_session *session, const struct failure *failure)
{
    struct delivery *delivery = delivery_of(session, failure);
    if (!delivery->name) {
        delivery->name = take_earlier_name(session, failure);
        delivery->name = delivery->name ? delivery->name : make_name(session, failure);
    }
}

struct stored_trace keep_trace(struct run_session *session, const struct failure *failure)
{
    name_failure(session, failure);
    struct stored_trace trace = {.identity = failure->identity,
                                 .seed = failure->seed,
                                 .example = failure->example,
                                 .name = delivery_of(session, failure)->name,
                                 .differs = session->options.diff != NULL,
                                 .trace = failure->trace};
    if (!trace.differs) {
        add_calls(failure, &session->run->arena, &trace);
    }
    return trace;
}

/* That it can't be kept is no reason to fail. */
static bool save_trace(struct run_session *session, const struct failure *failure, bool final,
                       struct error *err)
{
    struct delivery *delivery = delivery_of(session, failure);
    struct stored_trace trace = keep_trace(session, failure);
    const char *path = NULL;
    bool saved = true;
    trace.shrunk = final;
    /* a pinned one is in the machine's file, which is run every time */
    for (size_t i = 0; !failure->pinned && saved && i < session->store_count; i++) {
        saved = store_save(&session->stores[i], session->machine, &trace, &session->run->arena,
                           &path, err);
    }
    delivery->trace = saved ? path : NULL;
    return saved;
}

static void write_down(struct run_session *session, const struct failure *failure)
{
    struct delivery *delivery = delivery_of(session, failure);
    struct error err = {0};
    if (!save_trace(session, failure, !failure->taken && !failure->flaky, &err)) {
        session_warn(session, arena_printf(&session->run->arena,
                                           "the failing trace is not stored: %s", err.message));
    }
    if (failure->flaky) {
        const struct stored_trace trace = keep_trace(session, failure);
        sharing_release(session, &trace);
    }
    if (session->scripts.path) {
        script_write(&session->scripts, failure, delivery);
    }
    delivery->done = true;
    if (session->callbacks->found) {
        const struct pgfsm_failure found = outcome_failure(failure, delivery, &session->run->arena);
        session->callbacks->found(session->callbacks->host, &found);
    }
}

/* As it was found it can at least be run again, should the rest never come. */
void keep_found(void *host, const struct failure *failure, bool final)
{
    struct error ignored = {0};
    if (final) {
        write_down(host, failure);
    } else {
        (void)save_trace(host, failure, false, &ignored);
    }
}

/* Its name and its file are free again. */
void keep_dropped(void *host, const struct failure *failure)
{
    struct run_session *session = host;
    struct delivery *delivery = delivery_of(session, failure);
    struct error ignored = {0};
    const struct stored_trace trace = {.identity = failure->identity, .differs = true};
    for (size_t i = 0; delivery->name && i < session->store_count; i++) {
        (void)store_remove(&session->stores[i], session->machine, &trace, &ignored);
    }
    for (size_t i = 0; delivery->name && i < session->names.count; i++) {
        struct name_in_use *named = &session->names.items[i];
        named->taken = named->taken && strcmp(named->name, delivery->name) != 0;
    }
    size_t behind = session->deliveries.count - (size_t)(delivery - session->deliveries.items) - 1;
    memmove(delivery, delivery + 1, behind * sizeof *delivery);
    session->run->report.delivery_count = --session->deliveries.count;
}

static bool fails_now(const struct pgfsm_run *run, const char *identity)
{
    for (size_t i = 0; i < run->result.failures.count; i++) {
        const struct failure *failure = &run->result.failures.items[i];
        if (!failure->pinned && strcmp(failure->identity, identity) == 0) {
            return true;
        }
    }
    return false;
}

static void forget(struct run_session *session, const struct stored_trace *trace)
{
    for (size_t i = 0; i < session->store_count; i++) {
        struct error err = {0};
        if (!store_remove(&session->stores[i], session->machine, trace, &err)) {
            session_warn(session, arena_strdup(&session->run->arena, err.message));
        }
    }
}

/* What passes now; that its trace can't be removed is said. */
static void forget_passed(struct run_session *session)
{
    const struct stored_traces *stored = &session->stored;
    const struct run_result *result = &session->run->result;
    for (size_t i = 0; i < stored->items.count; i++) {
        const struct stored_trace *trace = &stored->items.items[i];
        if (result->stored_passed && result->stored_passed[i] &&
            !fails_now(session->run, trace->identity)) {
            forget(session, trace);
        }
    }
}

void keep_finish(struct run_session *session)
{
    struct run_result *result = &session->run->result;
    forget_passed(session);
    for (size_t i = 0; i < result->failures.count; i++) {
        const struct failure *failure = &result->failures.items[i];
        if (!delivery_of(session, failure)->done) {
            write_down(session, failure);
        }
    }
    if (session->options.diff) {
        alike_sort(result, session->deliveries.items);
    }
}
