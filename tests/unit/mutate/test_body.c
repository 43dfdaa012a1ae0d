/* The edits of bodies, as their resulting texts: every operator, and places that only look right.
 */
#include "base/names.h"
#include "base/strbuf.h"
#include "mutate/body.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;

/* Names that can be mistaken for others in the samples, which no other sample has. */
static const char others[] =
    "members.owner_id user_id\nmembers.user_id owner_id\n"
    "members.since since\nteams.since until\nteams.until since\n"
    "new.owner_id user_id\n.from_account to_account\n.to_account from_account";

static int clear(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static struct body_edits edits_of(enum body_kind kind, const char *text)
{
    struct body_edits edits = {0};
    body_edits(kind, text, strlen(text), others, &arena, &edits);
    return edits;
}

/* "operator: text" for each edit, on a line each; `only`: of that operator. */
static const char *shown(enum body_kind kind, const char *text, const char *only)
{
    struct body_edits edits = edits_of(kind, text);
    struct strbuf out = {0};
    size_t last = 0;
    for (size_t i = 0; i < edits.items.count; i++) {
        const struct body_edit *edit = &edits.items.items[i];
        assert_true(last <= edit->start && edit->start <= edit->end && edit->end <= strlen(text));
        last = edit->start;
        if (!only || strcmp(only, edit->op->name) == 0) {
            strbuf_addf(&out, "%s: %s\n", edit->op->name,
                        body_edited(text, strlen(text), edit, &arena));
        }
    }
    return strbuf_take(&out, &arena);
}

struct sample {
    const char *text;
    const char *expected;
};

static void check(enum body_kind kind, const char *only, const struct sample *samples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(shown(kind, samples[i].text, only), samples[i].expected);
    }
}
#define CHECK(kind, only, samples) check(kind, only, samples, sizeof(samples) / sizeof *(samples))

static void comparisons(void **state)
{
    static const struct sample samples[] = {
        {"a<b", "move-comparison: a<=b\n"},
        {"a <= b", "move-comparison: a < b\n"},
        {"a > b", "move-comparison: a >= b\n"},
        {"a >= b", "move-comparison: a > b\n"},
        {"a = b", "move-comparison: a <> b\n"},
        {"a <> b", "move-comparison: a = b\n"},
        {"a != b", "move-comparison: a = b\n"},
        {"a=-b", "move-comparison: a<>-b\n"},
        {"a = ANY (b)", "move-comparison: a <> ANY (b)\nswap-quantifier: a = ALL (b)\n"},
        {"a IS DISTINCT FROM b", "forget-null: a <> b\n"
                                 "move-comparison: a IS NOT DISTINCT FROM b\n"},
        {"a is not distinct from b", "forget-null: a = b\n"
                                     "move-comparison: a is distinct from b\n"},
        /* other operators */
        {"a <@ b", ""},
        {"a << b", ""},
        {"a ->> 'x'", "change-string: a ->> ''\n"},
        {"a ~ '='", "change-string: a ~ ''\n"},
        {"a OPERATOR(pg_catalog.=) b", ""},
        {"f(a => b, c := d)", ""},
        /* comments, strings, names */
        {"a /* = b */ -- < c", ""},
        {"$x$ = $x$ || E'\\'=' || \"a = b\"", ""},
    };
    (void)state;
    CHECK(BODY_EXPRESSION, NULL, samples);
}

