/* YAML as a tree, and the place of each byte. A scalar's value is from libyaml; places were counted
 * by hand. In the texts below, each character that is searched occurs once. */
#include "machine/yaml/document.h"

#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;
static struct source source;
static struct diagnostics diagnostics;

static int clear(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static const struct node *read_bytes(const char *text, size_t size)
{
    const struct node *root;
    source = (struct source){.name = "m.yaml", .text = text, .size = size};
    diagnostics = (struct diagnostics){.arena = &arena};
    bool ok = document_read(&source, 0, &arena, &root, &diagnostics);
    assert_int_equal(ok, diagnostics.errors.count == 0);
    return root;
}

static const struct node *read_text(const char *text) { return read_bytes(text, strlen(text)); }

static const struct node *first_value(const char *text)
{
    const struct node *root = read_text(text);
    assert_non_null(root);
    return root->entries.items[0].value;
}

static void test_tree(void **state)
{
    (void)state;
    const struct node *root = read_text("a: 1\nb: [x, {y: no}]\nc:\n- |\n  t\n- \n");
    assert_int_equal(root->kind, NODE_MAP);
    assert_int_equal(root->entries.count, 3);
    assert_string_equal(root->entries.items[0].key->text, "a");
    const struct node *list = root->entries.items[1].value;
    assert_int_equal(list->kind, NODE_LIST);
    assert_int_equal(list->style, STYLE_FLOW);
    assert_int_equal(list->start, 8);
    assert_int_equal(list->end, 20);
    assert_true(node_is(list->entries.items[1].value->entries.items[0].value, "no"));
    const struct node *block = root->entries.items[2].value;
    assert_int_equal(block->style, STYLE_BLOCK);
    assert_string_equal(block->entries.items[0].value->text, "t\n");
    assert_true(node_is_empty(block->entries.items[1].value));
    assert_int_equal(root->nodes, 13);
    assert_int_equal(root->height, 4);
}

static void test_empty(void **state)
{
    (void)state;
    assert_null(read_text(""));
    assert_null(read_text("# nothing\n"));
    assert_int_equal(diagnostics.errors.count, 0);
    assert_true(node_is_empty(read_text("---\n...\n")));
}

static void test_aliases(void **state)
{
    (void)state;
    const struct node *root = read_text("a: &x [1, 2]\nb: *x\nc: &x 3\nd: *x\n");
    assert_ptr_equal(root->entries.items[0].value, root->entries.items[1].value);
    assert_true(node_is(root->entries.items[3].value, "3"));
    assert_int_equal(root->nodes, 1 + 4 + 3 + 3 + 1 + 1);
    assert_int_equal(root->entries.items[0].value->start, 6);
}

/* Each a list of ten of the one before: ten to the sixth. */
static void test_many_laughs(void **state)
{
    (void)state;
    assert_null(read_text("a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
                          "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
                          "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
                          "e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\n"
                          "f: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n"));
    assert_string_equal(diagnostics.errors.items[0].message,
                        "more than 500,000 nodes, counting what aliases stand for");
}

static void test_depth(void **state)
{
    (void)state;
    size_t size = 900000;
    char *text = memset(malloc(size), '[', size);
    assert_non_null(text);
    assert_null(read_bytes(text, size));
    assert_string_equal(diagnostics.errors.items[0].message, "nested more than 200 levels deep");
    free(text);
    /* also where aliases add up */
    struct strbuf nested = {0};
    for (int i = 0; i < 4; i++) {
        strbuf_addf(&nested, "k%d: &a%d ", i, i);
        strbuf_fill(&nested, '[', 90);
        if (i) {
            strbuf_addf(&nested, "*a%d ", i - 1);
        }
        strbuf_fill(&nested, ']', 90);
        strbuf_addc(&nested, '\n');
    }
    assert_null(read_text(strbuf_text(&nested)));
    assert_string_equal(diagnostics.errors.items[0].message, "nested more than 200 levels deep");
    strbuf_free(&nested);
}

/* Many anchors, each looked up often, take no time to speak of. */
static void test_many_anchors(void **state)
{
    (void)state;
    struct strbuf text = {0};
    for (int i = 0; i < 30000; i++) {
        strbuf_addf(&text, "- &a%d x\n- *a%d\n", i, i);
    }
    assert_non_null(read_text(strbuf_text(&text)));
    strbuf_free(&text);
}

static const struct {
    const char *text;
    size_t offset;
    const char *message;
    const char *hint; /* begins so; NULL: any */
} refused[] = {
    {"a: \xff", 3, "this byte is not UTF-8", NULL},
    {"\xff\xfe"
     "a",
     0, "this byte is not UTF-8", NULL},
    {"a: \x01", 3, "this is not YAML: control characters are not allowed", "remove the character"},
    {"a: 1\n---\nb: 2\n", 5, "a second document begins here; a machine file holds one", NULL},
    {"a: *x\n", 3, "the alias *x names nothing: there is no &x before it", NULL},
    {"a: &x [*x]\n", 7, "the alias *x is inside the node that it names", NULL},
    {"a: !foo x\n", 3, "the tag !foo does not belong to text in YAML's core schema", NULL},
    {"a: !!binary x\n", 3, "the tag !!binary does not belong to text in YAML's core schema", NULL},
    {"a: !!map [1]\n", 3, "the tag !!map does not belong to a list in YAML's core schema", NULL},
    {"a: \"x\\0y\"\n", 3, "a character NUL (\\0) in a text", NULL},
    {"a: \"b\" in d\n", 7,
     "this is not YAML: did not find expected key, while parsing a block mapping",
     "a value that begins with a quote ends at the next one"},
    {"a: [1] + [2]\n", 7,
     "this is not YAML: did not find expected key, while parsing a block mapping",
     "a value that begins with a bracket ends"},
    {"a: 'it's'\n", 7, "this is not YAML: did not find expected key, while parsing a block mapping",
     "a value that begins with a quote ends"},
    {"a: d = {\"x\": 1}\n", 11, "this is not YAML: mapping values are not allowed in this context",
     "`: ` inside plain text makes the text before it a key"},
    {"a: {n: f([1])}\n", 9,
     "this is not YAML: did not find expected ',' or '}', while parsing a flow mapping",
     "inside { } and [ ] plain text ends"},
    {"a: {r: :b}\n", 7,
     "this is not YAML: did not find expected node content, while parsing a flow node",
     "inside { } and [ ] text that begins with :"},
    {"a:\n\tb: 1\n", 3,
     "this is not YAML: found character that cannot start any token, while scanning for the next "
     "token",
     "indent with spaces"},
    {"a:\n  b: x\n\tc: y\n", 10,
     "this is not YAML: found a tab character that violates indentation, while scanning a plain "
     "scalar",
     "indent with spaces"},
    {"a: @b\n", 3,
     "this is not YAML: found character that cannot start any token, while scanning for the next "
     "token",
     "text that begins with this character"},
    {"a: \"b\nc: 1\n", 3,
     "this is not YAML: this quote is not closed, while scanning a quoted scalar", NULL},
    {"a: \"\\d\"\n", 4,
     "this is not YAML: found unknown escape character, while parsing a quoted scalar",
     "between double quotes"},
    {"a: | b\n", 5,
     "this is not YAML: did not find expected comment or line break, while scanning a block scalar",
     "begin the text on the line below"},
    {"a: 1\n b: 2\n", 7, "this is not YAML: mapping values are not allowed in this context", NULL},
    {" a: 1\nb: 2\n", 6, "this is not YAML: did not find expected <document start>",
     "check the indentation"},
    {"\xc3\xa9: \xe2\x82\xac @\nx: @", 13,
     "this is not YAML: found character that cannot start any token, while scanning for the next "
     "token",
     NULL}, /* code points, not bytes */
};

static void test_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        (void)read_text(refused[i].text);
        assert_int_equal(diagnostics.errors.count, 1);
        const struct error *err = &diagnostics.errors.items[0];
        assert_string_equal(err->message, refused[i].message);
        if (err->pos.offset != refused[i].offset) {
            fail_msg("%s: at %zu", refused[i].text, err->pos.offset);
        }
        if (refused[i].hint) {
            assert_memory_equal(err->hint, refused[i].hint, strlen(refused[i].hint));
        }
    }
}

