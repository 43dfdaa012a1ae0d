#include "base/file.h"

#include "base/arena.h"
#include "base/names.h"
#include "base/path.h"
#include "base/vec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/xattr.h>
#endif

/* While a process writes a file, the temporary file's name is the file's name, this and the
 * process's number. */
#define TEMPORARY ".pgfsm-"
#define NEW ".new"

static const char *kind_name(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFDIR:
        return "a folder";
    case S_IFIFO:
        return "a pipe";
    case S_IFSOCK:
        return "a socket";
    default:
        return "a device";
    }
}

static bool is_regular(const struct stat *status, const char *path, struct error *err)
{
    return S_ISREG(status->st_mode) || error_set(err, ERROR_SYSTEM, "can't read %s: it is %s", path,
                                                 kind_name(status->st_mode));
}

/* The offset of the suffix of a file's name; its length if it has none. */
static size_t suffix_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && dot > name ? (size_t)(dot - name) : strlen(name);
}

/* Returns true if the names differ only in the suffix of a YAML file, which may be missing. */
static bool is_same_yaml(const char *name, const char *other)
{
    static const char *const suffixes[] = {".yaml", ".yml", ""};
    size_t stem = suffix_of(name);
    return stem == suffix_of(other) && strncmp(name, other, stem) == 0 && other[stem] &&
           name_is_in(name + stem, NAMES_IN(suffixes)) &&
           name_is_in(other + stem, NAMES_IN(suffixes));
}

/* The name in the folder that was probably meant, with the same suffix; NULL if no name is close.
 */
static const char *near_name(struct arena *arena, const char *name, struct dirent **entries,
                             size_t count)
{
    VEC(const char *) stems = {0};
    const char *suffix = name + suffix_of(name);
    for (size_t i = 0; i < count; i++) {
        const char *other = entries[i]->d_name;
        size_t stem = suffix_of(other);
        if (is_same_yaml(name, other)) {
            return other;
        }
        if (strcmp(other + stem, suffix) == 0) {
            *VEC_PUSH(arena, &stems) = arena_strndup(arena, other, stem);
        }
    }
    const char *stem = arena_strndup(arena, name, suffix_of(name));
    const char *close = closest_name(stem, stems.items, stems.count);
    return close ? arena_printf(arena, "%s%s", close, suffix) : NULL;
}

/* Suggests a similar name for a missing file. */
static void hint_at_near(const char *path, struct error *err)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    struct dirent **entries = NULL;
    struct arena arena = {0};
    const char *place = arena_strndup(&arena, path, folder);
    int count = scandir(folder ? place : ".", &entries, NULL, alphasort);
    const char *near = count > 0 ? near_name(&arena, path + folder, entries, (size_t)count) : NULL;
    if (near) {
        error_hint(err, "did you mean %s%s?", place, near);
    }
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
    arena_free(&arena);
}

/* A socket can't be opened; naming it is clearer than "No such device or address". */
static bool cannot_open(const char *path, struct error *err)
{
    struct stat status;
    int why = errno;
    if (why == ENXIO && stat(path, &status) == 0 && !is_regular(&status, path, err)) {
        return false;
    }
    errno = why;
    (void)error_system(err, "can't open", path);
    if (why == ENOENT) {
        hint_at_near(path, err);
    }
    return false;
}

static FILE *open_regular(const char *path, struct stat *status, struct error *err)
{
    FILE *stream = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) {
        (void)cannot_open(path, err);
    } else if (fstat(file, status) != 0) {
        (void)error_system(err, "can't read", path);
    } else if (is_regular(status, path, err) && !(stream = fdopen(file, "rb"))) {
        (void)error_system(err, "can't open", path);
    }
    if (file >= 0 && !stream) {
        (void)close(file);
    }
    return stream;
}

FILE *file_open(const char *path, struct error *err)
{
    struct stat status;
    return open_regular(path, &status, err);
}

/* A file system without locks has none to wait for. */
static bool lock(int file)
{
    enum { TRIES = 500 };
    const struct timespec pause = {.tv_nsec = 20000000};
    bool locked = false;
    for (int i = 0; i < TRIES && !locked; i++) {
        locked = flock(file, LOCK_EX | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR);
        if (!locked) {
            (void)nanosleep(&pause, NULL);
        }
    }
    return locked;
}

FILE *file_open_locked(const char *path, struct error *err)
{
    struct stat status;
    struct stat now;
    FILE *file = NULL;
    while ((file = open_regular(path, &status, err))) {
        bool locked = lock(fileno(file)) ||
                      error_set(err, ERROR_SYSTEM, "%s is locked by another process", path);
        if (locked && stat(path, &now) == 0 && now.st_ino == status.st_ino &&
            now.st_dev == status.st_dev) {
            return file;
        }
        (void)fclose(file);
        if (!locked) {
            return NULL;
        }
    }
    return NULL;
}

bool file_read(FILE *file, const char *name, size_t most, struct strbuf *out, struct error *err)
{
    char chunk[1 << 14];
    size_t size;
    while (out->size <= most && (size = fread(chunk, 1, sizeof chunk, file)) > 0) {
        strbuf_add(out, chunk, size);
    }
    return !ferror(file) || error_system(err, "can't read", name);
}

