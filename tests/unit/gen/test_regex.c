/* from_regex: drawn texts match by the C library's regexec, and are simple if possible; unsupported
 * patterns are refused with the place. */
#include "gen/draw.h"
#include "support/drawing.h"

#include <locale.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

#define I(x) value_int(x)

enum { DRAWS = 150 };

static struct value regex(const char *pattern)
{
    return strategy("from_regex", "", text(pattern), NULL);
}
static struct value whole(const char *pattern)
{
    return strategy("from_regex", "", text(pattern), "fullmatch", value_bool(true), NULL);
}

/* Patterns that mean the same in POSIX's extended syntax. */
static const char *const patterns[] = {
    "abc",
    "^abc$",
    "^[a-z]{3}$",
    "^[A-Z]{2}-[0-9]+$",
    "^(a|b|cd)*$",
    "^(ab?|c{2,3})+x$",
    "^[^a-y0-9]{2,}$",
    "^[]a-]+$",
    "^[[:alpha:]_][[:alnum:]_]*$",
    "^[[:space:]]*[[:punct:]]$",
    "^.{4}$",
    "^\\.\\*\\$\\\\$",
    "^(((a)))(b|(c|d)e)?f$",
    "x+y|^z$|[0-9]{3}$",
    "^$",
    "a{0}b",
    "^[äöü]{2}ß?$",
    "^[+-]?([0-9]+|[0-9]*\\.[0-9]+)$",
    "^[a-z0-9.]+@[a-z]+\\.(com|org)$",
    "^(|a|ab)(|c)$",
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

static bool matches(const char *pattern, const char *drawn)
{
    regex_t compiled;
    assert_int_equal(regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB), 0);
    bool found = regexec(&compiled, drawn, 0, NULL, 0) == 0;
    regfree(&compiled);
    return found;
}

static void what_is_drawn_matches(void **state)
{
    (void)state;
    assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
    for (size_t p = 0; p < PATTERNS; p++) {
        struct drawer *drawer = test_drawer(p + 1);
        for (int i = 0; i < DRAWS; i++) {
            const char *drawn = draw_ok(drawer, regex(patterns[p])).as.string->data;
            if (!matches(patterns[p], drawn)) {
                fail_msg("%s does not match %s", drawn, patterns[p]);
            }
        }
        /* also without a random source, whatever a filter asks for */
        drawer = replay_drawer(NULL);
        for (unsigned again = 1; again < 50; again++) {
            struct value drawn;
            struct error err;
            drawer_begin_again(drawer, again);
            assert_int_equal(strategy_draw(drawer, regex(patterns[p]), 1, &drawn, &err), DRAW_OK);
            assert_true(matches(patterns[p], drawn.as.string->data));
        }
    }
}

/* Exactly the matching texts can be inverted; regexec decides. */
static void what_matches_can_be_inverted(void **state)
{
    (void)state;
    assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
    struct value tries =
        strategy("text", "alphabet", text("abcdefxyz09-_.@+] \\*$"), "max_size", I(5), NULL);
    struct drawer *drawer = test_drawer(3);
    unsigned inverted_count = 0;
    for (size_t p = 0; p < PATTERNS; p++) {
        for (int i = 0; i < DRAWS; i++) {
            struct value wanted = draw_ok(drawer, tries);
            struct inverted inverted;
            struct error err;
            struct drawer *inverting = replay_drawer(NULL);
            drawer_begin(inverting);
            enum draw_result result =
                strategy_invert(inverting, regex(patterns[p]), 1, wanted, &inverted, &err);
            bool expected = matches(patterns[p], wanted.as.string->data);
            if ((result == DRAW_OK) != expected) {
                fail_msg("%s in %s", repr(wanted), patterns[p]);
            }
            inverted_count += expected;
            if (expected) {
                assert_false(inverted.on_trust);
                assert_true(value_equal(
                    draw_ok(replay_drawer(inverting->record), regex(patterns[p])), wanted));
            }
        }
    }
    assert_true(inverted_count > 50);
}