/* Aliases, tags and NULs are reported together. */
static void test_all_at_once(void **state)
{
    (void)state;
    assert_non_null(read_text("a: *x\nb: !c d\ne: *f\n"));
    assert_int_equal(diagnostics.errors.count, 3);
}

static void test_size(void **state)
{
    (void)state;
    size_t size = (16 << 20) + 1;
    char *text = memset(malloc(size), '#', size);
    assert_non_null(text);
    assert_null(read_bytes(text, size));
    assert_string_equal(diagnostics.errors.items[0].message,
                        "larger than 16 MiB, which is too much for a machine file");
    assert_null(read_bytes(text, size - 1));
    assert_int_equal(diagnostics.errors.count, 0);
    free(text);
}

/* Texts without escapes: each letter must be found at its own place. */
static const char *const mapped[] = {
    "a: bcd efg",
    "a:   bcd\n    efg\n\n\n  hij",
    "a: &x !!str bcd",
    "a: &x\n  # why\n  bcd",
    "a: !<tag:yaml.org,2002:str> bcd",
    "a: 'bcd ''e'' fg'",
    "a: 'bcd\n\n   efg\n  h'",
    "a: \"bcd \\\"e\\\" \\x66 \\u00e9 g\"",
    "a: \"bcd \\\n   efg\\\n\n  h\"",
    "a: \"bcd   \n  efg \\  h\"",
    "a: |\n  bcd\n\n   efg\n  hij\n\n\n",
    "a: |+\n  bcd\n\n\n",
    "a: |-  # why\n  bcd\n  e\n",
    "a: |2\n    bcd\n   efg\n",
    "a: |\n\n \n  bcd",
    "a: >\n  bcd\n  efg\n\n  hij\n   klm\n    nop\n  q\n  r\n",
    "a: >-\n\n  bcd\n  efg\n\n\n  hij\n",
    "a: >+1\n   bcd\n efg\n hij\n\n",
    "a: |\r\n  bcd\r\n  efg\r\n",
    "a: bcd\r\n  efg\r\n",
    "a: |\n  \xc3\xa9 b \xe2\x82\xac c \xf0\x9f\x98\x80 d\n",
    "a: |\n  b\xe2\x80\xa8  c\n  d\n",
    "a: 'b\xe2\x80\xa8  c\n  d\xc2\x85 e'\n",
    "a: |\n  b\n # out\n",
    "a:\n- b\n",
    "\xef\xbb\xbf# \n\na: bcd",
    "a: [bcd, e]",
    "a: &x {b: c}",
};

