/* Concurrent sessions: gates, locks, and the fate of their writes and connections. */
#include "example/lanes.h"
#include "pg/fixture.h"
#include "pg/session/session.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

static const char schema[] =
    "CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL);\n"
    "INSERT INTO accounts VALUES (1, 100), (2, 100);\n"
    "CREATE TABLE claims (who int);\n"
    "CREATE TABLE log (what text);\n"
    "CREATE TABLE checked (id int PRIMARY KEY);\n"
    "DO $$ BEGIN CREATE ROLE lane_reader; EXCEPTION WHEN duplicate_object THEN END $$;\n"
    "GRANT INSERT ON claims TO lane_reader;\n"
    "CREATE FUNCTION withdraw(who int, amount int) RETURNS int LANGUAGE plpgsql AS $$\n"
    "DECLARE had int;\n"
    "BEGIN\n"
    "  SELECT balance INTO had FROM accounts WHERE id = who;\n"
    "  UPDATE accounts SET balance = had - amount WHERE id = who;\n"
    "  RETURN had;\n"
    "END $$;\n"
    "CREATE FUNCTION twice(a int, b int) RETURNS void LANGUAGE plpgsql AS $$\n"
    "BEGIN\n"
    "  UPDATE accounts SET balance = balance + 1 WHERE id = a;\n"
    "  UPDATE accounts SET balance = balance + 1 WHERE id = b;\n"
    "END $$;\n"
    /* its crossings: one, undone, two, two */
    "CREATE FUNCTION tries() RETURNS void LANGUAGE plpgsql SET search_path = '' AS $$\n"
    "BEGIN\n"
    "  BEGIN\n"
    "    INSERT INTO public.accounts VALUES (1, 0);\n"
    "  EXCEPTION WHEN unique_violation THEN\n"
    "    INSERT INTO public.claims VALUES (7);\n"
    "  END;\n"
    "  INSERT INTO public.claims VALUES (8);\n"
    "END $$;\n"
    "CREATE TABLE parts (n int) PARTITION BY LIST (n);\n"
    "CREATE TABLE parts_1 PARTITION OF parts DEFAULT;\n"
    "CREATE TABLE more_claims (what text) INHERITS (claims);\n"
    "CREATE TABLE parents (id int PRIMARY KEY);\n"
    "CREATE TABLE children (parent int REFERENCES parents ON DELETE CASCADE);\n"
    "INSERT INTO parents VALUES (1);\n"
    "INSERT INTO children VALUES (1);\n"
    "CREATE VIEW seen AS SELECT * FROM claims;\n"
    "CREATE RULE also AS ON UPDATE TO parents DO ALSO INSERT INTO log VALUES ('also');\n"
    "CREATE UNLOGGED TABLE unlogged (n int);\n"
    "CREATE FUNCTION forget() RETURNS void LANGUAGE plpgsql AS $$ BEGIN RESET ALL; END $$;\n"
    "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$\n"
    "BEGIN INSERT INTO log VALUES (tg_op); RETURN NULL; END $$;\n"
    "CREATE CONSTRAINT TRIGGER noted AFTER INSERT ON checked DEFERRABLE INITIALLY DEFERRED\n"
    "  FOR EACH ROW EXECUTE FUNCTION note();\n";

