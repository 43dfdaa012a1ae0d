/* No single step of what is reported can be left out: tried one by one, with the values that were
 * drawn and with their positions, on machines that draw from what the model holds in every way. */
#include "examine/examine.h"

#include "shrink/edit.h"
#include "support/rig.h"
#include "support/rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { LETTERS = 6, STEPS = 30, EXAMPLES = 60 };

/* The database's state, and the condition of its bug. */
struct shelf {
    int touched[LETTERS];
    int dropped[LETTERS];
    int last; /* letter touched last, from 1; 0: none */
    int falls;
    int ids;
    int bug;
};

static struct shelf *shelf_of(struct fake *fake) { return fake->state; }

static int letter_of(const struct fake_call *call)
{
    const struct value *value = &call->values[0];
    return value->type == VALUE_INT ? (int)(value->as.integer % LETTERS)
                                    : value->as.string->data[0] - 'a';
}

static void add(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)call;
    fake_columns(reply, "id int4");
    int id = ++shelf_of(fake)->ids;
    FAKE_ROW(reply, value_int(id));
}

static void drop(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)reply;
    shelf_of(fake)->dropped[letter_of(call)]++;
}

static void touch(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)reply;
    struct shelf *shelf = shelf_of(fake);
    int letter = letter_of(call);
    shelf->touched[letter]++;
    shelf->falls += shelf->last > letter + 1;
    shelf->last = letter + 1;
}

static void look(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)call;
    const struct shelf *shelf = shelf_of(fake);
    bool wrong = false;
    for (int i = 0; i < LETTERS; i++) {
        wrong = wrong || (shelf->bug == 0 && shelf->touched[i] >= 3) ||
                (shelf->bug == 1 && shelf->touched[i] && shelf->dropped[(i + 3) % LETTERS]) ||
                (shelf->bug == 2 && shelf->falls >= 2) ||
                (shelf->bug == 3 && shelf->dropped[i] && shelf->touched[i] >= 2);
    }
    fake_columns(reply, "wrong int4");
    FAKE_ROW(reply, value_int(wrong));
}

static const struct fake_script script[] = {
    {"add *", add}, {"remove *", drop}, {"touch *", touch}, {"look", look}, {NULL, NULL}};

/* The model, and what is drawn from it. */
static const struct {
    const char *model;
    const char *add;
    const char *from;
    const char *drop;
} ways[] = {
    {"have = []", "have.append(name)", "sampled_from(list(have))", "have.remove(name)"},
    {"have = []", "have.append(name)", "sampled_from(sorted(have))", "have.remove(name)"},
    {"have = {}", "have[name] = 1", "sampled_from(list(have))", "have.pop(name)"},
    {"have = {}", "have[name] = 1", "sampled_from(have)", "have.pop(name)"},
    {"have = {}", "have[name] = 1", "have", "have.pop(name)"},
    {"have = set()", "have.add(name)", "sampled_from(have)", "have.remove(name)"},
    {"have = set()", "have.add(name)", "have", "have.remove(name)"},
    {"have = {}\n  def there():\n      return sampled_from([n for n in have if have[n]])",
     "have[name] = 1", "there()", "have[name] = 0"},
    {"have = {}\n  def there():\n      return [n for n in reversed(list(have))]", "have[name] = 1",
     "there()", "have.pop(name)"},
    {"have = {}", "have[result.value] = 1", "sampled_from(list(have))", "have.pop(name)"},
    {"have = {}", "have[result.value] = 1", "have", "have.pop(name)"},
};
enum { WAYS = sizeof ways / sizeof ways[0], BUGS = 4 };

static const char *machine_of(size_t way, struct strbuf *out)
{
    strbuf_addf(out,
                "machine: shelf\nmodel: |\n  %s\nrules:\n"
                "  add:\n    args: {name: 'sampled_from([\"a\", \"b\", \"c\", \"d\", \"e\", "
                "\"f\"])'}\n    where: name not in have\n    sql: add :name\n    model: %s\n"
                "  drop:\n    args: {name: '%s'}\n    sql: remove :name\n    model: %s\n"
                "  touch:\n    args: {name: '%s'}\n    sql: touch :name\n"
                "invariants:\n  right: {sql: look, expect: 0}\n",
                ways[way].model, ways[way].add, ways[way].from, ways[way].drop, ways[way].from);
    return strbuf_text(out);
}

static bool fails_without(struct rig *rig, const struct failure *failure, size_t left_out,
                          bool positions)
{
    struct rerun attempt;
    static const struct rerun_way all = {0};
    struct trace rest = edit_remove(&rig->results, &failure->trace, left_out, left_out + 1);
    if (positions) {
        edit_drop_items(&rig->results, &rest);
    }
    assert_true(rerun_trace(&rig->examiner, &rest, failure, all, &attempt, &rig->err));
    return attempt.outcome == OUTCOME_FAIL;
}

/* Whether the seed found the bug. */
static bool check_seed(struct rig *rig, size_t way, uint64_t seed)
{
    rig->options.settings.seed = seed;
    rig_run_ok(rig);
    if (rig->result.failures.count == 0) {
        return false;
    }
    const struct failure *failure = &rig->result.failures.items[0];
    const char *steps = rig_steps(rig, failure);
    assert_null(failure->shrinking.cut_short);
    rig_start(rig);
    for (size_t i = 0; i < failure->trace.steps.count; i++) {
        for (int positions = 0; positions < 2; positions++) {
            if (fails_without(rig, failure, i, positions)) {
                fail_msg("%s, bug %d, seed %d: fails without step %zu (%s kept), too:\n%s",
                         ways[way].from, ((const struct shelf *)rig->fake.state)->bug, (int)seed,
                         i + 1, positions ? "positions" : "values", steps);
            }
        }
    }
    rig_stop(rig);
    return true;
}

static void check_way(size_t way, int bug)
{
    struct shelf shelf = {.bug = bug};
    struct strbuf yaml = {0};
    struct rig rig;
    const size_t seeds = rounds(2, 5);
    size_t found = 0;
    rig_open(&rig, machine_of(way, &yaml), script, &shelf, sizeof shelf);
    fake_with_checkpoints(&rig.fake);
    rig.options.settings.examples = EXAMPLES;
    rig.options.settings.steps = STEPS;
    rig.options.settings.shrink_executions = 2000;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        found += check_seed(&rig, way, seed);
    }
    assert_in_range(found, seeds / 2, seeds);
    rig_close(&rig);
    strbuf_free(&yaml);
}

static void test_no_step_can_be_left_out(void **state)
{
    (void)state;
    for (size_t way = 0; way < WAYS; way++) {
        for (int bug = 0; bug < BUGS; bug++) {
            check_way(way, bug);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_step_can_be_left_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
