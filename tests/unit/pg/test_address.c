/* Which server is named, and how. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "pg/connect.h"

#include <stdlib.h>
#include <string.h>

static const char *const variables[] = {"PGHOST",     "PGHOSTADDR",   "PGSERVICE",  "PGPORT",
                                        "PGDATABASE", "DATABASE_URL", "PGPASSWORD", "PGUSER"};

static int clean(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        unsetenv(variables[i]);
    }
    return 0;
}

static void nothing_named(void **state)
{
    const struct pg_options none = {0};
    (void)state;
    assert_false(address_is_named(&none));
    setenv("PGUSER", "ann", 1);
    setenv("PGPASSWORD", "x", 1);
    setenv("PGHOST", "", 1);
    assert_false(address_is_named(&none));
}

static void something_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < 6; i++) {
        const struct pg_options none = {0};
        clean(NULL);
        setenv(variables[i], "5", 1);
        assert_true(address_is_named(&none));
    }
    clean(NULL);
    assert_true(address_is_named(&(struct pg_options){.dbname = "a"}));
    assert_true(address_is_named(&(struct pg_options){.host = "a"}));
    assert_true(address_is_named(&(struct pg_options){.port = "1"}));
    assert_true(address_is_named(&(struct pg_options){.user = "a"}));
}

/* Addresses that libpq can't read, or misreads: messages must not contain the password or a part of
 * it. */
static const char *const secretive[] = {
    "postgres://ann:s3cret@db:x1/app?nosuch=s3cret",
    "postgres://ann:s3cret%zz@db/app",
    "postgres://ann:s3cret%00@db/app",
    "postgresql://ann:s3cret@[::1/app",
    "postgresql://ann:s3cret@[::1]s3cret/app",
    "postgresql://ann@db/app?password=s3cret&s3cret",
    "host=/nowhere password=a s3cret dbname=app",
    "host=/nowhere password='s3cret",
    "host=/nowhere s3cret=1",
    "host=/nowhere passw\xc3\xb6rd=s3cret",
    "postgresql://ann:a/s3cret@127.0.0.1:1/app",
    "postgresql://ann:a@s3cret@127.0.0.1:1/app",
    "postgresql://ann:s3cret?x@127.0.0.1:1/app",
    "postgresql://ann:s3cret/@127.0.0.1:1/app",
    "postgresql://ann:1?host=s3cret@127.0.0.1:1/app",
    "postgresql://ann:s3cret@127.0.0.1:1/app",
};

static void password_is_not_told(void **state)
{
    static const struct hooks deaf = {0};
    (void)state;
    for (size_t i = 0; i < sizeof secretive / sizeof *secretive; i++) {
        struct arena arena = {0};
        struct strbuf text = {0};
        struct address address;
        struct error err = {0};
        PGconn *conn = NULL;
        const struct connect_request request = {
            .address = &address, .application = "test", .hooks = &deaf};
        const struct pg_options options = {.dbname = secretive[i]};
        assert_false(address_of_options(&options, &arena, &address, &err) &&
                     connect_open(&request, &conn, &err));
        error_format(&err, &text);
        if (strstr(strbuf_text(&text), "cret") || !err.hint[0]) {
            fail_msg("%s: %s", secretive[i], strbuf_text(&text));
        }
        strbuf_free(&text);
        arena_free(&arena);
    }
}

static const char *dbname_of(const struct pg_options *options, struct arena *arena)
{
    struct address address;
    struct error err;
    assert_true(address_of_options(options, arena, &address, &err));
    return address_get(&address, "dbname");
}

/* DATABASE_URL applies if nothing with higher precedence names a server. */
static void order(void **state)
{
    struct arena arena = {0};
    (void)state;
    setenv("DATABASE_URL", "postgres://h/d", 1);
    assert_string_equal(dbname_of(&(struct pg_options){0}, &arena), "postgres://h/d");
    assert_string_equal(dbname_of(&(struct pg_options){.user = "a"}, &arena), "postgres://h/d");
    assert_string_equal(dbname_of(&(struct pg_options){.dbname = "mine"}, &arena), "mine");
    assert_null(dbname_of(&(struct pg_options){.host = "h"}, &arena));
    setenv("PGHOST", "h", 1);
    assert_null(dbname_of(&(struct pg_options){0}, &arena));
    arena_free(&arena);
}

static void unreadable(void **state)
{
    static const char *const bad[] = {"host=a nosuch=b", "postgresql://[::1", "host='unclosed",
                                      "postgresql://h/d?nosuch=1"};
    struct arena arena = {0};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct address address;
        struct error err;
        const struct pg_options options = {.dbname = bad[i]};
        if (address_of_options(&options, &arena, &address, &err)) {
            fail_msg("%s was taken", bad[i]);
        }
        assert_int_equal(err.code, ERROR_USAGE);
        assert_non_null(strstr(err.message, "the database's address can't be read: "));
    }
    arena_free(&arena);
}

static const char *env_find(const char *const *env, const char *name)
{
    size_t size = strlen(name);
    for (; *env; env++) {
        if (strncmp(*env, name, size) == 0 && (*env)[size] == '=') {
            return *env + size + 1;
        }
    }
    return NULL;
}

/* psql connects to the address, whatever the environment. */
static void environment_of_psql(void **state)
{
    struct arena arena = {0};
    struct address address = {.arena = &arena};
    (void)state;
    setenv("PGHOST", "elsewhere", 1);
    setenv("PGSERVICE", "other", 1);
    setenv("PGPASSWORD", "wrong", 1);
    *VEC_PUSH(&arena, &address.items) = (struct address_item){"host", "here"};
    *VEC_PUSH(&arena, &address.items) = (struct address_item){"dbname", "not this"};
    *VEC_PUSH(&arena, &address.items) = (struct address_item){"options", "-c a=b"};
    const struct address_env env = {"scratch", "loader"};
    const char *const *result = address_env(&address, &env, &arena);
    assert_string_equal(env_find(result, "PGHOST"), "here");
    assert_string_equal(env_find(result, "PGDATABASE"), "scratch");
    assert_string_equal(env_find(result, "PGAPPNAME"), "loader");
    assert_string_equal(env_find(result, "PGOPTIONS"), "-c a=b");
    assert_string_equal(env_find(result, "PGCLIENTENCODING"), "UTF8");
    assert_null(env_find(result, "PGSERVICE"));
    assert_null(env_find(result, "PGPASSWORD"));
    assert_non_null(env_find(result, "PATH"));
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(nothing_named, clean),
        cmocka_unit_test_setup(something_named, clean),
        cmocka_unit_test_setup(order, clean),
        cmocka_unit_test_setup(unreadable, clean),
        cmocka_unit_test_setup(password_is_not_told, clean),
        cmocka_unit_test_setup(environment_of_psql, clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