static const struct node *leaf(const struct node *node)
{
    return node->kind == NODE_LIST && node->style == STYLE_BLOCK ? node->entries.items[0].value
                                                                 : node;
}

static void test_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mapped / sizeof mapped[0]; i++) {
        const struct node *node = leaf(first_value(mapped[i]));
        struct snippet snippet = node_snippet(&source, node, &arena);
        size_t letters = 0;
        for (size_t at = 0; at < snippet.size; at++) {
            struct source_pos pos = snippet_pos(&snippet, at);
            char c = snippet.text[at];
            if (c >= 'b' && c <= 'z' && !strstr(mapped[i], "\\x66")) {
                letters++;
                if (source.text[pos.offset] != c) {
                    fail_msg("%s\n'%c' found at %zu", mapped[i], c, pos.offset);
                }
            }
            assert_true(at == 0 || pos.offset >= snippet_pos(&snippet, at - 1).offset);
        }
        assert_true(letters || strstr(mapped[i], "\\x66"));
        assert_true(snippet_pos(&snippet, snippet.size).offset <= source.size);
    }
}

static void expect_place(const char *text, size_t at, size_t offset)
{
    struct snippet snippet = node_snippet(&source, first_value(text), &arena);
    assert_int_equal(snippet_pos(&snippet, at).offset, offset);
}

/* Text with escapes. */
static void test_escapes(void **state)
{
    (void)state;
    expect_place("a: \"b\\x66c\"", 1, 5);
    expect_place("a: \"b\\x66c\"", 2, 9);
    expect_place("a: \"\\u00e9c\"", 0, 4); /* both bytes of the character */
    expect_place("a: \"\\u00e9c\"", 1, 4);
    expect_place("a: \"\\u00e9c\"", 2, 10);
    expect_place("a: \"\\U0001F600c\"", 4, 14);
    expect_place("a: \"\\\\\\\"\\/\\tc\"", 4, 12);
    expect_place("a: 'b''c'", 1, 5);
    expect_place("a: 'b''c'", 2, 7);
    expect_place("a: b\n  c", 1, 4); /* the fold */
    expect_place("a: 'b'", 1, 5);    /* the end */
    expect_place("a: b  # c", 1, 4);
    expect_place("a: \"\"", 0, 4);
    expect_place("a: |\n  b\n", 1, 8);
    expect_place("a: {b: c}  ", 6, 9);
}

/* Any bytes give an answer, and places inside the file. */
static void test_any_bytes(void **state)
{
    (void)state;
    static const char *const parts[] = {"a",   ": ",  "\n", "  ", "- ",       "|",           ">",
                                        "'",   "\"",  "[",  "]",  "{",        "}",           ", ",
                                        "&x",  "*x ", "!t", "#",  "\\",       "\t",          "?",
                                        "---", "%",   "\r", "+2", "\xc3\xa9", "\xe2\x80\xa8"};
    uint64_t seed = 7;
    for (int round = 0; round < 20000; round++) {
        struct strbuf text = {0};
        strbuf_adds(&text, "a: ");
        for (int i = 0; i < round % 23; i++) {
            seed = seed * 6364136223846793005U + 1442695040888963407U;
            strbuf_adds(&text, parts[(seed >> 33) % (sizeof parts / sizeof parts[0])]);
        }
        const struct node *root = read_text(strbuf_text(&text));
        if (root && root->kind == NODE_MAP && root->entries.count) {
            const struct node *node = root->entries.items[0].value;
            struct snippet snippet = node_snippet(&source, node, &arena);
            assert_int_equal(utf8_invalid_at(snippet.text, snippet.size), snippet.size);
            for (size_t at = 0; at <= snippet.size; at++) {
                assert_true(snippet_pos(&snippet, at).offset <= source.size);
            }
        }
        strbuf_free(&text);
        arena_reset(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_tree, clear),
        cmocka_unit_test_teardown(test_empty, clear),
        cmocka_unit_test_teardown(test_aliases, clear),
        cmocka_unit_test_teardown(test_many_laughs, clear),
        cmocka_unit_test_teardown(test_depth, clear),
        cmocka_unit_test_teardown(test_many_anchors, clear),
        cmocka_unit_test_teardown(test_refused, clear),
        cmocka_unit_test_teardown(test_all_at_once, clear),
        cmocka_unit_test_teardown(test_size, clear),
        cmocka_unit_test_teardown(test_places, clear),
        cmocka_unit_test_teardown(test_escapes, clear),
        cmocka_unit_test_teardown(test_any_bytes, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
