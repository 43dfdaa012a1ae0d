/* Finds rules that kill survivors: the machine runs with one more rule or invariant, which must
 * hold on the schema as it is, and fail on the mutant. Processes that share mutants out share these
 * trials, too, by the groups of survivors that have one cause. */
#include "api/offers.h"
#include "api/errors.h"
#include "api/sharing.h"
#include "base/hash.h"
#include "base/names.h"
#include "mutate/cause.h"
#include "mutate/judge.h"
#include "mutate/offer.h"

#include <stdio.h>
#include <string.h>

enum {
    EXAMPLES_FIRST = 2, /* in which most of those that don't hold fail */
    EXAMPLES_TO_KILL = 6,
    EXAMPLES_TO_HOLD = 20,
    TRIALS = 600,
    LOADS = 5,
    TIMEOUT_MS = 1000, /* of a statement: one that runs with any value may take long */
};

/* An offer for a mutant, under a name that no other has. */
struct trial {
    struct offer offer;
    struct mutant *mutant;
    const char *name;
    size_t line; /* of the text of all: its first */
    size_t lines;
    bool off; /* it can't be loaded or prepared */
};

struct tryout {
    struct run_session *session;
    struct run_options options;
    const struct machine *machine; /* as it is */
    const struct machine *all;     /* with all trials */
    struct backend *backend;       /* with all of them; or NULL */
    bool unfit;                    /* it can't be opened */
    struct arena *arena;
    VEC(struct trial) trials;
    VEC(struct mutant *) leaders; /* the first survivor of each cause */
    size_t *found; /* by mutant: the number of the trial that kills it, from 1; 0: none */
    bool stopped;  /* it can't go on */
};

/* Where the first rule or invariant of the file stands; false: not on a line of its own. */
struct spot {
    enum offer_kind kind;
    size_t offset; /* of its line */
    size_t indent;
};

static bool find_spot(const struct machine *machine, enum offer_kind kind, struct spot *out)
{
    bool is_rule = kind == OFFER_RULE;
    size_t count = is_rule ? machine->rules.count : machine->invariants.count;
    if (count == 0) {
        return false;
    }
    struct source_pos pos =
        is_rule ? machine->rules.items[0].pos : machine->invariants.items[0].pos;
    size_t indent = 0;
    while (indent < pos.offset && pos.source->text[pos.offset - indent - 1] == ' ') {
        indent++;
    }
    *out = (struct spot){kind, pos.offset - indent, indent};
    return pos.source == machine->source && pos.offset < source_written_size(pos.source) &&
           pos.offset > indent && pos.source->text[out->offset - 1] == '\n';
}

static size_t count_lines(const char *text, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++) {
        count += text[i] == '\n';
    }
    return count;
}

/* "NAME: …" with its lines moved to the right. */
static void add_offer(struct strbuf *out, const struct offer *offer, const char *name,
                      size_t indent)
{
    const char *rest = offer->body;
    strbuf_addf(out, "%*s%s:", (int)indent, "", name);
    while (*rest) {
        size_t size = strcspn(rest, "\n");
        strbuf_addf(out, "%.*s\n", (int)size, rest);
        rest += size + (rest[size] == '\n');
        if (*rest && *rest != '\n') {
            strbuf_addf(out, "%*s", (int)indent, "");
        }
    }
}

static void add_trials(struct tryout *tryout, const struct spot *spot, struct strbuf *out)
{
    for (size_t i = 0; i < tryout->trials.count; i++) {
        struct trial *trial = &tryout->trials.items[i];
        size_t before = out->size;
        if (trial->offer.kind != spot->kind || trial->off) {
            continue;
        }
        trial->line = count_lines(strbuf_text(out), before) + 1;
        add_offer(out, &trial->offer, trial->name, spot->indent);
        trial->lines = count_lines(out->data + before, out->size - before);
    }
}

