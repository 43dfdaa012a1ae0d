/*
 * Writes an SQL script for psql that compares our numbers with the server's.
 *
 * Each case is an expression in SQL and our answer as text, or the SQLSTATE of our refusal. The
 * cases are made from a fixed seed. The script prints the cases whose answers differ, then how many
 * cases there were.
 */
#include "value/number/numeric.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct arena arena;
static uint64_t seed = 20240607;

/* splitmix64 */
static uint64_t next_random(void)
{
    uint64_t z = seed += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30U) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27U) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31U;
}

/* 0 to bound - 1 */
static int below(int bound) { return (int)(next_random() % (uint64_t)bound); }

static void add_digits(struct strbuf *out, int count)
{
    /* runs of nines and zeros are where carries and leading groups go wrong */
    int style = below(4);
    for (int i = 0; i < count; i++) {
        strbuf_addc(out, style == 0 ? '9' : style == 1 ? '0' : (char)('0' + below(10)));
    }
}

/* A decimal with up to `whole` digits before and up to `fraction` behind the point. */
static void add_decimal(struct strbuf *out, int whole, int fraction)
{
    strbuf_adds(out, below(2) ? "-" : "");
    strbuf_addc(out, (char)('0' + below(10)));
    add_digits(out, below(whole));
    if (below(4)) {
        strbuf_addc(out, '.');
        strbuf_fill(out, '0', below(3) ? 0 : (size_t)below(fraction));
        add_digits(out, below(fraction) + 1);
    }
}

static void add_power_of_10(struct strbuf *out)
{
    static const char *const starts[] = {"1", "-1", "9999", "10001", "5", "-4.9999", "0"};
    strbuf_adds(out, starts[below(sizeof starts / sizeof *starts)]);
    strbuf_addf(out, "e%d", below(4) ? below(60) - 30 : below(4000) - 2000);
}

static void random_numeric(struct strbuf *out)
{
    static const char *const special[] = {
        "NaN",   "Infinity", "-Infinity", "0",        "0.0000",    "1",    "-1",
        "10000", "0.0001",   "1e131071",  "1e-16383", "9999.9999", "-0.5", "99999999999999999",
        "2.50",  "-3.5"};
    strbuf_clear(out);
    switch (below(10)) {
    case 0:
        strbuf_adds(out, special[below(sizeof special / sizeof *special)]);
        break;
    case 1:
        add_power_of_10(out);
        break;
    case 2:
        add_decimal(out, 60, 60);
        break;
    case 3:
        add_decimal(out, below(20) ? 2 : 3000, below(20) ? 200 : 1500);
        break;
    default:
        add_decimal(out, 10, 8);
    }
}

static void random_int(struct strbuf *out)
{
    strbuf_clear(out);
    strbuf_adds(out, below(2) ? "-" : "");
    strbuf_addf(out, "%" PRIu64, next_random() >> (unsigned)below(64));
    add_digits(out, below(4) ? 0 : below(50));
}

static double random_double(void)
{
    uint64_t bits = next_random();
    double real;
    switch (below(8)) {
    case 0:
        return (double)(int64_t)bits / pow(10, below(20));
    case 1:
        return (double)below(100000) / pow(10, below(8));
    case 2:
        return ldexp(1.0, below(2098) - 1074);
    case 3:
        return pow(10, below(630) - 320);
    case 4:
        return ldexp((double)(bits >> 11U), below(100)); /* whole numbers from 2^52 */
    case 5:
        return ldexp((double)(bits >> 58U), -1074); /* the smallest there are */
    default:
        memcpy(&real, &bits, sizeof real);
        return real;
    }
}

/* A double as SQL reads it back exactly. */
static void add_double(struct strbuf *out, double real)
{
    if (isfinite(real)) {
        strbuf_addf(out, "'%.17g'::float8", real);
    } else {
        strbuf_addf(out, "'%s'::float8", isnan(real) ? "NaN" : real < 0 ? "-Infinity" : "Infinity");
    }
}

