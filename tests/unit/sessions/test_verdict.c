/*
 * Compares the verdict with brute force: two sessions use a store of two numbers with its own
 * transactions, under every schedule with one switch, also at the gates inside its statements. Both
 * the session code and a search over all orders decide if a serial order explains the answers.
 */
#include "example/lanes.h"
#include "sessions/sessions.h"
#include "support/rig.h"
#include "support/rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { NUMBERS = 2, SESSIONS = 2, STEPS_MAX = 3, POINTS_MAX = 5 };

/* How the store handles concurrent transactions. */
enum isolation_of_store {
    STORE_LOSES,    /* each sees what it began with, and the last one to commit wins */
    STORE_SNAPSHOT, /* the same, but a transaction can't write what was written since it began */
    STORE_SERIAL,   /* nor commits where something that it read was */
    STORE_READS,    /* each read sees what is committed by then, and the last one to commit wins */
    STORE_STALE,    /* a session never sees what another one did, however long ago */
    STORES
};

static const char machine_text[] =
    "machine: store\n"
    "model: v = [0, 0]\n"
    "settings: {sessions: 2}\n"
    "rules:\n"
    "  both: {sql: [BOTH 0], expect: '100 * v[0] + v[1]'}\n"
    "  add: {sql: [READ 0, ADD 0], expect: 'v[0] + 1', model: 'v[0] += 1'}\n"
    "  move: {sql: [READ 0, MOVE 1], expect: 'v[0] + 10', model: 'v[1] = v[0] + 10'}\n"
    "  back: {sql: [READ 1, MOVE 0], expect: 'v[1] + 10', model: 'v[0] = v[1] + 10'}\n"
    "  read: {sql: [READ 0], expect: 'v[0]'}\n"
    "  first: {precondition: 'v[0] == 0', sql: [READ 0, ADD 0], expect: 1, model: 'v[0] = 1'}\n"
    "invariants:\n"
    "  all: {sql: ALL, expect: '[(v[0], v[1])]'}\n";

enum { BOTH, ADD, MOVE, BACK, READ, FIRST, RULES, LONG_RULES = READ };

struct state {
    int64_t numbers[NUMBERS];
    int64_t written[NUMBERS]; /* when, last */
};

/* The actions of a session. */
struct done {
    int rule;
    int64_t answer;
    size_t began;
    size_t ended;
    bool undone;
};

struct sim_lane {
    struct backend backend; /* first */
    struct lane_host *host;
    struct lane_stop stop; /* the only one, with a gate of its own; crossing and nth 0: none */
    unsigned session;
    struct state seen; /* as the transaction began */
    int64_t began;     /* when; 0: there is none */
    int64_t read;      /* what it read last */
    bool reads[NUMBERS];
    bool writes[NUMBERS];
    bool failed;
    struct answer answers[64];
    size_t count;
    struct value row;
    struct done done[STEPS_MAX];
    size_t steps;
};

static struct state store;
static enum isolation_of_store isolation;
static size_t tick;
static struct sim_lane lanes[SESSIONS];
static int readable; /* a file that always is */

static struct sim_lane *lane_of(struct backend *backend)
{
    return (struct sim_lane *)(void *)backend;
}

static const struct answer_column int_column[] = {
    {.name = "n", .type = 20, .type_name = "bigint", .class = COLUMN_NUMBER}};

static void begin(struct sim_lane *lane)
{
    if (isolation != STORE_STALE) {
        lane->seen = store;
    }
    lane->began = (int64_t)++tick;
    memset(lane->reads, 0, sizeof lane->reads);
    memset(lane->writes, 0, sizeof lane->writes);
    lane->done[lane->steps] = (struct done){.began = tick};
}