/* The machine's file with all trials before its first rule, or invariant. */
static void write_all(struct tryout *tryout, struct strbuf *out)
{
    const struct source *source = tryout->machine->source;
    struct spot spots[2];
    size_t count = 0;
    size_t from = 0;
    count += find_spot(tryout->machine, OFFER_RULE, &spots[count]);
    count += find_spot(tryout->machine, OFFER_INVARIANT, &spots[count]);
    if (count == 2 && spots[1].offset < spots[0].offset) {
        struct spot first = spots[1];
        spots[1] = spots[0];
        spots[0] = first;
    }
    strbuf_clear(out);
    for (size_t i = 0; i < count; i++) {
        strbuf_add(out, source->text + from, spots[i].offset - from);
        add_trials(tryout, &spots[i], out);
        from = spots[i].offset;
    }
    strbuf_add(out, source->text + from, source_written_size(source) - from);
}

/* Leaves out the trials on whose lines there are errors. False: there are none such. */
static bool leave_out(struct tryout *tryout, const struct pgfsm_errors *errors)
{
    bool any = false;
    for (size_t i = 0; i < errors->items.count; i++) {
        size_t line = errors->items.items[i].line;
        for (size_t j = 0; j < tryout->trials.count; j++) {
            struct trial *trial = &tryout->trials.items[j];
            bool on = !trial->off && line >= trial->line && line < trial->line + trial->lines;
            trial->off = trial->off || on;
            any = any || on;
        }
    }
    return any;
}

/* Reads the text, and opens a database with it. What can't be loaded or prepared is left out. */
static bool open_once(struct tryout *tryout, struct pgfsm_errors *errors)
{
    struct strbuf text = {0};
    struct diagnostics diagnostics = {.arena = tryout->arena};
    struct run_session session = *tryout->session;
    write_all(tryout, &text);
    bool read = machine_read(tryout->machine->path, strbuf_copy(&text, tryout->arena), text.size,
                             NULL, tryout->arena, &tryout->all, &diagnostics);
    strbuf_free(&text);
    (void)errors_add_all(errors, &diagnostics);
    if (read) {
        session.machine = tryout->all;
        session.settings.jobs = 1;
        session.errors = errors;
        session.options.keep = false;
        session.options.measure = false;
        tryout->backend = session_open(&session);
    }
    return tryout->backend != NULL;
}

static bool open_all(struct tryout *tryout)
{
    bool opened = false;
    bool again = true;
    for (int i = 0; i < LOADS && again && !opened; i++) {
        struct pgfsm_errors *errors = pgfsm_errors_new();
        opened = open_once(tryout, errors);
        again = leave_out(tryout, errors);
        pgfsm_errors_free(errors);
    }
    return opened;
}

/* The machine with one trial alone: its other rules are off, its other invariants left out. */
static struct machine machine_with(struct tryout *tryout, const struct trial *trial, bool *off)
{
    struct machine machine = *tryout->all;
    size_t made = machine.rules.count - tryout->machine->rules.count;
    const bool *off_before = tryout->session->run->report.rules_off;
    for (size_t i = 0; i < machine.rules.count; i++) {
        off[i] = i < made ? strcmp(machine.rules.items[i].name, trial->name) != 0
                          : off_before && off_before[i - made];
    }
    made = machine.invariants.count - tryout->machine->invariants.count;
    size_t kept = 0;
    struct invariant *invariants =
        ARENA_ARRAY(tryout->arena, struct invariant, machine.invariants.count + 1);
    for (size_t i = 0; i < machine.invariants.count; i++) {
        if (i >= made || strcmp(machine.invariants.items[i].name, trial->name) == 0) {
            invariants[kept] = machine.invariants.items[i];
            invariants[kept].index = kept;
            kept++;
        }
    }
    machine.invariants.items = invariants;
    machine.invariants.count = kept;
    return machine;
}

/* Whether it runs, or is checked, and nothing fails. */
static bool holds(struct tryout *tryout, const struct machine *machine, const struct trial *trial,
                  struct run_options *options, int64_t examples)
{
    options->settings.examples = examples;
    struct run_result result = {0};
    struct arena arena = {0};
    struct error err = {0};
    bool held = tryout->backend->ops->restart(tryout->backend, &err) &&
                run_machine(machine, tryout->backend, options, &arena, &result, &err) &&
                result.failures.count == 0 && !result.cut_short;
    tryout->stopped = err.code == ERROR_CONNECTION || err.code == ERROR_INTERRUPTED;
    for (size_t i = 0; held && i < machine->rules.count; i++) {
        bool is = strcmp(machine->rules.items[i].name, trial->name) == 0;
        held = !is || result.stats.rules[i].ran > 0;
    }
    arena_free(&arena);
    return held;
}