/* Reads at most what the file held when it was opened, so that a process that appends to it can't
 * keep us reading. Files of /proc report size 0. */
static bool read_whole(FILE *file, const char *path, const struct stat *status, size_t most,
                       struct strbuf *out, struct error *err)
{
    size_t size = (size_t)status->st_size;
    size_t limit = size > 0 && size < most ? size : most;
    if (!file_read(file, path, limit, out, err)) {
        return false;
    }
    if (out->size > most) {
        return error_set(err, ERROR_SYSTEM, "can't read %s: it is larger than %zu MiB", path,
                         most >> 20U);
    }
    return out->size <= limit ||
           error_set(err, ERROR_SYSTEM, "can't read %s: it grows while it is read", path);
}

static void skip_mark(struct strbuf *text)
{
    static const char mark[] = "\xef\xbb\xbf";
    size_t size = sizeof mark - 1;
    if (text->size >= size && memcmp(text->data, mark, size) == 0) {
        memmove(text->data, text->data + size, text->size - size);
        strbuf_truncate(text, text->size - size);
    }
}

static bool load_file(const char *path, size_t most, bool whole, struct strbuf *out,
                      struct error *err)
{
    struct stat status;
    FILE *file = open_regular(path, &status, err);
    bool read = file && (whole ? read_whole(file, path, &status, most, out, err)
                               : file_read(file, path, most, out, err));
    if (file) {
        (void)fclose(file);
    }
    skip_mark(out);
    return read;
}

bool file_load(const char *path, size_t most, struct strbuf *out, struct error *err)
{
    return load_file(path, most, true, out, err);
}

bool file_head(const char *path, size_t most, struct strbuf *out, struct error *err)
{
    return load_file(path, most, false, out, err);
}

/* Creates a new file. An existing one, left by a killed run or put there by another user, is
 * removed and never written to. */
static FILE *create_file(const char *path, mode_t mode)
{
    int file = -1;
    for (int i = 0; i < 2 && file < 0 && (i == 0 || errno == EEXIST); i++) {
        if (i > 0 && unlink(path) != 0) {
            return NULL;
        }
        file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    }
    FILE *stream = file >= 0 ? fdopen(file, "wb") : NULL;
    if (stream) {
        (void)flock(file, LOCK_EX | LOCK_NB); /* held while the file is written; see is_abandoned */
    }
    if (file >= 0 && !stream) {
        (void)close(file);
    }
    return stream;
}

#ifdef __linux__
/* What it inherited from its folder is not the old file's. */
static bool drop_access_list(int file)
{
    return fremovexattr(file, "system.posix_acl_access") == 0 || errno == ENODATA ||
           errno == ENOTSUP;
}

/* An access list is such an attribute. Those of security modules are the kernel's to set. */
static bool copy_attributes(int from, int to)
{
    char names[1 << 12];
    char value[1 << 12];
    ssize_t size = flistxattr(from, names, sizeof names);
    bool good = size >= 0 || errno == ENOTSUP;
    for (const char *name = names; good && name < names + size; name += strlen(name) + 1) {
        ssize_t length = fgetxattr(from, name, value, sizeof value);
        good = (length >= 0 && fsetxattr(to, name, value, (size_t)length, 0) == 0) ||
               strncmp(name, "security.", strlen("security.")) == 0;
    }
    return good;
}
#else
static bool drop_access_list(int file) { return file >= 0; }
static bool copy_attributes(int from, int to) { return from >= 0 && to >= 0; }
#endif

/* A file of the user's, before it is written anew. */
struct original {
    const char *name; /* as the user knows it */
    FILE *file;
    const struct strbuf *text;
    struct stat status;
};

static bool make_like(int file, const struct original *original)
{
    const struct stat *status = &original->status;
    return drop_access_list(file) && fchown(file, status->st_uid, status->st_gid) == 0 &&
           fchmod(file, status->st_mode & 07777) == 0 &&
           copy_attributes(fileno(original->file), file) && fsync(file) == 0;
}

/* Whether nobody wrote to it, or put another file in its place, since it was read. */
static bool is_unchanged(const char *path, const struct original *original)
{
    struct error ignored;
    struct strbuf text = {0};
    size_t size = original->text->size;
    FILE *file = file_open(path, &ignored);
    bool same = file && file_read(file, path, size, &text, &ignored) && text.size == size &&
                memcmp(strbuf_text(&text), strbuf_text(original->text), size) == 0;
    if (file) {
        (void)fclose(file);
    }
    strbuf_free(&text);
    return same;
}

/* `original`: whose owner, mode and attributes the file gets; NULL: nobody's. */
static bool write_whole(const char *path, const struct strbuf *text,
                        const struct original *original)
{
    FILE *file = create_file(path, original ? 0600 : 0666);
    bool good = file && fwrite(strbuf_text(text), 1, text->size, file) == text->size &&
                fflush(file) == 0 && (!original || make_like(fileno(file), original));
    int why = good ? 0 : errno;
    if (file && fclose(file) != 0 && !why) {
        why = errno;
    }
    errno = why;
    return !why;
}