static const char yaml[] =
    "model: x = None\n"
    "rules:\n"
    "  withdraw: {sql: 'SELECT withdraw(1, :x::int)'}\n"
    "  balance: {sql: 'SELECT balance FROM accounts WHERE id = 1'}\n"
    "  claim: {sql: 'INSERT INTO claims SELECT :x::int WHERE NOT EXISTS (SELECT FROM claims)'}\n"
    "  claims: {sql: 'SELECT count(*) FROM claims'}\n"
    "  tries: {sql: 'SELECT tries()'}\n"
    "  up: {sql: 'UPDATE accounts SET balance = balance + 1 WHERE id = :x::int'}\n"
    "  both: {sql: 'SELECT twice(:x::int, :x::int)'}\n"
    "  checked: {sql: 'INSERT INTO checked VALUES (:x::int)'}\n"
    "  logged: {sql: 'SELECT count(*) FROM log'}\n"
    "  alter: {sql: 'ALTER TABLE claims ADD COLUMN more int'}\n"
    "  drop: {sql: 'DROP TABLE unlogged'}\n"
    "  columns: {sql: \"SELECT count(*) FROM pg_attribute WHERE attrelid = 'claims'::regclass "
    "AND attnum > 0 AND NOT attisdropped\"}\n"
    "  hold: {sql: 'SELECT pg_advisory_lock(1), set_config(''my.setting'', ''1'', false), "
    "set_config(''work_mem'', ''1MB'', false)'}\n"
    "  held: {sql: 'SELECT concat(pg_try_advisory_lock(1), "
    "current_setting(''my.setting'', true), current_setting(''work_mem''), "
    "current_setting(''pgfsm.lane''))'}\n"
    "  temp: {sql: 'CREATE TEMP TABLE claims (who int)'}\n"
    "  forget: {sql: 'SELECT forget()'}\n"
    "  die: {sql: 'SELECT pg_terminate_backend(pg_backend_pid())'}\n"
    "  triggers: {sql: \"SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal\"}\n"
    "  partitioned: {sql: 'INSERT INTO parts VALUES (:x::int)'}\n"
    "  partition: {sql: 'INSERT INTO parts_1 VALUES (:x::int)'}\n"
    "  inherited: {sql: 'UPDATE claims SET who = 2'}\n"
    "  cascade: {sql: 'DELETE FROM parents'}\n"
    "  upsert: {sql: 'INSERT INTO accounts VALUES (:x::int, 0) ON CONFLICT (id) DO UPDATE SET "
    "balance = 1'}\n"
    "  writing: {sql: 'WITH c AS (INSERT INTO claims VALUES (1) RETURNING who) "
    "INSERT INTO log SELECT who FROM c'}\n"
    "  view: {sql: 'INSERT INTO seen VALUES (:x::int)'}\n"
    "  rule: {sql: 'UPDATE parents SET id = 1'}\n"
    "  truncate: {sql: 'TRUNCATE claims, log'}\n"
    "  nothing: {sql: 'DELETE FROM claims'}\n"
    "  unlogged: {sql: 'INSERT INTO unlogged VALUES (:x::int)'}\n"
    "  read: {sql: 'SELECT FROM parents FOR UPDATE'}\n"
    "  insert: {sql: 'INSERT INTO claims VALUES (:x::int)'}\n";

struct side {
    struct lane_host host; /* first */
    struct fixture *fixture;
    struct backend *lane;
    unsigned crossed;
    unsigned stops;
    bool stopped;
    unsigned waited_for; /* as lane_ops.waits_for has it, whenever it was asked */
    bool gives_up;
    enum isolation isolation;
    void (*on_stop)(struct side *side);  /* then it is released */
    void (*on_block)(struct side *side); /* once */
    struct side *other;
};

static const struct lane_ops *lane_ops(const struct fixture *fixture)
{
    assert_non_null(fixture->backend->ops->lanes);
    return fixture->backend->ops->lanes;
}

static bool side_wait(struct lane_host *host, int fd, bool writing, struct error *err)
{
    struct side *side = (struct side *)host;
    struct pollfd poll_fd = {.fd = fd, .events = (short)(POLLIN | (writing ? POLLOUT : 0))};
    if (side->stopped) {
        side->stopped = false;
        if (side->gives_up) {
            return error_set(err, ERROR_LIMIT, "that will do");
        }
        if (side->on_stop) {
            side->on_stop(side);
        }
        assert_true(lane_ops(side->fixture)->release(side->lane, err));
    }
    while (poll(&poll_fd, 1, 5) == 0) {
        unsigned by = 0;
        assert_true(lane_ops(side->fixture)->waits_for(side->lane, &by, err));
        side->waited_for |= by;
        if (by && side->on_block) {
            void (*on_block)(struct side *) = side->on_block;
            side->on_block = NULL;
            on_block(side);
        }
        if (by) {
            return true;
        }
    }
    return true;
}