static void logic(void **state)
{
    static const struct sample samples[] = {
        {"a AND b", "drop-conjunct: b\n"
                    "drop-conjunct: a\n"
                    "swap-and-or: a OR b\n"},
        {"a or b", "drop-disjunct: b\n"
                   "drop-disjunct: a\n"
                   "swap-and-or: a and b\n"},
        {"((a) AND (b))", "drop-conjunct: ((b))\n"
                          "drop-conjunct: ((a))\n"
                          "swap-and-or: ((a) OR (b))\n"},
        {"a AND NOT (b OR c)", "drop-conjunct: NOT (b OR c)\n"
                               "drop-conjunct: a\n"
                               "swap-and-or: a OR NOT (b OR c)\n"
                               "drop-not: a AND (b OR c)\n"
                               "drop-disjunct: a AND NOT (c)\n"
                               "drop-disjunct: a AND NOT (b)\n"
                               "swap-and-or: a AND NOT (b AND c)\n"},
        {"a -- first\n  AND b", "drop-conjunct: b\n"
                                "swap-and-or: a -- first\n  OR b\n"
                                "drop-conjunct: a -- first\n  \n"},
        {"a BETWEEN b AND c", "add-not: a NOT BETWEEN b AND c\n"},
        {"a BETWEEN b AND c AND d", "drop-conjunct: d\n"
                                    "add-not: a NOT BETWEEN b AND c AND d\n"
                                    "drop-conjunct: a BETWEEN b AND c\n"
                                    "swap-and-or: a BETWEEN b AND c OR d\n"},
        {"a IS DISTINCT FROM b AND c", "drop-conjunct: c\n"
                                       "forget-null: a <> b AND c\n"
                                       "move-comparison: a IS NOT DISTINCT FROM b AND c\n"
                                       "drop-conjunct: a IS DISTINCT FROM b\n"
                                       "swap-and-or: a IS DISTINCT FROM b OR c\n"},
        {"f(a, b AND c)", "drop-conjunct: f(a, c)\n"
                          "drop-conjunct: f(a, b)\n"
                          "swap-and-or: f(a, b OR c)\n"},
        {"a <> ALL (b) AND left(c, d)", "drop-conjunct: left(c, d)\n"
                                        "move-comparison: a = ALL (b) AND left(c, d)\n"
                                        "swap-quantifier: a <> ANY (b) AND left(c, d)\n"
                                        "drop-conjunct: a <> ALL (b)\n"
                                        "swap-and-or: a <> ALL (b) OR left(c, d)\n"},
        {"NOT EXISTS (TABLE a)", "drop-not: EXISTS (TABLE a)\n"},
        {"a NOT IN (b)", "drop-not: a IN (b)\n"},
        {"a IN (b, c)", "add-not: a NOT IN (b, c)\n"
                        "drop-item: a IN (c)\n"
                        "drop-item: a IN (b)\n"},
        {"a = ANY (ARRAY['b'::text, f(c, d)])",
         "move-comparison: a <> ANY (ARRAY['b'::text, f(c, d)])\n"
         "swap-quantifier: a = ALL (ARRAY['b'::text, f(c, d)])\n"
         "drop-item: a = ANY (ARRAY[f(c, d)])\n"
         "drop-item: a = ANY (ARRAY['b'::text])\n"},
        {"(a, b) IN (SELECT c, d)", "add-not: (a, b) NOT IN (SELECT c, d)\n"
                                    "first-row: (a, b) IN (SELECT c, d LIMIT 1)\n"},
        {"a IN (b)", "add-not: a NOT IN (b)\n"},
        {"a IS NULL", "flip-null-test: a IS NOT NULL\n"},
        {"(a is not null)", "flip-null-test: (a is null)\n"},
        {"a IS NOT TRUE", "drop-not: a IS TRUE\n"
                          "flip-boolean: a IS NOT FALSE\n"},
        {"false", "flip-boolean: true\n"},
        {"CASE WHEN a THEN b END", "condition-true: CASE WHEN true THEN b END\n"
                                   "condition-false: CASE WHEN false THEN b END\n"},
        {"CASE a WHEN b THEN c END", ""},
    };
    (void)state;
    CHECK(BODY_EXPRESSION, NULL, samples);
}

static void numbers(void **state)
{
    static const struct sample samples[] = {
        {"5", "move-number: 4\nmove-number: 6\n"},
        {"0", "move-number: (-1)\nmove-number: 1\n"},
        {"1.50", "move-number: 0.50\nmove-number: 2.50\n"},
        {"0.5", "move-number: 1.5\n"},
        {"a[1]", "move-number: a[0]\nmove-number: a[2]\n"},
        {"'-1'::integer", "move-number: '-2'::integer\nmove-number: '0'::integer\n"},
        {"'0'::numeric", "move-number: '-1'::numeric\nmove-number: '1'::numeric\n"},
        /* type modifiers and bounds */
        {"a::numeric(10,2)", ""},
        {"a::character varying(20)[3]", ""},
        {"a::public.point(3)", ""},
        {"CAST(a AS numeric(10, 2))", ""},
        {"CAST(a AS vector(3))", ""},
        {"timestamp(3) 'now'", ""},
        {"count(1)", ""},
        /* of other kinds, and parts of words */
        {"$1", ""},
        {"1e3", ""},
        {"0x1F + 1_000", "swap-arithmetic: 0x1F - 1_000\n"},
        {"a1", ""},
        {"'1'", "change-string: ''\n"},
        {"12345678901234567890", ""},
    };
    (void)state;
    CHECK(BODY_EXPRESSION, NULL, samples);
}