static const char *kind_of(const struct trial *trial)
{
    return trial->offer.kind == OFFER_RULE ? "rule" : "invariant";
}

static bool kills(struct tryout *tryout, const struct machine *machine, const struct trial *trial,
                  struct run_options *options, const struct mutant *mutant)
{
    options->settings.examples = EXAMPLES_TO_KILL;
    struct mutant copy = *mutant;
    struct error err = {0};
    struct backend *const backends[] = {tryout->backend};
    const struct judging judging = {.machine = machine,
                                    .backends = backends,
                                    .backend_count = 1,
                                    .options = options,
                                    .arena = tryout->arena};
    copy.verdict = VERDICT_NONE;
    const char *killer = arena_printf(tryout->arena, "%s %s", kind_of(trial), trial->name);
    bool judged = judge(&judging, &copy, 1, &err);
    tryout->stopped = err.code == ERROR_CONNECTION || err.code == ERROR_INTERRUPTED;
    return judged && copy.verdict == VERDICT_KILLED && copy.killer &&
           strcmp(copy.killer, killer) == 0;
}

static bool is_taken(const struct tryout *tryout, const char *name)
{
    const struct mutation *mutation = &tryout->session->run->mutation;
    size_t size = strlen(name);
    bool taken = name_is_in(name, ROWS_OF(tryout->machine->rules, name)) ||
                 name_is_in(name, ROWS_OF(tryout->machine->invariants, name));
    for (size_t i = 0; i < mutation->mutants.count; i++) {
        const char *rule = mutation->mutants.items[i].rule;
        taken = taken || (rule && strncmp(rule, name, size) == 0 && rule[size] == ':');
    }
    return taken;
}

/* As a person pastes it. */
static const char *yaml_of(const struct tryout *tryout, const struct trial *trial)
{
    struct arena *arena = &tryout->session->run->arena;
    const char *name = trial->offer.name;
    struct strbuf out = {0};
    for (int i = 2; is_taken(tryout, name); i++) {
        name = arena_printf(arena, "%s_%d", trial->offer.name, i);
    }
    add_offer(&out, &trial->offer, name, 0);
    return strbuf_take(&out, arena);
}

/* Writes down what kills the survivors: the trials in their order. */
static void give_all(struct tryout *tryout)
{
    struct mutation *mutation = &tryout->session->run->mutation;
    for (size_t i = 0; i < tryout->trials.count; i++) {
        const struct trial *trial = &tryout->trials.items[i];
        const char *yaml = NULL;
        for (size_t j = 0; j < mutation->mutants.count; j++) {
            if (tryout->found[j] == i + 1) {
                yaml = yaml ? yaml : yaml_of(tryout, trial);
                mutation->mutants.items[j].rule = yaml;
                mutation->mutants.items[j].rule_kind = kind_of(trial);
            }
        }
    }
}

static size_t *found_of(const struct tryout *tryout, const struct mutant *mutant)
{
    return &tryout->found[mutant - tryout->session->run->mutation.mutants.items];
}

/* Notes that the trial kills its mutant and others of the same cause, if it does. */
static void try_one(struct tryout *tryout, const struct trial *trial)
{
    size_t number = (size_t)(trial - tryout->trials.items) + 1;
    bool *off = ARENA_ARRAY(tryout->arena, bool, tryout->all->rules.count + 1);
    const struct machine machine = machine_with(tryout, trial, off);
    struct run_options options = tryout->options;
    struct mutation *mutation = &tryout->session->run->mutation;
    options.rules_off = off;
    if (!holds(tryout, &machine, trial, &options, EXAMPLES_FIRST) ||
        !kills(tryout, &machine, trial, &options, trial->mutant) ||
        !holds(tryout, &machine, trial, &options, EXAMPLES_TO_HOLD)) {
        return;
    }
    *found_of(tryout, trial->mutant) = number;
    for (size_t i = 0; !tryout->stopped && i < mutation->mutants.count; i++) {
        struct mutant *other = &mutation->mutants.items[i];
        if (!tryout->found[i] && mutant_same(trial->mutant, other) &&
            kills(tryout, &machine, trial, &options, other)) {
            tryout->found[i] = number;
        }
    }
}