static void side_crossed(struct lane_host *host, const struct lane_gate *gate, bool stopped)
{
    struct side *side = (struct side *)host;
    if (gate->function) { /* counted apart */
        return;
    }
    side->crossed++;
    assert_true(strncmp(gate->when, "BEFORE ", 7) == 0 || strncmp(gate->when, "AFTER ", 6) == 0);
    assert_true(*gate->schema && *gate->table);
    side->stops += stopped;
    side->stopped = stopped;
}

/* Two lanes. */
struct pair {
    struct fixture fixture;
    struct side a;
    struct side b;
};

static void open_pair(struct pair *pair)
{
    struct lane_host *hosts[] = {&pair->a.host, &pair->b.host};
    struct backend *lanes[2];
    if (!lane_ops(&pair->fixture)
             ->open(pair->fixture.backend, 2, hosts, lanes, &pair->fixture.err)) {
        fail_msg("%s", pair->fixture.err.message);
    }
    pair->a.lane = lanes[0];
    pair->b.lane = lanes[1];
}

static void set_up(struct pair *pair)
{
    static const struct lane_host host = {.wait = side_wait, .crossed = side_crossed};
    *pair = (struct pair){.fixture = fixture_new()};
    pair->fixture.options.commit = pair->fixture.options.gates = true;
    fixture_open(&pair->fixture, schema, yaml);
    pair->a = (struct side){.host = host, .fixture = &pair->fixture, .other = &pair->b};
    pair->b = (struct side){.host = host, .fixture = &pair->fixture, .other = &pair->a};
    open_pair(pair);
}

static struct answer take(struct side *side, backend_ticket ticket)
{
    struct answer answer = {0};
    struct fixture *fixture = side->fixture;
    if (!side->lane->ops->take(side->lane, ticket, &fixture->arena, &answer, &fixture->err)) {
        fail_msg("%s", fixture->err.message);
    }
    return answer;
}

static backend_ticket queue(struct side *side, const char *rule, const struct value *values,
                            const struct backend_context *context)
{
    backend_ticket ticket = 0;
    const struct backend_call call = {
        .sql = fixture_rule(side->fixture, rule)->statements.items[0].sql,
        .context = context,
        .values = values,
        .begins = BEGINS_STEP,
        .isolation = side->isolation,
    };
    if (!side->lane->ops->queue(side->lane, &call, &ticket, &side->fixture->err)) {
        fail_msg("%s", side->fixture->err.message);
    }
    return ticket;
}

static backend_ticket queue_commit(struct side *side)
{
    backend_ticket ticket = 0;
    assert_true(
        side->lane->ops->queue_deferred(side->lane, NULL, true, &ticket, &side->fixture->err));
    return ticket;
}

static void stop_at(struct side *side, unsigned crossing)
{
    const struct lane_stop stop = {.crossing = crossing};
    side->crossed = side->stops = 0;
    assert_true(lane_ops(side->fixture)->stop_at(side->lane, &stop, 1, &side->fixture->err));
}

/* Runs a step of one statement, and commits it if it succeeds. */
static struct answer run(struct side *side, const char *rule, int64_t x)
{
    struct value values[] = {value_int(x), value_int(3 - x)};
    backend_ticket ticket = queue(side, rule, values, NULL);
    backend_ticket commit = queue_commit(side);
    struct answer answer = take(side, ticket);
    struct answer committed = take(side, commit);
    return answer.status == ANSWER_OK ? committed : answer;
}

static int64_t ask(struct side *side, const char *rule)
{
    backend_ticket ticket = queue(side, rule, NULL, NULL);
    (void)queue_commit(side);
    struct answer answer = take(side, ticket);
    return strtoll(fixture_repr(side->fixture, fixture_value(&answer)), NULL, 10);
}

static void reset_lane(struct side *side)
{
    if (!side->lane->ops->reset(side->lane, &side->fixture->err)) {
        fail_msg("%s", side->fixture->err.message);
    }
}