/* The statement under way comes to a gate, and waits there until the steerer lets it go on. */
static void cross(struct sim_lane *lane, enum trace_gate kind, unsigned crossing, unsigned nth)
{
    static const char *const when[] = {"BEFORE UPDATE", "ROW UPDATE", "BODY"};
    const struct lane_gate gate = {.kind = kind,
                                   .when = when[kind],
                                   .schema = "",
                                   .table = "",
                                   .number = nth,
                                   .function = kind == TRACE_GATE_BODY,
                                   .name = "both"};
    bool stops =
        lane->stop.gate == kind && lane->stop.crossing == crossing && lane->stop.nth == nth;
    struct error err;
    if (stops || kind != TRACE_GATE_ROW) {
        lane->host->crossed(lane->host, &gate, stops);
    }
    assert_true(!stops || lane->host->wait(lane->host, readable, false, &err));
}

static int64_t read_number(struct sim_lane *lane, int number)
{
    lane->reads[number] = true;
    if (isolation == STORE_READS && !lane->writes[number]) {
        lane->seen.numbers[number] = store.numbers[number];
    }
    return lane->seen.numbers[number];
}

static int64_t run(struct sim_lane *lane, const char *sql)
{
    int number = sql[strlen(sql) - 1] - '0';
    if (strncmp(sql, "BOTH", 4) == 0) {
        lane->read = 100 * read_number(lane, 0);
        cross(lane, TRACE_GATE_BODY, 0, 1);
        return lane->read + read_number(lane, 1);
    }
    if (strncmp(sql, "READ", 4) == 0) {
        return lane->read = read_number(lane, number);
    }
    cross(lane, TRACE_GATE_WRITE, 1, 0);
    lane->writes[number] = true;
    lane->seen.numbers[number] = lane->read + (strncmp(sql, "ADD", 3) == 0 ? 1 : 10);
    cross(lane, TRACE_GATE_ROW, 1, 1);
    return lane->seen.numbers[number];
}

static bool sim_queue(struct backend *backend, const struct backend_call *call,
                      backend_ticket *ticket, struct error *err)
{
    struct sim_lane *lane = lane_of(backend);
    char sql[16] = "";
    (void)err;
    memcpy(sql, call->sql->snippet.text, call->sql->snippet.size);
    if (lane->began == 0) {
        begin(lane);
    }
    tick++;
    lane->done[lane->steps].answer = run(lane, sql);
    lane->answers[lane->count] = (struct answer){.status = ANSWER_OK,
                                                 .column_count = 1,
                                                 .columns = int_column,
                                                 .row_count = 1,
                                                 .count = 1,
                                                 .command = "SELECT 1"};
    *ticket = lane->count++;
    return true;
}

/* True if another transaction has written a number in `which` since this one began. */
static bool was_written(const struct sim_lane *lane, const bool *which)
{
    for (int i = 0; i < NUMBERS; i++) {
        if (which[i] && store.written[i] > lane->began) {
            return true;
        }
    }
    return false;
}

static bool sim_commit(struct backend *backend, const struct backend_context *context, bool begins,
                       backend_ticket *ticket, struct error *err)
{
    struct sim_lane *lane = lane_of(backend);
    struct answer *answer = &lane->answers[lane->count];
    (void)context;
    (void)begins;
    (void)err;
    tick++;
    lane->failed = ((isolation == STORE_SNAPSHOT || isolation == STORE_SERIAL) &&
                    was_written(lane, lane->writes)) ||
                   (isolation == STORE_SERIAL && was_written(lane, lane->reads));
    *answer = (struct answer){.status = lane->failed ? ANSWER_ERROR : ANSWER_OK, .count = -1};
    if (lane->failed) {
        answer->error = (struct server_error){
            .sqlstate = "40001", .severity = "ERROR", .message = "somebody else wrote it"};
    }
    for (int i = 0; i < NUMBERS; i++) {
        if (!lane->failed && lane->writes[i]) {
            store.numbers[i] = lane->seen.numbers[i];
            store.written[i] = (int64_t)tick;
        }
    }
    lane->began = 0;
    lane->done[lane->steps].undone = lane->failed;
    lane->done[lane->steps++].ended = tick;
    *ticket = lane->count++;
    return true;
}

