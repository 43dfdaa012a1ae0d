/*
 * restored [--copies N] [--examples N] [--dump] MACHINE...
 *
 * Runs examples whose steps are committed. After each one, and after a new copy of the database if
 * one was needed, the database must be as it was at the mark: rows, sequences, the catalog, the
 * session's settings. Prints the number of copies for each machine; --copies is the maximum. With
 * --dump, the output of pg_dump must be the same, too.
 */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "example/engine.h"
#include "example/example.h"
#include "example/failure/failure.h"
#include "example/setup/setup.h"
#include "pg/pg.h"
#include "pg/restored_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 12 };

static const char *const *machines;
static uint64_t examples = 24;
static size_t most_copies = SIZE_MAX;
static bool dumps;

static void compare(const char *path, uint64_t number, const char *wanted, const char *found)
{
    if (strcmp(wanted, found) != 0) {
        print_error("%s, example %d: the database is not as it was\n", path, (int)number);
        size_t at = 0;
        while (wanted[at] && wanted[at] == found[at]) {
            at++;
        }
        while (at > 0 && wanted[at - 1] != '\n') {
            at--;
        }
        print_error("- %.300s\n+ %.300s\n", wanted + at, found + at);
        fail();
    }
}

/* The state to compare. */
static const char *look(struct backend *backend, struct arena *arena, const char **database)
{
    const struct restored_state state = restored_state(backend, arena);
    *database = state.database;
    return dumps ? arena_printf(arena, "%s\n%s", state.text, restored_dump(backend, arena))
                 : state.text;
}

static uint64_t now(void *host)
{
    (void)host;
    return 0;
}

/* Runs them, and returns the number of copies of the database. */
static size_t run(struct engine *engine, const char *path, struct arena *arena)
{
    const struct failure *failure = NULL;
    const char *wanted = NULL;
    const char *database = "";
    size_t copies = 0;
    for (uint64_t number = 1; number <= examples; number++) {
        const struct example_plan plan = {
            .way = &example_ways[WAY_UNIFORM], .number = number, .quiet = true};
        struct example_result result;
        struct error err;
        assert_true(number == 1 ? engine_setup(engine, NULL, &failure, &err)
                                : engine_refresh(engine, &failure, &err));
        assert_null(failure);
        const char *last = database;
        const char *found = look(engine->backend, arena, &database);
        copies += strcmp(last, database) != 0;
        wanted = wanted ? wanted : found;
        compare(path, number - 1, wanted, found);
        assert_true(example_run(engine, &plan, &result, &err));
        if (result.failure) {
            fail_msg("%s, example %d: %s", path, (int)number, result.failure->identity);
        }
    }
    return copies;
}

static void restore(struct pg_target *target, const char *path)
{
    struct arena arena = {0};
    struct diagnostics diagnostics = {.arena = &arena};
    const struct machine *machine = NULL;
    const struct pg_backend_options backend_options = {.commit = true,
                                                       .statement_timeout_ms = 60000};
    struct engine engine;
    struct error err = {0};
    assert_true(machine_load(path, NULL, &arena, &machine, &diagnostics));
    struct backend *backend = pg_backend_new(target, &backend_options);
    if (!backend->ops->open(backend, machine, &diagnostics, &err)) {
        fail_msg("%s: %s", path,
                 diagnostics.errors.count ? diagnostics.errors.items[0].message : err.message);
    }
    struct settings settings = machine->settings;
    settings.has_seed = true;
    settings.check_deferred = CHECK_DEFERRED_STEP;
    settings.steps = settings.steps < STEPS ? settings.steps : STEPS;
    const struct engine_options options = {
        .settings = &settings, .ahead = true, .clock = {.now_us = now}};
    engine_init(&engine, machine, backend, &options);
    size_t copies = run(&engine, path, &arena);
    printf("%s: %zu copies\n", path, copies);
    assert_in_range(copies, 1, most_copies);
    engine_free(&engine);
    backend->ops->close(backend);
    arena_free(&arena);
}

static void restored(void **state)
{
    const struct pg_options options = {.embedded = true, .bindir = getenv("PGFSM_PG_BINDIR")};
    struct pg_target *target = NULL;
    struct error err;
    (void)state;
    assert_true(pg_target_open(&options, &target, &err));
    for (size_t i = 0; machines[i]; i++) {
        restore(target, machines[i]);
    }
    pg_target_close(target);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(restored)};
    int at = 1;
    for (; at < count && strncmp(arguments[at], "--", 2) == 0; at++) {
        if (strcmp(arguments[at], "--copies") == 0) {
            most_copies = strtoul(arguments[++at], NULL, 10);
        } else if (strcmp(arguments[at], "--examples") == 0) {
            examples = strtoul(arguments[++at], NULL, 10);
        } else {
            dumps = true;
        }
    }
    machines = (const char *const *)arguments + at;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
