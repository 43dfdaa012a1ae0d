/* What differs by nature: how the first database, compared with itself, makes places looser. */
#include "sides.h"

#include "gen/rng.h"

#include <string.h>

static const struct asked in_order = {.place = "rule a", .ordered = true};
static const struct asked as_bag = {.place = "rule a"};

/* All that is not strict: "rule a id paired; rule a (order) free". */
static const char *natures_text(struct both *both)
{
    static const char *const names[] = {"exact", "equal", "made", "paired", "free"};
    struct natural_place *all = NULL;
    size_t count = natures_list(both->sides.natures, &both->arena, &all);
    struct strbuf out = {0};
    for (size_t i = 0; i < count; i++) {
        strbuf_addf(&out, "%s%s %s %s", i == 0 ? "" : "; ", all[i].place,
                    all[i].column == NULL ? "order" : all[i].column, names[all[i].nature]);
    }
    return strbuf_take(&out, &both->arena);
}

struct learning {
    const struct asked *asked;
    const char *before;
    const char *after;
    const char *natures;
};

static const struct learning learnings[] = {
    {&as_bag, "id uuid = [[\"@1\"]]", "id uuid = [[\"@2\"]]", ""},
    {&as_bag, "t text = [[\"4f2a9c\"]]", "t text = [[\"b1d07e\"]]", "rule a t paired"},
    {&as_bag, "t text = [[\"4f2a9c\"]]", "t text = [[null]]", "rule a t free"},
    {&as_bag, "t text = [[\"4f2a9c\"], [\"4f2a9d\"]]", "t text = [[\"b1d07e\"], [\"b1d07e\"]]",
     "rule a t free"},
    {&as_bag, "id int4, x float8 = [[1, 0.25], [2, 0.5]]",
     "id int4, x float8 = [[2, 0.125], [1, 0.75]]", "rule a x paired"},
    {&in_order, "id int4 = [[1], [2]]", "id int4 = [[2], [1]]", "rule a order free"},
    {&as_bag, "id int4 = [[1], [2]]", "id int4 = [[2]]", "rule a (rows) free"},
    {&as_bag, "3", "4", "rule a (count) free"},
    {&as_bag, "3", "23505 a_key a", "rule a (error) free"},
    {&as_bag, "notify [[\"c\", \"4f2a9c\"]]", "notify [[\"c\", \"b1d07e\"]]",
     "notifications of rule a payload paired"},
};

static void learns_what_differs_by_nature(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof learnings / sizeof *learnings; i++) {
        const struct learning *at = &learnings[i];
        struct both both;
        both_open(&both);
        both.sides.purpose = LEARNS;
        assert_string_equal(compared(&both, at->asked, at->before, at->after), "agree");
        assert_string_equal(natures_text(&both), at->natures);
        both.sides.purpose = COMPARES;
        assert_string_equal(compared(&both, at->asked, at->before, at->after), "agree");
        both_close(&both);
    }
}

static void columns_can_not_become_looser(void **state)
{
    (void)state;
    struct both both;
    both_open(&both);
    both.sides.purpose = LEARNS;
    assert_string_equal(compared(&both, &as_bag, "a int4 = [[1]]", "b int4 = [[1]]"),
                        "column: column a, no column a");
    assert_string_equal(natures_text(&both), "rule a (all) free");
    both_close(&both);
}

/* Rows that the schemas begin with have the times at which each was loaded: one time of the first
 * may be two of the second. */
static void schemas_are_loaded_at_times_of_their_own(void **state)
{
    (void)state;
    struct both both;
    struct loaded loaded[2] = {{0}};
    static const char before[] = "id int4, at timestamptz = [[1, \"1999-12-31 23:00:01\"], "
                                 "[2, \"1999-12-31 23:00:01\"], [3, \"1990-01-01 00:00:00\"]]";
    static const char after[] = "id int4, at timestamptz = [[1, \"1999-12-31 23:30:01\"], "
                                "[2, \"1999-12-31 23:30:07\"], [3, \"1990-01-01 00:00:00\"]]";
    static const struct {
        enum comparing_purpose purpose;
        const struct asked *asked;
        const char *before, *after, *found;
    } steps[] = {
        {MEETS, &as_bag, before, after, "agree"},
        {COMPARES, &as_bag, before, after, "agree"},
        {COMPARES, &in_order, "t text = [[\"at 1999-12-31T23:00:01!\"]]",
         "t text = [[\"at 1999-12-31T23:30:04!\"]]", "agree"},
        {COMPARES, &in_order, "at timestamptz = [[\"1990-01-01 00:00:00\"]]",
         "at timestamptz = [[\"1990-01-01 00:00:01\"]]",
         "rows: 1 row, 1 row; ~1(*\"1990-01-01 00:00:00\")(*\"1990-01-01 00:00:01\")"},
        {COMPARES, &in_order, "at timestamptz = [[\"1999-12-31 23:00:01\"]]",
         "at timestamptz = [[\"1999-12-31 23:30:08\"]]",
         "rows: 1 row, 1 row; ~1(*\"1999-12-31 23:00:01\")(*\"1999-12-31 23:30:08\")"},
    };
    both_open(&both);
    both.sides.loaded = loaded;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        both.sides.purpose = steps[i].purpose;
        assert_string_equal(compared(&both, steps[i].asked, steps[i].before, steps[i].after),
                            steps[i].found);
    }
    both_close(&both);
}

