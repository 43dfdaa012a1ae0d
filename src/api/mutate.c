/* Implements pgfsm/mutate.h. */
#include "api/errors.h"
#include "api/mutants.h"
#include "api/offers.h"
#include "api/session.h"
#include "api/sharing.h"
#include "base/hash.h"
#include "base/names.h"
#include "mutate/cause.h"
#include "mutate/judge.h"
#include "os/wait.h"

#include <fnmatch.h>
#include <string.h>

_Static_assert(PGFSM_MUTANT_ACCEPTED + 1 == (int)VERDICTS, "each verdict has a public name");

static bool matches(const struct pgfsm_mutate_options *options, const struct mutant *mutant)
{
    for (size_t i = 0; i < options->only_count; i++) {
        const char *pattern = options->only[i];
        if (fnmatch(pattern, mutant->id, 0) == 0 || fnmatch(pattern, mutant->operator, 0) == 0 ||
            fnmatch(pattern, mutant->object, 0) == 0) {
            return true;
        }
    }
    return options->only_count == 0;
}

/* Statements of the machine may need what the files make. */
static struct machine without_statements(const struct machine *machine)
{
    struct machine out = *machine;
    out.dataset.count = out.initialize.count = out.initialize_constant = 0;
    out.rules.count = out.invariants.count = out.pinned.count = 0;
    out.catalog_names.count = out.templates.count = 0;
    return out;
}

bool session_list_earlier(struct run_session *session)
{
    const struct pgfsm_mutate_options *wanted = session->options.mutate;
    if (!wanted || !wanted->changed) {
        return true;
    }
    const struct machine bare = without_statements(session->machine);
    struct run_session earlier = *session;
    struct error err = {0};
    earlier.machine = &bare;
    earlier.options.apply_count = 0;
    earlier.settings.jobs = 1;
    struct backend *backend = session_open(&earlier);
    if (!backend) {
        return false;
    }
    bool listed = mutants_list(backend, &session->run->arena, &session->earlier, &err);
    backend->ops->close(backend);
    return listed || errors_add(session->errors, &err);
}

static void keep_if(struct mutation *mutation, const struct mutation *earlier,
                    const struct pgfsm_mutate_options *options)
{
    size_t kept = 0;
    for (size_t i = 0; i < mutation->mutants.count; i++) {
        struct mutant *mutant = &mutation->mutants.items[i];
        if (matches(options, mutant) && !name_is_in(mutant->id, ROWS_OF(earlier->mutants, id))) {
            mutation->mutants.items[kept++] = *mutant;
        }
    }
    mutation->mutants.count = kept;
}

/* An object's name can have brackets, which mean something else in a glob. */
static bool accepts(const struct accepted_mutant *accepted, const struct mutant *mutant)
{
    if (accepted->id) {
        return strcmp(accepted->id, mutant->id) == 0;
    }
    return fnmatch(accepted->operator, mutant->operator, 0) == 0 &&
           (strcmp(accepted->object, mutant->object) == 0 ||
            fnmatch(accepted->object, mutant->object, 0) == 0);
}

static bool accepts_any(const struct accepted_mutant *accepted, const struct mutation *mutation)
{
    for (size_t i = 0; i < mutation->mutants.count; i++) {
        if (accepts(accepted, &mutation->mutants.items[i])) {
            return true;
        }
    }
    return false;
}

/* What no mutant is: the schema changed, or it is misspelt. */
static void note_gone(struct mutation *mutation, const struct machine *machine, struct arena *arena)
{
    for (size_t i = 0; i < machine->mutants.count; i++) {
        const struct accepted_mutant *accepted = &machine->mutants.items[i];
        if (!accepts_any(accepted, mutation)) {
            *VEC_PUSH(arena, &mutation->gone) =
                accepted->id ? accepted->id
                             : arena_printf(arena, "%s %s", accepted->operator, accepted->object);
        }
    }
}

static const char *reason_for(const struct machine *machine, const struct mutant *mutant)
{
    for (size_t i = 0; i < machine->mutants.count; i++) {
        if (accepts(&machine->mutants.items[i], mutant)) {
            return machine->mutants.items[i].reason;
        }
    }
    return NULL;
}

/* What need not be run. */
static void judge_at_once(struct mutation *mutation, const struct machine *machine)
{
    for (size_t i = 0; i < mutation->mutants.count; i++) {
        struct mutant *mutant = &mutation->mutants.items[i];
        mutant->reason = reason_for(machine, mutant);
        if (mutant->equivalent) {
            mutant->verdict = VERDICT_EQUIVALENT;
            mutant->by = mutant->equivalent;
        }
    }
}

