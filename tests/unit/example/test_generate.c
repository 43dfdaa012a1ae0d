/* Generation: which rules run, what it depends on, and what is counted. */
#include "support/bank.h"
#include "support/describe.h"
#include "support/literal.h"
#include "support/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct bank bank;

static void open_bank(struct rig *rig)
{
    bank = (struct bank){0};
    rig_open(rig, bank_machine, bank_script, &bank, sizeof bank);
    rig->options.settings.examples = 30;
    rig->options.settings.steps = 30;
}

static const char *describe_run(struct rig *rig)
{
    struct strbuf text = {0};
    rig_run_ok(rig);
    describe_result(rig->machine, &rig->result, &text);
    strbuf_adds(&text, fake_log(&rig->fake));
    const char *copy = strbuf_copy(&text, &rig->results);
    strbuf_free(&text);
    return copy;
}

static void test_same_seed_same_run(void **state)
{
    (void)state;
    struct rig rig;
    open_bank(&rig);
    const char *first = describe_run(&rig);
    assert_string_equal(first, describe_run(&rig));
    assert_int_equal(rig.result.outcome, RUN_PASSED);
    rig.options.settings.seed = 2;
    assert_string_not_equal(first, describe_run(&rig));
    rig_close(&rig);
}

/* Example i of a seed is the same whatever ran before. */
static void test_an_example_depends_on_its_number_alone(void **state)
{
    (void)state;
    struct rig rig;
    struct trace alone[20];
    open_bank(&rig);
    rig_start(&rig);
    for (uint64_t i = 20; i > 0; i--) {
        struct example_plan plan = {.way = way_of(i), .number = i};
        alone[i - 1] = trace_copy(&rig.results, &rig_example(&rig, &plan)->trace);
    }
    rig_stop(&rig);
    rig_start(&rig);
    for (uint64_t i = 1; i <= 20; i++) {
        struct example_plan plan = {.way = way_of(i), .number = i};
        assert_true(trace_equal(&alone[i - 1], &rig_example(&rig, &plan)->trace));
        assert_true(i == 1 || !trace_equal(&alone[i - 1], &alone[i - 2]));
    }
    rig_stop(&rig);
    rig_close(&rig);
}

/* Rules in file order, as far as they can run, with the simplest arguments. */
static void test_first_example_is_the_simplest(void **state)
{
    (void)state;
    struct rig rig;
    struct strbuf text = {0};
    open_bank(&rig);
    rig.options.settings.steps = 7;
    struct example_plan plan = {.way = &example_ways[WAY_SIMPLEST], .number = 1};
    rig_start(&rig);
    describe_trace(rig.machine, &rig_example(&rig, &plan)->trace, &text);
    assert_string_equal(
        strbuf_text(&text),
        "open; pay #0.0 1; close #0.0; pay_closed #2.0 1; open; pay #4.0 1; close #4.0");
    strbuf_free(&text);
    rig_stop(&rig);
    rig_close(&rig);
}

static size_t count_rule(const struct trace *trace, size_t rule)
{
    size_t count = 0;
    for (size_t i = 0; i < trace->steps.count; i++) {
        count += !trace->steps.items[i].initialize && trace->steps.items[i].rule == rule;
    }
    return count;
}

/* Where `where` refuses the simplest arguments, others are drawn: the example is not over for that.
 */
static void test_the_simplest_may_be_refused(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig,
             "machine: test\n"
             "rules:\n"
             "  put:\n"
             "    args: {n: 'integers(0, 1000)', t: 'text()'}\n"
             "    where: n >= 7 and len(t) > 0\n"
             "    sql: COUNT 1\n",
             literal_script, NULL, 0);
    rig.options.settings.steps = 1;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        rig.options.settings.seed = seed;
        rig_run_ok(&rig);
        assert_int_equal(rig.result.stats.steps, 1);
    }
    rig_close(&rig);
}

static void test_limits_and_preconditions_hold(void **state)
{
    (void)state;
    struct rig rig;
    bool reached = false;
    open_bank(&rig);
    rig.options.settings.steps = 60;
    rig_start(&rig);
    for (uint64_t i = 1; i <= 50; i++) {
        struct example_plan plan = {.way = way_of(i), .number = i};
        const struct example_result *result = rig_example(&rig, &plan);
        size_t closed = count_rule(&result->trace, rig_rule(&rig, "close"));
        size_t opened = count_rule(&result->trace, rig_rule(&rig, "open"));
        assert_true(closed <= 4);
        assert_true(opened <= 5 + closed);
        reached = reached || (closed == 4 && opened > 5);
    }
    assert_true(reached);
    rig_stop(&rig);
    rig_close(&rig);
}

