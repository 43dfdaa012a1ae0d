/* Other programs, and files. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "base/file.h"
#include "os/process.h"
#include "os/tree.h"
#include "support/rounds.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static const struct hooks deaf = {0};
static const struct os_user ourselves = {0};

static struct process_result run(const char *script, const char *input)
{
    const char *argv[] = {"/bin/sh", "-c", script, NULL};
    const struct process process = {.argv = argv, .user = &ourselves, .input = input};
    struct process_result result;
    struct error err;
    if (!process_run(&process, &deaf, &result, &err)) {
        fail_msg("%s", err.message);
    }
    return result;
}

static void output_and_status(void **state)
{
    (void)state;
    struct process_result result = run("cat; echo err >&2; exit 7", "some\ninput");
    assert_int_equal(result.status, 7);
    assert_string_equal(strbuf_text(&result.output), "some\ninput");
    assert_string_equal(strbuf_text(&result.errors), "err\n");
    process_result_free(&result);
    result = run("kill -9 $$", NULL);
    assert_int_equal(result.status, 128 + SIGKILL);
    process_result_free(&result);
}

/* More than any pipe holds, on both streams; the end of it is kept. */
static void much_output(void **state)
{
    (void)state;
    struct process_result result =
        run("i=0; while [ $i -lt 60000 ]; do echo 0123456789012345678901234567890123456789012345; "
            "echo x >&2; i=$((i + 1)); done; echo last",
            NULL);
    assert_int_equal(result.status, 0);
    assert_true(result.output.size <= (size_t)PROCESS_OUTPUT_MAX * 3);
    assert_non_null(strstr(strbuf_text(&result.output), "last"));
    assert_int_equal(result.errors.size, 120000);
    process_result_free(&result);
}

static void no_such_program(void **state)
{
    const char *argv[] = {"/nonexistent/program", NULL};
    const struct process process = {.argv = argv, .user = &ourselves};
    struct process_result result;
    struct error err;
    (void)state;
    assert_false(process_run(&process, &deaf, &result, &err));
    assert_int_equal(err.code, ERROR_SYSTEM);
    assert_string_equal(err.message,
                        "could not run /nonexistent/program: No such file or directory");
    process_result_free(&result);
}

static bool always(void *host)
{
    (void)host;
    return true;
}

/* A child that ignores the request is killed. */
static void interrupted(void **state)
{
    const char *argv[] = {"/bin/sh", "-c", "trap '' TERM INT; echo here; exec sleep 600", NULL};
    const struct process process = {.argv = argv, .user = &ourselves};
    const struct hooks hooks = {.interrupted = always};
    struct process_result result;
    struct error err;
    (void)state;
    assert_false(process_run(&process, &hooks, &result, &err));
    assert_int_equal(err.code, ERROR_INTERRUPTED);
    process_result_free(&result);
}

static void ignore(int number) { (void)number; }

static void set_timer(suseconds_t every_us)
{
    const struct itimerval timer = {.it_interval = {.tv_usec = every_us},
                                    .it_value = {.tv_usec = every_us}};
    (void)setitimer(ITIMER_REAL, &timer, NULL);
}

static bool hurried; /* the next fork is followed by an interrupt at once */
static void hurry(void)
{
    if (hurried) {
        set_timer(50);
    }
}

/* A child that is told when it has hardly begun hears it: it need not be killed, and no handler of
 * ours takes the signal. */
static void interrupted_at_once(void **state)
{
    const char *argv[] = {"/bin/sleep", "600", NULL};
    const struct process process = {.argv = argv, .user = &ourselves};
    const struct hooks hooks = {.interrupted = always};
    const struct sigaction action = {.sa_handler = ignore};
    (void)state;
    assert_int_equal(sigaction(SIGTERM, &action, NULL), 0);
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    assert_int_equal(pthread_atfork(NULL, hurry, NULL), 0);
    for (int i = 1; i <= 30; i++) {
        struct process_result result;
        struct error err;
        hurried = true;
        assert_false(process_run(&process, &hooks, &result, &err));
        hurried = false;
        set_timer(0);
        assert_int_equal(result.status, 128 + SIGTERM);
        process_result_free(&result);
    }
    (void)signal(SIGTERM, SIG_DFL);
    (void)signal(SIGALRM, SIG_DFL);
}