static void values(void **state)
{
    static const struct sample samples[] = {
        {"coalesce(a, b)", "drop-coalesce: a\n"},
        {"coalesce(f(a), b, c)", "drop-coalesce: (f(a))\n"},
        {"coalesce(a)", ""},
        {"nullif(a, b)", "drop-nullif: a\n"},
        {"nullif(f(a), b)", "drop-nullif: (f(a))\n"},
        {"min(a)", "swap-extremes: max(a)\n"},
        {"MAX(a)", "swap-extremes: MIN(a)\n"},
        {"least(a, b)", "swap-extremes: greatest(a, b)\n"},
        {"min", ""},
        {"my.min(a)", ""},
        {"a + b", "swap-arithmetic: a - b\n"},
        {"-a", "swap-arithmetic: +a\n"},
        {"a * b", "swap-arithmetic: a + b\n"},
        {"a.b * (c)", "swap-arithmetic: a.b + (c)\n"},
        {"a * interval '1 day'", ""},
        {"a +- b", ""}, /* a -- b: a comment */
        {"count(*)", ""},
        {"f(a.*)", ""},
        {"count(DISTINCT a)", "drop-distinct: count(a)\n"},
        {"array_agg(a ORDER BY b, c DESC)", "reverse-order: array_agg(a ORDER BY b DESC, c DESC)\n"
                                            "reverse-order: array_agg(a ORDER BY b, c ASC)\n"},
    };
    (void)state;
    CHECK(BODY_EXPRESSION, NULL, samples);
}

static void strings(void **state)
{
    static const struct sample samples[] = {
        {"'new'::text", "change-string: ''::text\n"},
        {"a || ''", "change-string: a || 'x'\n"},
        {"coalesce(a, 'b')", "drop-coalesce: a\n"
                             "change-string: coalesce(a, '')\n"},
        /* another one of the text, of the same kind: what an enum takes */
        {"f(a <@ 'b', 'c')", "change-string: f(a <@ 'c', 'c')\n"
                             "change-string: f(a <@ 'b', 'b')\n"},
        {"f(a <@ 'b', 'b', 'c d')", "change-string: f(a <@ '', 'b', 'c d')\n"
                                    "change-string: f(a <@ 'b', '', 'c d')\n"
                                    "change-string: f(a <@ 'b', 'b', '')\n"},
        {"CASE a WHEN 'b' THEN 'c' END", "change-string: CASE a WHEN 'c' THEN 'c' END\n"
                                         "change-string: CASE a WHEN 'b' THEN 'b' END\n"},
        /* more than strings */
        {"a || '{}'::jsonb || '1'::text::jsonb", ""},
        {"interval '1 day' || pg_catalog.date 'today' || \"date\" 'today'", ""},
        {"a AT TIME ZONE 'UTC'", ""},
        /* names, lists and other kinds of constants */
        {"nextval('a') || f.g('a')", ""},
        {"ARRAY['a'] || ('b' || E'c' || $$d$$)",
         "change-string: ARRAY['a'] || ('' || E'c' || $$d$$)\n"},
    };
    (void)state;
    CHECK(BODY_EXPRESSION, NULL, samples);
}