static struct value parsed(bool (*parse)(struct arena *, const char *, size_t, struct value *,
                                         struct error *),
                           const struct strbuf *text)
{
    struct value value;
    struct error err;
    if (!parse(&arena, strbuf_text(text), text->size, &value, &err)) {
        (void)fprintf(stderr, "numbers: %s: %s\n", strbuf_text(text), err.message);
        exit(1);
    }
    return value;
}

static bool parse_int(struct arena *to, const char *text, size_t size, struct value *out,
                      struct error *err)
{
    return int_from_text(to, text, size, 10, out, err);
}

static const char *sqlstate(const struct error *err)
{
    return strstr(err->message, "division by zero")                 ? "22012"
           : strncmp(err->message, "not a ", strlen("not a ")) == 0 ? "22P02"
                                                                    : "22003";
}

static void copy_escaped(const char *text)
{
    for (; *text; text++) {
        if (*text == '\\') {
            (void)putchar('\\');
        }
        (void)putchar(*text);
    }
}

/* One line of the COPY: expression, tab, our answer. */
static void write_case(const struct strbuf *sql, bool answered, struct value answer,
                       const struct error *err)
{
    struct strbuf text = {0};
    if (answered) {
        number_text(answer, &text);
    } else {
        strbuf_adds(&text, sqlstate(err));
    }
    copy_escaped(strbuf_text(sql));
    (void)putchar('\t');
    (void)puts(strbuf_text(&text));
    strbuf_free(&text);
    arena_reset(&arena);
}

/* a, b: the operands as text. The operators // and % floor, the server's truncate: there the SQL
 * says how the one follows from the other. */
struct operation {
    enum arith_op op;
    const char *sql;
};

static const struct operation numeric_operations[] = {
    {ARITH_ADD, "a + b"}, {ARITH_SUB, "a - b"}, {ARITH_MUL, "a * b"}, {ARITH_DIV, "a / b"}};

static const struct operation int_operations[] = {
    {ARITH_ADD, "a + b"},
    {ARITH_SUB, "a - b"},
    {ARITH_MUL, "a * b"},
    {ARITH_DIV, "a / b"},
    {ARITH_FLOORDIV, "div(a, b) - (a % b <> 0 AND (a < 0) <> (b < 0))::int"},
    {ARITH_MOD, "mod(mod(a, b) + b, b)"}};

static void write_operation(const struct operation *operation, const struct strbuf *a,
                            const struct strbuf *b, struct value x, struct value y)
{
    struct strbuf sql = {0};
    struct value answer;
    struct error err;
    strbuf_addf(&sql, "SELECT (%s)::text FROM (SELECT '%s'::numeric, '%s'::numeric) t(a, b)",
                operation->sql, strbuf_text(a), strbuf_text(b));
    bool answered = number_arith(&arena, operation->op, x, y, &answer, &err);
    write_case(&sql, answered, answer, &err);
    strbuf_free(&sql);
}

static void numeric_cases(int count)
{
    struct strbuf a = {0};
    struct strbuf b = {0};
    for (int i = 0; i < count; i++) {
        random_numeric(&a);
        random_numeric(&b);
        struct value x = parsed(numeric_from_text, &a);
        struct value y = parsed(numeric_from_text, &b);
        write_operation(&numeric_operations[i % 4], &a, &b, x, y);
    }
    strbuf_free(&a);
    strbuf_free(&b);
}

static void int_cases(int count)
{
    struct strbuf a = {0};
    struct strbuf b = {0};
    for (int i = 0; i < count; i++) {
        random_int(&a);
        random_int(&b);
        struct value x = parsed(parse_int, &a);
        struct value y = parsed(parse_int, &b);
        write_operation(&int_operations[i % 6], &a, &b, x, y);
    }
    strbuf_free(&a);
    strbuf_free(&b);
}

/* % and // of numerics, where the server has the same: finite operands. */
static void modulo_cases(int count)
{
    struct strbuf a = {0};
    struct strbuf b = {0};
    for (int i = 0; i < count; i++) {
        strbuf_clear(&a);
        strbuf_clear(&b);
        add_decimal(&a, 30, 20);
        add_decimal(&b, 12, 20);
        struct value x = parsed(numeric_from_text, &a);
        struct value y = parsed(numeric_from_text, &b);
        write_operation(&int_operations[4 + i % 2], &a, &b, x, y);
    }
    strbuf_free(&a);
    strbuf_free(&b);
}