static void assert_simplest(struct value strategy, const char *expected)
{
    assert_repr(draw_ok(replay_drawer(NULL), strategy), expected);
}

static void the_simplest_is_short_and_of_simple_characters(void **state)
{
    (void)state;
    assert_simplest(regex("abc"), "\"abc\"");
    assert_simplest(regex("^[a-z]{3,5}$"), "\"aaa\"");
    assert_simplest(regex("^\\w+$"), "\"0\"");
    assert_simplest(regex("^[^0-9a-y]$"), "\"z\"");
    assert_simplest(regex("^(long|no|yes)$"), "\"no\"");
    assert_simplest(regex("^(aaaa|b{2}c?)*$"), "\"\"");
    assert_simplest(regex("^\\S@\\S\\.\\D$"), "\"0@0.a\"");
    assert_simplest(regex("(?i)^HELLO$"), "\"hello\"");
    assert_simplest(whole("x*y"), "\"y\"");
    assert_simplest(regex("^\\x41\\u00e4\\U0001F600\\t$"), "\"A\u00e4\U0001f600\\t\"");
    assert_simplest(regex("^(?:a)(?P<name>b)c*?$"), "\"ab\"");
    assert_simplest(regex("\\Aa\\Z"), "\"a\"");
}

static void texts_around_a_match_vary(void **state)
{
    (void)state;
    struct drawer *drawer = test_drawer(5);
    unsigned before = 0;
    unsigned behind = 0;
    unsigned bare = 0;
    for (int i = 0; i < 400; i++) {
        const struct string *drawn = draw_ok(drawer, regex("mid")).as.string;
        const char *at = strstr(drawn->data, "mid");
        assert_non_null(at);
        before += at != drawn->data;
        behind += strlen(at) != 3;
        bare += drawn->size == 3;
        assert_string_equal(draw_ok(drawer, whole("mid")).as.string->data, "mid");
        assert_int_equal(strncmp(draw_ok(drawer, regex("^mid")).as.string->data, "mid", 3), 0);
    }
    assert_true(before > 80 && behind > 80 && bare > 40);
}

static void long_and_short_repetitions_are_drawn(void **state)
{
    (void)state;
    struct drawer *drawer = test_drawer(6);
    drawer->memory = NULL;
    unsigned of_length[4] = {0};
    bool seen[26] = {false};
    unsigned letters = 0;
    for (int i = 0; i < 1000; i++) {
        const struct string *drawn = draw_ok(drawer, regex("^[a-z]{1,4}$")).as.string;
        of_length[drawn->size - 1]++;
        letters += !seen[drawn->data[0] - 'a'];
        seen[drawn->data[0] - 'a'] = true;
    }
    assert_int_equal(letters, 26);
    for (size_t i = 0; i < 4; i++) {
        assert_true(of_length[i] > 60);
    }
}

static void literals_of_the_schema_come_where_they_match(void **state)
{
    (void)state;
    struct value strings[] = {text("zebra7"), text("no match")};
    struct draw_pool pool = {NULL, 0, strings, 2};
    struct drawer *drawer = test_drawer(7);
    drawer->pool = &pool;
    unsigned hits = 0;
    for (int i = 0; i < 400; i++) {
        const struct string *drawn = draw_ok(drawer, regex("^[a-z]+[0-9]$")).as.string;
        hits += strcmp(drawn->data, "zebra7") == 0;
        assert_null(strchr(drawn->data, ' '));
    }
    assert_true(hits >= 8);
}

static void an_item_taken_out_of_the_replay_shortens_the_text(void **state)
{
    (void)state;
    struct drawer *inverting = replay_drawer(NULL);
    struct inverted inverted;
    struct error err;
    drawer_begin(inverting);
    assert_int_equal(
        strategy_invert(inverting, regex("^(ab|cde)*$"), 1, text("abcdeab"), &inverted, &err),
        DRAW_OK);
    struct choices *choices = inverting->record;
    size_t items = 0;
    for (size_t i = 0; i < choices->spans.count; i++) {
        struct choice_span span = choices->spans.items[i];
        if (span.kind == SPAN_ITEM && ++items == 2) {
            choices_remove(choices, span.start, span.end - span.start);
            break;
        }
    }
    assert_repr(draw_ok(replay_drawer(choices), regex("^(ab|cde)*$")), "\"abab\"");
}