static bool sim_take(struct backend *backend, backend_ticket ticket, struct arena *arena,
                     struct answer *out, struct error *err)
{
    struct sim_lane *lane = lane_of(backend);
    static const char *const names[] = {"n"};
    (void)err;
    *out = lane->answers[ticket];
    if (out->row_count) {
        struct value number = value_int(lane->done[lane->steps].answer);
        struct value *rows = ARENA_ARRAY(arena, struct value, 1);
        rows[0] = value_row(arena, &number, names, 1);
        out->rows = rows;
    }
    return true;
}

static bool sim_guard(struct backend *backend, enum backend_guard guard, struct error *err)
{
    (void)backend;
    (void)guard;
    (void)err;
    return true;
}

static bool sim_nothing(struct backend *backend, struct error *err)
{
    (void)backend;
    (void)err;
    return true;
}

static bool sim_open(struct backend *backend, size_t count, struct lane_host *const *hosts,
                     struct backend **out, struct error *err)
{
    static const struct backend_ops ops = {.queue = sim_queue,
                                           .queue_deferred = sim_commit,
                                           .take = sim_take,
                                           .guard_begin = sim_guard,
                                           .guard_end = sim_nothing,
                                           .reset = sim_nothing};
    (void)backend;
    (void)err;
    for (size_t i = 0; i < count; i++) {
        lanes[i] =
            (struct sim_lane){.backend = {&ops}, .host = hosts[i], .session = (unsigned)i + 1};
        out[i] = &lanes[i].backend;
    }
    return true;
}

static bool sim_stop_at(struct backend *backend, const struct lane_stop *stops, size_t count,
                        struct error *err)
{
    (void)err;
    assert_true(count <= 1);
    lane_of(backend)->stop = count ? stops[0] : (struct lane_stop){0};
    return true;
}

static bool sim_tidy(struct backend *backend, struct error *err)
{
    (void)backend;
    (void)err;
    return true;
}

/* Whoever loses is to try again. */
static enum isolation sim_isolation(struct backend *backend)
{
    (void)backend;
    return ISOLATION_SERIALIZABLE;
}

static const char *sim_body(struct backend *lane, unsigned long function, struct arena *arena)
{
    (void)lane;
    (void)function;
    (void)arena;
    return NULL;
}

static const struct lane_ops sim_lanes = {.open = sim_open,
                                          .isolation = sim_isolation,
                                          .stop_at = sim_stop_at,
                                          .body = sim_body,
                                          .release = sim_tidy,
                                          .tidy = sim_tidy};

/* --- brute force --- */

static const struct done *steps[SESSIONS * STEPS_MAX];
static size_t step_count;
static size_t session_of[SESSIONS * STEPS_MAX];

static bool may_follow(const size_t *order, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        for (size_t k = i + 1; k < length; k++) {
            const struct done *a = steps[order[i]];
            const struct done *b = steps[order[k]];
            if (b->ended < a->began ||
                (session_of[order[i]] == session_of[order[k]] && order[k] < order[i])) {
                return false;
            }
        }
    }
    return true;
}

static int64_t step_model(int rule, int64_t *v)
{
    switch (rule) {
    case FIRST:
    case ADD:
        return ++v[0];
    case MOVE:
        return v[1] = v[0] + 10;
    case BACK:
        return v[0] = v[1] + 10;
    case BOTH:
        return 100 * v[0] + v[1];
    default:
        return v[0];
    }
}

static bool can_run(int rule, const int64_t *v) { return rule != FIRST || v[0] == 0; }

/* What is known of a run; of an order, too. */
enum verdict { CONTRADICTED, UNCLEAR, EXPLAINED };

static enum verdict explains(const size_t *order)
{
    int64_t v[NUMBERS] = {0};
    for (size_t i = 0; i < step_count; i++) {
        const struct done *step = steps[order[i]];
        if (!can_run(step->rule, v)) {
            return UNCLEAR;
        }
        if (step_model(step->rule, v) != step->answer) {
            return CONTRADICTED;
        }
    }
    return v[0] == store.numbers[0] && v[1] == store.numbers[1] ? EXPLAINED : CONTRADICTED;
}