static void test_counts_add_up(void **state)
{
    (void)state;
    struct rig rig;
    open_bank(&rig);
    rig_run_ok(&rig);
    const struct run_stats *stats = &rig.result.stats;
    uint64_t ran = 0;
    uint64_t given_up = 0;
    for (size_t i = 0; i < rig.machine->rules.count; i++) {
        assert_int_equal(stats->rules[i].chosen, stats->rules[i].ran + stats->rules[i].given_up);
        assert_true(stats->rules[i].ran > 0);
        ran += stats->rules[i].ran;
        given_up += stats->rules[i].given_up;
    }
    const struct rule_stats *open = &stats->rules[rig_rule(&rig, "open")];
    const struct rule_stats *close = &stats->rules[rig_rule(&rig, "close")];
    const struct rule_stats *pay_closed = &stats->rules[rig_rule(&rig, "pay_closed")];
    assert_int_equal(stats->examples, 30);
    assert_int_equal(stats->dead_ends, 0);
    assert_int_equal(stats->steps, ran);
    assert_int_equal(stats->given_up, given_up);
    assert_true(open->blocked[BLOCKED_PRECONDITION] > 0);
    assert_true(close->blocked[BLOCKED_BUNDLE] > 0);
    assert_true(close->blocked[BLOCKED_LIMIT] > 0);
    assert_int_equal(pay_closed->raised.count, 1);
    assert_int_equal(pay_closed->raised.items[0].count, pay_closed->ran);
    assert_int_equal(stats->invariants[0].checked, stats->steps + stats->examples);
    assert_int_equal(stats->statements,
                     stats->steps + stats->invariants[0].checked + stats->invariants[1].checked);
    rig_close(&rig);
}

static const char many_rules[] = "machine: test\n"
                                 "model: n = 0\n"
                                 "rules:\n"
                                 "  a: {model: n += 1}\n"
                                 "  b: {model: n += 1}\n"
                                 "  c: {model: n += 1}\n"
                                 "  d: {model: n += 1}\n"
                                 "  e: {model: n += 1, precondition: n == 3}\n";

static size_t longest_run(const struct trace *trace)
{
    size_t longest = 0;
    size_t run = 0;
    for (size_t i = 0; i < trace->steps.count; i++) {
        bool again = i > 0 && trace->steps.items[i].rule == trace->steps.items[i - 1].rule;
        run = again ? run + 1 : 1;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static size_t examples_with_runs(struct rig *rig, enum way_index way)
{
    size_t count = 0;
    for (uint64_t i = 1; i <= 100; i++) {
        struct example_plan plan = {.way = &example_ways[way], .number = i};
        count += longest_run(&rig_example(rig, &plan)->trace) >= 8;
    }
    return count;
}

/* A run of eight out of four rules comes about by chance in one of some hundred examples. */
static void test_runs(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, many_rules, literal_script, NULL, 0);
    rig.options.settings.steps = 40;
    rig_start(&rig);
    assert_in_range(examples_with_runs(&rig, WAY_RUNS), 40, 100);
    assert_in_range(examples_with_runs(&rig, WAY_UNIFORM), 0, 5);
    rig_stop(&rig);
    rig_close(&rig);
}

/* PASS :p answers with an error unless p is true. */
static void answer_pass(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)fake;
    if (value_truth(call->values[0])) {
        fake_count(reply, 1);
    } else {
        fake_error(reply, "P0001", "an error", NULL, NULL);
    }
}

static const struct fake_script pass_script[] = {{"PASS *", answer_pass}, {NULL, NULL}};

/* Five states in a row. In most of them most rules raise an error. */
#define MOVE(name, from, to)                                                                       \
    "  " name ":\n"                                                                                \
    "    args: {o: orders}\n"                                                                      \
    "    let: {ok: 'orders[o] == \"" from "\"'}\n"                                                 \
    "    sql: PASS :ok\n"                                                                          \
    "    raises: 'None if ok else \"P0001\"'\n"                                                    \
    "    model: orders[o] = '" to "'\n"
static const char order_states[] =
    "machine: test\n"
    "model: |\n"
    "  orders = {}\n"
    "rules:\n"
    "  create: {args: {n: 'integers(0, 9)'}, where: n not in orders, model: 'orders[n] = "
    "\"new\"'}\n"
    "  drop: {args: {o: orders}, model: 'orders[o] = \"gone\"'}\n" MOVE("pay", "new", "paid")
        MOVE("pack", "paid", "packed") MOVE("send", "packed", "sent") MOVE("end", "sent", "ended");

