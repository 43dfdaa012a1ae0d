/* Bodies of functions with stops. The expected texts were written by hand, from PL/pgSQL's manual:
 * what takes a snapshot of its own has a stop before it, but for the first. */
#include "sql/stops.h"

#include "base/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const names[] = {"f", "pg_advisory_lock"};

struct sample {
    const char *body;
    const char *with; /* <IF 3>: a stop before line 3; "": the text stays */
};

/* The text with short forms of the stops. */
static const char *shorten(const char *text, struct arena *arena)
{
    static const char *const forms[][3] = {
        {"IF (CASE WHEN w THEN s(", ") END) THEN END IF; ", "<IF "},
        {"ELSIF (CASE WHEN w THEN s(", ") END) THEN ", "<ELSIF "},
        {"WHEN (CASE WHEN w THEN s(", ") END) THEN ", "<WHEN "},
        {"SELECT (CASE WHEN w THEN s(", ") END); ", "<SELECT "},
        {"pg_catalog.bool := (CASE WHEN w THEN s(", ") END); ", "<bool "},
    };
    struct strbuf out = {0};
    while (*text) {
        size_t form = 0;
        size_t head = 0;
        for (; form < sizeof forms / sizeof *forms; form++) {
            head = strlen(forms[form][0]);
            if (strncmp(text, forms[form][0], head) == 0) {
                break;
            }
        }
        if (form == sizeof forms / sizeof *forms) {
            strbuf_addc(&out, *text++);
            continue;
        }
        size_t digits = strspn(text + head, "0123456789");
        assert_memory_equal(text + head + digits, forms[form][1], strlen(forms[form][1]));
        strbuf_adds(&out, forms[form][2]);
        strbuf_add(&out, text + head, digits);
        strbuf_adds(&out, ">");
        text += head + digits + strlen(forms[form][1]);
    }
    return strbuf_take(&out, arena);
}

static void check(enum stops_language language, bool first, const struct sample *samples,
                  size_t count)
{
    const struct stops stops = {.language = language,
                                .call = "s(",
                                .when = "w",
                                .first = first,
                                .names = names,
                                .name_count = sizeof names / sizeof *names};
    for (size_t i = 0; i < count; i++) {
        struct arena arena = {0};
        const char *with = stops_add(&stops, samples[i].body, &arena);
        assert_string_equal(with ? shorten(with, &arena) : "", samples[i].with);
        arena_free(&arena);
    }
}

