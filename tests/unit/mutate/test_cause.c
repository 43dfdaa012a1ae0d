/* Why a mutant survived: what no example did. */
#include "mutate/cause.h"

#include "machine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char machine_text[] = "machine: m\n"
                                   "rules:\n"
                                   "  named: {sql: SELECT * FROM item}\n"
                                   "  column: {sql: SELECT item FROM list}\n"
                                   "invariants:\n"
                                   "  read: SELECT list FROM item\n";

static const char *cause_of(struct mutant mutant)
{
    static struct arena arena;
    struct diagnostics diagnostics = {.arena = &arena};
    struct mutation mutation = {0};
    struct rule_stats rules[] = {{.ran = 1000}, {.ran = 20}};
    const struct run_result result = {.stats = {.rules = rules}};
    const struct machine *machine = NULL;
    arena_free(&arena);
    assert_true(machine_read("m.yaml", machine_text, strlen(machine_text), NULL, &arena, &machine,
                             &diagnostics));
    mutant.verdict = VERDICT_SURVIVED;
    *VEC_PUSH(&arena, &mutation.mutants) = mutant;
    mutants_explain(&mutation, machine, &result, &arena);
    return mutation.mutants.items[0].cause;
}

/* What makes a restrictive policy weaker lets rows through, as a stronger permissive one does. */
static void policies(void **state)
{
    static const struct {
        const char *operator;
        bool opens[2]; /* whether rows are let through that were not: permissive, restrictive */
    } operators[] = {
        {"drop-policy", {false, true}},       {"policy-using-true", {true, true}},
        {"policy-check-true", {true, true}},  {"policy-check-false", {false, false}},
        {"policy-to-public", {true, false}},  {"policy-without-role", {false, true}},
        {"policy-for-all", {true, false}},    {"policy-for-select", {false, true}},
        {"policy-for-insert", {false, true}}, {"policy-without-delete", {false, true}},
        {"policy-permissive", {true, true}},  {"policy-restrictive", {false, false}},
    };
    static const char *const definitions[] = {"FOR ALL TO a", "AS RESTRICTIVE FOR ALL TO a"};
    (void)state;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        for (size_t j = 0; j < 2; j++) {
            const char *cause = cause_of((struct mutant){.operator= operators[i].operator,
                                                         .kind = "policy",
                                                         .object = "p on item",
                                                         .relation = "item",
                                                         .was = definitions[j],
                                                         .becomes = ""});
            print_message("%s, %s: %s\n", operators[i].operator, definitions[j], cause);
            assert_int_equal(strstr(cause, "that only this refuses or hides") != NULL,
                             operators[i].opens[j]);
            assert_int_equal(strstr(cause, "that only this lets through") != NULL,
                             !operators[i].opens[j]);
        }
    }
}

/* A column by the name of a table is none of its steps. */
static void steps(void **state)
{
    static const struct mutant mutant = {.operator= "drop-check",
                                         .kind = "constraint",
                                         .object = "item.c",
                                         .relation = "item",
                                         .was = "CHECK (n > 0)",
                                         .becomes = ""};
    struct mutant other = mutant;
    (void)state;
    const char *cause = cause_of(mutant);
    assert_memory_equal(cause, "In 1,000 steps on item, ", strlen("In 1,000 steps on item, "));
    other.object = "a.c";
    other.relation = "a";
    cause = cause_of(other);
    assert_memory_equal(cause, "No rule and no invariant names a itself: ",
                        strlen("No rule and no invariant names a itself: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(policies), cmocka_unit_test(steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
