/* Writes pinned examples into machine files of all styles. */
#include "machine/pin.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static bool pin(struct arena *arena, const char *before, const char *name, struct strbuf *out,
                struct error *err)
{
    const struct source source = {.name = "m.yaml", .text = before, .size = strlen(before)};
    struct new_example example = {.name = name};
    *VEC_PUSH(arena, &example.calls) = "a = add(s=\"é: # |\")";
    *VEC_PUSH(arena, &example.calls) = "pay(a=a)   # also b_1";
    return pin_add(&source, &example, arena, out, err);
}

/* The inserted item, at the beginning of a line, with indentation. */
#define ITEM(indent, eol)                                                                          \
    indent "- name: m-a" eol indent "  steps: |" eol indent "    a = add(s=\"é: # |\")" eol indent \
           "    pay(a=a)   # also b_1" eol
#define FLOW "{name: m-a, steps: \"a = add(s=\\\"é: # |\\\")\\npay(a=a)   # also b_1\\n\"}"

static const struct {
    const char *before;
    const char *after;
} files[] = {
    /* no examples */
    {"machine: m\n", "machine: m\n\nexamples:\n" ITEM("  ", "\n")},
    {"machine: m", "machine: m\n\nexamples:\n" ITEM("  ", "\n")},
    {"machine: m\r\nmodel: |\r\n  x = 0\r\n  # c\r\n# end",
     "machine: m\r\nmodel: |\r\n  x = 0\r\n  # c\r\n# end\r\n\r\nexamples:\r\n" ITEM("  ", "\r\n")},
    {"machine: m\rrules: x\r", "machine: m\rrules: x\r\rexamples:\r" ITEM("  ", "\r")},
    {"%YAML 1.1\n---\n  machine: m\n...\n# behind\n",
     "%YAML 1.1\n---\n  machine: m\n\n  examples:\n" ITEM("    ", "\n") "...\n# behind\n"},
    {"machine: m\nmodel: |+\n  x = 0\n  ...y\n\n\n",
     "machine: m\nmodel: |+\n  x = 0\n  ...y\n\n\n\nexamples:\n" ITEM("  ", "\n")},
    {"{machine: m, rules: {}}", "{examples: [" FLOW "], machine: m, rules: {}}"},
    /* empty ones */
    {"examples:\nmachine: m\n", "examples:\n" ITEM("  ", "\n") "machine: m\n"},
    {"machine: m\nexamples:", "machine: m\nexamples:\n" ITEM("  ", "\n")},
    {"examples: # none\n\n# next\nmachine: m\n",
     "examples: # none\n" ITEM("  ", "\n") "\n# next\nmachine: m\n"},
    {"examples: ~\nmachine: m\n", "examples:\n" ITEM("  ", "\n") "machine: m\n"},
    {"examples: null   # none\nmachine: m\n",
     "examples:    # none\n" ITEM("  ", "\n") "machine: m\n"},
    {"examples: []\nmachine: m\n", "examples:\n" ITEM("  ", "\n") "machine: m\n"},
    {"examples: {}\t\nmachine: m\n", "examples: \t\n" ITEM("  ", "\n") "machine: m\n"},
    {"examples: [ # none\n  ]\nmachine: m\n", "examples: [" FLOW " # none\n  ]\nmachine: m\n"},
    {"{machine: m, examples: , rules: {}}", "{machine: m, examples: [" FLOW "], rules: {}}"},
    {"{machine: m, examples: []}", "{machine: m, examples: [" FLOW "]}"},
    /* with entries */
    {"examples: [{name: x, steps: \"x()\"}, ] # c\nmachine: m\n",
     "examples: [" FLOW ", {name: x, steps: \"x()\"}, ] # c\nmachine: m\n"},
    {"examples:\n- name: x\n  steps: x()\n\n# next\nmachine: m\n",
     "examples:\n- name: x\n  steps: x()\n" ITEM("", "\n") "\n# next\nmachine: m\n"},
    {"examples:\n    - name: x\n      steps: |\n        x()\n        # y\n\n\n  # z\nmachine: m\n",
     "examples:\n    - name: x\n      steps: |\n        x()\n        # y\n" ITEM(
         "    ", "\n") "\n\n  # z\nmachine: m\n"},
    {"machine: m\nexamples:\n  - {name: x, steps: x()}   # \xF0\x9F\x98\x80\t\n  # end",
     "machine: m\nexamples:\n  - {name: x, steps: x()}   # \xF0\x9F\x98\x80\t\n" ITEM(
         "  ", "\n") "  # end"},
    {"machine: m\nexamples:\n  - name: x\n    steps: \"x()\n# no comment\n\"\n",
     "machine: m\nexamples:\n  - name: x\n    steps: \"x()\n# no comment\n\"\n" ITEM("  ", "\n")},
    {"machine: m\nexamples: &all\n  - &one\n    name: x\n    steps: |-\n      x()",
     "machine: m\nexamples: &all\n  - &one\n    name: x\n    steps: |-\n      x()\n" ITEM("  ",
                                                                                          "\n")},
    {"machine: m\nspare: &one {name: x, steps: x()}\nexamples: [*one]\n",
     "machine: m\nspare: &one {name: x, steps: x()}\nexamples: [" FLOW ", *one]\n"},
    {"machine: m\nspare: &one {name: x, steps: x()}\nexamples:\n  - *one\nrules: {}\n",
     "machine: m\nspare: &one {name: x, steps: x()}\nexamples:\n  - *one\n" ITEM(
         "  ", "\n") "rules: {}\n"},
};

