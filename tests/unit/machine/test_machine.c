/* The machines of valid files. */
#include "machine/machine.h"

#include "value/number/numeric.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GOOD TEST_DATA_DIR "/good/everything.yaml"
#define MACHINES TEST_DATA_DIR "/../../../machines"

static struct arena arena;
static struct diagnostics diagnostics;

static int clear(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static void show_errors(void)
{
    struct strbuf text = {0};
    for (size_t i = 0; i < diagnostics.errors.count; i++) {
        error_format(&diagnostics.errors.items[i], &text);
    }
    print_error("%s", strbuf_text(&text));
    strbuf_free(&text);
}

static const struct machine *read_text(const char *text)
{
    const struct machine *machine;
    diagnostics = (struct diagnostics){.arena = &arena};
    if (!machine_read("dir/m.yaml", text, strlen(text), NULL, &arena, &machine, &diagnostics)) {
        show_errors();
    }
    assert_non_null(machine);
    return machine;
}

static const struct machine *everything(void)
{
    FILE *file = fopen(GOOD, "rb");
    assert_non_null(file);
    static char text[1 << 16];
    size_t size = fread(text, 1, sizeof text - 1, file);
    text[size] = '\0';
    (void)fclose(file);
    return read_text(text);
}

static void test_top(void **state)
{
    (void)state;
    const struct machine *machine = everything();
    assert_string_equal(machine->name, "everything");
    assert_string_equal(machine->path, "dir/m.yaml");
    assert_string_equal(machine->description, "Every key once.");
    assert_int_equal(machine->schema.count, 2);
    assert_string_equal(machine->schema.items[0], "dir/a.sql");
    assert_string_equal(machine->schema.items[1], "/b/c.sql");
    assert_non_null(machine->model);
    assert_false(machine->initialize_shuffled);
    assert_int_equal(machine->initialize.count, 3);
    assert_int_equal(machine->initialize_constant, 2); /* the third draws */
    assert_int_equal(machine->bundles.count, 1);
    assert_string_equal(machine->bundles.items[0].name, "users");
    assert_int_equal(lang_module_global_kind(machine->module, machine->bundles.items[0].global),
                     LANG_FIXED);
    for (size_t i = 0; i < machine->templates.count; i++) {
        assert_int_equal(machine->templates.items[i]->id, i);
    }
}

static void test_settings(void **state)
{
    (void)state;
    const struct settings *settings = &everything()->settings;
    assert_int_equal(settings->examples, 7);
    assert_int_equal(settings->steps, 9);
    assert_true(settings->has_seed);
    assert_true(settings->seed == UINT64_MAX);
    assert_int_equal(settings->statement_timeout_ms, 250);
    assert_int_equal(settings->deadline_ms, 1500);
    assert_int_equal(settings->max_time_ms, 120000);
    assert_int_equal(settings->shrink_executions, 10);
    assert_int_equal(settings->shrink_time_ms, 3600000);
    assert_int_equal(settings->check_deferred, CHECK_DEFERRED_END);
    assert_int_equal(settings->jobs, 1);
    const struct settings *standard =
        &read_text("machine: a\nrules: {a: {sql: SELECT 1}}")->settings;
    assert_memory_equal(standard, &settings_default, sizeof *standard);
    assert_int_equal(standard->examples, 100);
    assert_int_equal(standard->steps, 50);
    assert_int_equal(standard->statement_timeout_ms, 5000);
    assert_int_equal(standard->shrink_executions, 2000);
    assert_int_equal(standard->shrink_time_ms, 60000);
    assert_false(standard->has_seed);
}

static const struct rule *rule(const struct machine *machine, const char *name)
{
    for (size_t i = 0; i < machine->rules.count; i++) {
        if (!strcmp(machine->rules.items[i].name, name)) {
            assert_int_equal(machine->rules.items[i].index, i);
            return &machine->rules.items[i];
        }
    }
    fail_msg("no rule %s", name);
    return NULL;
}

static void test_rule(void **state)
{
    (void)state;
    const struct machine *machine = everything();
    const struct rule *join = rule(machine, "join");
    static const char *const locals[] = {"user",     "other", "gone",   "level",
                                         "constant", "label", "result", "count"};
    assert_int_equal(join->locals.names.count, 8);
    for (size_t i = 0; i < 8; i++) {
        assert_string_equal(join->locals.names.items[i], locals[i]);
    }
    assert_int_equal(join->result_slot, 6);
    assert_true(join->needs_answer);
    assert_non_null(join->precondition);
    assert_non_null(join->weight_code);
    assert_int_equal(join->limit, 3);
    assert_int_equal(join->args.items[0].bundle, 0);
    assert_false(join->args.items[0].consumes);
    assert_int_equal(join->args.items[1].bundle, -1);
    assert_int_equal(join->args.items[2].bundle, 0);
    assert_true(join->args.items[2].consumes);
    assert_int_equal(join->lets.items[0].slot, 5);
    assert_int_equal(join->checks.count, 2);
    assert_int_equal(join->targets.count, 2);
    assert_int_equal(join->targets.items[0].kind, TARGET_BUNDLE);
    assert_int_equal(join->targets.items[1].kind, TARGET_COLLECTION);
    assert_string_equal(lang_module_global_name(machine->module, join->targets.items[1].global),
                        "members");
    assert_non_null(join->targets.items[1].value);
    assert_true(join->where && join->raises && join->expect && join->affects && join->returns);
    assert_int_equal(join->pos.offset,
                     strstr(machine->source->text, "  join:") + 2 - machine->source->text);
    assert_non_null(join->label);
}

static void test_profiles(void **state)
{
    (void)state;
    const struct machine *machine = everything();
    assert_int_equal(machine->profiles.count, 2);
    assert_string_equal(machine->profiles.items[0].name, "ci");
    assert_int_equal(machine->profiles.items[0].settings.examples, 5);
    assert_int_equal(machine->profiles.items[0].settings.seed, 1);
    assert_int_equal(machine->profiles.items[0].settings.steps, 9); /* the machine's */
    const struct settings *nightly = &machine->profiles.items[1].settings;
    assert_int_equal(nightly->max_time_ms, 7200000);
    assert_int_equal(nightly->shrink_time_ms, 600000);
    assert_int_equal(nightly->shrink_executions, 10);
    assert_true(nightly->seed == UINT64_MAX);
}

static void test_requirements(void **state)
{
    (void)state;
    const struct machine *machine = everything();
    assert_int_equal(machine->requirements.count, 2);
    const struct requirement *of_rule = &machine->requirements.items[0];
    assert_int_equal(of_rule->rule, rule(machine, "join")->index);
    assert_float_equal(of_rule->share, 0.05, 1e-12);
    const struct requirement *label = &machine->requirements.items[1];
    assert_true(label->rule == SIZE_MAX);
    assert_string_equal(label->name, "empty");
    assert_float_equal(label->share, 0.005, 1e-12);
    assert_string_equal(label->wanted, "0.5 %");
}

static void test_statements(void **state)
{
    (void)state;
    const struct machine *machine = everything();
    const struct rule *join = rule(machine, "join");
    assert_int_equal(join->statements.count, 2);
    const struct sql_template *first = join->statements.items[0].sql;
    assert_int_equal(first->value_count, 2);
    assert_int_equal(first->pieces.items[1].kind, SQL_VALUE);
    assert_false(first->pieces.items[1].global);
    assert_int_equal(first->pieces.items[1].slot, 0);
    assert_int_equal(first->pieces.items[3].slot, 5);
    const struct sql_template *second = join->statements.items[1].sql;
    assert_int_equal(second->pieces.items[1].kind, SQL_IDENTIFIER);
    assert_int_equal(second->pieces.items[3].kind, SQL_LITERAL);
    assert_true(second->pasted);
    /* a place in the statement is a place in the file */
    struct source_pos pos = snippet_pos(&second->snippet, second->pieces.items[1].offset);
    assert_memory_equal(machine->source->text + pos.offset, ":\"level\"", 8);
    const struct rule *leave = rule(machine, "leave");
    assert_int_equal(leave->statements.count, 2);
    assert_true(leave->weight == 0.5 && !leave->weight_code);
    assert_int_equal(leave->limit, -1);
    assert_false(leave->needs_answer);
    assert_int_equal(leave->result_slot, SLOT_NONE);
}

static void test_contexts(void **state)
{
    (void)state;
    const struct machine *machine = everything();
    const struct context *admin = rule(machine, "join")->statements.items[0].context;
    assert_string_equal(admin->name, "admin");
    assert_string_equal(admin->role, "admin");
    assert_non_null(admin->claims); /* of the context under it */
    assert_int_equal(admin->settings.count, 2);
    assert_string_equal(admin->settings.items[0].name, "app.tenant");
    assert_string_equal(admin->settings.items[1].name, "app.mode");
    assert_ptr_equal(admin, rule(machine, "join")->statements.items[1].context);
    const struct rule *leave = rule(machine, "leave");
    assert_string_equal(leave->statements.items[0].context->name, "everybody");
    const struct context *inner = leave->statements.items[1].context;
    assert_string_equal(inner->name, "{role: :user, session_user: boss}");
    assert_null(inner->role);
    assert_true(lang_reads_local(inner->role_code, leave->args.items[0].slot));
    assert_string_equal(inner->session_user, "boss");
    assert_null(machine->initialize.items[1].statements.items[0].context); /* as: {} */
    const struct context *none = machine->invariants.items[0].statements.items[0].context;
    assert_null(none->role);
    assert_null(none->role_code);
    assert_non_null(none->claims);
}

static void test_invariants(void **state)
{
    (void)state;
    const struct machine *machine = everything();
    const struct invariant *items = machine->invariants.items;
    assert_int_equal(machine->invariants.count, 4);
    assert_int_equal(items[0].fors.count, 2);
    assert_int_equal(items[0].fors.items[1].slot, 1);
    assert_int_equal(items[0].when, WHEN_END);
    assert_non_null(items[0].precondition);
    assert_false(items[0].no_rows);
    assert_int_equal(items[0].statements.items[0].sql->pieces.items[1].slot, 1);
    assert_int_equal(items[1].every, 5);
    assert_int_equal(items[1].result_slot, 0);
    assert_int_equal(items[1].when, WHEN_STEP);
    assert_true(items[2].no_rows);
    assert_int_equal(items[2].every, 1);
    assert_int_equal(items[3].statements.count, 0);
    assert_int_equal(items[3].result_slot, SLOT_NONE);
}

static void assert_repr(struct value value, const char *expected)
{
    struct strbuf text = {0};
    value_repr(value, &text);
    assert_string_equal(strbuf_text(&text), expected);
    strbuf_free(&text);
}

static void assert_template(const struct sql_template *template, const char *expected)
{
    struct strbuf text = {0};
    for (size_t i = 0; i < template->pieces.count; i++) {
        const struct sql_piece *piece = &template->pieces.items[i];
        strbuf_adds(&text, piece->kind == SQL_TEXT ? "" : "$");
        strbuf_add(&text, piece->text, piece->kind == SQL_TEXT ? piece->size : 0);
    }
    assert_string_equal(strbuf_text(&text), expected);
    strbuf_free(&text);
}

static void test_dataset(void **state)
{
    (void)state;
    const struct machine *machine = everything();
    const struct dataset_row *rows = machine->dataset.items;
    static const char *const first[] = {
        "1", "\"ann@example.com\"", "1.50", "True", "None", "\"007\"", "\"1e3\""};
    static const char *const second[] = {"2", "\"no\"", "-3", "False", "None", "\"8\"", "\"0x10\""};
    assert_int_equal(machine->dataset.count, 4);
    for (size_t i = 0; i < 7; i++) {
        assert_repr(rows[0].values[i], first[i]);
        assert_repr(rows[1].values[i], second[i]);
    }
    assert_template(
        rows[0].sql,
        "INSERT INTO \"users\" (\"id\", \"email\", \"score\", \"active\", "
        "\"note\", \"code\", \"zip\") OVERRIDING SYSTEM VALUE VALUES ($, $, $, $, $, $, $)");
    assert_int_equal(rows[0].sql->value_count, 7);
    assert_ptr_equal(rows[0].sql, rows[1].sql); /* the same columns */
    assert_template(rows[2].sql, "INSERT INTO \"users\" DEFAULT VALUES");
    assert_template(rows[3].sql, "INSERT INTO \"app\".\"Files\" (\"tags\", \"meta\", \"size\", "
                                 "\"we\"\"ird\") OVERRIDING SYSTEM VALUE VALUES ($, $, $, $)");
    assert_repr(rows[3].values[0], "[\"a\", 1000, None]");
    assert_repr(rows[3].values[1], "{\"a\": {\"b\": [1, 2.50]}, \"c\": True, \"d\": \"no\"}");
    struct strbuf infinity = {0};
    number_text(rows[3].values[2], &infinity);
    assert_string_equal(strbuf_text(&infinity), "Infinity");
    strbuf_free(&infinity);
    assert_repr(rows[3].values[3], "\"5\"");
    assert_string_equal(rows[3].table, "app.Files");
    /* the server's position in the statement leads to the column's name in the file */
    const struct snippet *snippet = &rows[3].sql->snippet;
    size_t at = (size_t)(strstr(snippet->text, "meta") - snippet->text);
    assert_memory_equal(machine->source->text + snippet_pos(snippet, at).offset, "meta", 4);
}

/* The dataset's rows can't be changed by examples. */
static void test_dataset_frozen(void **state)
{
    (void)state;
    struct error err;
    assert_false(value_check_mutable(everything()->dataset.items[3].values[0], &err));
}

static void test_shuffled(void **state)
{
    (void)state;
    const struct machine *machine =
        read_text("machine: a\ninitialize:\n  b: {sql: SELECT 1, target: x}\n"
                  "  a: {args: {y: x}, sql: 'SELECT :y::int'}\nrules: {a: {sql: SELECT 1}}");
    assert_true(machine->initialize_shuffled);
    assert_int_equal(machine->initialize_constant, 0);
    assert_string_equal(machine->initialize.items[0].name, "b");
    assert_true(machine->initialize.items[1].initialize);
    assert_int_equal(machine->initialize.items[1].index, 1);
}

static void test_needs_answer(void **state)
{
    (void)state;
    static const struct {
        const char *rule;
        bool needs;
    } cases[] = {
        {"{sql: SELECT 1}", false},
        {"{sql: SELECT 1, expect: '1'}", false},
        {"{sql: SELECT 1, target: b}", true},
        {"{sql: SELECT 1, target: b, returns: '5'}", false},
        {"{sql: SELECT 1, target: b, returns: result.value}", true},
        {"{sql: SELECT 1, target: d, returns: '5', value: result.value}", true},
        {"{sql: SELECT 1, check: n == 0}", false},
        {"{sql: SELECT 1, check: ['n == 0', result.count == 1]}", true},
        {"{sql: SELECT 1, model: n = 1}", false},
        {"{sql: SELECT 1, model: n = result.value}", true},
        {"{sql: SELECT 1, model: 'd[1] = [x for x in result.rows]'}", true},
        {"{sql: SELECT 1, model: 'n = \"result\"'}", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text = arena_printf(
            &arena, "machine: a\nmodel: |\n  n = 0\n  d = {}\nrules:\n  a: %s\n", cases[i].rule);
        assert_int_equal(read_text(text)->rules.items[0].needs_answer, cases[i].needs);
    }
}

/* A rule that tests a refusal, as far as the form of its keys shows it. */
static void test_never_succeeds(void **state)
{
    (void)state;
    static const struct {
        const char *keys;
        bool never;
    } cases[] = {
        {"model: n = 1", false},
        {"raises: check_violation", true},
        {"raises: '\"P0001\"'", true},
        {"raises: 'error(check_violation, message=str(n))'", true},
        {"raises: '[check_violation, error(unique_violation)]'", true},
        {"raises: 'check_violation if n else unique_violation if d else \"P0001\"'", true},
        {"raises: check_violation if n else None", false},
        {"raises: '[None, check_violation]'", false},
        {"raises: '[]'", false},
        {"raises: refused(n)", false},
        {"raises: None", false},
        {"affects: 0", true},
        {"affects: n", false},
        {"affects: 1", false},
        {"expect: False", true},
        {"expect: '[]'", true},
        {"expect: '[1]'", false},
        {"raises: '[None, check_violation]', affects: 0", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text = arena_printf(&arena,
                                        "machine: a\nmodel: |\n  n = 0\n  d = {}\n"
                                        "  def refused(n):\n      return check_violation\n"
                                        "rules:\n  a: {sql: DELETE FROM t, %s}\n",
                                        cases[i].keys);
        assert_int_equal(read_text(text)->rules.items[0].never_succeeds, cases[i].never);
    }
}

/* Flow collections are source text, to the letter. */
static void test_flow_text(void **state)
{
    (void)state;
    const struct machine *machine = read_text(
        "machine: a\nmodel: d = {}\nrules:\n  a:\n    sql: SELECT 1\n    expect: {k for k, "
        "# why\n      v in d.items()\n      if v == 'x'}\n");
    const struct snippet *snippet = lang_snippet(machine->rules.items[0].expect);
    assert_memory_equal(snippet->text, "{k for k, # why\n      v in d.items()\n      if v == 'x'}",
                        snippet->size);
}

/* Names of errors are constants, strategies builtins, and a machine's own names hide them. */
static void test_builtins(void **state)
{
    (void)state;
    const struct machine *machine = read_text(
        "machine: a\nrules:\n  a: {args: {list: 'one_of(integers(), just(no_data_found))'}, sql: "
        "'SELECT :list::int', raises: 'unique_violation if list else no_data_found'}");
    assert_true(lang_module_is_builtin(machine->module, "unique_violation"));
    assert_true(lang_module_is_builtin(machine->module, "integers"));
    assert_false(lang_module_is_builtin(machine->module, "list_of_nothing"));
}

static int is_yaml(const struct dirent *entry)
{
    size_t size = strlen(entry->d_name);
    return size > 5 && !strcmp(entry->d_name + size - 5, ".yaml");
}

static void test_machines(void **state)
{
    (void)state;
    struct dirent **entries;
    int count = scandir(MACHINES, &entries, is_yaml, alphasort);
    assert_true(count >= 3);
    for (int i = 0; i < count; i++) {
        const struct machine *machine;
        diagnostics = (struct diagnostics){.arena = &arena};
        const char *path = arena_printf(&arena, MACHINES "/%s", entries[i]->d_name);
        if (!machine_load(path, NULL, &arena, &machine, &diagnostics)) {
            show_errors();
            fail();
        }
        free(entries[i]);
    }
    free(entries);
}

static void assert_load_fails(const char *path, enum error_code code, const char *message)
{
    const struct machine *machine;
    diagnostics = (struct diagnostics){.arena = &arena};
    assert_false(machine_load(path, NULL, &arena, &machine, &diagnostics));
    assert_null(machine);
    assert_int_equal(diagnostics.errors.count, 1);
    assert_int_equal(diagnostics.errors.items[0].code, code);
    assert_non_null(strstr(diagnostics.errors.items[0].message, message));
}

static void test_unreadable(void **state)
{
    (void)state;
    assert_load_fails(TEST_DATA_DIR "/none.yaml", ERROR_USAGE, "none.yaml: No such file");
    assert_load_fails(TEST_DATA_DIR, ERROR_USAGE, "it is a folder");
}

static void write_temporary(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    (void)fclose(file);
}

static void test_files(void **state)
{
    (void)state;
    char directory[] = "/tmp/pgfsm-machine-XXXXXX";
    assert_non_null(mkdtemp(directory));
    char *path = arena_printf(&arena, "%s/m.yaml", directory);
    const char *text = "machine: a\nschema: no/such.sql\nrules: {a: {sql: SELECT 1}}";
    write_temporary(path, text, strlen(text));
    assert_load_fails(path, ERROR_MACHINE, "/no/such.sql: No such file");
    assert_int_equal(diagnostics.errors.items[0].pos.offset, 19);
    size_t size = (16 << 20) + 1;
    char *large = memset(malloc(size), '\n', size);
    write_temporary(path, large, size);
    assert_load_fails(path, ERROR_MACHINE, "larger than 16 MiB");
    write_temporary(path, large, size - 1);
    assert_load_fails(path, ERROR_MACHINE, "the file is empty");
    free(large);
    (void)remove(path);
    (void)remove(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_top, clear),
        cmocka_unit_test_teardown(test_settings, clear),
        cmocka_unit_test_teardown(test_rule, clear),
        cmocka_unit_test_teardown(test_profiles, clear),
        cmocka_unit_test_teardown(test_requirements, clear),
        cmocka_unit_test_teardown(test_statements, clear),
        cmocka_unit_test_teardown(test_contexts, clear),
        cmocka_unit_test_teardown(test_invariants, clear),
        cmocka_unit_test_teardown(test_dataset, clear),
        cmocka_unit_test_teardown(test_dataset_frozen, clear),
        cmocka_unit_test_teardown(test_shuffled, clear),
        cmocka_unit_test_teardown(test_needs_answer, clear),
        cmocka_unit_test_teardown(test_never_succeeds, clear),
        cmocka_unit_test_teardown(test_flow_text, clear),
        cmocka_unit_test_teardown(test_builtins, clear),
        cmocka_unit_test_teardown(test_machines, clear),
        cmocka_unit_test_teardown(test_unreadable, clear),
        cmocka_unit_test_teardown(test_files, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