/* The best verdict of all orders with this beginning. */
static enum verdict best_of(size_t *order, size_t length, bool *used)
{
    enum verdict best = CONTRADICTED;
    if (length == step_count) {
        return may_follow(order, length) ? explains(order) : CONTRADICTED;
    }
    for (size_t i = 0; i < step_count; i++) {
        if (!used[i]) {
            used[i] = true;
            order[length] = i;
            enum verdict verdict = best_of(order, length + 1, used);
            used[i] = false;
            best = verdict > best ? verdict : best;
        }
    }
    return best;
}

/* A session leaves out what can't run after its own steps. */
static enum verdict verdict_of(const struct trace *trace)
{
    size_t order[SESSIONS * STEPS_MAX];
    bool used[SESSIONS * STEPS_MAX] = {false};
    size_t next[SESSIONS] = {0};
    int64_t own[SESSIONS][NUMBERS] = {{0}};
    step_count = 0;
    for (size_t i = 0; i < trace->steps.count; i++) {
        size_t session = trace->steps.items[i].session - 1U;
        int rule = (int)trace->steps.items[i].rule;
        if (!can_run(rule, own[session])) {
            continue;
        }
        struct done *done = &lanes[session].done[next[session]++];
        done->rule = rule;
        if (!done->undone) {
            (void)step_model(rule, own[session]);
            session_of[step_count] = session;
            steps[step_count++] = done;
        }
    }
    return best_of(order, 0, used);
}

/* --- the store as the example's own session sees it --- */

static struct state final_state;

static void answer_all(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)fake;
    (void)call;
    fake_columns(reply, "a int8, b int8");
    FAKE_ROW(reply, value_int(store.numbers[0]), value_int(store.numbers[1]));
}

static void answer_nothing(struct fake *fake, const struct fake_call *call,
                           struct fake_reply *reply)
{
    (void)fake;
    (void)call;
    (void)reply;
}

static const struct fake_script script[] = {
    {"ALL", answer_all}, {"*", answer_nothing}, {NULL, NULL}};

/* --- the cases --- */

struct seen {
    size_t runs;
    size_t explained;
    size_t unclear;
    size_t undone;
    size_t inside; /* fail with a switch inside a statement */
};

static void try_one(struct rig *rig, const struct trace *trace, struct seen *seen)
{
    struct example_result result;
    struct error err = {0};
    store = (struct state){0};
    tick = 0;
    const struct example_plan plan = {.trace = trace, .quiet = true};
    assert_true(example_run(&rig->engine, &plan, &result, &err));
    static const char *const names[] = {"it fails", "says nothing", "holds"};
    enum verdict expected = verdict_of(trace);
    enum verdict actual = result.failure                   ? CONTRADICTED
                          : result.stats->sessions.unclear ? UNCLEAR
                                                           : EXPLAINED;
    seen->runs++;
    seen->explained += actual == EXPLAINED;
    seen->unclear += actual == UNCLEAR;
    seen->undone += result.stats->sessions.undone;
    seen->inside += actual == CONTRADICTED && trace->schedule.switches.count &&
                    trace_is_inside(&trace->schedule.switches.items[0]);
    if (actual != expected) {
        fail_msg("run %zu %s, not %s", seen->runs, names[actual], names[expected]);
    }
}

/* The points of a step: before its statements and its COMMIT, and at its gates. */
static size_t points_of_step(const struct trace_step *step, struct trace_switch *out)
{
    size_t count = 0;
    uint32_t writes = step->rule != READ && step->rule != BOTH;
    for (uint32_t call = 0; call < 2 + writes; call++) {
        out[count++] = (struct trace_switch){.step = step->id, .call = call};
    }
    if (step->rule == BOTH) {
        out[count++] = (struct trace_switch){.step = step->id, .nth = 1, .gate = TRACE_GATE_BODY};
    } else if (writes) {
        out[count++] = (struct trace_switch){.step = step->id, .call = 1, .crossing = 1};
        out[count++] = (struct trace_switch){
            .step = step->id, .call = 1, .crossing = 1, .nth = 1, .gate = TRACE_GATE_ROW};
    }
    return count;
}