static size_t orders_ended(struct rig *rig, enum way_index way)
{
    size_t count = 0;
    for (uint64_t i = 1; i <= 100; i++) {
        struct example_plan plan = {.way = &example_ways[way], .number = i};
        const struct example *example = &rig->engine.example;
        (void)rig_example(rig, &plan);
        for (size_t step = 0; step < example->steps.count; step++) {
            count += example->steps.items[step]->rule->index == rig_rule(rig, "end") &&
                     example->steps.items[step]->raises.may_succeed;
        }
    }
    return count;
}

static void test_novel_steps_get_further(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, order_states, pass_script, NULL, 0);
    rig.options.settings.steps = 30;
    rig_start(&rig);
    size_t uniform = orders_ended(&rig, WAY_UNIFORM);
    assert_in_range(orders_ended(&rig, WAY_NOVEL), 4 * uniform + 10, 100 * 30);
    rig_stop(&rig);
    rig_close(&rig);
}

/* A machine of one rule with these keys, and of what follows, ready for single examples. */
static void open_made(struct rig *rig, const char *keys, const char *rules, int64_t steps)
{
    struct strbuf yaml = {0};
    strbuf_addf(&yaml, "machine: test\nrules:\n  made: {%s}\n%s", keys, rules);
    rig_open(rig, strbuf_text(&yaml), literal_script, NULL, 0);
    rig->options.settings.steps = steps;
    rig_start(rig);
    strbuf_free(&yaml);
}

static size_t good_steps(struct rig *rig, enum way_index way)
{
    size_t good = 0;
    for (uint64_t number = 1; number <= 50; number++) {
        struct example_plan plan = {.way = &example_ways[way], .number = number};
        good += count_rule(&rig_example(rig, &plan)->trace, rig_rule(rig, "good"));
    }
    return good;
}

/* What comes to nothing is drawn again, however likely its rule is. */
static void test_refused_steps_are_rare(void **state)
{
    (void)state;
    static const char *const refused[] = {
        "weight: 4, sql: FAIL P0001 - -, raises: raise_exception",
        "weight: 4, sql: COUNT 0, affects: 0",
        "weight: 4, sql: 'ROWS done bool = [(False,)]', expect: 'False'",
        "weight: 4, sql: 'ROWS id int4 = []', expect: '[]'",
        "weight: 4, args: {n: 'booleans()'}, let: {m: n and 0 or 0}, sql: COUNT 0, affects: m",
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct rig rig;
        open_made(&rig, refused[i], "  good: {sql: COUNT 1}\n", 20);
        assert_in_range(good_steps(&rig, WAY_UNIFORM), 150, 250); /* by weight: 200 of 1,000 */
        assert_in_range(good_steps(&rig, WAY_ACCEPTED), 400, 950);
        assert_in_range(good_steps(&rig, WAY_NOVEL), 400, 950);
        rig_stop(&rig);
        rig_close(&rig);
    }
}

/* In how many of 200 examples both sessions take what there is one of. */
static size_t both_take(struct rig *rig, enum meeting meets)
{
    const struct branching branching = {.before = 2, .each = {1, 1}, .meets = meets};
    size_t count = 0;
    for (uint64_t number = 1; number <= 200; number++) {
        struct example_plan plan = {
            .way = &example_ways[WAY_ACCEPTED], .branching = &branching, .number = number};
        const struct trace *trace = &rig_example(rig, &plan)->trace;
        assert_int_equal(trace->steps.count, 4);
        assert_int_equal(trace->steps.items[3].session, 2);
        count += trace->steps.items[2].rule == rig_rule(rig, "take") &&
                 trace->steps.items[3].rule == rig_rule(rig, "take");
    }
    return count;
}

/* A session's step is not drawn again for what the session before it did, which makes it an error.
 */
static void test_sessions_meet(void **state)
{
    (void)state;
    static const char yaml[] = "machine: test\n"
                               "model: left = 0\n"
                               "rules:\n"
                               "  put: {model: left = 1}\n"
                               "  take:\n"
                               "    let: {ok: left > 0}\n"
                               "    sql: PASS :ok\n"
                               "    raises: 'None if ok else \"P0001\"'\n"
                               "    model: left = 0\n";
    struct rig rig;
    rig_open(&rig, yaml, pass_script, NULL, 0);
    rig_start(&rig);
    size_t any = both_take(&rig, MEET_BY_CHANCE);
    assert_in_range(any, 25, 60); /* half of a half, where there is one to take */
    assert_in_range(both_take(&rig, MEET), any + 10, 120);
    rig_stop(&rig);
    rig_close(&rig);
}