static void test_plpgsql(void **state)
{
    static const struct sample samples[] = {
        {"BEGIN\nSELECT n INTO a FROM t;\nSELECT n INTO b FROM t;\nEND",
         "BEGIN\nSELECT n INTO a FROM t;\n<IF 3>SELECT n INTO b FROM t;\nEND"},
        {"BEGIN a := 1; RETURN a; END", ""},
        /* expressions without a query, and what sets or reads FOUND */
        {"BEGIN DELETE FROM t; GET DIAGNOSTICS n = ROW_COUNT; IF NOT FOUND THEN n := lower(n); END "
         "IF; RETURN n; END",
         ""},
        {"BEGIN DELETE FROM t; IF EXISTS (SELECT FROM t) THEN NULL; END IF; END",
         "BEGIN DELETE FROM t; <IF 1>IF EXISTS (SELECT FROM t) THEN NULL; END IF; END"},
        {"BEGIN DELETE FROM t; n := n IS DISTINCT FROM 2; n := count(*) FROM t; END",
         "BEGIN DELETE FROM t; n := n IS DISTINCT FROM 2; <IF 1>n := count(*) FROM t; END"},
        {"BEGIN PERFORM pg_advisory_lock(1); x[1].y := F (2); PERFORM g(3); SELECT 1 INTO x; END",
         "BEGIN PERFORM pg_advisory_lock(1); <IF 1>x[1].y := F (2); PERFORM g(3); SELECT 1 INTO x; "
         "END"},
        /* further conditions */
        {"BEGIN IF f(1) THEN NULL; ELSIF a THEN NULL;\nELSIF f(2) THEN NULL; ELSE x := f(3); END "
         "IF; END",
         "BEGIN IF f(1) THEN NULL; ELSIF a THEN NULL;\n<ELSIF 2>ELSIF f(2) THEN NULL; ELSE <IF 2>x "
         ":= f(3); END IF; END"},
        {"BEGIN CASE WHEN f(1) THEN NULL; WHEN f(2) THEN NULL; ELSE NULL; END CASE; END",
         "BEGIN CASE WHEN f(1) THEN NULL; <WHEN 1>WHEN f(2) THEN NULL; ELSE NULL; END CASE; END"},
        {"BEGIN CASE f(1) WHEN f(2) THEN NULL; WHEN f(3) THEN NULL; END CASE; END", ""},
        /* loops: each statement comes after another one */
        {"BEGIN LOOP INSERT INTO t VALUES (1); EXIT WHEN f(1); END LOOP; END",
         "BEGIN LOOP <IF 1>INSERT INTO t VALUES (1); <IF 1>EXIT WHEN f(1); END LOOP; END"},
        {"BEGIN WHILE f(1) LOOP n := 1; END LOOP; END",
         "BEGIN WHILE f(1) LOOP n := 1; <IF 1>END LOOP; END"},
        {"BEGIN WHILE n < 1 LOOP n := 1; END LOOP; END", ""},
        {"BEGIN DELETE FROM t; <<outer>> FOR r IN c LOOP EXIT outer; END LOOP outer; END",
         "BEGIN DELETE FROM t; <IF 1><<outer>> FOR r IN c LOOP EXIT outer; END LOOP outer; END"},
        {"BEGIN DELETE FROM t; FOR i IN 1..2 LOOP n := i; END LOOP; FOREACH i IN ARRAY a LOOP "
         "NULL; "
         "END LOOP; END",
         ""},
        /* declarations */
        {"DECLARE a int := f(1); b int := 2; c CURSOR FOR SELECT 1; d int := (SELECT n FROM t); "
         "BEGIN RETURN QUERY TABLE t; END;",
         "DECLARE a int := f(1); b int := 2; c CURSOR FOR SELECT 1; \"pgfsm 1\" <bool 1>d int := "
         "(SELECT n FROM t); BEGIN <IF 1>RETURN QUERY TABLE t; END;"},
        /* handlers, nested blocks, options, comments, strings */
        {"#variable_conflict use_column\n<<b>> BEGIN INSERT INTO t VALUES (';'); /* ; */ EXCEPTION "
         "WHEN unique_violation OR others THEN BEGIN UPDATE t SET n = 1; END; END b",
         "#variable_conflict use_column\n<<b>> BEGIN INSERT INTO t VALUES (';'); /* ; */ EXCEPTION "
         "WHEN unique_violation OR others THEN BEGIN <IF 2>UPDATE t SET n = 1; END; END b"},
        /* transactions: LOCK takes no snapshot, SET must come before one */
        {"BEGIN LOCK t; LOCK u; DELETE FROM t; LOCK u; COMMIT; LOCK t; END",
         "BEGIN LOCK t; LOCK u; <IF 1>DELETE FROM t; <IF 1>LOCK u; COMMIT; LOCK t; END"},
        {"BEGIN DELETE FROM t; COMMIT; SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; DELETE FROM "
         "t; "
         "END",
         "BEGIN DELETE FROM t; COMMIT; SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; <IF 1>DELETE "
         "FROM t; END"},
        /* not understood */
        {"BEGIN DELETE FROM t; DELETE FROM t", ""},
        {"BEGIN DELETE FROM t; DELETE FROM t; x := 'a; END", ""},
        {"BEGIN DELETE FROM t; DELETE FROM t; END LOOP; END", ""},
        {"", ""},
    };
    (void)state;
    check(STOPS_PLPGSQL, false, samples, sizeof samples / sizeof *samples);
}

static void test_trigger(void **state)
{
    static const struct sample samples[] = {
        {"BEGIN new.n := 1; IF f(new.n) THEN RETURN new; END IF; RETURN old; END",
         "BEGIN new.n := 1; <IF 1>IF f(new.n) THEN RETURN new; END IF; RETURN old; END"},
    };
    (void)state;
    check(STOPS_PLPGSQL, true, samples, sizeof samples / sizeof *samples);
}

static void test_sql(void **state)
{
    static const struct sample samples[] = {
        {"SELECT n FROM t", ""},
        {"SELECT ';', (1); -- ;\nINSERT INTO t VALUES (1);\n;UPDATE t SET n = CASE WHEN a THEN 1 "
         "END",
         "SELECT ';', (1); -- ;\n<SELECT 2>INSERT INTO t VALUES (1);\n;<SELECT 3>UPDATE t SET n = "
         "CASE WHEN a THEN 1 END"},
    };
    (void)state;
    check(STOPS_SQL, false, samples, sizeof samples / sizeof *samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plpgsql),
        cmocka_unit_test(test_trigger),
        cmocka_unit_test(test_sql),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