static void environment(void **state)
{
    struct arena arena = {0};
    (void)state;
    assert_int_equal(setenv("PGFSM_TEST_A", "old", 1), 0);
    assert_int_equal(setenv("PGFSM_TEST_AB", "stays", 1), 0);
    const struct env_change changes[] = {{"PGFSM_TEST_A", NULL}, {"PGFSM_TEST_B", "new"}};
    const char *argv[] = {"/bin/sh", "-c",
                          "echo ${PGFSM_TEST_A-none} ${PGFSM_TEST_AB-none} ${PGFSM_TEST_B-none}",
                          NULL};
    const struct process process = {
        .argv = argv,
        .env = env_changed(&arena, changes, 2),
        .user = &ourselves,
    };
    struct process_result result;
    struct error err;
    assert_true(process_run(&process, &deaf, &result, &err));
    assert_string_equal(strbuf_text(&result.output), "none stays new\n");
    process_result_free(&result);
    arena_free(&arena);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static const char *const everything[] = {NULL};

static bool pack(const char *from, const char *const *without, const char *path)
{
    struct error err;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    bool packed = tree_pack(from, without, file, &err);
    assert_int_equal(fclose(file), 0);
    return packed;
}

static enum unpacked unpack(const struct strbuf *packed, size_t size, const char *to)
{
    FILE *file = fmemopen(packed->data, size, "r");
    assert_non_null(file);
    enum unpacked outcome = tree_unpack(file, to, &ourselves);
    assert_int_equal(fclose(file), 0);
    return outcome;
}

/* Every byte matters: a missing or changed byte is detected. Each byte is tried at night. */
static void damage(struct strbuf *packed, const char *to)
{
    for (size_t i = 0; i < packed->size; i += rounds(7, 1)) {
        if (i > 0) {
            assert_int_equal(unpack(packed, i, to), UNPACK_DAMAGED);
            tree_remove(to);
        }
        packed->data[i] ^= 0x10;
        assert_int_not_equal(unpack(packed, packed->size, to), UNPACKED);
        tree_remove(to);
        packed->data[i] ^= 0x10;
    }
}

static void trees(void **state)
{
    static const char *const without[] = {"emp", NULL};
    struct arena arena = {0};
    struct error err;
    char top[] = "/tmp/pgfsm-test.XXXXXX";
    struct stat info;
    struct strbuf text = {0};
    struct strbuf bytes = {0};
    (void)state;
    assert_non_null(mkdtemp(top));
    const char *root = arena_printf(&arena, "%s/a", top);
    const char *from = arena_printf(&arena, "%s/b/c", root);
    assert_true(folder_make(from, 0777, &err));
    write_file(arena_printf(&arena, "%s/file", from), "text");
    write_file(arena_printf(&arena, "%s/empty", from), "");
    const char *packed = arena_printf(&arena, "%s/packed", top);
    const char *to = arena_printf(&arena, "%s/copy", top);
    assert_true(pack(root, without, packed));
    assert_true(file_load(packed, 10000, &bytes, &err));
    damage(&bytes, to);
    assert_int_equal(unpack(&bytes, bytes.size, to), UNPACKED);
    const char *copied = arena_printf(&arena, "%s/b/c/file", to);
    assert_true(file_load(copied, 100, &text, &err));
    assert_string_equal(text.data, "text");
    assert_int_equal(stat(copied, &info), 0);
    assert_int_equal(info.st_mode & 0777U, 0600);
    assert_int_not_equal(stat(arena_printf(&arena, "%s/b/c/empty", to), &info), 0);
    /* Not into what is there, not without room, and no links. */
    assert_int_equal(unpack(&bytes, bytes.size, to), UNPACK_FAILED);
    assert_true(pack(root, everything, packed));
    assert_false(pack(root, everything, "/dev/full"));
    assert_int_equal(symlink("/etc", arena_printf(&arena, "%s/link", root)), 0);
    assert_false(pack(root, everything, packed));
    tree_remove(top);
    assert_int_not_equal(stat(top, &info), 0);
    assert_int_equal(stat("/etc/passwd", &info), 0);
    strbuf_free(&bytes);
    strbuf_free(&text);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_and_status),
        cmocka_unit_test(much_output),
        cmocka_unit_test(no_such_program),
        cmocka_unit_test(interrupted),
        cmocka_unit_test(interrupted_at_once),
        cmocka_unit_test(environment),
        cmocka_unit_test(trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
