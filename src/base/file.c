#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool system_error(struct error *err, const char *what, const char *path)
{
    return error_set(err, ERROR_SYSTEM, "%s %s: %s", what, path, strerror(errno));
}

static bool is_regular(int file, const char *path, struct error *err)
{
    struct stat status;
    if (fstat(file, &status) != 0) {
        return system_error(err, "can't read", path);
    }
    return S_ISREG(status.st_mode) ||
           error_set(err, ERROR_SYSTEM, "can't read %s: it is %s", path,
                     S_ISDIR(status.st_mode) ? "a folder" : "a pipe or a device");
}

FILE *file_open(const char *path, struct error *err)
{
    FILE *stream = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        (void)system_error(err, "can't open", path);
    } else if (!is_regular(file, path, err) || !(stream = fdopen(file, "rb"))) {
        (void)close(file);
    }
    return stream;
}

bool file_read(FILE *file, const char *name, size_t most, struct strbuf *out, struct error *err)
{
    char chunk[1 << 14];
    size_t size;
    while (out->size <= most && (size = fread(chunk, 1, sizeof chunk, file)) > 0) {
        strbuf_add(out, chunk, size);
    }
    return !ferror(file) || system_error(err, "can't read", name);
}

bool file_load(const char *path, size_t most, struct strbuf *out, struct error *err)
{
    FILE *file = fopen(path, "rbe");
    if (!file) {
        return system_error(err, "can't open", path);
    }
    bool read = file_read(file, path, most, out, err);
    (void)fclose(file);
    return read;
}

static bool write_whole(const char *path, const struct strbuf *text)
{
    FILE *file = fopen(path, "wbe");
    bool good = file && fwrite(strbuf_text(text), 1, text->size, file) == text->size;
    good = file && fflush(file) == 0 && good;
    int why = good ? 0 : errno;
    if (file && fclose(file) != 0 && !why) {
        why = errno;
    }
    errno = why;
    return !why;
}

bool file_replace(const char *path, const struct strbuf *text, struct error *err)
{
    struct strbuf aside = {0};
    strbuf_addf(&aside, "%s.%ld.new", path, (long)getpid());
    bool good = (write_whole(aside.data, text) && rename(aside.data, path) == 0) ||
                system_error(err, "can't write", path);
    if (!good) {
        (void)unlink(aside.data);
    }
    strbuf_free(&aside);
    return good;
}

static bool is_folder(const char *path)
{
    struct stat status;
    bool there = stat(path, &status) == 0;
    errno = there ? ENOTDIR : errno;
    return there && S_ISDIR(status.st_mode);
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
            made = mkdir(part.data, mode) == 0 || (errno == EEXIST && is_folder(part.data));
        }
    }
    made = made || system_error(err, "can't make the folder", part.data);
    strbuf_free(&part);
    return made;
}
