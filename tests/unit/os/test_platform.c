/* What differs between systems: descriptors are closed, whatever the kernel offers for it. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "os/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIRST = 10, MANY = 300 };

/* From now on the kernel has no such call, as far as this process can see. */
static bool forget_call(unsigned number)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog filter = {.len = 4, .filter = steps};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

static bool is_open(int fd) { return fcntl(fd, F_GETFD) >= 0; }

enum verdict { RIGHT, WRONG, NOT_TRIED };

/* Of a child: whether all from FIRST up are closed, and none below. */
static enum verdict try_calls(const unsigned *forgotten, size_t count)
{
    int wrong = 0;
    bool ready = dup2(STDERR_FILENO, FIRST - 1) >= 0;
    for (int fd = FIRST; fd < FIRST + MANY; fd++) {
        ready = ready && dup2(STDERR_FILENO, fd) >= 0;
    }
    for (size_t i = 0; i < count; i++) {
        ready = ready && forget_call(forgotten[i]);
    }
    close_from(FIRST);
    for (int fd = 0; fd < FIRST + MANY; fd++) {
        bool stays = fd <= STDERR_FILENO || fd == FIRST - 1;
        wrong += (fd >= FIRST || stays) && is_open(fd) != stays;
    }
    return !ready ? NOT_TRIED : wrong ? WRONG : RIGHT;
}

static void check(const unsigned *forgotten, size_t count)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        _exit((int)try_calls(forgotten, count));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == NOT_TRIED && count > 0) {
        skip(); /* qemu-user has no seccomp */
    }
    assert_int_equal(WEXITSTATUS(status), RIGHT);
}

static void descriptors(void **state)
{
    (void)state;
    static const unsigned forgotten[] = {SYS_close_range, SYS_getdents64};
    for (size_t count = 0; count <= 2; count++) {
        check(forgotten, count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(descriptors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
