/* How deep the evaluator recurses is bounded, so that a stack of 8 MiB holds it, also with
 * sanitizers. */
#include "harness.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { STACK_BYTES = 8 << 20 };

/* A unit opens something, its end closes it; as deep as the parser lets. */
static const struct {
    const char *open;
    const char *close;
} shapes[] = {
    {"(", " + 0)"},
    {"[", "][0]"},
    {"{0: ", "}[0]"},
    {"(lambda: ", ")()"},
    {"[y for y in [", "]][0]"},
    {"map(lambda z: z, [", "])[0]"},
    {"sorted([", "], key=lambda z: 0)[0]"},
    {"dict(a=", ").get(\"a\")"},
    {"(not ", ")"},
    {"(1 if ", " else 2)"},
    {"(0 or ", ")"},
};

enum { SHAPES = sizeof shapes / sizeof *shapes };

static void write_deep(struct strbuf *out, size_t shape, size_t depth, const char *inside)
{
    for (size_t i = 0; i < depth; i++) {
        strbuf_adds(out, shapes[shape].open);
    }
    strbuf_adds(out, inside);
    for (size_t i = 0; i < depth; i++) {
        strbuf_adds(out, shapes[shape].close);
    }
}

/* Functions f0 … that each call the next one from inside as deep an expression as goes. */
static void write_chain(struct strbuf *out, size_t shape, size_t depth)
{
    strbuf_adds(out, "def f0(): return 1\n");
    for (int i = 1; i < 210; i++) {
        char inside[32];
        (void)snprintf(inside, sizeof inside, "f%d()", i - 1);
        strbuf_addf(out, "def f%d(): return ", i);
        write_deep(out, shape, depth, inside);
        strbuf_addc(out, '\n');
    }
    strbuf_adds(out, "f209()\n");
}

static void run_chain(size_t shape, size_t depth)
{
    struct harness harness;
    struct strbuf text = {0};
    struct lang_code *code;
    struct value value;
    write_chain(&text, shape, depth);
    harness_begin(&harness, NULL, NULL);
    if (harness_try(&harness, LANG_TOP, strbuf_text(&text), &code)) {
        harness_start(&harness);
        bool ok = lang_eval(&harness.state, code, NULL, &value, &harness.err);
        assert_false(ok);
        assert_int_equal(harness.err.code, ERROR_LIMIT);
    } else {
        assert_string_equal(harness.err.message, "nested deeper than 200");
    }
    strbuf_free(&text);
    harness_end(&harness);
}

static void *run_all(void *unused)
{
    static const size_t depths[] = {0, 10, 95, 190};
    for (size_t shape = 0; shape < SHAPES; shape++) {
        for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
            run_chain(shape, depths[i]);
        }
    }
    return unused;
}

static void a_stack_of_8_mib_is_enough(void **state)
{
    (void)state;
    pthread_attr_t attr;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attr), 0);
    assert_int_equal(pthread_attr_setstacksize(&attr, STACK_BYTES), 0);
    assert_int_equal(pthread_create(&thread, &attr, run_all, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_attr_destroy(&attr), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_stack_of_8_mib_is_enough)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