/* In how many of 100 examples the first session spends by what it reads, and the second one first
 * earns what makes a difference, and then asks for what was spent. */
static size_t reports(struct rig *rig, enum meeting meets)
{
    const struct branching branching = {.before = 2, .each = {1, 2}, .meets = meets};
    size_t count = 0;
    for (uint64_t number = 1; number <= 100; number++) {
        struct example_plan plan = {
            .way = &example_ways[WAY_ACCEPTED], .branching = &branching, .number = number};
        const struct trace *trace = &rig_example(rig, &plan)->trace;
        const struct trace_step *last = &trace->steps.items[trace->steps.count - 3];
        assert_in_range(trace->steps.count, 5, 11); /* six more before the sessions */
        assert_int_equal(last[-1].session, 0);
        assert_int_equal(last[0].session, 1);
        assert_int_equal(last[1].session, 2);
        count += last[0].rule == rig_rule(rig, "spend") && last[1].rule == rig_rule(rig, "earn") &&
                 last[2].rule == rig_rule(rig, "report");
    }
    return count;
}

/* A step of the first session that others change; one that does; one that the first one changes. */
static void test_sessions_meet_crosswise(void **state)
{
    (void)state;
    static const char yaml[] =
        "machine: test\n"
        "model: |\n"
        "  spent = []\n"
        "  sum = 0\n"
        "rules:\n"
        "  earn: {args: {n: 'integers(1, 9)'}, sql: COUNT 1, model: sum += n}\n"
        "  spend:\n"
        "    args: {n: 'integers(1, 9)'}\n"
        "    sql: COUNT 1\n"
        "    model: spent.append((n, sum % 2))\n"
        "  report: {let: {n: len(spent)}, sql: 'ROWS n int4 = [(:n,)]', expect: n}\n";
    struct rig rig;
    rig_open(&rig, yaml, literal_script, NULL, 0);
    rig_start(&rig);
    assert_in_range(reports(&rig, MEET_BY_CHANCE), 0, 10);
    assert_in_range(reports(&rig, MEET_CROSSWISE), 60, 100);
    rig_stop(&rig);
    rig_close(&rig);
}

/* A machine, in the arena, with a migration of three transactions, and one more rule. */
static void open_migrating(struct rig *rig, struct arena *arena, const char *rule)
{
    char path[] = "/tmp/pgfsm-generate-XXXXXX";
    static const char sql[] = "COUNT 1;\nCOUNT 1;\nCOUNT 1;\n";
    int fd = mkstemp(path);
    assert_int_equal(write(fd, sql, sizeof sql - 1), sizeof sql - 1);
    assert_int_equal(close(fd), 0);
    const char *yaml = arena_printf(arena,
                                    "machine: test\n"
                                    "migration: {files: {all: %s}, cut: statement, repeat: false}\n"
                                    "rules: {any: {%s, sql: COUNT 1}}\n",
                                    path, rule);
    rig_open(rig, yaml, literal_script, NULL, 0);
    assert_int_equal(unlink(path), 0);
}

static const struct example_result *migrate_before_sessions(struct rig *rig, size_t migrated,
                                                            uint64_t number)
{
    const struct branching branching = {.before = 6, .migrated = migrated, .each = {1, 1}};
    const struct example_plan plan = {
        .way = &example_ways[WAY_ACCEPTED], .branching = &branching, .number = number};
    return rig_example(rig, &plan);
}

/* A part of the migration comes before the sessions, and the first of these runs what is next. */
static void test_a_session_migrates(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct rig rig;
    open_migrating(&rig, &arena, "weight: 20");
    rig_start(&rig);
    bool at[6] = {0};
    for (uint64_t number = 1; number <= 200; number++) {
        const struct trace *trace = &migrate_before_sessions(&rig, number % 4, number)->trace;
        size_t migrated = 0;
        assert_int_equal(trace->steps.count, 8);
        for (size_t i = 0; i < 6; i++) {
            bool migrates = rig.machine->rules.items[trace->steps.items[i].rule].migrates;
            migrated += migrates;
            at[i] = at[i] || migrates;
        }
        assert_int_equal(migrated, number % 4);
        bool more = migrated < 3;
        assert_int_equal(rig.machine->rules.items[trace->steps.items[6].rule].migrates, more);
        assert_false(rig.machine->rules.items[trace->steps.items[7].rule].migrates);
    }
    for (size_t i = 0; i < 6; i++) {
        assert_true(at[i]);
    }
    rig_stop(&rig);
    rig_close(&rig);
    arena_free(&arena);
}