static void queries(void **state)
{
    static const struct sample samples[] = {
        {"SELECT DISTINCT a", "drop-distinct: SELECT a\n"},
        {"SELECT DISTINCT ON (a, b) c", "drop-distinct: SELECT c\n"},
        {"SELECT a UNION DISTINCT SELECT b", ""},
        {"SELECT a ORDER BY b USING >", ""},
        {"SELECT * FROM a WHERE b", "condition-true: SELECT * FROM a WHERE true\n"},
        {"SELECT FROM a WHERE (b) GROUP BY 1, 2 HAVING c",
         "condition-true: SELECT FROM a WHERE true GROUP BY 1, 2 HAVING c\n"
         "condition-true: SELECT FROM a WHERE (b) GROUP BY 1, 2 HAVING true\n"},
        {"SELECT FROM a JOIN b ON c", "swap-join: SELECT FROM a LEFT JOIN b ON c\n"
                                      "condition-true: SELECT FROM a JOIN b ON true\n"},
        {"select from a left outer join b using (c)",
         "swap-join: select from a join b using (c)\n"},
        {"SELECT FROM a INNER JOIN b USING (c)",
         "swap-join: SELECT FROM a LEFT JOIN b USING (c)\n"},
        {"SELECT FROM a CROSS JOIN b NATURAL JOIN c RIGHT JOIN d USING (e)", ""},
        {"SELECT a AND b AS c FROM d", "drop-conjunct: SELECT b AS c FROM d\n"
                                       "drop-conjunct: SELECT a AS c FROM d\n"
                                       "swap-and-or: SELECT a OR b AS c FROM d\n"},
        {"SELECT a ORDER BY 1, b NULLS FIRST LIMIT 0",
         "reverse-order: SELECT a ORDER BY 1 DESC, b NULLS FIRST LIMIT 0\n"
         "reverse-order: SELECT a ORDER BY 1, b DESC NULLS FIRST LIMIT 0\n"
         "move-number: SELECT a ORDER BY 1, b NULLS FIRST LIMIT 1\n"},
        {"SELECT a FROM b FOR NO KEY UPDATE OF b SKIP LOCKED",
         "drop-lock: SELECT a FROM b\n"
         "drop-skip-locked: SELECT a FROM b FOR NO KEY UPDATE OF b\n"},
        {"SELECT a FROM b FOR SHARE", "drop-lock: SELECT a FROM b\n"},
        {"SELECT a FROM substring(b FOR c)", ""},
        {"SELECT EXISTS (SELECT 1 FROM a)", "add-not: SELECT NOT EXISTS (SELECT 1 FROM a)\n"},
        {"UPDATE a SET b = c, (d, e) = (f, g) WHERE CURRENT OF h",
         "drop-assignment: UPDATE a SET (d, e) = (f, g) WHERE CURRENT OF h\n"
         "drop-assignment: UPDATE a SET b = c WHERE CURRENT OF h\n"},
        {"INSERT INTO a VALUES (b) ON CONFLICT (c) DO UPDATE SET d = (SELECT e, f), g = h",
         "drop-conflict: INSERT INTO a VALUES (b)\n"
         "conflict-nothing: INSERT INTO a VALUES (b) ON CONFLICT (c) DO NOTHING\n"
         "drop-assignment: INSERT INTO a VALUES (b) ON CONFLICT (c) DO UPDATE SET g = h\n"
         "drop-assignment: INSERT INTO a VALUES (b) ON CONFLICT (c) DO UPDATE SET d = (SELECT e, "
         "f)\n"},
        {"WITH a AS (UPDATE b SET c = d) SELECT e, f", ""},
        {"UPDATE a SET b = c = d RETURNING e = f",
         "move-comparison: UPDATE a SET b = c <> d RETURNING e = f\n"
         "move-comparison: UPDATE a SET b = c = d RETURNING e <> f\n"},
        {"INSERT INTO a VALUES (b) ON CONFLICT (c) WHERE d > e DO UPDATE SET f = g WHERE h",
         "drop-conflict: INSERT INTO a VALUES (b)\n"
         "conflict-nothing: INSERT INTO a VALUES (b) ON CONFLICT (c) WHERE d > e DO NOTHING\n"
         "condition-true: INSERT INTO a VALUES (b) ON CONFLICT (c) WHERE d > e DO UPDATE SET f = g "
         "WHERE true\n"},
        {"MERGE INTO a USING b ON c WHEN MATCHED AND d THEN DELETE WHEN NOT MATCHED THEN DO "
         "NOTHING",
         "condition-true: MERGE INTO a USING b ON true WHEN MATCHED AND d THEN DELETE WHEN NOT "
         "MATCHED THEN DO NOTHING\n"},
        {"WITH a AS NOT MATERIALIZED (SELECT b) TABLE a", ""},
        {"SELECT a AS min, b.limit FROM c(d) AS e(f numeric(10, 2))", ""},
        {"INSERT INTO a VALUES (b);\nSELECT c;", "drop-statement: \nSELECT c;\n"},
        {"BEGIN ATOMIC\n DELETE FROM a;\n SELECT CASE b WHEN c THEN d END;\nEND",
         "drop-statement: BEGIN ATOMIC\n \n SELECT CASE b WHEN c THEN d END;\nEND\n"},
        {"RETURN (a > b)", "move-comparison: RETURN (a >= b)\n"},
        /* not understood, or no query */
        {"SELECT (a = b", ""},
        {"SELECT a = 'b", ""},
        {"CREATE TABLE a (b int CHECK (b > 0))", ""},
        {"", ""},
    };
    (void)state;
    CHECK(BODY_QUERY, NULL, samples);
}