/* Leaves so many of those that are to be run, by the seed. */
static void draw(struct mutation *mutation, size_t wanted, uint64_t seed)
{
    struct mutant *items = mutation->mutants.items;
    struct rng rng;
    size_t count = 0;
    for (size_t i = 0; i < mutation->mutants.count; i++) {
        if (items[i].verdict == VERDICT_NONE && !items[i].reason) {
            items[count++] = items[i];
        }
    }
    rng_seed(&rng, seed, 0);
    for (size_t i = 0; i < wanted && i < count; i++) {
        size_t other = i + (size_t)rng_below(&rng, count - i);
        struct mutant drawn = items[other];
        items[other] = items[i];
        items[i] = drawn;
    }
    mutation->mutants.count = count < wanted ? count : wanted;
}

static void find(struct run_session *session)
{
    const struct pgfsm_run_options *options = &session->options;
    struct arena *arena = &session->run->arena;
    VEC(const char *) files = {0};
    for (size_t i = 0; i < options->schema_count; i++) {
        *VEC_PUSH(arena, &files) = options->schema[i];
    }
    for (size_t i = 0; i < options->apply_count; i++) {
        *VEC_PUSH(arena, &files) = options->apply[i];
    }
    mutants_find(&session->run->mutation, files.items, files.count, arena);
}

/* Every N-th of them, beginning with the shard's own. What one costs differs much, but neighbours
 * are alike. */
static void number(struct mutation *mutation, const struct pgfsm_run_options *options)
{
    size_t count = mutation->mutants.count;
    size_t stride = options->shard_count > 0 ? (size_t)options->shard_count : 1;
    for (size_t i = 0; i < count; i++) {
        mutation->mutants.items[i].number = i + 1;
    }
    mutation->mutants.count = 0;
    for (size_t i = (size_t)options->shard; i < count; i += stride) {
        mutation->mutants.items[mutation->mutants.count++] = mutation->mutants.items[i];
    }
    mutation->partial = stride > 1;
}

static bool choose(struct run_session *session, struct backend *backend, struct error *err)
{
    const struct pgfsm_mutate_options *options = session->options.mutate;
    struct mutation *mutation = &session->run->mutation;
    if (!mutants_list(backend, &session->run->arena, mutation, err)) {
        return false;
    }
    note_gone(mutation, session->machine, &session->run->arena);
    keep_if(mutation, &session->earlier, options);
    judge_at_once(mutation, session->machine);
    find(session);
    if (options->prove > 0) {
        draw(mutation, (size_t)options->prove, session->settings.seed);
    }
    number(mutation, &session->options);
    return true;
}

static void on_judged(void *host, const struct judged *judged)
{
    struct run_session *session = host;
    const struct mutant *survivor = judged->survivor;
    session->progress.mutants = judged->count;
    session->progress.killed = judged->killed;
    session->progress.survivors = judged->survived;
    session->progress.survivor =
        survivor ? arena_printf(&session->run->arena, "%s %s", survivor->operator, survivor->object)
                 : NULL;
    session->progress.time_us = (uint64_t)(clock_us() - session->began_us);
    session->callbacks->progress(session->callbacks->host, &session->progress);
}

static bool judge_all(struct run_session *session, struct backend *backend,
                      const struct run_options *options, struct error *err)
{
    struct mutation *mutation = &session->run->mutation;
    VEC(struct backend *) backends = {0};
    *VEC_PUSH(&session->arena, &backends) = backend;
    for (size_t i = 0; i < session->helpers.count; i++) {
        *VEC_PUSH(&session->arena, &backends) = session->helpers.items[i];
    }
    for (size_t i = 0; i < mutation->mutants.count; i++) {
        session->progress.mutants_planned += mutation->mutants.items[i].verdict == VERDICT_NONE;
    }
    int64_t max_us = session->settings.max_time_ms * 1000;
    const struct judging judging = {
        .machine = session->machine,
        .backends = backends.items,
        .backend_count = backends.count,
        .options = options,
        .arena = &session->run->arena,
        .deadline_us = max_us > 0 ? (uint64_t)(session->began_us + max_us) : 0,
        .host = session,
        .progress = session->callbacks->progress ? on_judged : NULL,
    };
    return judge(&judging, mutation->mutants.items, mutation->mutants.count, err);
}

