#!/bin/sh
# portable.sh SOURCES
#
# Checks that what only Linux or glibc has is used in os/ and pg/server/ alone, which do something else on other systems:
# headers, functions, constants, files of /proc. SOURCES is the folder src. Prints each other use as file:line:text, and
# each file that is excused in vain; exit status 1 if there is one.
set -eu
cd "$1"

# Files that may, in a part for Linux, and why:
# base/file.c: base may not include os; a file that is written anew keeps its attributes.
excused='base/file.c'

# Words, by the page that describes them: extended regular expressions.
headers='argp|asm/.*|elf|envz|error|execinfo|features|link|linux/.*|malloc|mntent|obstack|printf|threads
    sys/(auxv|capability|epoll|eventfd|fanotify|inotify|klog|pidfd|prctl|random|sendfile|signalfd|statfs|syscall)
    sys/(sysinfo|sysmacros|timerfd|vfs|xattr)'
functions='accept4|dup3|pipe2|closefrom|close_range|copy_file_range|fallocate|fdatasync|mkostemps?|memfd_[a-z]+
    posix_f(advise|allocate)|p(read|write)v2?|readahead|renameat2|sendfile|statx|statfs|sync(fs|_file_range)
    (epoll|inotify|fanotify|eventfd|pidfd|signalfd|timerfd)(_[a-z0-9_]+)?|[fl]?([gs]et|list|remove)xattr|faccessat2
    canonicalize_file_name|euidaccess|eaccess|get_current_dir_name|getdents(64)?|name_to_handle_at|openat2|versionsort
    execveat|execvpe|fexecve|[gs]etres[ug]id|gettid|prctl|prlimit|process_vm_[a-z]+|sched_[gs]et[a-z]+|syscall
    tgkill|unshare|vfork|wait4|getauxval|getrandom|get_n?(phys_pages|procs)|secure_getenv|sysinfo|dlmopen
    clock_nanosleep|ppoll|sig(abbrev_np|descr_np|queue|timedwait|waitinfo)|sem_(timed|clock)wait|timer_[a-z]+|thrd_[a-z]+
    pthread_((barrier|spin)_[a-z]+|[a-z]+_np|condattr_setclock|mutex_(timed|clock)lock|cond_clockwait)
    f[a-z]+_unlocked|fopencookie|malloc_(info|trim|usable_size)|mallinfo2?|mremap|pvalloc|explicit_bzero|mempcpy|memrchr
    rawmemchr|qsort_r|strchrnul|strerror(desc|name)_np|strn?dupa|strverscmp'
constants='AT_EMPTY_PATH|CLOCK_(BOOTTIME|MONOTONIC_RAW|[A-Z]+_COARSE)|FNM_EXTMATCH|MSG_(NOSIGNAL|CMSG_CLOEXEC)
    O_(DIRECT|NOATIME|PATH|TMPFILE)|POLLRDHUP|PR_[A-Z_]+|program_invocation(_short)?_name|SO_PEERCRED
    SOCK_(CLOEXEC|NONBLOCK)|TEMP_FAILURE_RETRY'
any() { echo "$1" | sed 's/^ *//' | paste -s -d '|'; }

# A name with a number, getrandom(2), is a page of the manual.
uses() {
    grep -nHE "^[[:space:]]*#[[:space:]]*include[[:space:]]*<($(any "$headers"))\.h>|\"/proc/|\b($(any "$constants"))\b|\b($(
        any "$functions"))\(([^0-9]|[0-9][^)]|\$)" "$@"
}
failed=0
# shellcheck disable=SC2046 # no file has a blank in its name
uses $(find . -name '*.[ch]' | sed 's|^\./||' | grep -v -e '^os/' -e '^pg/server/' -e "^\($excused\)\$" | LC_ALL=C sort) && failed=1
for file in $excused; do
    if ! uses "$file" >/dev/null || ! grep -q '^#ifdef __linux__$' "$file"; then
        echo "$file: has nothing that only Linux has, or no part for Linux"
        failed=1
    fi
done
[ "$failed" = 0 ] || echo "move them to os/, or use what POSIX has"
exit "$failed"