static void tokens_stand_for_each_other(void **state)
{
    (void)state;
    struct both both;
    both_open(&both);
    (void)natures_loosen(both.sides.natures, "rule a", "t");
    const struct asked other = {.place = "rule b"};
    static const struct {
        bool other; /* a place that is strict */
        const char *before;
        const char *after;
        const char *found;
    } steps[] = {
        {false, "t text = [[\"4f2a9cde\"]]", "t text = [[\"b1d07e00\"]]", "agree"},
        {true, "t text = [[\"4f2a9cde\"]]", "t text = [[\"b1d07e00\"]]", "agree"},
        {true, "t text = [[\"see /4f2a9cde/\"]]", "t text = [[\"see /b1d07e00/\"]]", "agree"},
        {true, "t text = [[\"see /4f2a9cde/\"], [\"x\"]]",
         "t text = [[\"x\"], [\"see /b1d07e00/\"]]", "agree"},
        {false, "t text = [[\"4f2a9cde\"]]", "t text = [[\"b1d07e01\"]]",
         "rows: 1 row, 1 row; ~(*\"4f2a9cde\")(*\"b1d07e01\")"},
        {true, "t text = [[\"5f2a9cde\"]]", "t text = [[\"c1d07e01\"]]",
         "rows: 1 row, 1 row; ~(*\"5f2a9cde\")(*\"c1d07e01\")"},
        {false, "t text = [[\"same of both\"]]", "t text = [[\"same of both\"]]", "agree"},
        {false, "t text = [[\"same of both\"]]", "t text = [[\"c1d07e01\"]]",
         "rows: 1 row, 1 row; ~(*\"same of both\")(*\"c1d07e01\")"},
        {false, "t text = [[\"ab\"]]", "t text = [[\"cd\"]]", "agree"},
        {false, "t text = [[\"ab\"]]", "t text = [[\"ef\"]]", "agree"},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const char *found =
            compared(&both, steps[i].other ? &other : &as_bag, steps[i].before, steps[i].after);
        assert_string_equal(found, steps[i].found);
    }
    both_close(&both);
}

static void times_are_as_far_from_their_beginning(void **state)
{
    (void)state;
    struct both both;
    both_open(&both);
    both.sides.epoch_before = INT64_C(631152000000000); /* 2020-01-01 */
    both.sides.epoch_after = both.sides.epoch_before + INT64_C(86400500000);
    static const char *const steps[][3] = {
        {"t timestamptz = [[\"2020-01-01 00:00:01+00\"]]",
         "t timestamptz = [[\"2020-01-02 00:00:01.5+00\"]]", "agree"},
        {"t timestamptz = [[\"1999-05-05 00:00:01+00\"]]",
         "t timestamptz = [[\"1999-05-05 00:00:01+00\"]]", "agree"},
        {"t date, n int4 = [[\"2020-01-31\", 1], [\"1999-01-01\", 2]]",
         "t date, n int4 = [[\"1999-01-01\", 2], [\"2020-02-01\", 1]]", "agree"},
        {"t tstzrange, j jsonb = [[\"[\\\"2020-01-01 00:00:01+00\\\",)\", [\"at "
         "2020-01-01T00:00:00.25+00:00\"]]]",
         "t tstzrange, j jsonb = [[\"[\\\"2020-01-02 00:00:01.5+00\\\",)\", [\"at "
         "2020-01-02T00:00:00.75+00:00\"]]]",
         "agree"},
        {"t date = [[\"2020-01-01\"]]", "t date = [[\"2020-01-03\"]]",
         "rows: 1 row, 1 row; ~(*\"2020-01-01\")(*\"2020-01-03\")"},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        assert_string_equal(compared(&both, &as_bag, steps[i][0], steps[i][1]), steps[i][2]);
        assert_string_equal(compared(&both, &in_order, steps[i][0], steps[i][0]), "agree");
    }
    both_close(&both);
}