static void collect(struct tryout *tryout)
{
    struct mutation *mutation = &tryout->session->run->mutation;
    tryout->found = ARENA_ARRAY(tryout->arena, size_t, mutation->mutants.count + 1);
    memset(tryout->found, 0, (mutation->mutants.count + 1) * sizeof *tryout->found);
    for (size_t i = 0; i < mutation->mutants.count && tryout->trials.count < TRIALS; i++) {
        struct mutant *mutant = &mutation->mutants.items[i];
        struct offers offers = {0};
        if (mutant->verdict != VERDICT_SURVIVED) {
            continue;
        }
        if (mutant_leads(mutation, mutant)) {
            *VEC_PUSH(tryout->arena, &tryout->leaders) = mutant;
        }
        offers_add(&offers, tryout->machine, mutant, tryout->arena);
        for (size_t j = 0; j < offers.items.count; j++) {
            size_t number = tryout->trials.count + 1;
            *VEC_PUSH(tryout->arena, &tryout->trials) =
                (struct trial){.offer = offers.items.items[j],
                               .mutant = mutant,
                               .name = arena_printf(tryout->arena, "pgfsm_offer_%zu", number)};
        }
    }
}

/* Those of the run that held, with less time for a statement. */
static struct run_options trying_options(const struct run_options *options)
{
    struct run_options out = judging_options(options);
    int64_t *timeout_ms = &out.settings.statement_timeout_ms;
    *timeout_ms = *timeout_ms > 0 && *timeout_ms < TIMEOUT_MS ? *timeout_ms : TIMEOUT_MS;
    out.all_invariants = true; /* what the server knows of them is of another machine */
    return out;
}

/* Tries what may kill the survivors of one cause. */
static void try_group(struct tryout *tryout, const struct mutant *leader)
{
    for (size_t i = 0; !tryout->stopped && i < tryout->trials.count; i++) {
        const struct trial *trial = &tryout->trials.items[i];
        if (!trial->off && !*found_of(tryout, trial->mutant) &&
            mutant_same(leader, trial->mutant)) {
            try_one(tryout, trial);
        }
    }
}

/* Once. False: nothing can be tried. */
static bool begin_trying(struct tryout *tryout)
{
    if (tryout->backend || tryout->unfit) {
        return tryout->backend != NULL;
    }
    tryout->unfit = !open_all(tryout);
    if (!tryout->unfit) {
        tryout->backend->ops->limit(tryout->backend, tryout->options.settings.statement_timeout_ms);
    }
    return !tryout->unfit;
}

static void try_all(struct tryout *tryout)
{
    for (size_t i = 0; i < tryout->leaders.count && begin_trying(tryout); i++) {
        try_group(tryout, tryout->leaders.items[i]);
    }
}

/* "4:17 5:17": the mutants of the group, by index, and the trials that kill them. */
static void write_found(const struct tryout *tryout, uint64_t number, struct strbuf *out)
{
    const struct mutation *mutation = &tryout->session->run->mutation;
    const struct mutant *leader = tryout->leaders.items[number - 1];
    for (size_t i = 0; i < mutation->mutants.count; i++) {
        if (tryout->found[i] && mutant_same(leader, &mutation->mutants.items[i])) {
            strbuf_addf(out, "%zu:%zu ", i, tryout->found[i]);
        }
    }
    strbuf_addc(out, '\n');
}

