/* Judges mutants on a server: a mutant has no effect on the next, whatever it did. The example that
 * kills a mutant fails on it again, and passes without it. */
#include "api/mutants.h"
#include "mutate/judge.h"
#include "os/wait.h"
#include "pg/fixture.h"

#include <string.h>

/* Something of each family that faults are planted in; what examples run leaves locks, settings,
 * numbers that a sequence gave out. */
static const char schema[] =
    "CREATE TABLE item (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n int NOT NULL DEFAULT 0\n"
    "  CHECK (n BETWEEN 0 AND 5), kind varchar(5) UNIQUE, twice int GENERATED ALWAYS AS (n * 2) "
    "STORED);\n"
    "CREATE TABLE part (item int REFERENCES item ON DELETE CASCADE DEFERRABLE, n numeric(4, 1));\n"
    "CREATE UNIQUE INDEX one ON part (n) WHERE n > 3;\n"
    "CREATE SEQUENCE numbers;\n"
    "ALTER TABLE item ENABLE ROW LEVEL SECURITY;\n"
    "CREATE POLICY few ON item FOR SELECT TO pg_monitor USING (n < 5 AND id > 0);\n"
    "GRANT SELECT ON item, part TO pg_monitor;\n"
    "CREATE VIEW seen WITH (security_barrier) AS SELECT id, n FROM item WHERE n > 0;\n"
    "CREATE FUNCTION add(n int, kind text) RETURNS int LANGUAGE plpgsql SET search_path = public "
    "AS\n"
    "  $$ DECLARE added int; BEGIN\n"
    "    IF n > 99 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;\n"
    "    PERFORM pg_advisory_xact_lock(n), pg_advisory_lock(n + 100), "
    "set_config('my.n', n::text, false), nextval('numbers');\n"
    "    INSERT INTO item (n, kind) VALUES (n, kind) RETURNING id INTO added;\n"
    "    RETURN added;\n"
    "  END $$;\n"
    "CREATE FUNCTION last_number() RETURNS bigint LANGUAGE plpgsql AS\n"
    "  $$ BEGIN RETURN currval('numbers'); EXCEPTION WHEN OTHERS THEN RETURN NULL; END $$;\n"
    "CREATE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS\n"
    "  $$ BEGIN INSERT INTO part VALUES (NEW.id, NEW.n); RETURN NEW; END $$;\n"
    "CREATE TRIGGER counted AFTER INSERT ON item FOR EACH ROW EXECUTE FUNCTION noted();\n";

/* The catalog, but for what an index that was made leaves there for good; rows, sequences and what
 * the session knows of them, settings, and locks beyond the transaction. */
static const struct {
    const char *columns;
    const char *from;
    const char *where;
} dumped[] = {
    {"t", "pg_attribute", "attrelid >= 16384"},
    {"t", "pg_attrdef", "oid >= 16384"},
    {"t", "pg_constraint", "oid >= 16384"},
    {"t", "pg_index", "indexrelid >= 16384"},
    {"t", "pg_policy", "oid >= 16384"},
    {"t", "pg_trigger", "oid >= 16384"},
    {"t", "pg_proc", "oid >= 16384"},
    {"t", "pg_type", "oid >= 16384"},
    {"t", "pg_rewrite", "oid >= 16384"},
    {"t", "pg_depend", "objid >= 16384"},
    {"t", "pg_sequence", "seqrelid >= 16384"},
    {"t", "pg_sequences", "true"},
    {"t", "pg_namespace", "true"},
    {"oid, relname, relkind, relacl, reloptions, relrowsecurity, relforcerowsecurity, "
     "relhastriggers, relchecks, relowner",
     "pg_class", "oid >= 16384"},
    {"t", "public.item", "true"},
    {"t", "public.part", "true"},
    {"name, setting", "pg_settings", "source = 'session'"},
    {"t", "public.last_number()", "true"},
    {"pid", "pg_locks", "locktype = 'advisory' AND pid = pg_backend_pid()"},
};

static const char *dump_sql(struct arena *arena)
{
    struct strbuf sql = {0};
    strbuf_adds(&sql, "SELECT concat_ws(' ', coalesce(current_setting('my.n', true), '')");
    for (size_t i = 0; i < sizeof dumped / sizeof *dumped; i++) {
        strbuf_addf(&sql,
                    ", (SELECT md5(string_agg(ROW(%s)::text, ' ' ORDER BY ROW(%s)::text)) "
                    "FROM %s AS t WHERE %s)",
                    dumped[i].columns, dumped[i].columns, dumped[i].from, dumped[i].where);
    }
    strbuf_addc(&sql, ')');
    return strbuf_take(&sql, arena);
}