static void statements(void **state)
{
    static const struct sample samples[] = {
        {"BEGIN a := b; END", "drop-statement: BEGIN NULL; END\n"},
        {"BEGIN a.b[1] = c; END;", "drop-statement: BEGIN NULL; END;\n"},
        {"BEGIN INSERT INTO a VALUES (b); PERFORM c(); END",
         "drop-statement: BEGIN NULL; PERFORM c(); END\n"
         "drop-statement: BEGIN INSERT INTO a VALUES (b); NULL; END\n"},
        /* a function must end in RETURN, and a loop must end */
        {"BEGIN IF a THEN RETURN b; END IF; RETURN c; END",
         "drop-statement: BEGIN IF a THEN NULL; END IF; RETURN c; END\n"},
        {"BEGIN IF a THEN RETURN b; ELSE RETURN c; END IF; END", ""},
        {"BEGIN RETURN a; EXCEPTION WHEN b OR c THEN RETURN d; END", ""},
        {"BEGIN IF a THEN RETURN; END IF; END", ""},
        {"BEGIN FOR a IN b LOOP RETURN; END LOOP; END",
         "drop-statement: BEGIN FOR a IN b LOOP NULL; END LOOP; END\n"},
        {"BEGIN RETURN NEXT; RETURN QUERY TABLE a; RETURN; END",
         "drop-statement: BEGIN NULL; RETURN QUERY TABLE a; RETURN; END\n"
         "drop-statement: BEGIN RETURN NEXT; NULL; RETURN; END\n"},
        {"BEGIN LOOP EXIT; END LOOP; FOR a IN b..c LOOP EXIT; END LOOP; END",
         "drop-statement: BEGIN LOOP EXIT; END LOOP; FOR a IN b..c LOOP NULL; END LOOP; END\n"},
        {"BEGIN RAISE NOTICE 'a'; RAISE 'b' USING ERRCODE = 'c'; NULL; END",
         "drop-statement: BEGIN RAISE NOTICE 'a'; NULL; NULL; END\n"},
        {"BEGIN EXECUTE format('SELECT %s = 1', a) USING b; END",
         "drop-statement: BEGIN NULL; END\n"},
    };
    (void)state;
    CHECK(BODY_PLPGSQL, "drop-statement", samples);
}

static void conditions(void **state)
{
    static const struct sample of_true[] = {
        {"BEGIN IF a THEN NULL; ELSIF b THEN NULL; END IF; END",
         "condition-true: BEGIN IF true THEN NULL; ELSIF b THEN NULL; END IF; END\n"
         "condition-true: BEGIN IF a THEN NULL; ELSIF true THEN NULL; END IF; END\n"},
        {"BEGIN WHILE a LOOP CONTINUE WHEN b; END LOOP; END",
         "condition-true: BEGIN WHILE a LOOP CONTINUE WHEN true; END LOOP; END\n"},
        {"BEGIN IF true THEN NULL; END IF; END", ""},
    };
    static const struct sample of_false[] = {
        {"BEGIN WHILE a LOOP EXIT WHEN b; END LOOP; END",
         "condition-false: BEGIN WHILE false LOOP EXIT WHEN b; END LOOP; END\n"
         "condition-false: BEGIN WHILE a LOOP EXIT WHEN false; END LOOP; END\n"},
        {"BEGIN LOOP EXIT WHEN b; END LOOP; END", ""},
        {"BEGIN CASE WHEN a THEN NULL; END CASE; CASE b WHEN c THEN NULL; END CASE; END",
         "condition-false: BEGIN CASE WHEN false THEN NULL; END CASE; CASE b WHEN c THEN NULL; END "
         "CASE; END\n"},
    };
    (void)state;
    CHECK(BODY_PLPGSQL, "condition-true", of_true);
    CHECK(BODY_PLPGSQL, "condition-false", of_false);
}