/* A row may come from anybody: all it can say is that one of our own trials kills a mutant. */
static void take_found(struct tryout *tryout, uint64_t number)
{
    const struct mutation *mutation = &tryout->session->run->mutation;
    size_t size;
    const char *line = sharing_line(tryout->session, number, &size);
    size_t mutant;
    size_t trial;
    int read = 0;
    while (line && sscanf(line, "%9zu:%9zu %n", &mutant, &trial, &read) == 2 &&
           mutant < mutation->mutants.count && trial >= 1 && trial <= tryout->trials.count &&
           mutant_same(tryout->trials.items[trial - 1].mutant, &mutation->mutants.items[mutant])) {
        tryout->found[mutant] = trial;
        line += read;
    }
}

static bool is_time_up(const struct tryout *tryout)
{
    uint64_t deadline_us = atomic_load(&tryout->session->database->deadline_us);
    return deadline_us && (uint64_t)clock_us() >= deadline_us;
}

/* What this process could not try, another one is to try. */
static bool try_chunk(struct tryout *tryout, const struct run_callbacks *callbacks,
                      const struct run_chunk *chunk, struct error *err)
{
    struct strbuf text = {0};
    struct run_part part = {0};
    for (uint64_t number = chunk->first; number <= chunk->last && !tryout->stopped; number++) {
        tryout->stopped = !begin_trying(tryout);
        try_group(tryout, tryout->leaders.items[number - 1]);
        tryout->stopped = tryout->stopped || is_time_up(tryout);
        if (!tryout->stopped) {
            write_found(tryout, number, &text);
            part.count++;
        }
    }
    part.records = strbuf_text(&text);
    part.cut = tryout->stopped;
    bool ok = callbacks->done(callbacks->host, chunk, &part, err);
    strbuf_free(&text);
    return ok;
}

/* Together with other processes, which all have the same verdicts. */
static bool try_shared(struct tryout *tryout, const struct run_callbacks *callbacks,
                       struct error *err)
{
    const struct mutation *mutation = &tryout->session->run->mutation;
    uint64_t hash = HASH_START;
    struct run_chunk chunk;
    for (size_t i = 0; i < mutation->mutants.count; i++) {
        hash = hash_bytes(hash, &mutation->mutants.items[i].verdict,
                          sizeof mutation->mutants.items[i].verdict);
    }
    bool ok = sharing_go_on(tryout->session, "tries rules for survivors", hash,
                            tryout->leaders.count, err);
    do {
        ok = ok && callbacks->take(callbacks->host, true, &chunk, err);
    } while (ok && chunk.last && (ok = try_chunk(tryout, callbacks, &chunk, err)) &&
             !tryout->stopped);
    for (size_t i = 0; ok && i < tryout->leaders.count; i++) {
        take_found(tryout, i + 1);
    }
    return ok;
}

bool session_offer(struct run_session *session, const struct run_options *options,
                   struct error *err)
{
    struct arena arena = {0};
    int64_t max_us = session->settings.max_time_ms * 1000;
    struct tryout tryout = {.session = session,
                            .options = trying_options(options),
                            .machine = session->machine,
                            .arena = &arena};
    const struct pgfsm_run_options *wanted = &session->options;
    bool plain = !wanted->in_place && !wanted->commit && wanted->schema_count > 0 &&
                 session->settings.transactions != TRANSACTIONS_COMMIT &&
                 session->settings.sessions <= 1 && !session->machine->clock &&
                 !session->run->mutation.drawn;
    if (plain) {
        collect(&tryout);
    }
    atomic_store(&session->database->deadline_us,
                 max_us > 0 ? (uint64_t)(session->began_us + max_us) : 0);
    bool ok = true;
    if (tryout.trials.count && options->callbacks.take) {
        ok = try_shared(&tryout, &options->callbacks, err);
    } else if (tryout.trials.count) {
        try_all(&tryout);
    }
    if (tryout.trials.count) {
        give_all(&tryout);
    }
    atomic_store(&session->database->deadline_us, 0);
    if (tryout.backend) {
        tryout.backend->ops->leave(tryout.backend);
        tryout.backend->ops->close(tryout.backend);
    }
    arena_free(&arena);
    if (database_interrupted(session->database)) {
        return error_set(err, ERROR_INTERRUPTED, "interrupted");
    }
    return ok;
}
