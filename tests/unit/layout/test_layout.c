/* The tool that files belong to, and its order, by the rules that its documentation states. */
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/path.h"
#include "layout/layout.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The words of a text. */
static struct layout_names names_of(const char *folder, const char *words, bool all)
{
    struct layout_names names = {.folder = folder, .all = all};
    for (const char *at = words + strspn(words, " "); *at; at += strspn(at, " ")) {
        size_t size = strcspn(at, " ");
        *VEC_PUSH(&arena, &names.items) = arena_strndup(&arena, at, size);
        at += size;
    }
    return names;
}

static const char *words_of(const struct layout_files *files)
{
    const char *words = "";
    for (size_t i = 0; i < files->paths.count; i++) {
        words = arena_printf(&arena, "%s%s%s", words, i ? " " : "", files->paths.items[i]);
    }
    return words;
}

/* What a pattern matches, by no tool's rule but that of the names. */
static void test_patterns(void **state)
{
    (void)state;
    static const struct {
        const char *found;
        const char *tool; /* NULL: none */
        const char *order;
    } rows[] = {
        {"10_b.sql 2_a.sql", NULL, "2_a.sql 10_b.sql"},
        {"2_b/migration.sql 10_a/migration.sql", "Prisma", "10_a/migration.sql 2_b/migration.sql"},
        {"x/20170101_b/up.sql x/2017-01-02_a/up.sql x/2017-01-02_a/down.sql", "diesel",
         "x/20170101_b/up.sql x/2017-01-02_a/up.sql"},
        {"1.down.sql 1.up.sql 10.up.sql 2.up.sql", NULL, "1.up.sql 2.up.sql 10.up.sql"},
        {"10_a.up.sql 2_b.up.sql 3_c.down.sql", "golang-migrate", "2_b.up.sql 10_a.up.sql"},
        {"1_a.sql 2_b.up.sql 2_b.down.sql", NULL, "1_a.sql 2_b.up.sql"},
        {"10.do.sql 2.do.x.sql 2.undo.x.sql", "postgrator", "2.do.x.sql 10.do.sql"},
        {"20200102-b-up.sql 20200101-a-up.sql 20200101-a-down.sql", "db-migrate",
         "20200101-a-up.sql 20200102-b-up.sql"},
        /* what the tool would not run stays: the pattern names it */
        {"V2__b.sql seed.sql R__views.sql V10__c.sql U2__b.sql", "Flyway",
         "V2__b.sql V10__c.sql R__views.sql seed.sql"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct layout_names names = names_of("", rows[i].found, false);
        struct layout_files files;
        layout_sort(&names, &arena, &files);
        assert_string_equal(words_of(&files), rows[i].order);
        assert_string_equal(files.layout ? files.layout->tool : "",
                            rows[i].tool ? rows[i].tool : "");
    }
}

/* By version, whose parts are numbers, however they are separated; then repeatable migrations by
 * description. On an empty database, the latest baseline comes first. */
static void test_flyway(void **state)
{
    (void)state;
    static const struct {
        const char *names;
        const char *order;
    } rows[] = {
        {"V10__x.sql V2__x.sql V1_10__x.sql V1_9__x.sql",
         "V1_9__x.sql V1_10__x.sql V2__x.sql V10__x.sql"},
        {"V1.1__x.sql V1__z.sql V1.0.1__y.sql", "V1__z.sql V1.0.1__y.sql V1.1__x.sql"},
        {"V1_2__x.sql V1.1__y.sql V001.3__z.sql", "V1.1__y.sql V1_2__x.sql V001.3__z.sql"},
        {"V1_0__b.sql V1__10.sql V0.9__c.sql", "V0.9__c.sql V1_0__b.sql V1__10.sql"},
        {"V20230601120000__b.sql V20240101__a.sql", "V20240101__a.sql V20230601120000__b.sql"},
        {"R__b.sql R__a.sql V1__x.sql", "V1__x.sql R__a.sql R__b.sql"},
        {"U1__x.sql V1__x.sql afterMigrate.sql", "V1__x.sql"},
        {"V1__a.sql B2__all.sql V2__b.sql V3__c.sql R__r.sql", "B2__all.sql V3__c.sql R__r.sql"},
        {"B1__a.sql B3__b.sql V2__c.sql V3.1__d.sql", "B3__b.sql V3.1__d.sql"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct layout_names names = names_of("", rows[i].names, true);
        const struct layout *layout = layout_of(&names, &arena);
        struct layout_files files;
        struct error err;
        assert_non_null(layout);
        assert_string_equal(layout->tool, "Flyway");
        assert_true(layout_read(layout, &names, &arena, &files, &err));
        assert_string_equal(words_of(&files), rows[i].order);
    }
}

/* Folders: files, their content, the tool and the files that it runs. */
static void test_folders(void **state)
{
    (void)state;
    static const struct {
        const char *folder;
        const char *tool;
        const char *files; /* each with a line: "name=content" */
        const char *order;
    } rows[] = {
        {"supabase/migrations", "Supabase", "2_b.sql= 10_a.sql= notes.sql= x/3_c.sql=",
         "supabase/migrations/10_a.sql supabase/migrations/2_b.sql"},
        {"drizzle", "Drizzle",
         "0000_b.sql= 0001_a.sql= 0002_gone.sql= "
         "meta/_journal.json={\"entries\":[{\"tag\":\"0001_a\"},{\"tag\":\"0000_b\"}]}",
         "drizzle/0001_a.sql drizzle/0000_b.sql"},
        {"drizzle1", "Drizzle", "2_b/migration.sql= 10_a/migration.sql= 2_b/snapshot.json={}",
         "drizzle1/10_a/migration.sql drizzle1/2_b/migration.sql"},
        {"prisma/migrations", "Prisma", "2_b/migration.sql= 10_a/migration.sql=",
         "prisma/migrations/10_a/migration.sql prisma/migrations/2_b/migration.sql"},
        {"hasura/migrations/default", "Hasura", "2_b/up.sql= 10_a/up.sql= 2_b/down.sql=",
         "hasura/migrations/default/2_b/up.sql hasura/migrations/default/10_a/up.sql"},
        {"dbm/migrations", "dbmate", "2_b.sql=--~migrate:up 10_a.sql=--~migrate:up x.sql=",
         "dbm/migrations/10_a.sql dbm/migrations/2_b.sql"},
        {"goose", "goose",
         "2_b.sql=--~+goose~Up 10_a.sql=--~+goose~Up x.sql=", "goose/2_b.sql goose/10_a.sql"},
        {"sqlm", "sql-migrate", "1_b.sql=--~+migrate~Up", "sqlm/1_b.sql"},
        {"pgm", "node-pg-migrate",
         "2_b.sql=----~Up~Migration 10_a.sql=", "pgm/2_b.sql pgm/10_a.sql"},
        {"atlas", "Atlas", "2_b.sql= 10_a.sql= atlas.sum=h1:", "atlas/10_a.sql atlas/2_b.sql"},
        {"gm/committed", "graphile-migrate",
         "000002.sql= 000001-x.sql=", "gm/committed/000001-x.sql gm/committed/000002.sql"},
        {"src/db/migration", "Flyway", "V10__b.sql= old/V2__a.sql= mysql/V3__c.sql=",
         "src/db/migration/old/V2__a.sql src/db/migration/V10__b.sql"},
        {"some/migrations", "numbered files", "10_b.sql= 2_a.sql= 2_a.down.sql= README.sql=",
         "some/migrations/2_a.sql some/migrations/10_b.sql"},
        {"sq", "sqitch",
         "sqitch.plan=%syntax-version=1.0.0\n%project=x\n\nb~2020-01-01T00:00:00Z~x~<x@y>\n"
         "a~[b]~2020-01-01T00:00:00Z~x~<x@y>\n@v1~2020-01-01T00:00:00Z~x~<x@y>\n"
         "b~[b@v1]~2020-01-01T00:00:00Z~x~<x@y>\n deploy/a.sql= deploy/b.sql= deploy/b@v1.sql=",
         "sq/deploy/b@v1.sql sq/deploy/a.sql sq/deploy/b.sql"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct layout_names files = names_of("", rows[i].files, true);
        struct layout_files out;
        struct error err = {0};
        for (size_t j = 0; j < files.items.count; j++) {
            char *name = arena_strdup(&arena, files.items.items[j]);
            char *content = strchr(name, '=');
            assert_non_null(content);
            *content++ = '\0';
            for (char *c = content; *c; c++) {
                *c = *c == '~' ? ' ' : *c;
            }
            write_file(arena_printf(&arena, "%s/%s", rows[i].folder, name), content);
        }
        assert_true(layout_read_folder(rows[i].folder, &arena, &out, &err));
        assert_non_null(out.layout);
        assert_string_equal(out.layout->tool, rows[i].tool);
        assert_string_equal(words_of(&out), rows[i].order);
    }
}

/* Folders of no tool, and those that can't be read. */
static void test_unknown(void **state)
{
    (void)state;
    struct layout_files out;
    struct error err = {0};
    write_file("unknown/a.sql", "");
    write_file("unknown/1.up.sql", "");
    assert_true(layout_read_folder("unknown", &arena, &out, &err));
    assert_null(out.layout);
    assert_false(layout_read_folder("missing", &arena, &out, &err));
    write_file("empty/sqitch.plan", "%syntax-version=1.0.0\n");
    assert_false(layout_read_folder("empty", &arena, &out, &err));
    assert_non_null(strstr(err.message, "has no changes"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_flyway),
        cmocka_unit_test(test_folders),
        cmocka_unit_test(test_unknown),
    };
    return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