static void writes_into_any_file(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct arena arena = {0};
        struct strbuf out = {0};
        struct error err = {0};
        if (!pin(&arena, files[i].before, "m-a", &out, &err)) {
            fail_msg("%s\n%s", files[i].before, err.message);
        }
        assert_string_equal(strbuf_text(&out), files[i].after);
        strbuf_free(&out);
        arena_free(&arena);
    }
}

static void refuses_what_would_change(void **state)
{
    (void)state;
    static const struct {
        const char *before;
        const char *why;
    } wrong[] = {
        {"machine: [\n", "not YAML"},
        {"- m\n", "not a machine"},
        {"machine: m\nexamples: some\n", "`examples` is not a list"},
        {"machine: m\nspare: &x\n  - {name: x, steps: x()}\nexamples: *x\n", "is an alias"},
        {"machine: m\nexamples: &x []\nrules: *x\n", "can't be added to"},
        {"examples: [{name: x, steps: \"a = add(s=\\\"é: # |\\\")\\npay(a=a)   # also b_1\"}]",
         "pinned already"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct arena arena = {0};
        struct strbuf out = {0};
        struct error err = {0};
        assert_false(pin(&arena, wrong[i].before, "m-a", &out, &err));
        if (!strstr(err.message, wrong[i].why)) {
            fail_msg("%s\n%s", wrong[i].before, err.message);
        }
        strbuf_free(&out);
        arena_free(&arena);
    }
}

static void finds_a_name(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct strbuf out = {0};
    struct error err = {0};
    assert_true(pin(&arena,
                    "machine: m\nexamples:\n  - {name: m-a, steps: x()}\n"
                    "  - {name: m-a-2, steps: y()}\n",
                    "m-a", &out, &err));
    assert_non_null(strstr(strbuf_text(&out), "- name: m-a-3\n"));
    strbuf_free(&out);
    arena_free(&arena);
}

/* Quotes characters that would end the line. */
static void quotes_what_needs_it(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct strbuf out = {0};
    struct new_example example = {.name = "-"};
    *VEC_PUSH(&arena, &example.calls) = "add(s=\"\xE2\x80\xA8\")";
    pin_write(&example, &out);
    assert_string_equal(strbuf_text(&out),
                        "- name: \"-\"\n  steps: \"add(s=\\\"\\u2028\\\")\\n\"\n");
    strbuf_free(&out);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_into_any_file),
        cmocka_unit_test(refuses_what_would_change),
        cmocka_unit_test(finds_a_name),
        cmocka_unit_test(quotes_what_needs_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