/* Where no other rule can run, the migration goes on, even before its turn. */
static void test_a_migration_ends_a_wait(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct rig rig;
    open_migrating(&rig, &arena, "from: all");
    rig_start(&rig);
    for (uint64_t number = 1; number <= 20; number++) {
        const struct trace *trace = &migrate_before_sessions(&rig, number % 4, number)->trace;
        assert_int_equal(trace->steps.count, 8);
        for (size_t i = 0; i < 8; i++) {
            size_t rule = trace->steps.items[i].rule;
            assert_int_equal(rig.machine->rules.items[rule].migrates, i < 3);
        }
    }
    rig_stop(&rig);
    rig_close(&rig);
    arena_free(&arena);
}

/* How many of its arguments have the value that an argument of an earlier step had. */
static size_t echoed(const struct trace *trace, size_t step)
{
    size_t count = 0;
    const struct choices *choices = &trace->steps.items[step].choices;
    for (size_t i = 0; i < choices->items.count; i++) {
        bool had = false;
        for (size_t before = 0; before < step && !had; before++) {
            const struct choices *earlier = &trace->steps.items[before].choices;
            for (size_t j = 0; j < earlier->items.count && !had; j++) {
                had = choice_equal(&choices->items.items[i], &earlier->items.items[j]);
            }
        }
        count += had;
    }
    return count;
}

/* Arguments that are written alike have the same value again, in the same rule all but one. */
static void test_steps_echo(void **state)
{
    (void)state;
    struct rig rig;
    open_made(&rig,
              "args: {a: 'sampled_from(range(9000))', b: 'sampled_from(range(9000))', "
              "c: 'sampled_from(range(9000))'}, sql: COUNT 1",
              "  other: {args: {d: 'sampled_from(range(9000))', e: 'sampled_from(range(8000))'}, "
              "sql: COUNT 1}\n",
              20);
    for (enum way_index way = WAY_UNIFORM; way <= WAY_ACCEPTED; way += WAY_ACCEPTED) {
        size_t made[4] = {0};
        size_t other[3] = {0};
        for (uint64_t number = 1; number <= 20; number++) {
            struct example_plan plan = {.way = &example_ways[way], .number = number};
            const struct trace *trace = &rig_example(&rig, &plan)->trace;
            for (size_t i = 0; i < trace->steps.count; i++) {
                bool is_made = trace->steps.items[i].rule == rig_rule(&rig, "made");
                (is_made ? made : other)[echoed(trace, i)]++;
            }
        }
        assert_int_equal(other[2], 0);
        if (way == WAY_UNIFORM) {
            assert_in_range(made[1] + made[2] + made[3] + other[1], 0, 20); /* by chance */
        } else {
            assert_in_range(made[2], 15, 75); /* echo the same rule: a sixth of about 200 */
            assert_in_range(made[3], 15, 75); /* echo the other one */
            assert_in_range(other[1], 30, 120);
        }
    }
    rig_stop(&rig);
    rig_close(&rig);
}

/* Steps are drawn to choose from by a look at the model: they neither change it nor print. */
static void test_choosing_only_looks(void **state)
{
    (void)state;
    struct rig rig;
    struct value seen;
    size_t count = 0;
    rig_open(&rig,
             "machine: test\n"
             "model: |\n"
             "  seen = []\n"
             "  def loud(n):\n"
             "    print(n)\n"
             "    return True\n"
             "rules:\n"
             "  keep:\n"
             "    args: {n: 'integers(0, 9).map(lambda n: seen.append(n) or n)'}\n"
             "    sql: COUNT 1\n"
             "  say: {args: {n: 'integers(0, 9)'}, where: loud(n), sql: COUNT 1}\n",
             literal_script, NULL, 0);
    rig.options.settings.steps = 20;
    rig_start(&rig);
    struct example_plan plan = {.way = &example_ways[WAY_NOVEL], .number = 1};
    const struct example_result *result = rig_example(&rig, &plan);
    (void)lang_get_global(&rig.engine.example.state, 0, &seen);
    assert_true(value_length(seen, &count, NULL));
    assert_int_equal(result->steps, 20);
    assert_int_equal(count, count_rule(&result->trace, rig_rule(&rig, "keep")));
    assert_true(count > 0);
    size_t said = count_rule(&result->trace, rig_rule(&rig, "say"));
    assert_int_equal(rig.printed.size, said * strlen("n\n"));
    assert_true(said > 0);
    rig_stop(&rig);
    rig_close(&rig);
}