/* Two readings of a clock may be equal on one side alone. */
static void numbers_of_a_clock_make_no_pairs(void **state)
{
    (void)state;
    struct both both;
    both_open(&both);
    both.sides.epoch_before = INT64_C(631152000000000); /* 2020-01-01 */
    both.sides.epoch_after = both.sides.epoch_before + INT64_C(500000);
    (void)natures_loosen(both.sides.natures, "rule a", "t");
    static const char *const steps[][3] = {
        {"t int8 = [[1577836800100]]", "t int8 = [[1577836800600]]", "agree"},
        {"t int8 = [[1577836800100]]", "t int8 = [[1577836800601]]", "agree"},
        {"t int8 = [[1577836800100], [1577836800100]]",
         "t int8 = [[1577836800600], [1577836800601]]", "agree"},
        {"t int8 = [[1577736800100]]", "t int8 = [[1577736800600]]", "agree"},
        {"t int8 = [[1577736800100]]", "t int8 = [[1577736800601]]",
         "rows: 1 row, 1 row; ~(*1577736800100)(*1577736800601)"},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        assert_string_equal(compared(&both, &as_bag, steps[i][0], steps[i][1]), steps[i][2]);
    }
    both_close(&both);
}

static void times_of_other_transactions_are_pairs(void **state)
{
    (void)state;
    struct both both;
    both_open(&both);
    both.sides.epoch_before = INT64_C(631152000000000); /* 2020-01-01 */
    both.sides.epoch_after = both.sides.epoch_before + 500000;
    static const char before[] = "id int4, t timestamptz = [[1, \"2020-01-01 00:00:00.25+00\"], "
                                 "[2, \"2020-01-01 00:00:01+00\"]]";
    static const char after[] = "id int4, t timestamptz = [[2, \"2020-01-01 00:00:01.5+00\"], "
                                "[1, \"2020-01-01 00:00:00.75+00\"]]";
    assert_string_equal(compared(&both, &as_bag, before, after), "agree");
    both.sides.epoch_before += 3000000;
    both.sides.epoch_after += 3100000;
    assert_string_equal(compared(&both, &as_bag, before, after), "agree");
    assert_string_equal(compared(&both, &in_order, "j jsonb = [[[\"2020-01-01T00:00:01+00:00\"]]]",
                                 "j jsonb = [[[\"2020-01-01T00:00:02.5+00:00\"]]]"),
                        "rows: 1 row, 1 row; ~1(*[\"2020-01-01T00:00:01+00:00\"])"
                        "(*[\"2020-01-01T00:00:02.5+00:00\"])");
    assert_string_equal(compared(&both, &as_bag,
                                 "j jsonb = [[[\"2020-01-01T00:00:01+00:00\"]], [[]]]",
                                 "j jsonb = [[[]], [[\"2020-01-01T00:00:01.5+00:00\"]]]"),
                        "agree");
    assert_string_equal(compared(&both, &in_order, "j jsonb = [[[\"2020-01-01T00:00:01+00:00\"]]]",
                                 "j jsonb = [[[\"2020-01-01T00:00:01.5+00:00\"]]]"),
                        "agree");
    assert_string_equal(compared(&both, &in_order, "t text = [[\"at 2020-01-01 00:00:01+00\"]]",
                                 "t text = [[\"at 2020-01-01 00:00:01.5+00\"]]"),
                        "agree");
    both_close(&both);
}

static void no_more_than_200_places(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct natures *natures = natures_new();
    struct natural_place *all = NULL;
    for (int i = 0; i < 300; i++) {
        bool looser = natures_loosen(natures, "rule a", arena_printf(&arena, "c%03d", i * 7 % 300));
        assert_int_equal(looser, i < 200);
        assert_int_equal(natures_full(natures), i >= 200);
    }
    assert_int_equal(natures_list(natures, &arena, &all), 200);
    for (size_t i = 1; i < 200; i++) {
        assert_true(strcmp(all[i - 1].column, all[i].column) < 0);
    }
    assert_true(natures_loosen(natures, "rule a", all[0].column));
    assert_false(natures_loosen(natures, "rule a", all[0].column));
    natures_free(natures);
    arena_free(&arena);
}