/* Every switch at every point of the steps, with either session first. */
static void try_schedules(struct rig *rig, struct trace *trace, struct seen *seen)
{
    struct trace_switch to;
    trace->schedule = (struct trace_schedule){0};
    for (unsigned first = 0; first < SESSIONS; first++) {
        trace->schedule.order[0] = first ? 2 : 1;
        trace->schedule.order[1] = first ? 1 : 2;
        trace->schedule.switches.items = &to;
        trace->schedule.switches.count = 0;
        try_one(rig, trace, seen);
        trace->schedule.switches.count = 1;
        for (size_t i = 0; i < trace->steps.count; i++) {
            struct trace_switch points[POINTS_MAX];
            size_t points_count = points_of_step(&trace->steps.items[i], points);
            for (size_t k = 0; k < points_count; k++) {
                to = points[k];
                try_one(rig, trace, seen);
            }
        }
    }
}

static void try_traces(struct rig *rig, const size_t *lengths, struct seen *seen)
{
    struct trace_step items[SESSIONS * STEPS_MAX];
    size_t count = lengths[0] + lengths[1];
    size_t all = 1;
    size_t rules = count > 4 ? LONG_RULES : RULES; /* of long ones there are too many */
    for (size_t i = 0; i < count; i++) {
        all *= rules;
    }
    size_t stride = count > SESSIONS ? rounds(5, 1) : 1;
    for (size_t code = 0; code < all; code += stride) {
        size_t rest = code;
        for (size_t i = 0; i < count; i++, rest /= rules) {
            items[i] = (struct trace_step){
                .id = (uint32_t)i + 1, .session = i < lengths[0] ? 1 : 2, .rule = rest % rules};
        }
        struct trace trace = {.steps = {items, count, count}};
        try_schedules(rig, &trace, seen);
    }
}

static void try_store(enum isolation_of_store of, const size_t (*lengths)[SESSIONS], size_t count,
                      struct seen *seen)
{
    struct rig rig;
    isolation = of;
    rig_open(&rig, machine_text, script, &final_state, sizeof final_state);
    rig.fake.ops = *rig.fake.backend.ops;
    rig.fake.ops.lanes = &sim_lanes;
    rig.fake.backend.ops = &rig.fake.ops;
    rig_start(&rig);
    for (size_t i = 0; i < count; i++) {
        try_traces(&rig, lengths[i], seen);
    }
    rig_stop(&rig);
    rig_close(&rig);
}

/* How many steps the sessions have: of the first of these, and where the environment wants all (by
 * night: several minutes) of all. By day, a fifth of the histories of three steps. */
static const size_t lengths[][SESSIONS] = {{1, 1}, {2, 1}, {1, 2}, {2, 2}, {3, 1},
                                           {1, 3}, {3, 2}, {2, 3}, {3, 3}};

static void test_verdict(void **state)
{
    const size_t count = rounds(2, sizeof lengths / sizeof *lengths);
    struct seen seen[STORES] = {{0}};
    int ends[2];
    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "", 1), 1);
    readable = ends[0];
    for (enum isolation_of_store i = 0; i < STORES; i++) {
        try_store(i, lengths, count, &seen[i]);
        print_message(
            "store %d: %zu runs, %zu explained, %zu unclear, %zu steps undone, %zu inside\n",
            (int)i, seen[i].runs, seen[i].explained, seen[i].unclear, seen[i].undone,
            seen[i].inside);
        assert_true(seen[i].unclear > 0);
    }
    assert_true(seen[STORE_LOSES].explained < seen[STORE_SNAPSHOT].explained);
    assert_true(seen[STORE_SNAPSHOT].explained < seen[STORE_SNAPSHOT].runs);
    assert_int_equal(seen[STORE_SERIAL].explained + seen[STORE_SERIAL].unclear,
                     seen[STORE_SERIAL].runs);
    assert_true(seen[STORE_SNAPSHOT].undone > 0);
    assert_int_equal(seen[STORE_LOSES].undone, 0);
    assert_true(seen[STORE_STALE].explained < seen[STORE_LOSES].explained);
    assert_true(seen[STORE_READS].inside > 0);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_verdict)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
