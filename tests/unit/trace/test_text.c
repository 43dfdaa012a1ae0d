/* Traces as text: they read back unchanged, and hostile text is refused with its line. */
#include "trace/text.h"

#include "gen/rng.h"

#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct rule rules[] = {{.name = "push"}, {.name = "näme with : and spaces"}};
static struct rule first_steps[] = {{.name = "initialize 1", .initialize = true}};
static const struct machine machine = {.rules = {.items = rules, .count = 2},
                                       .initialize = {.items = first_steps, .count = 1}};

static struct choice *add(struct arena *arena, struct trace_step *step, enum choice_kind kind)
{
    struct choice *choice = VEC_PUSH(arena, &step->choices.items);
    choice->kind = kind;
    return choice;
}

static void add_span(struct arena *arena, struct trace_step *step, enum span_kind kind,
                     size_t start, size_t end)
{
    *VEC_PUSH(arena, &step->choices.spans) =
        (struct choice_span){.kind = kind, .start = start, .end = end};
}

static struct trace_step *add_step(struct arena *arena, struct trace *trace, uint32_t id,
                                   size_t rule)
{
    struct trace_step *step = VEC_PUSH(arena, &trace->steps);
    step->id = id;
    step->rule = rule;
    return step;
}

static struct trace sample(struct arena *arena)
{
    struct trace trace = {0};
    add_step(arena, &trace, 0, 0)->initialize = true;
    struct trace_step *step = add_step(arena, &trace, 7, 1);
    add(arena, step, CHOICE_REFERENCE)->as.reference =
        (struct reference){.step = 3, .output = 2, .position = 9};
    add(arena, step, CHOICE_REFERENCE)->as.reference =
        (struct reference){.step = REFERENCE_BY_POSITION, .position = 1};
    struct choice *integer = add(arena, step, CHOICE_INTEGER);
    integer->as.integer.value = INT64_MIN;
    integer->as.integer.min = INT64_MIN;
    integer->as.integer.max = INT64_MAX;
    struct choice *text = add(arena, step, CHOICE_TEXT);
    text->as.text.value = value_text(arena, "a b\n%'\"\\é\xE2\x80\xAE").as.string;
    text->as.text.alphabet = value_text(arena, "ab ").as.string;
    text->as.text.max_size = 20;
    struct choice *real = add(arena, step, CHOICE_FLOAT);
    real->as.real.value = -0.1;
    real->as.real.min = -INFINITY;
    real->as.real.max = INFINITY;
    real->as.real.nan = true;
    struct choice *bytes = add(arena, step, CHOICE_BYTES);
    bytes->as.bytes.value = value_bytes(arena, "\0\xFF ", 3).as.bytes;
    bytes->as.bytes.max_size = 5;
    add_span(arena, step, SPAN_ARGUMENT, 0, 2);
    add_span(arena, step, SPAN_ARGUMENT, 2, 2);
    add_span(arena, step, SPAN_ARGUMENT, 2, 6);
    add_span(arena, step, SPAN_ITEM, 2, 4);
    add_span(arena, step, SPAN_ITEM, 4, 6);
    add_span(arena, step, SPAN_OTHER, 5, 6);
    return trace;
}

static bool read_as(enum trace_reading reading, const char *text, size_t size, struct arena *arena,
                    struct trace *out, struct error *err)
{
    struct source *source = ARENA_NEW(arena, struct source);
    *source = (struct source){
        .name = "test.trace", .text = arena_strndup(arena, text, size), .size = size};
    return trace_read(&machine, source, 0, reading, arena, out, err);
}

static bool read_text(const char *text, size_t size, struct arena *arena, struct trace *out,
                      struct error *err)
{
    return read_as(TRACE_AS_FAR, text, size, arena, out, err);
}

static void test_round_trip(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct strbuf text = {0};
    struct trace trace = sample(&arena);
    struct trace again;
    struct error err = {0};
    trace_write(&machine, &trace, &text);
    assert_true(read_text(text.data, text.size, &arena, &again, &err));
    assert_true(trace_equal(&trace, &again));
    const struct choices *choices = &again.steps.items[1].choices;
    assert_int_equal(choices->spans.count, 6);
    for (size_t i = 0; i < 6; i++) {
        const struct choice_span *span = &choices->spans.items[i];
        const struct choice_span *before = &trace.steps.items[1].choices.spans.items[i];
        assert_int_equal(span->kind, before->kind);
        assert_int_equal(span->start, before->start);
        assert_int_equal(span->end, before->end);
    }
    strbuf_free(&text);
    arena_free(&arena);
}