/* The next example. */
static void reset(struct pair *pair)
{
    reset_lane(&pair->a);
    reset_lane(&pair->b);
    assert_true(pair->fixture.backend->ops->reset(pair->fixture.backend, &pair->fixture.err));
    if (pair->fixture.backend->ops->wants_restart(pair->fixture.backend)) {
        assert_true(pair->fixture.backend->ops->restart(pair->fixture.backend, &pair->fixture.err));
        assert_true(pair->fixture.backend->ops->mark(pair->fixture.backend, &pair->fixture.err));
    }
    pair->a.on_stop = pair->b.on_stop = NULL;
    pair->a.on_block = pair->b.on_block = NULL;
    pair->a.waited_for = pair->b.waited_for = 0;
    open_pair(pair);
}

static void run_withdraw(struct side *side)
{
    assert_int_equal(run(side->other, "withdraw", 20).status, ANSWER_OK);
}

static void run_claim(struct side *side)
{
    assert_int_equal(run(side->other, "claim", 2).status, ANSWER_OK);
}

static void a_function_is_stopped_before_it_writes(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair);
    for (int i = 0; i < 3; i++) {
        stop_at(&pair.a, 1);
        pair.a.on_stop = run_withdraw;
        assert_int_equal(run(&pair.a, "withdraw", 10).status, ANSWER_OK);
        assert_int_equal(pair.a.stops, 1);
        assert_int_equal(pair.a.crossed, 2);
        assert_int_equal(ask(&pair.a, "balance"), 90); /* 70, one after the other */
        reset(&pair);
        assert_int_equal(ask(&pair.b, "balance"), 100);
        /* none are left */
        pair.a.crossed = pair.a.stops = 0;
        assert_int_equal(run(&pair.a, "withdraw", 10).status, ANSWER_OK);
        assert_int_equal(pair.a.crossed, 2);
        assert_int_equal(pair.a.stops, 0);
        assert_int_equal(run(&pair.b, "withdraw", 20).status, ANSWER_OK);
        assert_int_equal(ask(&pair.a, "balance"), 70);
        reset(&pair);
    }
    fixture_close(&pair.fixture);
}

static void a_statement_is_stopped_before_it_writes(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair);
    stop_at(&pair.a, 1);
    pair.a.on_stop = run_claim;
    assert_int_equal(run(&pair.a, "claim", 1).status, ANSWER_OK);
    assert_int_equal(ask(&pair.b, "claims"), 2);
    reset(&pair);
    assert_int_equal(ask(&pair.b, "claims"), 0);
    assert_int_equal(run(&pair.a, "claim", 1).status, ANSWER_OK);
    assert_int_equal(run(&pair.b, "claim", 2).status, ANSWER_OK);
    assert_int_equal(ask(&pair.b, "claims"), 1);
    fixture_close(&pair.fixture);
}

/* Crossings that an exception handler rolls back are not counted again. */
static void crossings_are_counted_once(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair);
    for (unsigned i = 1; i <= 5; i++) {
        stop_at(&pair.a, i);
        assert_int_equal(run(&pair.a, "tries", 1).status, ANSWER_OK);
        assert_int_equal(pair.a.crossed, 5);
        assert_int_equal(pair.a.stops, 1);
        reset(&pair);
    }
    const struct lane_stop all[] = {
        {.crossing = 1}, {.crossing = 2}, {.crossing = 4}, {.crossing = 5}};
    assert_true(lane_ops(&pair.fixture)->stop_at(pair.a.lane, all, 4, &pair.fixture.err));
    pair.a.stops = 0;
    assert_int_equal(run(&pair.a, "tries", 1).status, ANSWER_OK);
    assert_int_equal(pair.a.stops, 4);
    /* beyond all that there are */
    stop_at(&pair.a, 6);
    assert_int_equal(run(&pair.a, "tries", 1).status, ANSWER_OK);
    assert_int_equal(run(&pair.a, "tries", 1).status, ANSWER_OK);
    assert_int_equal(pair.a.crossed, 10);
    assert_int_equal(pair.a.stops, 0);
    fixture_close(&pair.fixture);
}

/* A role that may only insert: gates need no privileges of the role. */
static void roles_pass_gates(void **state)
{
    struct pair pair;
    const struct backend_context reader = {.role = "lane_reader"};
    struct value one = value_int(1);
    (void)state;
    set_up(&pair);
    stop_at(&pair.a, 2);
    backend_ticket ticket = queue(&pair.a, "insert", &one, &reader);
    assert_int_equal(take(&pair.a, ticket).status, ANSWER_OK);
    assert_int_equal(pair.a.stops, 1);
    fixture_close(&pair.fixture);
}

