#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define POISON_IS_VISIBLE 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISON_IS_VISIBLE 1
#endif
#endif
#ifdef POISON_IS_VISIBLE
#include <sanitizer/asan_interface.h>
#endif

static void empty(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_int_equal(arena_used(&arena), 0);
    arena_reset(&arena);
    arena_free(&arena);
    arena_free(&arena);
    assert_null(arena.first);
}

static void aligned_and_apart(void **state)
{
    (void)state;
    struct arena arena = {0};
    unsigned char *items[300];
    for (size_t i = 0; i < 300; i++) {
        items[i] = arena_alloc(&arena, i);
        assert_non_null(items[i]);
        assert_int_equal((uintptr_t)items[i] % 16, 0);
        memset(items[i], (int)i & 0xFF, i);
    }
    for (size_t i = 0; i < 300; i++) {
        for (size_t k = 0; k < i; k++) {
            assert_int_equal(items[i][k], i & 0xFF);
        }
    }
    assert_true(arena_used(&arena) >= 299 * 300 / 2);
    arena_free(&arena);
}

static void zeroed_after_a_reset(void **state)
{
    (void)state;
    struct arena arena = {0};
    memset(arena_alloc(&arena, 1000), 0xFF, 1000);
    arena_reset(&arena);
    assert_int_equal(arena_used(&arena), 0);
    const unsigned char *data = arena_calloc(&arena, 10, 100);
    for (size_t i = 0; i < 1000; i++) {
        assert_int_equal(data[i], 0);
    }
    arena_free(&arena);
}

/* The same requests after a reset get the same memory: nothing is asked of the system again. */
static void blocks_are_kept(void **state)
{
    (void)state;
    struct arena arena = {0};
    void *first[3] = {0};
    for (int round = 0; round < 3; round++) {
        void *now[3] = {arena_alloc(&arena, 10), arena_alloc(&arena, 1 << 20),
                        arena_alloc(&arena, 100000)};
        if (round == 0) {
            memcpy(first, now, sizeof now);
        }
        assert_memory_equal(first, now, sizeof now);
        arena_reset(&arena);
    }
    arena_free(&arena);
}

/* Small after big and big after small, over several resets: no block is handed out twice. */
static void mixed_sizes(void **state)
{
    (void)state;
    struct arena arena = {0};
    unsigned short random[3] = {1, 2, 3};
    for (int round = 0; round < 20; round++) {
        unsigned char *items[50];
        size_t sizes[50];
        for (int i = 0; i < 50; i++) {
            sizes[i] = (size_t)nrand48(random) % (nrand48(random) % 5 ? 2000 : 300000);
            items[i] = arena_alloc(&arena, sizes[i]);
            memset(items[i], i, sizes[i]);
        }
        for (int i = 0; i < 50; i++) {
            for (size_t k = 0; k < sizes[i]; k += 97) {
                assert_int_equal(items[i][k], i);
            }
        }
        arena_reset(&arena);
    }
    arena_free(&arena);
}

static void rewind_to_a_mark(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct arena_mark start = arena_mark(&arena);
    char *kept = arena_strdup(&arena, "kept");
    size_t used = arena_used(&arena);
    struct arena_mark mark = arena_mark(&arena);
    void *gone = arena_alloc(&arena, 20);
    (void)arena_alloc(&arena, 1 << 20);
    (void)arena_alloc(&arena, 1 << 20);
    arena_rewind(&arena, mark);
    assert_int_equal(arena_used(&arena), used);
    assert_string_equal(kept, "kept");
    assert_ptr_equal(arena_alloc(&arena, 20), gone);
    arena_rewind(&arena, start);
    assert_int_equal(arena_used(&arena), 0);
    assert_ptr_equal(arena_alloc(&arena, 5), kept);
    arena_free(&arena);
}

static char told[8];

static void tell(void *data)
{
    const char *letter = data;
    told[strlen(told)] = *letter;
}