static const char yaml[] =
    "dataset: {item: [{n: 1, kind: first}]}\n"
    "model: |\n"
    "  items = {1: 1}\n"
    "  kinds = {'first': 1}\n"
    "rules:\n"
    "  dump: {precondition: len(items) > 9, sql: \"%s\"}\n"
    "  add:\n"
    "    args: {n: 'integers(-1, 6)', kind: 'sampled_from([\"a\", \"b\", \"first\"])'}\n"
    "    sql: 'SELECT add(:n, :kind)'\n"
    "    raises: |\n"
    "      check_violation if n < 0 or n > 5 else unique_violation if kind in kinds or\n"
    "      (n > 3 and n in items.values()) else None\n"
    "    model: |\n"
    "      items[result.value] = n\n"
    "      kinds[kind] = result.value\n"
    "  remove:\n"
    "    args: {id: items}\n"
    "    sql: 'DELETE FROM item WHERE id = :id'\n"
    "    model: |\n"
    "      items.pop(id)\n"
    "      kinds = {k: kinds[k] for k in kinds if kinds[k] != id}\n"
    "invariants:\n"
    "  items: {sql: 'SELECT id, n FROM item', expect: items}\n"
    "  parts: {sql: 'SELECT item, n::int FROM part', expect: items}\n"
    "  seen: {as: {role: pg_monitor}, sql: 'SELECT id FROM item', expect: '{i for i in items if "
    "items[i] < 5}'}\n"
    "settings: {examples: 5, steps: 5}\n";

struct bench {
    struct fixture fixture;
    const struct backend_ops *real;
    struct backend_ops ops; /* with a plant that looks first */
    struct mutation mutation;
    struct run_options options;
    const char *before; /* the first mutant */
    size_t planted;
};

static struct bench bench;

static bool plant(struct backend *backend, const char *sql, struct error *err)
{
    struct fixture *fixture = &bench.fixture;
    backend_ticket ticket = fixture_queue(fixture, "dump", NULL, NULL);
    struct answer answer = fixture_take(fixture, ticket);
    const char *now = fixture_repr(fixture, fixture_value(&answer));
    bench.before = bench.before ? bench.before : now;
    bench.planted++;
    assert_string_equal(now, bench.before);
    return bench.real->plant(backend, sql, err);
}

static uint64_t now_us(void *host)
{
    (void)host;
    return (uint64_t)clock_us();
}

static void bench_open(void)
{
    struct fixture *fixture = &bench.fixture;
    *fixture = fixture_new();
    const char *text = arena_printf(&fixture->arena, yaml, dump_sql(&fixture->arena));
    if (!fixture_try(fixture, schema, text)) {
        fail_msg("%s%s", fixture->err.message,
                 fixture->diagnostics.errors.count ? fixture->diagnostics.errors.items[0].message
                                                   : "");
    }
    assert_true(mutants_list(fixture->backend, &fixture->arena, &bench.mutation, &fixture->err));
    bench.real = fixture->backend->ops;
    bench.ops = *bench.real;
    bench.ops.plant = plant;
    fixture->backend->ops = &bench.ops;
    bench.options = (struct run_options){.settings = fixture->machine->settings,
                                         .finding = FIND_FIRST,
                                         .callbacks = {.now_us = now_us}};
    bench.options.settings.has_seed = true;
    bench.options.settings.seed = 1;
}

/* Runs only the trace that killed the mutant. */
static struct run_result replay(const struct mutant *mutant, const char *ddl)
{
    struct fixture *fixture = &bench.fixture;
    const struct stored_trace stored = {.identity = mutant->by,
                                        .seed = bench.options.settings.seed,
                                        .example = mutant->example,
                                        .trace = mutant->trace};
    struct run_options options = bench.options;
    struct run_result result;
    options.plant = ddl;
    options.stored = &stored;
    options.stored_count = 1;
    options.scope = RUN_KEPT;
    assert_true(fixture->backend->ops->restart(fixture->backend, &fixture->err));
    if (!run_machine(fixture->machine, fixture->backend, &options, &fixture->arena, &result,
                     &fixture->err)) {
        fail_msg("%s: %s", mutant->id, fixture->err.message);
    }
    return result;
}

static void every_mutant(void **state)
{
    struct fixture *fixture = &bench.fixture;
    size_t counts[VERDICTS] = {0};
    (void)state;
    bench_open();
    *VEC_PUSH(&fixture->arena, &bench.mutation.mutants) =
        (struct mutant){.id = "last", .ddl = "SELECT 1"};
    struct backend *const backends[] = {fixture->backend};
    const struct judging judging = {.machine = fixture->machine,
                                    .backends = backends,
                                    .backend_count = 1,
                                    .options = &bench.options,
                                    .arena = &fixture->arena};
    struct mutant *mutants = bench.mutation.mutants.items;
    size_t count = bench.mutation.mutants.count;
    if (!judge(&judging, mutants, count, &fixture->err)) {
        fail_msg("%s", fixture->err.message);
    }
    for (size_t i = 0; i < count; i++) {
        counts[mutants[i].verdict]++;
        if (mutants[i].verdict == VERDICT_KILLED && mutants[i].example > 0) {
            struct run_result planted = replay(&mutants[i], mutants[i].ddl);
            assert_int_equal(planted.failures.count, 1);
            assert_string_equal(planted.failures.items[0].identity, mutants[i].by);
            assert_int_equal(replay(&mutants[i], NULL).failures.count, 0);
        }
    }
    print_message("%zu mutants: %zu killed, %zu survived, %zu broke\n", count,
                  counts[VERDICT_KILLED], counts[VERDICT_SURVIVED], counts[VERDICT_BROKE]);
    assert_true(bench.planted >= count - counts[VERDICT_EQUIVALENT]);
    assert_true(counts[VERDICT_KILLED] > 20 && counts[VERDICT_SURVIVED] > 20);
    assert_true(counts[VERDICT_BROKE] > 0);
    fixture_close(fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_mutant)};
    return cmocka_run_group_tests(tests, fixture_start, fixture_stop);
}