static void a_commit_is_stopped(void **state)
{
    struct pair pair;
    struct value one = value_int(1);
    (void)state;
    set_up(&pair);
    backend_ticket ticket = queue(&pair.a, "checked", &one, NULL);
    assert_int_equal(take(&pair.a, ticket).status, ANSWER_OK);
    stop_at(&pair.a, 1);
    pair.a.on_stop = run_claim;
    ticket = queue_commit(&pair.a);
    assert_int_equal(take(&pair.a, ticket).status, ANSWER_OK);
    assert_int_equal(pair.a.crossed, 2);
    assert_int_equal(pair.a.stops, 1);
    assert_int_equal(ask(&pair.b, "logged"), 1);
    fixture_close(&pair.fixture);
}

static void commit_other(struct side *side)
{
    backend_ticket ticket = queue_commit(side->other);
    assert_int_equal(take(side->other, ticket).status, ANSWER_OK);
}

static void who_waits_is_blocked(void **state)
{
    struct pair pair;
    struct value one = value_int(1);
    unsigned by = 1;
    (void)state;
    set_up(&pair);
    backend_ticket ticket = queue(&pair.a, "up", &one, NULL);
    assert_int_equal(take(&pair.a, ticket).status, ANSWER_OK);
    assert_true(lane_ops(&pair.fixture)->waits_for(pair.a.lane, &by, &pair.fixture.err));
    assert_int_equal(by, 0);
    pair.b.on_block = commit_other;
    assert_int_equal(run(&pair.b, "up", 1).status, ANSWER_OK);
    assert_int_equal(pair.b.waited_for, 1U << 1); /* A is the first lane */
    assert_int_equal(ask(&pair.b, "balance"), 102);
    fixture_close(&pair.fixture);
}

static backend_ticket b_ticket;

/* A, which has the first account, stops; B takes the second, and waits for the first: A goes on to
 * the second. */
static void begin_b(struct side *side)
{
    struct value values[] = {value_int(2), value_int(1)};
    b_ticket = queue(side->other, "both", values, NULL);
    unsigned by = 0;
    while (!by) {
        (void)side->other->lane->ops->ready(side->other->lane, b_ticket);
        assert_true(
            lane_ops(side->fixture)->waits_for(side->other->lane, &by, &side->fixture->err));
    }
}

static void a_deadlock_is_raised_soon(void **state)
{
    struct pair pair;
    struct value values[] = {value_int(1), value_int(2)};
    (void)state;
    set_up(&pair);
    stop_at(&pair.a, 2);
    pair.a.on_stop = begin_b;
    int64_t began = clock_ms();
    backend_ticket ticket = queue(&pair.a, "both", values, NULL);
    struct answer of_a = take(&pair.a, ticket);
    (void)queue_commit(&pair.a);
    struct answer of_b = take(&pair.b, b_ticket);
    assert_true(clock_ms() - began < 900);
    assert_int_not_equal(of_a.status, of_b.status);
    const struct answer *failed = of_a.status == ANSWER_ERROR ? &of_a : &of_b;
    assert_string_equal(failed->error.sqlstate, "40P01");
    unsigned by[LANES_MAX] = {0};
    lane_ops(&pair.fixture)->deadlock(pair.b.lane, failed->error.detail, by);
    assert_int_equal(by[0], 1U << 2); /* each waits for the other, as the server says */
    assert_int_equal(by[1], 1U << 1);
    reset(&pair);
    assert_int_equal(ask(&pair.b, "balance"), 100);
    fixture_close(&pair.fixture);
}

/* Other processes and other texts are unknown. */
static void who_waits_may_be_anybody(void **state)
{
    struct pair pair;
    unsigned by[LANES_MAX] = {0};
    (void)state;
    set_up(&pair);
    lane_ops(&pair.fixture)
        ->deadlock(pair.b.lane,
                   "Process 1 waits for ShareLock; blocked by process 2.\n"
                   "Process 2\n\nnobody",
                   by);
    for (size_t i = 0; i < LANES_MAX; i++) {
        assert_int_equal(by[i], 0);
    }
    fixture_close(&pair.fixture);
}