static void compare_cases(int count)
{
    struct strbuf a = {0};
    struct strbuf b = {0};
    struct strbuf sql = {0};
    for (int i = 0; i < count; i++) {
        random_numeric(&a);
        random_numeric(&b);
        int order = number_compare(parsed(numeric_from_text, &a), parsed(numeric_from_text, &b));
        strbuf_clear(&sql);
        strbuf_addf(&sql,
                    "SELECT CASE WHEN a < b THEN -1 WHEN a = b THEN 0 ELSE 1 END::text "
                    "FROM (SELECT '%s'::numeric, '%s'::numeric) t(a, b)",
                    strbuf_text(&a), strbuf_text(&b));
        write_case(&sql, true, value_int((order > 0) - (order < 0)), NULL);
    }
    strbuf_free(&a);
    strbuf_free(&b);
    strbuf_free(&sql);
}

static void round_cases(int count)
{
    struct strbuf a = {0};
    struct strbuf sql = {0};
    for (int i = 0; i < count; i++) {
        struct value answer;
        struct error err;
        int digits = below(20) ? below(40) - 20 : below(40000) - 20000;
        random_numeric(&a);
        strbuf_clear(&sql);
        strbuf_addf(&sql, "SELECT round('%s'::numeric, %d)::text", strbuf_text(&a), digits);
        bool answered = number_round(&arena, parsed(numeric_from_text, &a), digits, &answer, &err);
        write_case(&sql, answered, answer, &err);
    }
    strbuf_free(&a);
    strbuf_free(&sql);
}

/* A numeric's own text, and as an int by truncating, and as a float8. */
static void cast_cases(int count)
{
    static const char *const types[] = {"", "trunc", "float8"};
    struct strbuf a = {0};
    struct strbuf sql = {0};
    for (int i = 0; i < count; i++) {
        struct value answer;
        struct error err;
        bool answered = true;
        random_numeric(&a);
        struct value x = parsed(numeric_from_text, &a);
        strbuf_clear(&sql);
        strbuf_addf(&sql, "SELECT %s('%s'::numeric)::text", types[i % 3], strbuf_text(&a));
        if (i % 3 == 0) {
            answer = x;
        } else if (i % 3 == 1) {
            answered = int_from_number(&arena, x, &answer, &err);
            answer = answered ? answer : x; /* the server keeps what has no int */
            answered = true;
        } else {
            answered = number_arith(&arena, ARITH_ADD, x, value_float(0), &answer, &err);
        }
        write_case(&sql, answered, answer, &err);
    }
    strbuf_free(&a);
    strbuf_free(&sql);
}

static void float_text_cases(int count)
{
    struct strbuf sql = {0};
    for (int i = 0; i < count; i++) {
        double real = random_double();
        strbuf_clear(&sql);
        strbuf_adds(&sql, "SELECT (");
        add_double(&sql, real);
        if (i % 4 == 0) {
            struct value answer;
            struct error err;
            strbuf_adds(&sql, ")::numeric::text");
            bool answered = numeric_from_number(&arena, value_float(real), &answer, &err);
            write_case(&sql, answered, answer, &err);
        } else {
            strbuf_adds(&sql, ")::text");
            write_case(&sql, true, value_float(real), NULL);
        }
    }
    strbuf_free(&sql);
}

static void write_float_round(double real)
{
    struct strbuf sql = {0};
    struct value answer;
    struct error err;
    strbuf_adds(&sql, "SELECT round(");
    add_double(&sql, real);
    strbuf_adds(&sql, ")::text");
    bool answered = number_round(&arena, value_float(real), 0, &answer, &err);
    write_case(&sql, answered, answer, &err);
    strbuf_free(&sql);
}