/* An argument that is fixed is evaluated once, but not if the model may change what it gives. */
static void test_fixed_arguments_stay_fixed(void **state)
{
    (void)state;
    static const char *const fixed[] = {
        "'sampled_from([[0]])'",
        "'[[0]]'",
        "'just([0])'",
        "'one_of(just([0]), just([0]))'",
        "'sampled_from([[0], [0]]).filter(lambda list: True)'",
    };
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        struct rig rig;
        struct value most;
        struct strbuf keys = {0};
        strbuf_addf(&keys,
                    "args: {x: %s}, sql: COUNT 1, model: 'x.append(1); most = max(most, len(x))'",
                    fixed[i]);
        open_made(&rig, strbuf_text(&keys), "model: most = 0\n", 20);
        for (uint64_t number = 1; number <= 3; number++) {
            struct example_plan plan = {.way = &example_ways[WAY_UNIFORM], .number = number};
            assert_int_equal(rig_example(&rig, &plan)->steps, 20);
            (void)lang_get_global(&rig.engine.example.state, 0, &most);
            assert_int_equal(most.as.integer, 2);
        }
        rig_stop(&rig);
        rig_close(&rig);
        strbuf_free(&keys);
    }
}

/* What the model expects nothing of is counted, unless its rule is there for that. */
static void test_refused_steps_are_counted(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig,
             "machine: test\n"
             "model: n = 0\n"
             "rules:\n"
             "  meant: {sql: COUNT 0, affects: 0}\n"
             "  row: {args: {k: 'integers(0, 1)'}, sql: 'COUNT :k', affects: k}\n"
             "  no: {args: {k: 'booleans()'}, sql: 'ROWS done bool = [(:k,)]', expect: k}\n"
             "  done: {sql: COUNT 1, affects: 1 if n == 0 else 2}\n",
             literal_script, NULL, 0);
    rig.options.settings.examples = 20;
    rig_run_ok(&rig);
    const struct rule_stats *rules = rig.result.stats.rules;
    assert_int_equal(rules[0].refused, 0);
    assert_in_range(rules[1].refused, 1, rules[1].ran - 1);
    assert_in_range(rules[2].refused, 1, rules[2].ran - 1);
    assert_int_equal(rules[3].refused, 0);
    rig_close(&rig);
}

/* Of many steps, of which each is chosen out of many: what is drawn for that counts against no
 * limit of the example. */
static void test_choosing_keeps_the_limits(void **state)
{
    (void)state;
    static const char *const args[] = {
        "args: {t: 'text(min_size=1000, max_size=1000)'}, sql: COUNT 1",
        "args: {n: 'integers(0, 9)'}, where: sum(range(2000)) > n, sql: COUNT 1",
    };
    for (size_t i = 0; i < sizeof args / sizeof *args; i++) {
        struct rig rig;
        open_made(&rig, args[i], "", 1000);
        struct example_plan plan = {.way = &example_ways[WAY_NOVEL], .number = 1};
        assert_int_equal(rig_example(&rig, &plan)->steps, 1000);
        rig_stop(&rig);
        rig_close(&rig);
    }
}

/* What an example draws and does not run leaves nothing behind. */
static void test_novel_steps_consume_once(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig,
             "machine: test\n"
             "model: |\n"
             "  sold = 0\n"
             "  used = 0\n"
             "rules:\n"
             "  sell: {model: sold += 1, returns: sold, target: tickets}\n"
             "  use: {args: {t: consumes(tickets)}, model: used += 1}\n",
             literal_script, NULL, 0);
    rig.options.settings.steps = 30;
    rig_start(&rig);
    for (uint64_t i = 1; i <= 20; i++) {
        struct example_plan plan = {.way = &example_ways[WAY_NOVEL], .number = i};
        const struct example_result *result = rig_example(&rig, &plan);
        size_t sold = count_rule(&result->trace, rig_rule(&rig, "sell"));
        size_t used = count_rule(&result->trace, rig_rule(&rig, "use"));
        assert_int_equal(rig.engine.example.bundles.items[0].list.count, sold - used);
    }
    rig_stop(&rig);
    rig_close(&rig);
}