static const struct {
    const char *pattern, *message;
} refused[] = {
    {"a(b", "character 2: the ) of this ( is missing"},
    {"a)b", "character 2: this ) closes nothing"},
    {"ä[b", "character 2: the ] of this [ is missing"},
    {"a**", "character 3: a quantifier can't follow another one"},
    {"*a", "character 1: there is nothing to repeat before this"},
    {"a{3,2}", "character 2: the least number is above the greatest"},
    {"a{2", "character 2: the } of this { is missing"},
    {"a{256}", "character 3: at most 255 repetitions, as in PostgreSQL"},
    {"a{,3}", "character 2: {,n} means something else in PostgreSQL; write {0,n}"},
    {"a\\", "character 2: a backslash at the end"},
    {"a\\b", "character 2: this escape is not supported"},
    {"(a)\\1", "character 4: references back to a group are not supported"},
    {"(?=a)", "character 1: looking ahead and behind is not supported"},
    {"a(?i)b", "character 2: this kind of group is not supported; (?i) may stand at the beginning"},
    {"[z-a]", "character 2: a range must go from one character to a later one"},
    {"[[:foo:]]", "character 2: there is no such class of characters"},
    {"a^b", "character 2: ^ is supported at the beginning only"},
    {"a$b", "character 2: $ is supported at the end only"},
    {"q(^x)?", "character 3: ^ is supported at the beginning only"},
    {"^*", "character 2: ^ and $ can't be repeated"},
    {"\\x4", "character 3: hexadecimal digits are missing here"},
    {"\\ud800", "character 3: there is no such character"},
    {"[^\\x01-\\U0010FFFF]", "character 1: no character matches this"},
};

static void what_is_not_supported_is_refused_with_its_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const struct error *err = strategy_error("from_regex", "", text(refused[i].pattern), NULL);
        char expected[200];
        (void)snprintf(expected, sizeof expected, "from_regex() pattern: %s", refused[i].message);
        assert_string_equal(err->message, expected);
    }
    assert_string_equal(strategy_error("from_regex", "", I(1), NULL)->message,
                        "from_regex() regex must be a string, not int");
}

static void repetitions_of_repetitions_end(void **state)
{
    (void)state;
    struct value out;
    struct error err = {0};
    struct drawer *drawer = test_drawer(8);
    drawer_begin(drawer);
    enum draw_result result =
        strategy_draw(drawer, regex("(((a{255}){255}){255}){255}"), 1, &out, &err);
    assert_int_equal(result, DRAW_ERROR);
    assert_int_equal(err.code, ERROR_LIMIT);
    /* what takes too long to be told is taken as it is */
    struct inverted inverted;
    drawer = replay_drawer(NULL);
    drawer_begin(drawer);
    struct value winding = text("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab");
    assert_int_equal(strategy_invert(drawer, regex("^(a*)*(a|aa)*c$"), 1, winding, &inverted, &err),
                     DRAW_OK);
    assert_true(inverted.on_trust);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(what_is_drawn_matches, drawing_clear),
        cmocka_unit_test_teardown(what_matches_can_be_inverted, drawing_clear),
        cmocka_unit_test_teardown(the_simplest_is_short_and_of_simple_characters, drawing_clear),
        cmocka_unit_test_teardown(texts_around_a_match_vary, drawing_clear),
        cmocka_unit_test_teardown(long_and_short_repetitions_are_drawn, drawing_clear),
        cmocka_unit_test_teardown(literals_of_the_schema_come_where_they_match, drawing_clear),
        cmocka_unit_test_teardown(an_item_taken_out_of_the_replay_shortens_the_text, drawing_clear),
        cmocka_unit_test_teardown(what_is_not_supported_is_refused_with_its_place, drawing_clear),
        cmocka_unit_test_teardown(repetitions_of_repetitions_end, drawing_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