static void test_deaths_round_trip(void **state)
{
    (void)state;
    for (enum trace_death death = DEATH_BEFORE; death < DEATHS; death++) {
        struct arena arena = {0};
        struct strbuf text = {0};
        struct trace trace = sample(&arena);
        struct trace again;
        struct error err = {0};
        trace.steps.items[1].death = death;
        trace.steps.items[1].gate = death == DEATH_WITHIN ? UINT32_MAX : 0;
        trace_write(&machine, &trace, &text);
        assert_true(read_text(text.data, text.size, &arena, &again, &err));
        assert_true(trace_equal(&trace, &again));
        assert_int_equal(again.steps.items[1].death, death);
        again.steps.items[1].gate--;
        assert_false(trace_equal(&trace, &again));
        strbuf_free(&text);
        arena_free(&arena);
    }
}

static void test_sessions_round_trip(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct strbuf text = {0};
    struct trace trace = sample(&arena);
    struct trace again;
    struct error err = {0};
    for (size_t i = 1; i < trace.steps.count; i++) {
        trace.steps.items[i].session = (unsigned char)i;
    }
    trace.schedule.order[0] = 2;
    trace.schedule.order[1] = 1;
    *VEC_PUSH(&arena, &trace.schedule.switches) = (struct trace_switch){.step = 5, .crossing = 3};
    *VEC_PUSH(&arena, &trace.schedule.switches) = (struct trace_switch){.step = 7, .call = 2};
    *VEC_PUSH(&arena, &trace.schedule.switches) = (struct trace_switch){
        .step = 7, .call = 2, .crossing = 4, .nth = 2, .gate = TRACE_GATE_ROW};
    *VEC_PUSH(&arena, &trace.schedule.switches) =
        (struct trace_switch){.step = 7, .call = 1, .crossing = 1, .act = TRACE_TIME_OUT};
    trace_write(&machine, &trace, &text);
    assert_true(read_text(text.data, text.size, &arena, &again, &err));
    assert_true(trace_equal(&trace, &again));
    again.schedule.switches.items[1].crossing = 1;
    assert_false(trace_equal(&trace, &again));
    again.schedule.switches.items[1].crossing = 0;
    again.schedule.switches.items[2].nth = 1;
    assert_false(trace_equal(&trace, &again));
    again.schedule.switches.items[2].nth = 2;
    again.schedule.switches.items[3].act = TRACE_YIELD;
    assert_false(trace_equal(&trace, &again));
    strbuf_free(&text);
    arena_free(&arena);
}

static void test_a_rule_that_is_gone_is_left_out(void **state)
{
    (void)state;
    struct arena arena = {0};
    static const char text[] = "step 1 =gone\n  arg\n    int 1 0 2 0\n  end\nstep 2 =push\n";
    struct trace trace;
    struct error err = {0};
    assert_true(read_text(text, sizeof text - 1, &arena, &trace, &err));
    assert_int_equal(trace.steps.count, 1);
    assert_int_equal(trace.steps.items[0].id, 2);
    arena_free(&arena);
}