static void test_weights(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig,
             "machine: test\n"
             "model: n = 0\n"
             "rules:\n"
             "  never: {model: n += 1, weight: n - n}\n"
             "  often: {model: n += 1, weight: 30}\n"
             "  seldom: {model: n += 1}\n"
             "  later: {model: n += 1, weight: 5 if n > 9 else 0}\n",
             literal_script, NULL, 0);
    rig.options.settings.examples = 200;
    rig_run_ok(&rig);
    const struct rule_stats *rules = rig.result.stats.rules;
    assert_int_equal(rules[0].ran, 0);
    assert_int_equal(rules[0].blocked[BLOCKED_WEIGHT], 200 * 10);
    assert_int_equal(rules[3].ran, 0); /* of ten steps each comes when n is at most 9 */
    assert_in_range(rules[1].ran, 10 * rules[2].ran, 40 * rules[2].ran);
    assert_true(rules[2].ran > 0);
    rig_close(&rig);
}

static void test_no_rule_can_run(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig,
             "machine: test\n"
             "model: n = 0\n"
             "rules:\n"
             "  until: {model: n += 1, precondition: n < 4}\n"
             "  never: {args: {a: 'integers(0, 9)'}, model: n += 1, where: a < 0}\n",
             literal_script, NULL, 0);
    rig.options.settings.examples = 3;
    rig_run_ok(&rig);
    assert_int_equal(rig.result.outcome, RUN_PASSED);
    assert_int_equal(rig.result.stats.examples, 3);
    assert_int_equal(rig.result.stats.steps, 12);
    assert_int_equal(rig.result.stats.dead_ends, 3);
    assert_int_equal(rig.result.stats.rules[1].ran, 0);
    assert_true(rig.result.stats.rules[1].given_up >= 3);
    assert_int_equal(rig.result.stats.rules[0].dead_ends[BLOCKED_PRECONDITION], 3);
    assert_int_equal(rig.result.stats.rules[1].dead_ends[DEAD_END_GIVEN_UP], 3);
    rig_close(&rig);
}

/* How often `where` and filters were asked, and refused: the same run ahead and step by step. */
static void test_what_filters_refuse_is_counted(void **state)
{
    (void)state;
    struct rig rigs[2];
    for (int i = 0; i < 2; i++) {
        struct rig *rig = &rigs[i];
        rig_open(rig,
                 "machine: test\n"
                 "model: n = 0\n"
                 "rules:\n"
                 "  never: {args: {a: 'integers(0, 9)'}, where: a < 0, model: pass}\n"
                 "  odd:\n"
                 "    args: {a: 'integers(0, 9).filter(lambda a: a % 2 == 1).map(str)'}\n"
                 "    model: n += 1\n"
                 "  picked:\n"
                 "    args: {a: 'sampled_from([1, 2]).filter(lambda a: a > 1)'}\n"
                 "    where: 'True'\n"
                 "    sql: FAIL P0001 - -\n"
                 "    raises: raise_exception\n"
                 "  perhaps:\n"
                 "    sql: FAIL P0001 - -\n"
                 "    raises: 'raise_exception if n >= 0 else None'\n"
                 "  maybe:\n"
                 "    sql: FAIL P0001 - -\n"
                 "    raises: '[raise_exception, None]'\n",
                 literal_script, NULL, 0);
        rig->options.settings.examples = 10;
        rig->options.settings.steps = 20;
        rig->options.no_pipeline = i;
        rig->options.way = &example_ways[WAY_UNIFORM];
        rig_run_ok(rig);
        const struct rule_stats *rules = rig->result.stats.rules;
        assert_true(rules[0].given_up > 0);
        assert_int_equal(rules[0].where.asked, rules[0].given_up * 20);
        assert_int_equal(rules[0].where.refused, rules[0].where.asked);
        assert_int_equal(rules[0].filters.asked, 0);
        assert_int_equal(rules[1].filters.asked - rules[1].filters.refused, rules[1].ran);
        assert_in_range(rules[1].filters.refused, rules[1].ran / 4, rules[1].ran * 4);
        assert_int_equal(rules[2].filters.asked, 0); /* every item is tried once, without draws */
        assert_int_equal(rules[2].where.asked, rules[2].ran);
        assert_int_equal(rules[2].where.refused, 0);
        assert_int_equal(rules[2].meant_to_fail, rules[2].ran);
        assert_true(rules[3].ran > 0);
        assert_int_equal(rules[3].meant_to_fail, rules[3].ran);
        assert_true(rules[4].ran > 0);
        assert_int_equal(rules[4].meant_to_fail, 0);
    }
    for (size_t i = 0; i < 4; i++) {
        assert_memory_equal(&rigs[0].result.stats.rules[i].where,
                            &rigs[1].result.stats.rules[i].where, sizeof(struct filter_counts));
        assert_memory_equal(&rigs[0].result.stats.rules[i].filters,
                            &rigs[1].result.stats.rules[i].filters, sizeof(struct filter_counts));
    }
    rig_close(&rigs[0]);
    rig_close(&rigs[1]);
}