static void float_arith_cases(int count)
{
    struct strbuf sql = {0};
    for (int i = 0; i < count; i++) {
        struct value answer;
        struct error err;
        double a = random_double();
        double b = below(10) ? random_double() : 0.0;
        write_float_round((double)below(1000) / 4 - 100);
        strbuf_clear(&sql);
        strbuf_adds(&sql, "SELECT (");
        add_double(&sql, a);
        strbuf_addc(&sql, "+-*/"[i % 4]);
        add_double(&sql, b);
        strbuf_adds(&sql, ")::text");
        bool answered = number_arith(&arena, numeric_operations[i % 4].op, value_float(a),
                                     value_float(b), &answer, &err);
        write_case(&sql, answered, answer, &err);
    }
    strbuf_free(&sql);
}

/* What may and what may not be written as a number. */
static const char *const inputs[] = {
    "",
    " ",
    "1",
    " 1.50 ",
    "+1",
    "-1",
    "--1",
    "+-1",
    ".5",
    "5.",
    ".",
    "-.5e1",
    "1e5",
    "1E+5",
    "1e-5",
    "1e",
    "e5",
    "1e+",
    "1.5.2",
    "1 2",
    "1,5",
    "0x10",
    "1_000",
    "nan",
    "NAN",
    "+NaN",
    "-NaN",
    "inf",
    "-INF",
    "+Infinity",
    "Infinit",
    "infinityx",
    "NaN ",
    "1e131071",
    "1e131072",
    "9.5e131071",
    "1e-16383",
    "1e-16384",
    "0e-16384",
    "0e200000",
    "0e-5",
    "-0",
    "-0.00",
    "00012.30",
    "1e99999999999",
    "1e-99999999999",
    "12abc",
    "1e5.5",
    "1.e5",
    "0.1e-16382",
    "000000000000000000000000000000000000001.5e-3",
    "1e2147483647",
    "1.7976931348623159e308",
    "4.9e-324",
    "2e-324",
    "1e400",
    "\\",
};

static void input_cases(void)
{
    struct strbuf sql = {0};
    struct value answer;
    struct error err;
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        strbuf_clear(&sql);
        strbuf_addf(&sql, "SELECT '%s'::numeric::text", inputs[i]);
        bool answered = numeric_from_text(&arena, inputs[i], strlen(inputs[i]), &answer, &err);
        write_case(&sql, answered, answer, &err);
        if (inputs[i][0] != '0' || inputs[i][1] != 'x') { /* C's hexadecimal floats are not ours */
            strbuf_clear(&sql);
            strbuf_addf(&sql, "SELECT '%s'::float8::text", inputs[i]);
            answered = float_from_text(inputs[i], strlen(inputs[i]), &answer, &err);
            write_case(&sql, answered, answer, &err);
        }
    }
    strbuf_free(&sql);
}

static const char before[] =
    "\\set ON_ERROR_STOP 1\n"
    "CREATE TEMP TABLE cases (sql text, ours text);\n"
    "CREATE FUNCTION pg_temp.answer(sql text) RETURNS text LANGUAGE plpgsql AS $$\n"
    "DECLARE r text; BEGIN EXECUTE sql INTO r; RETURN r;\n"
    "EXCEPTION WHEN data_exception THEN RETURN SQLSTATE; END $$;\n"
    "COPY cases FROM stdin;\n";
static const char after[] = "\\.\n"
                            "SELECT sql, ours, pg_temp.answer(sql) AS server FROM cases\n"
                            " WHERE pg_temp.answer(sql) IS DISTINCT FROM ours LIMIT 20;\n"
                            "SELECT count(*) FROM cases;\n";

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 1000;
    if (argc > 2) {
        seed = strtoull(argv[2], NULL, 10);
    }
    (void)fputs(before, stdout);
    input_cases();
    numeric_cases(count * 4);
    int_cases(count);
    modulo_cases(count);
    compare_cases(count);
    round_cases(count);
    cast_cases(count);
    float_text_cases(count * 4);
    float_arith_cases(count);
    (void)fputs(after, stdout);
    arena_free(&arena);
    return ferror(stdout) ? 1 : 0;
}