static void what_is_deferred_runs_when_memory_is_freed(void **state)
{
    (void)state;
    static char letters[] = "abcd";
    struct arena arena = {0};
    arena_defer(&arena, tell, letters);
    struct arena_mark mark = arena_mark(&arena);
    arena_defer(&arena, tell, letters + 1);
    arena_defer(&arena, tell, letters + 2);
    assert_string_equal(told, "");
    arena_rewind(&arena, mark);
    assert_string_equal(told, "cb");
    arena_reset(&arena);
    assert_string_equal(told, "cba");
    arena_reset(&arena);
    arena_defer(&arena, tell, letters + 3);
    arena_free(&arena);
    assert_string_equal(told, "cbad");
}

static void copies(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_string_equal(arena_strdup(&arena, ""), "");
    assert_string_equal(arena_strndup(&arena, "abcdef", 3), "abc");
    assert_string_equal(arena_strndup(&arena, NULL, 0), "");
    assert_memory_equal(arena_memdup(&arena, "a\0b", 3), "a\0b", 3);
    assert_non_null(arena_memdup(&arena, NULL, 0));
    assert_string_equal(arena_printf(&arena, "%d-%s", 7, "x"), "7-x");
    assert_string_equal(arena_printf(&arena, "%s", ""), "");
    const char *wide = arena_printf(&arena, "%100000d", 1);
    assert_int_equal(strlen(wide), 100000);
    arena_free(&arena);
}

static void stale_memory_is_poisoned(void **state)
{
    (void)state;
#ifdef POISON_IS_VISIBLE
    struct arena arena = {0};
    char *data = arena_alloc(&arena, 20);
    assert_false(__asan_address_is_poisoned(data + 19));
    assert_true(__asan_address_is_poisoned(data + 20));
    struct arena_mark mark = arena_mark(&arena);
    char *later = arena_alloc(&arena, 20);
    arena_rewind(&arena, mark);
    assert_true(__asan_address_is_poisoned(later));
    assert_false(__asan_address_is_poisoned(data));
    arena_reset(&arena);
    assert_true(__asan_address_is_poisoned(data));
    arena_free(&arena);
#else
    skip();
#endif
}

/* The wait status of a process that asks for too much. */
static int status_of(void (*ask)(struct arena *), void (*handler)(void))
{
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct arena arena = {0};
        (void)close(STDERR_FILENO);
        memory_on_exhausted(handler);
        ask(&arena);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void leave(void) { _exit(7); }

static void come_back(void) {}

static void ask_overflowing_count(struct arena *arena)
{
    (void)arena_calloc(arena, SIZE_MAX / 2, 3);
}

static void ask_all_memory(struct arena *arena) { (void)arena_alloc(arena, SIZE_MAX); }

static void ask_nothing(struct arena *arena) { (void)arena_alloc(arena, 0); }

static void no_memory_calls_the_handler(void **state)
{
    static void (*const too_much[])(struct arena *) = {ask_overflowing_count, ask_all_memory};
    (void)state;
    for (size_t i = 0; i < sizeof too_much / sizeof *too_much; i++) {
        int status = status_of(too_much[i], leave);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 7);
    }
    assert_int_equal(status_of(ask_nothing, leave), 0);
}

static void without_one_the_process_aborts(void **state)
{
    static void (*const handlers[])(void) = {NULL, come_back};
    (void)state;
    for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++) {
        int status = status_of(ask_all_memory, handlers[i]);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), SIGABRT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty),
        cmocka_unit_test(aligned_and_apart),
        cmocka_unit_test(zeroed_after_a_reset),
        cmocka_unit_test(blocks_are_kept),
        cmocka_unit_test(mixed_sizes),
        cmocka_unit_test(rewind_to_a_mark),
        cmocka_unit_test(what_is_deferred_runs_when_memory_is_freed),
        cmocka_unit_test(copies),
        cmocka_unit_test(stale_memory_is_poisoned),
        cmocka_unit_test(no_memory_calls_the_handler),
        cmocka_unit_test(without_one_the_process_aborts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