/* True if no process is writing this temporary file any more. */
static bool is_abandoned(int folder, const char *name)
{
    struct stat info;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool abandoned = file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode) &&
                     info.st_uid == geteuid() && flock(file, LOCK_EX | LOCK_NB) == 0;
    if (file >= 0) {
        (void)close(file);
    }
    return abandoned;
}

/* True for "report.html.pgfsm-123.new" beside "report.html" if that process is gone. */
static bool is_of_dead(const char *name, const char *target)
{
    size_t size = strlen(target);
    if (strncmp(name, target, size) != 0 ||
        strncmp(name + size, TEMPORARY, strlen(TEMPORARY)) != 0) {
        return false;
    }
    char *end = NULL;
    long pid = strtol(name + size + strlen(TEMPORARY), &end, 10);
    return pid > 0 && pid <= INT_MAX && strcmp(end, NEW) == 0 && kill((pid_t)pid, 0) != 0 &&
           errno == ESRCH;
}

/* Removes temporary files of the same file that killed processes have left. */
static void remove_abandoned(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct strbuf folder = {0};
    strbuf_add(&folder, path, slash ? (size_t)(slash - path) + 1 : 0);
    DIR *dir = opendir(slash ? strbuf_text(&folder) : ".");
    const struct dirent *entry = NULL;
    while (dir && (entry = readdir(dir))) {
        if (is_of_dead(entry->d_name, slash ? slash + 1 : path) &&
            is_abandoned(dirfd(dir), entry->d_name)) {
            (void)unlinkat(dirfd(dir), entry->d_name, 0);
        }
    }
    if (dir) {
        (void)closedir(dir);
    }
    strbuf_free(&folder);
}

static bool replace(const char *path, const struct strbuf *text, const struct original *original,
                    struct error *err)
{
    struct strbuf temporary = {0};
    strbuf_addf(&temporary, "%s" TEMPORARY "%ld" NEW, path, (long)getpid());
    remove_abandoned(path);
    bool good =
        write_whole(temporary.data, text, original) || error_system(err, "can't write", path);
    if (good && original && !is_unchanged(path, original)) {
        good = error_set(err, ERROR_SYSTEM, "%s has changed since it was read", original->name);
    }
    good = good && (rename(temporary.data, path) == 0 || error_system(err, "can't write", path));
    if (!good) {
        (void)unlink(temporary.data);
    }
    strbuf_free(&temporary);
    return good;
}

bool file_replace(const char *path, const struct strbuf *text, struct error *err)
{
    return replace(path, text, NULL, err);
}

bool file_rewrite(const char *path, FILE *file, const struct strbuf *was, const struct strbuf *text,
                  struct error *err)
{
    struct arena arena = {0};
    struct original original = {.name = path, .file = file, .text = was};
    const char *real = path_absolute(&arena, path);
    bool good = real && access(real, W_OK) == 0 && fstat(fileno(file), &original.status) == 0;
    if (!good) {
        (void)error_system(err, "can't write", path);
    } else if (original.status.st_nlink > 1) {
        good = error_set(err, ERROR_SYSTEM,
                         "%s has other names (hard links), which would keep the "
                         "old text",
                         path);
    } else {
        good = replace(real, text, &original, err);
    }
    arena_free(&arena);
    return good;
}

bool file_append(const char *path, const struct strbuf *text, struct error *err)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    size_t done = 0;
    while (fd >= 0 && done < text->size) {
        ssize_t written = write(fd, text->data + done, text->size - done);
        if (written <= 0) {
            break;
        }
        done += (size_t)written;
    }
    bool good = (fd >= 0 && done == text->size) || error_system(err, "can't write", path);
    return (fd < 0 || close(fd) == 0 || error_system(err, "can't write", path)) && good;
}

bool folder_exists(const char *path)
{
    struct stat status;
    bool there = stat(path, &status) == 0;
    errno = there ? ENOTDIR : errno;
    return there && S_ISDIR(status.st_mode);
}

const char *folder_sql_pattern(const char *path)
{
    static const char *const patterns[] = {"*.sql", "*.up.sql"};
    DIR *dir = opendir(path);
    const struct dirent *entry = NULL;
    bool up = false;
    while (dir && !up && (entry = readdir(dir))) {
        up = path_ends_in(entry->d_name, ".up.sql");
    }
    if (dir) {
        (void)closedir(dir);
    }
    return patterns[up];
}

bool folder_make(const char *path, unsigned mode, struct error *err)
{
    struct strbuf part = {0};
    bool made = true;
    size_t size = strlen(path);
    for (size_t i = 1; made && i <= size; i++) {
        if (path[i] == '/' || path[i] == '\0') {
            strbuf_clear(&part);
            strbuf_add(&part, path, i);
            made = mkdir(part.data, mode) == 0 || (errno == EEXIST && folder_exists(part.data));
        }
    }
    made = made || error_system(err, "can't create the folder", part.data);
    strbuf_free(&part);
    return made;
}