/* A lock of the session is kept, one of the transaction is not. */
static void who_keeps_a_lock_has_no_transaction(void **state)
{
    struct pair pair;
    unsigned by = 1;
    (void)state;
    set_up(&pair);
    assert_int_equal(run(&pair.a, "hold", 1).status, ANSWER_OK);
    struct value one = value_int(1);
    (void)take(&pair.a, queue(&pair.a, "up", &one, NULL));
    backend_ticket ticket = queue(&pair.b, "hold", &one, NULL);
    unsigned waits = 0;
    while (!waits) {
        (void)pair.b.lane->ops->ready(pair.b.lane, ticket);
        assert_true(lane_ops(&pair.fixture)->waits_for(pair.b.lane, &waits, &pair.fixture.err));
    }
    assert_int_equal(waits, 1U << 1);
    assert_true(lane_ops(&pair.fixture)->kept_by(pair.b.lane, &by, &pair.fixture.err));
    assert_int_equal(by, 0);
    assert_int_equal(take(&pair.a, queue_commit(&pair.a)).status, ANSWER_OK);
    assert_true(lane_ops(&pair.fixture)->kept_by(pair.b.lane, &by, &pair.fixture.err));
    assert_int_equal(by, 1U << 1);
    assert_true(lane_ops(&pair.fixture)->cancel(pair.b.lane, "kept", &pair.fixture.err));
    pair.b.other = NULL;
    struct answer answer = take(&pair.b, ticket);
    assert_string_equal(answer.error.sqlstate, "57014");
    assert_string_equal(answer.error.message, "kept");
    reset(&pair);
    fixture_close(&pair.fixture);
}

static void what_a_session_keeps_is_taken(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair);
    assert_int_equal(run(&pair.a, "hold", 1).status, ANSWER_OK);
    assert_int_equal(run(&pair.a, "temp", 1).status, ANSWER_OK);
    assert_int_equal(run(&pair.a, "insert", 1).status, ANSWER_OK);
    backend_ticket ticket = queue(&pair.a, "balance", NULL, NULL); /* left open */
    assert_int_equal(take(&pair.a, ticket).status, ANSWER_OK);
    reset(&pair);
    ticket = queue(&pair.b, "held", NULL, NULL);
    struct answer answer = take(&pair.b, ticket);
    assert_string_equal(fixture_repr(&pair.fixture, fixture_value(&answer)), "\"t4MB1\"");
    (void)queue_commit(&pair.b);
    ticket = queue(&pair.a, "held", NULL, NULL);
    answer = take(&pair.a, ticket);
    assert_string_equal(fixture_repr(&pair.fixture, fixture_value(&answer)), "\"f4MB0\"");
    (void)queue_commit(&pair.a);
    assert_int_equal(ask(&pair.a, "claims"), 0);
    /* The setting that makes the session a lane can't be reset. */
    assert_int_equal(run(&pair.a, "forget", 1).status, ANSWER_OK);
    pair.a.crossed = 0;
    assert_int_equal(run(&pair.a, "insert", 1).status, ANSWER_OK);
    assert_int_equal(pair.a.crossed, 2);
    reset(&pair);
    assert_false(session_of(pair.fixture.backend)->commit.spoilt);
    fixture_close(&pair.fixture);
}

/* Added objects are removed by their rows; after a drop there is another copy. */
static void lanes_change_the_schema(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair);
    for (int i = 0; i < 4; i++) {
        bool drops = i % 2 == 1;
        struct wire *wire = &session_of(pair.a.lane)->wire;
        int before = PQbackendPID(wire->conn);
        assert_int_equal(run(&pair.a, drops ? "drop" : "alter", 1).status, ANSWER_OK);
        assert_int_equal(ask(&pair.b, "columns"), drops ? 1 : 2);
        reset(&pair);
        assert_int_equal(PQbackendPID(wire->conn) != before, drops);
        assert_int_equal(ask(&pair.b, "columns"), 1);
        assert_int_equal(run(&pair.b, "unlogged", 1).status, ANSWER_OK);
        stop_at(&pair.a, 1);
        assert_int_equal(run(&pair.a, "withdraw", 10).status, ANSWER_OK);
        assert_int_equal(pair.a.stops, 1);
        reset(&pair);
    }
    fixture_close(&pair.fixture);
}