/* Texts in which nothing but what is expected may be edited. */
static void in_plpgsql(void **state)
{
    static const struct sample samples[] = {
        {"#variable_conflict use_column\n"
         "<<outermost>>\n"
         "DECLARE\n"
         "    a numeric(10, 2) = b > c;\n"
         "    \"d\" varchar(20) DEFAULT e;\n"
         "    f CONSTANT text := g;\n"
         "    h ALIAS FOR $1;\n"
         "BEGIN NULL; END outermost",
         "move-comparison: #variable_conflict use_column\n"
         "<<outermost>>\n"
         "DECLARE\n"
         "    a numeric(10, 2) = b >= c;\n"
         "    \"d\" varchar(20) DEFAULT e;\n"
         "    f CONSTANT text := g;\n"
         "    h ALIAS FOR $1;\n"
         "BEGIN NULL; END outermost\n"},
        {"DECLARE a CURSOR (b int) FOR TABLE c; d int; BEGIN NULL; END", ""},
        {"BEGIN BEGIN NULL; EXCEPTION WHEN SQLSTATE '00001' OR others THEN NULL; END; END",
         "drop-handler: BEGIN BEGIN NULL; EXCEPTION WHEN assert_failure THEN NULL; END; END\n"},
        {"BEGIN FOR a IN REVERSE 1..b LOOP NULL; END LOOP; END",
         "move-number: BEGIN FOR a IN REVERSE 0..b LOOP NULL; END LOOP; END\n"
         "move-number: BEGIN FOR a IN REVERSE 2..b LOOP NULL; END LOOP; END\n"},
        {"BEGIN PERFORM FROM a WHERE b = c ORDER BY d FOR UPDATE; e(); END",
         "drop-lock: BEGIN NULL; e(); END\n"
         "drop-statement: BEGIN PERFORM FROM a WHERE b = c ORDER BY d FOR UPDATE; NULL; END\n"},
        {"BEGIN PERFORM a(b) FROM c FOR UPDATE; END",
         "drop-statement: BEGIN NULL; END\n"
         "drop-lock: BEGIN PERFORM a(b) FROM c; END\n"},
        {"BEGIN SELECT a INTO b FROM c LIMIT 1; END", "drop-statement: BEGIN NULL; END\n"},
        {"BEGIN SELECT a INTO STRICT b FROM c LIMIT 1; END",
         "drop-statement: BEGIN NULL; END\n"
         "move-number: BEGIN SELECT a INTO STRICT b FROM c LIMIT 0; END\n"
         "move-number: BEGIN SELECT a INTO STRICT b FROM c LIMIT 2; END\n"},
        {"BEGIN PERFORM FROM a FOR SHARE; IF FOUND THEN NULL; END IF; END",
         "drop-statement: BEGIN NULL; IF FOUND THEN NULL; END IF; END\n"
         "drop-lock: BEGIN PERFORM FROM a; IF FOUND THEN NULL; END IF; END\n"
         "condition-true: BEGIN PERFORM FROM a FOR SHARE; IF true THEN NULL; END IF; END\n"
         "condition-false: BEGIN PERFORM FROM a FOR SHARE; IF false THEN NULL; END IF; END\n"},
        {"BEGIN FOR a, b IN EXECUTE 'c' || 1 LOOP NULL; END LOOP; END", ""},
        {"BEGIN FOREACH a SLICE 1 IN ARRAY b LOOP NULL; END LOOP; END", ""},
        {"BEGIN IF a IS NULL THEN RETURN CASE b WHEN c THEN d END; END IF; END",
         "condition-true: BEGIN IF true THEN RETURN CASE b WHEN c THEN d END; END IF; END\n"
         "condition-false: BEGIN IF false THEN RETURN CASE b WHEN c THEN d END; END IF; END\n"
         "flip-null-test: BEGIN IF a IS NOT NULL THEN RETURN CASE b WHEN c THEN d END; END IF; "
         "END\n"},
        /* not understood */
        {"BEGIN a := b = c;", ""},
        {"BEGIN a := b = c; END LOOP; END IF;", ""},
        {"BEGIN a := (b = c; END", ""},
        {"BEGIN IF a = b END IF; END", ""},
        {"BEGIN a := 'b; END", ""},
        {"END", ""},
    };
    (void)state;
    CHECK(BODY_PLPGSQL, NULL, samples);
}

/* See `others` above. */
static void names(void **state)
{
    static const struct sample expressions[] = {
        {"user_id = f()", "other-column: owner_id = f()\n"},
        {"Members.User_Id = f()", "other-column: Members.owner_id = f()\n"},
        {"new.owner_id = f()", "other-column: new.user_id = f()\n"},
        {"EXISTS (SELECT owner_id FROM members AS m WHERE m.user_id > teams.until)",
         "other-column: EXISTS (SELECT owner_id FROM members AS m WHERE m.owner_id > teams.until)\n"
         "other-column: EXISTS (SELECT owner_id FROM members AS m WHERE m.user_id > "
         "teams.since)\n"},
        {"team IN (SELECT user_id FROM members)",
         "other-column: team IN (SELECT owner_id FROM members)\n"},
        /* of two tables, of one that nobody knows, no other one of its type, no column */
        {"since > f()", ""},
        {"x.user_id = f()", ""},
        {"old.owner_id = f()", ""},
        {"members.since > f()", ""},
        {"user_id() = owner_id.x", ""},
        {"\"user_id\" = f()", ""},
        {"a::user_id", ""},
    };
    static const struct sample statements[] = {
        {"UPDATE accounts SET until = from_account",
         "other-parameter: UPDATE accounts SET until = to_account\n"},
        {"INSERT INTO members (user_id) VALUES (from_account) ON CONFLICT (user_id) DO NOTHING",
         "other-parameter: INSERT INTO members (user_id) VALUES (to_account) ON CONFLICT (user_id) "
         "DO "
         "NOTHING\n"},
        {"INSERT INTO a.members (user_id) SELECT owner_id FROM members JOIN b USING (user_id)",
         "other-column: INSERT INTO a.members (user_id) SELECT user_id FROM members JOIN b USING "
         "(user_id)\n"},
        {"SELECT f(user_id => 1) AS user_id, count(x) FROM members", ""},
        {"SELECT user_id, count(x) FROM members WHERE owner_id > 7 GROUP BY user_id",
         "other-column: SELECT user_id, count(x) FROM members WHERE user_id > 7 GROUP BY "
         "user_id\n"},
        {"SELECT DISTINCT ON (user_id) owner_id FROM members ORDER BY user_id", ""},
        {"WITH a AS (DELETE FROM members RETURNING user_id) TABLE a",
         "other-column: WITH a AS (DELETE FROM members RETURNING owner_id AS user_id) TABLE a\n"},
        {"SELECT a FROM (SELECT user_id FROM members) AS b",
         "other-column: SELECT a FROM (SELECT owner_id AS user_id FROM members) AS b\n"},
    };
    static const struct sample views[] = {
        {" SELECT user_id, f(owner_id) AS f FROM members",
         "other-column:  SELECT owner_id AS user_id, f(owner_id) AS f FROM members\n"
         "other-column:  SELECT user_id, f(user_id) AS f FROM members\n"},
    };
    (void)state;
    CHECK(BODY_EXPRESSION, "other-column", expressions);
    check(BODY_QUERY, "other-column", statements + 2, 6);
    check(BODY_QUERY, "other-parameter", statements, 2);
    CHECK(BODY_VIEW, "other-column", views);
}