/* A step that was chosen of several comes again without what its filters refused: whatever the
 * way, the counts say how much that is. */
static void test_what_filters_refuse_of_chosen_steps(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig,
             "machine: test\n"
             "rules:\n"
             "  odd: {args: {a: 'integers(0, 99).map(lambda a: a % 4).filter(lambda a: a == 1)'},\n"
             "        sql: COUNT 1}\n"
             "  some: {args: {a: 'integers(0, 99)'}, where: a % 4 == 1, sql: COUNT 1}\n",
             literal_script, NULL, 0);
    rig.options.settings.examples = 50;
    rig.options.settings.steps = 20;
    rig_run_ok(&rig);
    const struct rule_stats *rules = rig.result.stats.rules;
    assert_in_range(100 * rules[0].filters.refused / rules[0].filters.asked, 65, 85);
    assert_in_range(100 * rules[1].where.refused / rules[1].where.asked, 65, 85);
    rig_close(&rig);
}

/* A mapping of initialize steps: each once, in a drawn order that a replay keeps. */
static void test_initialize_in_drawn_order(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig,
             "machine: test\n"
             "model: order = []\n"
             "initialize:\n"
             "  a: {model: order.append(\"a\")}\n"
             "  b: {args: {n: 'integers(0, 9)'}, model: order.append(n)}\n"
             "  c: {model: order.append(\"c\")}\n"
             "rules:\n"
             "  show: {model: print(order)}\n",
             literal_script, NULL, 0);
    rig.options.settings.steps = 1;
    rig_start(&rig);
    size_t orders = 0;
    for (uint64_t i = 1; i <= 20; i++) {
        struct example_plan plan = {.way = way_of(i), .number = i};
        strbuf_clear(&rig.printed);
        struct trace trace = trace_copy(&rig.results, &rig_example(&rig, &plan)->trace);
        assert_int_equal(trace.steps.count, 4);
        orders += trace.steps.items[0].rule != 0;
        const char *printed = strbuf_copy(&rig.printed, &rig.results);
        strbuf_clear(&rig.printed);
        struct example_plan replay = {.trace = &trace};
        assert_true(trace_equal(&trace, &rig_example(&rig, &replay)->trace));
        assert_string_equal(strbuf_text(&rig.printed), printed);
    }
    assert_in_range(orders, 5, 18);
    rig_stop(&rig);
    rig_close(&rig);
}

/* What an argument was when it was drawn is shown, whatever the model does to it. */
static void test_shown_as_drawn(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig,
             "machine: test\n"
             "rules:\n"
             "  r:\n"
             "    args: {xs: 'lists(integers(0, 3), min_size=2, max_size=2)'}\n"
             "    model: |\n"
             "      xs.append(7)\n"
             "      xs = None\n"
             "    sql: FAIL P0001 - -\n"
             "    raises: '[None, \"ZZ001\"]'\n",
             literal_script, NULL, 0);
    const struct failure *failure = rig_failure(&rig);
    assert_string_equal(rig_steps(&rig, failure), "r(xs=[0, 0])\n");
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_seed_same_run),
        cmocka_unit_test(test_an_example_depends_on_its_number_alone),
        cmocka_unit_test(test_first_example_is_the_simplest),
        cmocka_unit_test(test_the_simplest_may_be_refused),
        cmocka_unit_test(test_limits_and_preconditions_hold),
        cmocka_unit_test(test_counts_add_up),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_novel_steps_get_further),
        cmocka_unit_test(test_refused_steps_are_rare),
        cmocka_unit_test(test_novel_steps_consume_once),
        cmocka_unit_test(test_sessions_meet),
        cmocka_unit_test(test_sessions_meet_crosswise),
        cmocka_unit_test(test_a_session_migrates),
        cmocka_unit_test(test_a_migration_ends_a_wait),
        cmocka_unit_test(test_steps_echo),
        cmocka_unit_test(test_choosing_only_looks),
        cmocka_unit_test(test_fixed_arguments_stay_fixed),
        cmocka_unit_test(test_refused_steps_are_counted),
        cmocka_unit_test(test_choosing_keeps_the_limits),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_no_rule_can_run),
        cmocka_unit_test(test_what_filters_refuse_is_counted),
        cmocka_unit_test(test_what_filters_refuse_of_chosen_steps),
        cmocka_unit_test(test_initialize_in_drawn_order),
        cmocka_unit_test(test_shown_as_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