static void lost_lanes_are_made_anew(void **state)
{
    struct pair pair;
    struct answer answer;
    (void)state;
    set_up(&pair);
    for (int i = 0; i < 3; i++) {
        /* one that has stopped an odd number of times */
        stop_at(&pair.a, 1);
        assert_int_equal(run(&pair.a, "withdraw", 10).status, ANSWER_OK);
        backend_ticket ticket = queue(&pair.a, "die", NULL, NULL);
        assert_false(pair.a.lane->ops->take(pair.a.lane, ticket, &pair.fixture.arena, &answer,
                                            &pair.fixture.err));
        assert_int_equal(pair.fixture.err.code, ERROR_CONNECTION);
        assert_int_equal(ask(&pair.b, "balance"), 90);
        reset(&pair);
        stop_at(&pair.a, 2);
        assert_int_equal(run(&pair.a, "withdraw", 10).status, ANSWER_OK);
        assert_int_equal(pair.a.stops, 1);
        reset(&pair);
    }
    fixture_close(&pair.fixture);
}

static void cancel_stopped(struct side *side)
{
    assert_true(lane_ops(side->fixture)->cancel(side->lane, "that will do", &side->fixture->err));
}

static void a_stopped_lane_is_cancelled(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair);
    for (int i = 0; i < 3; i++) {
        stop_at(&pair.a, 1);
        pair.a.on_stop = cancel_stopped;
        struct answer answer = run(&pair.a, "withdraw", 10);
        assert_true(answer.status == ANSWER_OK || !strcmp(answer.error.sqlstate, "57014"));
        reset(&pair);
    }
    fixture_close(&pair.fixture);
}

static void the_host_gives_up(void **state)
{
    struct pair pair;
    struct answer answer;
    (void)state;
    set_up(&pair);
    stop_at(&pair.a, 1);
    pair.a.gives_up = true;
    struct value ten = value_int(10);
    backend_ticket ticket = queue(&pair.a, "withdraw", &ten, NULL);
    assert_false(pair.a.lane->ops->take(pair.a.lane, ticket, &pair.fixture.arena, &answer,
                                        &pair.fixture.err));
    assert_int_equal(pair.fixture.err.code, ERROR_LIMIT);
    pair.a.gives_up = false;
    reset_lane(&pair.a);
    open_pair(&pair);
    stop_at(&pair.a, 2);
    assert_int_equal(run(&pair.a, "withdraw", 10).status, ANSWER_OK);
    assert_int_equal(pair.a.stops, 1);
    assert_int_equal(ask(&pair.b, "balance"), 90);
    fixture_close(&pair.fixture);
}

static void opening_again_asks_nothing(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair);
    struct wire *wires[] = {&session_of(pair.a.lane)->wire, &session_of(pair.b.lane)->wire};
    uint64_t sent[] = {wires[0]->sent, wires[1]->sent};
    open_pair(&pair);
    assert_int_equal(wires[0]->sent, sent[0]);
    assert_int_equal(wires[1]->sent, sent[1]);
    fixture_close(&pair.fixture);
}

static void gates_are_nobodys(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair);
    assert_int_equal(ask(&pair.a, "triggers"), 1);
    fixture_close(&pair.fixture);
}