/* Begins to share them out. */
static bool share_out(struct run_session *session, struct error *err)
{
    const struct mutation *mutation = &session->run->mutation;
    uint64_t hash = HASH_START;
    for (size_t i = 0; i < mutation->mutants.count; i++) {
        hash =
            hash_bytes(hash, mutation->mutants.items[i].id, strlen(mutation->mutants.items[i].id));
    }
    return sharing_go_on(session, "grades the mutants", hash, mutation->mutants.count, err);
}

/* Takes the verdicts of all processes. They count, not those of a process that lost a lease. */
static bool take_verdicts(struct run_session *session, struct error *err)
{
    struct mutation *mutation = &session->run->mutation;
    bool ok = true;
    for (size_t i = 0; ok && i < mutation->mutants.count; i++) {
        struct mutant *mutant = &mutation->mutants.items[i];
        size_t size;
        const char *line = sharing_line(session, mutant->number, &size);
        ok = !line || merge_read_mutant(session, "the store", line, size, mutant, err);
    }
    return ok;
}

/* By this process, or together with others. */
static bool judge_shared(struct run_session *session, struct backend *backend,
                         const struct run_options *options, struct error *err)
{
    return sharing_splits(session)
               ? share_out(session, err) && judge_all(session, backend, options, err) &&
                     take_verdicts(session, err)
               : judge_all(session, backend, options, err);
}

static void count(struct mutation *mutation)
{
    for (size_t i = 0; i < mutation->mutants.count; i++) {
        struct mutant *mutant = &mutation->mutants.items[i];
        if (mutant->verdict == VERDICT_SURVIVED && mutant->reason) {
            mutant->verdict = VERDICT_ACCEPTED;
            mutant->by = mutant->reason;
        }
        mutation->counts[mutant->verdict]++;
    }
}

static void publish(struct pgfsm_run *run)
{
    const struct mutation *mutation = &run->mutation;
    run->report.mutation = mutation;
    run->mutants = ARENA_ARRAY(&run->arena, struct pgfsm_mutant, mutation->mutants.count + 1);
    run->mutated.mutants = mutation->mutants.count;
    run->mutated.score = mutation_score(mutation);
    run->mutated.time_us = mutation->time_us;
    for (size_t i = 0; i < mutation->mutants.count; i++) {
        const struct mutant *mutant = &mutation->mutants.items[i];
        run->mutants[i] = (struct pgfsm_mutant){
            .id = mutant->id,
            .change = mutant->operator,
            .object = mutant->object,
            .was = mutant->was,
            .becomes = mutant->becomes,
            .ddl = mutant->ddl,
            .verdict = (enum pgfsm_mutant_verdict)mutant->verdict,
            .by = mutant->by ? mutant->by : "",
        };
    }
}

bool session_mutate(struct run_session *session, struct backend *backend,
                    const struct run_options *options)
{
    const struct pgfsm_mutate_options *wanted = session->options.mutate;
    struct mutation *mutation = &session->run->mutation;
    struct error err = {0};
    enum run_outcome outcome = session->run->result.outcome;
    if (!wanted || (outcome != RUN_PASSED && !(wanted->list && outcome == RUN_NOTHING))) {
        return true;
    }
    int64_t began_us = clock_us();
    *mutation = (struct mutation){
        .listed = wanted->list, .drawn = wanted->prove > 0, .min_score = wanted->min_score};
    if (!choose(session, backend, &err)) { /* there is nothing to tell of a part of them */
        session->run->report.stopped = err.code;
        return session_fail(session, &err);
    }
    bool ok = wanted->list || (session->merged ? merge_mutants(session, &err)
                                               : judge_shared(session, backend, options, &err));
    mutation->time_us += (uint64_t)(clock_us() - began_us);
    count(mutation);
    if (!mutation->partial) { /* else other shards saw other examples */
        mutants_explain(mutation, session->machine, &session->run->result, &session->run->arena);
        ok = ok && (wanted->list || session_offer(session, options, &err));
    }
    publish(session->run);
    if (!ok) {
        session->run->report.stopped = err.code;
    }
    return ok || session_fail(session, &err);
}

const struct pgfsm_mutation_summary *pgfsm_run_mutation(const struct pgfsm_run *run)
{
    return run->mutants ? &run->mutated : NULL;
}

size_t pgfsm_run_mutant_count(const struct pgfsm_run *run, enum pgfsm_mutant_verdict verdict)
{
    return run->mutants && (unsigned)verdict < VERDICTS ? run->mutation.counts[verdict] : 0;
}

const struct pgfsm_mutant *pgfsm_run_mutant(const struct pgfsm_run *run, size_t index)
{
    return run->mutants && index < run->mutated.mutants ? &run->mutants[index] : NULL;
}