static void a_constraint_of_both_has_no_other_name(void **state)
{
    (void)state;
    struct both both;
    both_open(&both);
    assert_true(natures_rename(both.sides.natures, "a", "b_key", "b_key"));
    assert_string_equal(compared(&both, &as_bag, "23505 a_key a", "23505 b_key a"),
                        "error: unique_violation (23505) a_key, unique_violation (23505) b_key");
    assert_string_equal(compared(&both, &as_bag, "23505 a_key a", "23505 c_key a"), "agree");
    struct natural_rename *renames = NULL;
    assert_int_equal(natures_renames(both.sides.natures, &both.arena, &renames), 1);
    assert_string_equal(renames[0].after, "c_key");
    both_close(&both);
}

/* An answer in which all that a function may make is drawn: an id, a token, a number, how many rows
 * there are, and their order. */
static const char *drawn_answer(struct both *both, struct rng *rng, bool counts)
{
    struct strbuf out = {0};
    strbuf_adds(&out, "id uuid, token text, n int4, kept text = [");
    size_t rows = counts ? rng_below(rng, 6) : 4;
    size_t first = rng_below(rng, 4);
    for (size_t i = 0; i < rows; i++) {
        strbuf_addf(&out, "%s[\"@%llu\", \"t%012llx\", %d, \"kept %zu\"]", i == 0 ? "" : ", ",
                    (unsigned long long)(rng_next(rng) >> 20),
                    (unsigned long long)(rng_next(rng) >> 16), (int)rng_below(rng, 9),
                    counts ? i : (i + first) % 4);
    }
    strbuf_adds(&out, "]");
    return strbuf_take(&out, &both->arena);
}

/* What one run has learned is forgotten before another one; what was known before it, and what the
 * schemas have, is not. */
static void forgets_what_was_learned(void **state)
{
    struct both both;
    struct natural_rename *renames;
    (void)state;
    both_open(&both);
    struct natures *natures = both.sides.natures;
    assert_true(natures_rename(natures, "b", "e_key", "f_key"));
    assert_true(natures_loosen(natures, "rule b", "n"));
    natures_keep(natures);
    assert_true(natures_rename(natures, "a", "b_key", "b_key"));
    assert_true(natures_rename(natures, "a", "c_key", "d_key"));
    assert_true(natures_loosen(natures, "rule a", "n"));
    assert_true(natures_loosen(natures, "rule b", "n"));
    size_t changes = natures_changes(natures);
    natures_forget(natures);
    assert_int_equal(natures_of(natures, "rule a", "n"), NATURE_EQUAL);
    assert_int_equal(natures_of(natures, "rule b", "n"), NATURE_PAIRED);
    assert_int_equal(natures_changes(natures), changes);
    assert_int_equal(natures_renames(natures, &both.arena, &renames), 1);
    assert_string_equal(renames[0].before, "e_key");
    assert_false(natures_rename(natures, "a", "b_key", "d_key"));
    assert_true(natures_rename(natures, "a", "c_key", "e_key"));
    assert_true(natures_loosen(natures, "rule a", "n"));
    both_close(&both);
}

static void what_was_learned_agrees(void **state)
{
    (void)state;
    enum { SEEDS = 30, LEARNED = 30, ANSWERS = 60 };
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct both both;
        struct rng rng;
        both_open(&both);
        rng_seed(&rng, seed, 1);
        bool counts = seed % 3 == 0;
        for (size_t i = 0; i < LEARNED + ANSWERS; i++) {
            both.sides.purpose = i < LEARNED ? LEARNS : COMPARES;
            const char *found =
                compared(&both, seed % 2 == 0 ? &as_bag : &in_order,
                         drawn_answer(&both, &rng, counts), drawn_answer(&both, &rng, counts));
            if (strcmp(found, "agree") != 0) {
                fail_msg("seed %d, answer %zu: %s", (int)seed, i, found);
            }
        }
        if (!counts) {
            assert_string_equal(natures_text(&both),
                                seed % 2 == 0
                                    ? "rule a n paired; rule a token paired"
                                    : "rule a order free; rule a n paired; rule a token paired");
        }
        both_close(&both);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learns_what_differs_by_nature),
        cmocka_unit_test(schemas_are_loaded_at_times_of_their_own),
        cmocka_unit_test(columns_can_not_become_looser),
        cmocka_unit_test(tokens_stand_for_each_other),
        cmocka_unit_test(times_are_as_far_from_their_beginning),
        cmocka_unit_test(numbers_of_a_clock_make_no_pairs),
        cmocka_unit_test(times_of_other_transactions_are_pairs),
        cmocka_unit_test(what_was_learned_agrees),
        cmocka_unit_test(no_more_than_200_places),
        cmocka_unit_test(a_constraint_of_both_has_no_other_name),
        cmocka_unit_test(forgets_what_was_learned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