static void each_way_to_write_has_gates(void **state)
{
    static const struct {
        const char *rule;
        unsigned crossings;
    } ways[] = {
        {"partitioned", 2}, {"partition", 2}, {"inherited", 2}, {"cascade", 4},
        {"upsert", 4},      {"writing", 4},   {"view", 2},      {"rule", 4},
        {"truncate", 6},    {"nothing", 2},   {"unlogged", 2},  {"read", 0},
    };
    struct pair pair;
    (void)state;
    set_up(&pair);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        for (unsigned stop = 1; stop <= ways[i].crossings + 1; stop++) {
            stop_at(&pair.a, stop);
            struct answer answer = run(&pair.a, ways[i].rule, 1);
            if (answer.status != ANSWER_OK || pair.a.crossed != ways[i].crossings ||
                pair.a.stops != (stop <= ways[i].crossings)) {
                fail_msg("%s: %u crossings, %u stops, %s", ways[i].rule, pair.a.crossed,
                         pair.a.stops,
                         answer.status == ANSWER_ERROR ? answer.error.message : "no error");
            }
            reset(&pair);
        }
    }
    fixture_close(&pair.fixture);
}

/* The snapshot is older than the gate, and the statement that sets the stops takes no snapshot. */
static void a_serializable_step_fails(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair);
    pair.a.isolation = pair.b.isolation = ISOLATION_SERIALIZABLE;
    stop_at(&pair.a, 1);
    pair.a.on_stop = run_claim;
    struct answer answer = run(&pair.a, "claim", 1);
    assert_int_equal(answer.status, ANSWER_ERROR);
    assert_string_equal(answer.error.sqlstate, "40001");
    assert_int_equal(pair.a.stops, 1);
    reset(&pair);
    assert_int_equal(run(&pair.a, "claim", 1).status, ANSWER_OK);
    assert_int_equal(run(&pair.b, "claim", 2).status, ANSWER_OK);
    assert_int_equal(ask(&pair.b, "claims"), 1);
    fixture_close(&pair.fixture);
}

static size_t count_rows(const struct lane_rows *rows, const char *table, const char *key,
                         const char *text)
{
    size_t count = 0;
    for (size_t i = 0; i < rows->items.count; i++) {
        const struct lane_row *row = &rows->items.items[i];
        count += strcmp(row->table, table) == 0 && strcmp(row->key, key) == 0 &&
                 strcmp(row->text, text) == 0;
    }
    return count;
}

/* Rows are known by their primary keys; without one, by their text and a number. */
static void rows_have_keys(void **state)
{
    struct pair pair;
    struct lane_rows rows = {0};
    (void)state;
    set_up(&pair);
    run(&pair.a, "withdraw", 1);
    run(&pair.a, "tries", 0);
    run(&pair.a, "tries", 0);
    assert_true(lane_ops(&pair.fixture)
                    ->rows(pair.fixture.backend, &pair.fixture.arena, &rows, &pair.fixture.err));
    assert_int_equal(count_rows(&rows, "accounts", "1", "(1,99)"), 1);
    assert_int_equal(count_rows(&rows, "accounts", "2", "(2,100)"), 1);
    assert_int_equal(count_rows(&rows, "claims", "(7), 1", "(7)"), 1);
    assert_int_equal(count_rows(&rows, "claims", "(7), 2", "(7)"), 1);
    fixture_close(&pair.fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_function_is_stopped_before_it_writes),
        cmocka_unit_test(a_statement_is_stopped_before_it_writes),
        cmocka_unit_test(crossings_are_counted_once),
        cmocka_unit_test(roles_pass_gates),
        cmocka_unit_test(a_commit_is_stopped),
        cmocka_unit_test(who_waits_is_blocked),
        cmocka_unit_test(a_deadlock_is_raised_soon),
        cmocka_unit_test(who_waits_may_be_anybody),
        cmocka_unit_test(who_keeps_a_lock_has_no_transaction),
        cmocka_unit_test(what_a_session_keeps_is_taken),
        cmocka_unit_test(lanes_change_the_schema),
        cmocka_unit_test(lost_lanes_are_made_anew),
        cmocka_unit_test(a_stopped_lane_is_cancelled),
        cmocka_unit_test(the_host_gives_up),
        cmocka_unit_test(opening_again_asks_nothing),
        cmocka_unit_test(gates_are_nobodys),
        cmocka_unit_test(each_way_to_write_has_gates),
        cmocka_unit_test(a_serializable_step_fails),
        cmocka_unit_test(rows_have_keys),
    };
    return cmocka_run_group_tests(tests, fixture_start, fixture_stop);
}
