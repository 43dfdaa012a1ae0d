/* What is left of an expression where `result` is not known. */
#include "harness.h"

#include "lang/eval/residual.h"

#include <string.h>

enum { ORIGIN = 7 };

static int setup(void **state)
{
    static struct harness harness;
    harness_begin(&harness, NULL, NULL);
    *state = &harness;
    return 0;
}

static int teardown(void **state)
{
    harness_end(*state);
    return 0;
}

static const char *const kinds[] = {
    [RESIDUAL_VALUE] = "",    [RESIDUAL_LOCAL] = "result",  [RESIDUAL_VARIABLE] = "var",
    [RESIDUAL_ATTR] = "attr", [RESIDUAL_INDEX] = "index",   [RESIDUAL_NOT] = "not",
    [RESIDUAL_MINUS] = "-",   [RESIDUAL_AND] = "and",       [RESIDUAL_OR] = "or",
    [RESIDUAL_CALL] = "call", [RESIDUAL_METHOD] = "method", [RESIDUAL_EACH] = "each",
    [RESIDUAL_BINARY] = "op",
};
static const char *const ops[] = {
    [BINARY_ADD] = "+",  [BINARY_MUL] = "*", [BINARY_EQUAL] = "==",
    [BINARY_LESS] = "<", [BINARY_IN] = "in",
};

/* (op == (attr value result) 3) */
static void write(const struct residual *residual, struct strbuf *out)
{
    if (residual->kind == RESIDUAL_VALUE) {
        value_repr(residual->value, out);
        strbuf_adds(out, value_origin(residual->value) ? "@" : "");
        return;
    }
    strbuf_addf(out, "(%s",
                residual->kind == RESIDUAL_BINARY ? ops[residual->op] : kinds[residual->kind]);
    if (residual->name && residual->kind != RESIDUAL_LOCAL) {
        strbuf_addf(out, " %s", residual->name);
    }
    for (size_t i = 0; i < residual->name_count; i++) {
        strbuf_addf(out, " %s%s", residual->unpacks ? "*" : "", residual->names[i]);
    }
    for (size_t i = 0; i < residual->count; i++) {
        strbuf_addc(out, ' ');
        write(residual->parts[i], out);
    }
    strbuf_addc(out, ')');
}

static const struct {
    const char *text;
    const char *left; /* NULL: it can't be told */
} cases[] = {
    {"result.value == n + 1", "(== (attr value (result)) 3)"},
    {"n == 2", "True"},
    {"double(n) < len(names) + result.count", "(< 4 (+ 1 (attr count (result))))"},
    {"result.row[0] == names['a']", "(== (index (attr row (result)) 0) [1])"},
    {"result.value in names", "(in (attr value (result)) {\"a\": [1]})"},
    {"not result.rows", "(not (attr rows (result)))"},
    {"-result.value < 0", "(< (- (attr value (result))) 0)"},
    {"len(result.rows) == n", "(== (call len (attr rows (result))) 2)"},
    {"result.value.startswith('a')", "(method startswith (attr value (result)) \"a\")"},
    /* what decides alone decides; what is never reached is never evaluated */
    {"n == 3 or result.value", "(attr value (result))"},
    {"n == 2 or result.value", "True"},
    {"n == 2 and result.value and n", "(and (attr value (result)) 2)"},
    {"result.value and n == 3 and names[0]", "(and (attr value (result)) False)"},
    {"result.value if n == 2 else names[0]", "(attr value (result))"},
    {"1 if result.value else n",
     "(or (and (attr value (result)) 1) (and (not (attr value (result))) 2))"},
    /* comprehensions */
    {"[x + n for x in [1]] == result.value", "(== [3] (attr value (result)))"},
    {"all(row.id < n for row in result.rows if n < row.id)",
     "(call all (each row (< (attr id (var row)) 2) (attr rows (result)) (< 2 (attr id (var "
     "row)))))"},
    {"[a for a, b in result.rows]", "(each *a *b (var a) (attr rows (result)))"},
    {"[a for a in result.rows for b in a]", NULL},
    {"[[b for b in a] for a in result.rows]", NULL},
    {"{a for a in result.rows}", NULL},
    /* what came from the database stays what it was, and is not added up */
    {"result.value == id", "(== (attr value (result)) 9@)"},
    {"result.value == id + n * 2", "(== (attr value (result)) (+ 9@ 4))"},
    {"result.value == (id == 9)", "(== (attr value (result)) True)"},
    /* what can't be told */
    {"double(result.value) == 2", NULL},
    {"result.rows[1:] == []", NULL},
    {"(lambda: n)() == result.value", NULL},
    {"[result.value]", NULL},
    {"result.value == names['b']", NULL},
    {"len(*result.rows)", NULL},
};

static void what_is_left(void **state)
{
    struct harness *harness = *state;
    size_t result = lang_locals_add(&harness->locals, &harness->machine, "result");
    size_t id = lang_locals_add(&harness->locals, &harness->machine, "id");
    struct lang_code *top = harness_compile(
        harness, LANG_TOP, "n = 2\nnames = {'a': [1]}\ndef double(x):\n    return 2 * x\n");
    struct lang_code *code[sizeof cases / sizeof *cases];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        code[i] = harness_compile(harness, LANG_EXPRESSION, cases[i].text);
    }
    harness_start(harness);
    struct value locals[2];
    lang_unset(&locals[result]);
    locals[id] = value_with_origin(value_int(9), ORIGIN);
    harness_run(harness, top, locals);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct strbuf text = {0};
        const struct residual *left =
            lang_residual(&harness->state, code[i], locals, result, &harness->example);
        if (left) {
            write(left, &text);
        }
        assert_string_equal(left ? strbuf_text(&text) : cases[i].text,
                            cases[i].left ? cases[i].left : cases[i].text);
        strbuf_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_left, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