static void test_a_machine_that_changed_is_said(void **state)
{
    (void)state;
    static struct rule_arg args[1];
    static struct rule changed_rules[] = {{.name = "push", .args = {.items = args, .count = 1}},
                                          {.name = "pop"}};
    static const struct machine changed = {.name = "heap",
                                           .rules = {.items = changed_rules, .count = 2}};
    static const struct {
        const char *text;
        size_t line; /* 0: it fits */
        const char *message;
    } cases[] = {
        {"step 1 =push\n  arg\n  end\nstep 2 =pop\n", 0, NULL},
        {"step 1 =gone\n", 1, "the machine heap has no rule gone"},
        {"step 1 =pop\ninitialize 0 =first\n", 2, "the machine heap has no initialize step first"},
        {"step 1 =pop\nstep 2 =push\nstep 3 =pop\n", 2,
         "push has 0 arguments here, and 1 in the machine"},
        {"step 1 =pop\n  arg\n    int 1 0 2 0\n  end\n", 1,
         "pop has 1 argument here, and 0 in the machine"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        const struct source source = {
            .name = "test.trace", .text = cases[i].text, .size = strlen(cases[i].text)};
        struct trace trace;
        struct error err = {0};
        assert_int_equal(trace_read(&changed, &source, 0, TRACE_WHOLE, &arena, &trace, &err),
                         cases[i].line == 0);
        if (cases[i].line) {
            assert_int_equal(err.code, ERROR_MACHINE);
            assert_int_equal(source_place(err.pos).line, cases[i].line);
            assert_string_equal(err.message, cases[i].message);
            assert_true(strlen(err.hint) > 0);
        }
        assert_true(trace_read(&changed, &source, 0, TRACE_AS_FAR, &arena, &trace, &err));
        arena_free(&arena);
    }
}

static void test_bad_text_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t line;
    } bad[] = {
        {"nonsense\n", 1},
        {"  int 1 0 2 0\n", 1},
        {"step x =push\n", 1},
        {"step 1 =push 5\n", 1},
        {"step 1 =push x\n", 1},
        {"step 1 =push\norder 1 1\n", 2},
        {"step 1 =push\norder 0\n", 2},
        {"step 1 =push\norder 2 1\norder 1\n", 3},
        {"step 1 =push\nswitch 1 0\n", 2},
        {"step 1 =push\nswitch 1 -1 0\n", 2},
        {"step 1 =push\nswitch 1 0 0 row\n", 2},
        {"step 1 =push\nswitch 1 0 0 row 0\n", 2},
        {"step 1 =push\ndies\n", 2},
        {"step 1 =push\ndies soon\n", 2},
        {"step 1 =push\ndies within\n", 2},
        {"step 1 =push\ndies within 0\n", 2},
        {"step 1 =push\ndies within 4294967296\n", 2},
        {"step 1 =push\ntimeout 1 0 0 column 1\n", 2},
        {"step 1 push\n", 1},
        {"step 1 =push\n  int 1 0 2\n", 2},
        {"step 1 =push\n  int 1 5 2 0\n", 2},
        {"step 1 =push\n  int 99999999999999999999 0 2 0\n", 2},
        {"step 1 =push\n  end\n", 2},
        {"step 1 =push\n  arg\n    int 1 0 2 0\n", 3},
        {"step 1 =push\n  text =%ZZ 0 2 -\n", 2},
        {"step 1 =push\n  text =%FF 0 2 -\n", 2},
        {"step 1 =push\n  text =%00 0 2 -\n", 2},
        {"step 1 =push\n  text =a 2 2 -\n", 2},
        {"step 1 =push\n  bytes =0 3 2\n", 2},
        {"step 1 =push\n  bytes =0g 0 2\n", 2},
        {"step 1 =push\n  float nothing 0 2 -\n", 2},
        {"step 1 =push\n  ref 1 0\n", 2},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct arena arena = {0};
        struct trace trace;
        struct error err = {0};
        assert_false(read_text(bad[i].text, strlen(bad[i].text), &arena, &trace, &err));
        assert_non_null(err.pos.source);
        assert_int_equal(source_place(err.pos).line, bad[i].line);
        arena_free(&arena);
    }
}

/* Damaged files with any bytes are read or refused. */
static void test_damaged_text(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct strbuf text = {0};
    struct trace trace = sample(&arena);
    trace_write(&machine, &trace, &text);
    struct rng rng;
    rng_seed(&rng, 1, 0);
    for (int i = 0; i < 5000; i++) {
        struct arena scratch = {0};
        char *damaged = arena_strndup(&scratch, text.data, text.size);
        for (int k = 0; k < 3; k++) {
            damaged[rng_below(&rng, text.size)] = (char)rng_below(&rng, 256);
        }
        struct trace read;
        struct error err = {0};
        (void)read_as(i % 2 ? TRACE_WHOLE : TRACE_AS_FAR, damaged,
                      (size_t)rng_below(&rng, text.size + 1), &scratch, &read, &err);
        arena_free(&scratch);
    }
    strbuf_free(&text);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_sessions_round_trip),
        cmocka_unit_test(test_deaths_round_trip),
        cmocka_unit_test(test_a_rule_that_is_gone_is_left_out),
        cmocka_unit_test(test_a_machine_that_changed_is_said),
        cmocka_unit_test(test_bad_text_is_refused),
        cmocka_unit_test(test_damaged_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
