/* Documents that are shrunk as a whole: a small grammar of values that is replayed as strategies
 * replay theirs (clamped, missing choices the simplest, every value recorded anew), and five
 * rules. */
#include "shrink/shrinker.h"

#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { NOTHING, NUMBER, LIST, WORD, ALTERNATIVES }; /* of a value */
enum { STORE, SET, APPEND, NAME, PAIR, RULES };
enum { DOCUMENT_SIZE = 256 };

typedef bool predicate(const char *document);

struct fixture {
    struct arena arena;
    struct trace trace;
    predicate *fails;
    struct shrink_stats stats;
    struct trace out;
};

/* Reads a step's choices and records the results. */
struct replay {
    struct arena *arena;
    const struct choices *from;
    size_t next;
    struct choices record;
    char text[DOCUMENT_SIZE];
};

static int64_t take(struct replay *replay, int64_t max)
{
    const struct choice *given = replay->next < replay->from->items.count
                                     ? &replay->from->items.items[replay->next++]
                                     : NULL;
    int64_t value = given && given->kind == CHOICE_INTEGER ? given->as.integer.value : 0;
    struct choice *choice = VEC_PUSH(replay->arena, &replay->record.items);
    choice->kind = CHOICE_INTEGER;
    choice->as.integer.max = max;
    choice->as.integer.value = value < max ? value : max;
    return choice->as.integer.value;
}

/* Adds to a text of DOCUMENT_SIZE. */
static void add(char *text, const char *more)
{
    size_t used = strlen(text);
    (void)snprintf(text + used, DOCUMENT_SIZE - used, "%s", more);
}

static void say(struct replay *replay, const char *text) { add(replay->text, text); }

static void read_word(struct replay *replay)
{
    const struct choice *given = replay->next < replay->from->items.count
                                     ? &replay->from->items.items[replay->next++]
                                     : NULL;
    struct choice *choice = VEC_PUSH(replay->arena, &replay->record.items);
    choice->kind = CHOICE_TEXT;
    choice->as.text.max_size = 1;
    choice->as.text.value = given && given->kind == CHOICE_TEXT
                                ? given->as.text.value
                                : value_string(replay->arena, "", 0).as.string;
    say(replay, choice->as.text.value->data);
}

static size_t open_span(struct replay *replay, enum span_kind kind)
{
    size_t at = replay->record.items.count;
    *VEC_PUSH(replay->arena, &replay->record.spans) = (struct choice_span){kind, at, at};
    return replay->record.spans.count - 1;
}

static void close_span(struct replay *replay, size_t span)
{
    replay->record.spans.items[span].end = replay->record.items.count;
}

static void read_value(struct replay *replay);

static void read_list(struct replay *replay)
{
    say(replay, "[");
    for (;;) {
        size_t item = open_span(replay, SPAN_ITEM);
        if (take(replay, 1) == 0) {
            replay->record.spans.count = item;
            break;
        }
        read_value(replay);
        close_span(replay, item);
    }
    say(replay, "]");
}

static void read_value(struct replay *replay) // NOLINT(misc-no-recursion)
{
    int64_t which = take(replay, ALTERNATIVES - 1);
    size_t span = open_span(replay, SPAN_OTHER);
    if (which == NOTHING) {
        say(replay, "-");
    } else if (which == NUMBER) {
        char digit[] = {(char)('0' + take(replay, 9)), '\0'};
        say(replay, digit);
    } else if (which == WORD) {
        read_word(replay);
    } else {
        read_list(replay);
    }
    close_span(replay, span);
}

/* A number without bounds, and another one: [12] */
static void read_pair(struct replay *replay)
{
    char digits[] = {'[', (char)('0' + take(replay, 9)), '0', ']', '\0'};
    replay->record.items.items[replay->record.items.count - 1].as.integer.min = INT64_MIN;
    size_t span = open_span(replay, SPAN_OTHER);
    digits[2] = (char)(digits[2] + take(replay, 9));
    close_span(replay, span);
    say(replay, digits);
}

/* Applies a step with the value `value` to the document. */
static void apply(char *document, size_t rule, const char *value)
{
    size_t size = strlen(document);
    if (rule != APPEND) {
        (void)snprintf(document, DOCUMENT_SIZE, "%s", value);
    } else if (size > 0 && document[size - 1] == ']') {
        document[size - 1] = '\0';
        add(document, value);
        add(document, "]");
    }
}

static bool attempt(void *host, const struct trace *candidate, struct arena *arena,
                    struct shrink_attempt *out, struct error *err)
{
    const struct fixture *fixture = host;
    char document[DOCUMENT_SIZE] = "";
    (void)err;
    for (size_t i = 0; i < candidate->steps.count; i++) {
        const struct trace_step *step = &candidate->steps.items[i];
        struct replay replay = {.arena = arena, .from = &step->choices};
        if (step->rule != STORE && step->rule != PAIR && document[0] == '\0') {
            continue; /* there is no document yet */
        }
        size_t argument = open_span(&replay, SPAN_ARGUMENT);
        (step->rule == NAME ? read_word : step->rule == PAIR ? read_pair : read_value)(&replay);
        close_span(&replay, argument);
        apply(document, step->rule, replay.text);
        struct trace_step *kept = VEC_PUSH(arena, &out->trace.steps);
        *kept = *step;
        kept->choices = replay.record;
    }
    out->same = fixture->fails(document);
    return true;
}