/* What looks like a word of queries and belongs to something else. */
static void further_words(void **state)
{
    static const struct sample samples[] = {
        {"SELECT a WHERE b NOT LIKE c", "condition-true: SELECT a WHERE true\n"
                                        "drop-not: SELECT a WHERE b LIKE c\n"},
        {"SELECT position(a IN (b))", ""},
        {"SELECT f() OVER (ORDER BY a ROWS BETWEEN b AND c)",
         "reverse-order: SELECT f() OVER (ORDER BY a DESC ROWS BETWEEN b AND c)\n"},
        {"SELECT a UNION SELECT b", "swap-union: SELECT a UNION ALL SELECT b\n"},
        {"SELECT a UNION ALL SELECT b", "swap-union: SELECT a UNION SELECT b\n"},
        {"SELECT a EXCEPT ALL SELECT b", "swap-union: SELECT a INTERSECT ALL SELECT b\n"},
        {"WITH RECURSIVE a AS (SELECT b UNION SELECT c FROM a) TABLE a", ""},
        {"SELECT every(a)", "swap-extremes: SELECT bool_or(a)\n"},
        {"SELECT all (a)", ""},
        {"WITH a AS (INSERT INTO b VALUES (c) ON CONFLICT DO NOTHING RETURNING d) TABLE a",
         "drop-conflict: WITH a AS (INSERT INTO b VALUES (c) RETURNING d) TABLE a\n"},
        {"WITH a AS (INSERT INTO b VALUES (c) ON CONFLICT ON CONSTRAINT d DO UPDATE SET e = f) "
         "TABLE a",
         "drop-conflict: WITH a AS (INSERT INTO b VALUES (c)) TABLE a\n"
         "conflict-nothing: WITH a AS (INSERT INTO b VALUES (c) ON CONFLICT ON CONSTRAINT d DO "
         "NOTHING) TABLE a\n"},
    };
    (void)state;
    CHECK(BODY_QUERY, NULL, samples);
}

/* Queries that read several rows, of which only the first may be used. */
static void rows(void **state)
{
    static const struct sample samples[] = {
        {"SELECT a FROM b; select a from b order by a for update;",
         "first-row: SELECT a FROM b; select a from b order by a for update limit 1;\n"},
        {"WITH a AS (SELECT 1 LIMIT 1) SELECT b FROM a",
         "first-row: WITH a AS (SELECT 1 LIMIT 1) SELECT b FROM a LIMIT 1\n"},
        {"SELECT max(a) FROM b GROUP BY c", "first-row: SELECT max(a) FROM b GROUP BY c LIMIT 1\n"},
        {"SELECT a WHERE b = ANY (TABLE c)",
         "first-row: SELECT a WHERE b = ANY (TABLE c LIMIT 1)\n"
         "first-row: SELECT a WHERE b = ANY (TABLE c) LIMIT 1\n"},
        /* one row, or no place for a LIMIT */
        {"SELECT max(a) FROM b", ""},
        {"SELECT a FROM b LIMIT 2", ""},
        {"SELECT a FROM b FETCH FIRST ROW ONLY", ""},
        {"DELETE FROM a RETURNING b", ""},
        {"WITH a AS (SELECT b) UPDATE c SET d = e RETURNING d", ""},
    };
    static const struct sample plpgsql[] = {
        {"BEGIN FOR a IN SELECT b LOOP c := d IN (SELECT e); END LOOP; END",
         "first-row: BEGIN FOR a IN SELECT b LIMIT 1 LOOP c := d IN (SELECT e); END LOOP; END\n"
         "first-row: BEGIN FOR a IN SELECT b LOOP c := d IN (SELECT e LIMIT 1); END LOOP; END\n"},
        {"BEGIN RETURN NEXT; RETURN QUERY TABLE a; END",
         "first-row: BEGIN RETURN NEXT; RETURN QUERY TABLE a LIMIT 1; END\n"},
        {"BEGIN FOR a IN b..c LOOP RETURN QUERY UPDATE a SET b = c RETURNING d; END LOOP; END", ""},
        {"BEGIN IF EXISTS (SELECT a) THEN SELECT b INTO c; END IF; END", ""},
    };
    (void)state;
    CHECK(BODY_ROWS, "first-row", samples);
    CHECK(BODY_PLPGSQL, "first-row", plpgsql);
    assert_string_equal(shown(BODY_QUERY, "SELECT a FROM b", "first-row"), "");
    assert_string_equal(shown(BODY_VIEW, "SELECT a FROM b", "first-row"), "");
}

