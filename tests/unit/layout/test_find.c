/* What the search of a project finds, and what it chooses. */
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/path.h"
#include "layout/find.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "Prisma prisma/migrations 2, Django . code, …" */
static const char *told(const struct finding *finding)
{
    const char *text = "";
    for (size_t i = 0; i < finding->items.count; i++) {
        const struct found *found = &finding->items.items[i];
        const char *what = found->path ? arena_printf(&arena, "%s %zu", found->path, found->files)
                                       : arena_printf(&arena, "%s code", found->folder);
        text = arena_printf(&arena, "%s%s%s %s%s%s", text, i ? ", " : "", found->layout->tool, what,
                            found->aside ? " aside" : "", found->foreign ? " foreign" : "");
    }
    return text;
}

/* Projects: their files, in a folder of their own, what is found, and whether the first is chosen.
 */
static void test_projects(void **state)
{
    (void)state;
    static const struct {
        const char *files;
        const char *found;
        bool chosen;
    } rows[] = {
        {"README.md", "", false},
        {"prisma/migrations/1_a/migration.sql prisma/migrations/2_b/migration.sql "
         "prisma/schema.prisma",
         "Prisma p/prisma/migrations 2", true},
        {"prisma/schema.prisma", "Prisma p code", false},
        {"node_modules/x/migrations/1.sql .git/migrations/1.sql vendor/x/schema.sql", "", false},
        {"supabase/migrations/1_a.sql supabase/roles.sql supabase/seed.sql drizzle/0000_a.sql "
         "drizzle/meta/_journal.json={\"tag\":\"0000_a\"}",
         "Drizzle p/drizzle 1, Supabase p/supabase/migrations 1", false},
        {"db/migrations/1_a.sql=--~migrate:up db/schema.sql",
         "dbmate p/db/migrations 1, a file p/db/schema.sql 1", true},
        {"migrations/1_a.sql tests/migrations/1_a.sql examples/x/schema.sql",
         "numbered files p/migrations 1, numbered files p/tests/migrations 1 aside, a file "
         "p/examples/x/schema.sql 1 aside",
         true},
        {"a/migrations/1.sql b/migrations/1.sql",
         "numbered files p/a/migrations 1, numbered files p/b/migrations 1", false},
        {"db/structure.sql db/migrate/1_a.rb config/database.yml", "Rails p/db/structure.sql 1",
         true},
        {"db/schema.rb db/migrate/1_a.rb", "Rails p code", false},
        {"manage.py app/migrations/0001_initial.py schema.sql",
         "a file p/schema.sql 1, Django p code", true},
        {"migrations/1.sql=CREATE~TABLE~t~(a~int~AUTO_INCREMENT);",
         "numbered files p/migrations 1 foreign", false},
        {"prisma/migrations/1/migration.sql "
         "prisma/migrations/migration_lock.toml=provider~=~\"sqlite\"",
         "Prisma p/prisma/migrations 1 foreign", false},
        {"src/main/resources/db/migration/V1__a.sql "
         "src/main/resources/db/migration/more/V2__b.sql",
         "Flyway p/src/main/resources/db/migration 2", true},
        {"package.json={\"dependencies\":{\"typeorm\":\"1\"}} src/migrations/1.ts",
         "TypeORM p code", false},
        {"package.json={}", "", false},
        {"alembic.ini alembic/versions/1.py", "Alembic p code", false},
        {"sql/sqitch.plan=%syntax-version=1.0.0\na sql/deploy/a.sql sql/sqitch.conf",
         "sqitch p/sql 1", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct finding finding;
        struct error err = {0};
        assert_int_equal(system("rm -rf p && mkdir p"), 0);
        for (const char *at = rows[i].files; *at; at += strspn(at, " ")) {
            size_t size = strcspn(at, " ");
            char *name = arena_strndup(&arena, at, size);
            char *content = strchr(name, '=');
            at += size;
            if (content) {
                *content++ = '\0';
            }
            for (char *c = content; c && *c; c++) {
                *c = *c == '~' ? ' ' : *c;
            }
            write_file(arena_printf(&arena, "p/%s", name), content ? content : "");
        }
        assert_true(layout_find("p", &arena, &finding, &err));
        assert_string_equal(told(&finding), rows[i].found);
        assert_true(finding.best == (rows[i].chosen ? finding.items.items : NULL));
    }
}

/* Paths begin at the current folder, whichever it is. */
static void test_paths(void **state)
{
    (void)state;
    struct finding finding;
    struct error err = {0};
    assert_int_equal(system("rm -rf p && mkdir p"), 0);
    write_file("p/supabase/migrations/1_a.sql", "");
    write_file("p/supabase/roles.sql", "");
    static const struct {
        const char *from;
        const char *folder;
        const char *path;
        const char *globals;
    } rows[] = {
        {".", "p", "p/supabase/migrations", "p/supabase/roles.sql"},
        {"p", ".", "supabase/migrations", "supabase/roles.sql"},
        {"p/supabase", ".", "migrations", "roles.sql"},
        {"p/supabase/migrations", ".", ".", "../roles.sql"},
        {"p", "./supabase/", "supabase/migrations", "supabase/roles.sql"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(chdir(rows[i].from), 0);
        assert_true(layout_find(rows[i].folder, &arena, &finding, &err));
        assert_non_null(finding.best);
        assert_string_equal(finding.best->path, rows[i].path);
        assert_string_equal(finding.best->globals, rows[i].globals);
        assert_int_equal(chdir(top), 0);
    }
    assert_false(layout_find("missing", &arena, &finding, &err));
}

/* A link may lead out of the project, or back up: it is not followed. A link to a file is a file.
 */
static void test_links(void **state)
{
    (void)state;
    struct finding finding;
    struct error err = {0};
    assert_int_equal(system("rm -rf p outside && mkdir -p p/a outside && ln -s .. p/a/up && "
                            "ln -s ../outside p/out && mkdir outside/migrations && "
                            ">outside/migrations/1.sql && >outside/x.sql && "
                            "ln -s ../outside/x.sql p/schema.sql && ln -s nowhere p/dead.sql"),
                     0);
    assert_true(layout_find("p", &arena, &finding, &err));
    assert_string_equal(told(&finding), "a file p/schema.sql 1");
}

/* Many files, which are no more than it looks at. */
static void test_many(void **state)
{
    (void)state;
    struct finding finding;
    struct error err = {0};
    assert_int_equal(system("rm -rf p && mkdir -p p/migrations && cd p/migrations && "
                            "seq -f '%.0f_x.sql' 20000 | xargs touch"),
                     0);
    assert_true(layout_find("p", &arena, &finding, &err));
    assert_string_equal(told(&finding), "numbered files p/migrations 20000");
    assert_false(finding.stopped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_projects),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_links),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