/* Adds a step with these choices: one digit each, or one letter, a text. */
static void add_step(struct fixture *fixture, size_t rule, const char *choices)
{
    struct trace_step *step = VEC_PUSH(&fixture->arena, &fixture->trace.steps);
    step->id = (uint32_t)fixture->trace.steps.count;
    step->rule = rule;
    for (; *choices; choices++) {
        struct choice *choice = VEC_PUSH(&fixture->arena, &step->choices.items);
        if (*choices > '9') {
            choice->kind = CHOICE_TEXT;
            choice->as.text.value = value_string(&fixture->arena, choices, 1).as.string;
            continue;
        }
        choice->kind = CHOICE_INTEGER;
        choice->as.integer.value = *choices - '0';
        choice->as.integer.max = 9;
    }
}

/* Shrinks, and compares the result: for each step the rule and its choices, as in add_step. */
static void expect_shortest(struct fixture *fixture, const char *shortest)
{
    struct shrink_target target = {.host = fixture, .attempt = attempt, .rule_count = RULES};
    struct error err = {0};
    struct shrink_attempt first = {0};
    assert_true(attempt(fixture, &fixture->trace, &fixture->arena, &first, &err));
    assert_true(first.same);
    assert_true(shrink_trace(&target, &first.trace, 2000, &fixture->arena, &fixture->out,
                             &fixture->stats, &err));
    char text[DOCUMENT_SIZE] = "";
    for (size_t i = 0; i < fixture->out.steps.count; i++) {
        static const char *const names[] = {"store ", "set ", "append ", "name ", "pair "};
        const struct trace_step *step = &fixture->out.steps.items[i];
        add(text, i ? "; " : "");
        add(text, names[step->rule]);
        for (size_t k = 0; k < step->choices.items.count; k++) {
            const struct choice *choice = &step->choices.items.items[k];
            char digit[] = {(char)('0' + choice->as.integer.value), '\0'};
            add(text, choice->kind == CHOICE_TEXT ? choice->as.text.value->data : digit);
        }
    }
    assert_string_equal(text, shortest);
    arena_free(&fixture->arena);
}

static bool holds_three(const char *document) { return strchr(document, '3') != NULL; }

static void test_a_value_gives_way_to_one_inside(void **state)
{
    (void)state;
    struct fixture fixture = {.fails = holds_three};
    add_step(&fixture, STORE, "2120121211300010"); /* [[-[[3]]]-] or so */
    expect_shortest(&fixture, "store 13");
}

static bool has_three_items(const char *document)
{
    size_t items = 0;
    for (const char *c = document; *c; c++) {
        items += *c == '-' || (*c >= '0' && *c <= '9');
    }
    return document[0] == '[' && items >= 3 && !strchr(document + 1, '[');
}

static void test_an_alternative_takes_along_what_it_drew(void **state)
{
    (void)state;
    struct fixture fixture = {.fails = has_three_items};
    add_step(&fixture, STORE, "21171181190");
    expect_shortest(&fixture, "store 21010100");
}

static bool is_list_of_three(const char *document) { return strcmp(document, "[3]") == 0; }

static void test_what_is_written_over_is_written_first(void **state)
{
    (void)state;
    struct fixture fixture = {.fails = is_list_of_three};
    add_step(&fixture, STORE, "0");
    add_step(&fixture, SET, "21130");
    expect_shortest(&fixture, "store 21130");
}

static void test_what_is_added_is_there_from_the_first(void **state)
{
    (void)state;
    struct fixture fixture = {.fails = is_list_of_three};
    add_step(&fixture, STORE, "20");
    add_step(&fixture, APPEND, "13");
    expect_shortest(&fixture, "store 21130");
}

static bool holds_z(const char *document) { return strchr(document, 'z') != NULL; }

static void test_a_text_is_all_that_matters_of_a_step(void **state)
{
    (void)state;
    struct fixture fixture = {.fails = holds_z};
    add_step(&fixture, STORE, "20");
    add_step(&fixture, NAME, "z");
    expect_shortest(&fixture, "store 3z");
}

static bool holds_three_and_four(const char *document) { return strcmp(document, "[34]") == 0; }

static void test_a_number_may_have_any_bounds(void **state)
{
    (void)state;
    struct fixture fixture = {.fails = holds_three_and_four};
    add_step(&fixture, PAIR, "34");
    expect_shortest(&fixture, "pair 34");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_value_gives_way_to_one_inside),
        cmocka_unit_test(test_an_alternative_takes_along_what_it_drew),
        cmocka_unit_test(test_a_number_may_have_any_bounds),
        cmocka_unit_test(test_what_is_written_over_is_written_first),
        cmocka_unit_test(test_what_is_added_is_there_from_the_first),
        cmocka_unit_test(test_a_text_is_all_that_matters_of_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