static void operators_have_names(void **state)
{
    (void)state;
    for (const struct body_operator *op = body_operators; op->name; op++) {
        for (const struct body_operator *other = body_operators; other < op; other++) {
            assert_string_not_equal(op->name, other->name);
        }
        assert_int_equal(strspn(op->name, "abcdefghijklmnopqrstuvwxyz-"), strlen(op->name));
        assert_true(op->what[0]);
        assert_int_equal(op->concerns_others, strcmp(op->name, "drop-lock") == 0 ||
                                                  strcmp(op->name, "drop-skip-locked") == 0);
    }
}

/* Any bytes, cut anywhere, are read; only valid places are edited. */
static void any_text(void **state)
{
    static const char text[] =
        "<<l>> DECLARE a int[3] := '{1}'; BEGIN FOR i IN 1..2 LOOP IF a[i] = 1 AND NOT b THEN "
        "SELECT DISTINCT coalesce(min(x), $1) INTO y FROM t LEFT JOIN u ON CASE WHEN p THEN q END "
        "WHERE z BETWEEN 1 AND 2 ORDER BY 1, x FOR UPDATE SKIP LOCKED; END IF; EXIT WHEN y; END "
        "LOOP; RETURN QUERY UPDATE t SET a = b WHERE c IS NOT NULL; END";
    (void)state;
    for (size_t start = 0; start < sizeof text; start++) {
        for (size_t end = start; end < sizeof text; end += 1 + (end - start) / 16) {
            for (int kind = 0; kind < BODY_KINDS; kind++) {
                struct body_edits edits = {0};
                char *part = arena_memdup(&arena, text + start, end - start);
                body_edits((enum body_kind)kind, part, end - start, others, &arena, &edits);
                for (size_t i = 0; i < edits.items.count; i++) {
                    assert_true(edits.items.items[i].start <= edits.items.items[i].end);
                    assert_true(edits.items.items[i].end <= end - start);
                }
            }
            arena_reset(&arena);
        }
    }
}

static void deep(void **state)
{
    enum { DEPTH = 100000 };
    struct strbuf text = {0};
    (void)state;
    strbuf_fill(&text, '(', DEPTH);
    strbuf_adds(&text, "a = b");
    strbuf_fill(&text, ')', DEPTH);
    struct body_edits edits = {0};
    body_edits(BODY_EXPRESSION, text.data, text.size, "", &arena, &edits);
    assert_int_equal(edits.items.count, 1);
    assert_int_equal(edits.items.items[0].start, DEPTH + 2);
    strbuf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(comparisons, clear),
        cmocka_unit_test_teardown(logic, clear),
        cmocka_unit_test_teardown(numbers, clear),
        cmocka_unit_test_teardown(values, clear),
        cmocka_unit_test_teardown(strings, clear),
        cmocka_unit_test_teardown(queries, clear),
        cmocka_unit_test_teardown(statements, clear),
        cmocka_unit_test_teardown(conditions, clear),
        cmocka_unit_test_teardown(in_plpgsql, clear),
        cmocka_unit_test_teardown(names, clear),
        cmocka_unit_test_teardown(further_words, clear),
        cmocka_unit_test_teardown(rows, clear),
        cmocka_unit_test_teardown(operators_have_names, clear),
        cmocka_unit_test_teardown(any_text, clear),
        cmocka_unit_test_teardown(deep, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
