#include "base/path.h"

#include "base/strbuf.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DIGITS "0123456789"

const char *path_absolute(struct arena *arena, const char *path)
{
    char *resolved = realpath(path, NULL);
    const char *copy = resolved ? arena_strdup(arena, resolved) : NULL;
    free(resolved);
    return copy;
}

const char *path_relative(struct arena *arena, const char *from, const char *to)
{
    struct strbuf path = {0};
    size_t same = 0; /* bytes of folders in common, with their slash */
    size_t i = 0;
    if (strcmp(from, to) == 0) {
        return ".";
    }
    for (; from[i] && from[i] == to[i]; i++) {
        same = from[i] == '/' ? i + 1 : same;
    }
    if (from[i] == '\0' && to[i] == '/') {
        same = i + 1;
    }
    for (const char *rest = strlen(from) > same ? from + same : ""; *rest;) {
        strbuf_adds(&path, "../");
        rest += strcspn(rest, "/");
        rest += *rest == '/';
    }
    strbuf_adds(&path, to + same);
    return strbuf_take(&path, arena);
}

const char *path_beside(struct arena *arena, const char *from, const char *file)
{
    const char *slash = strrchr(from, '/');
    return *file == '/' || !slash
               ? file
               : arena_printf(arena, "%.*s%s", (int)(slash + 1 - from), from, file);
}

/* Returns true if two paths lead to the same folder; "" is the current one. */
static bool is_same_folder(const char *a, const char *b)
{
    struct stat first;
    struct stat second;
    return stat(*a ? a : ".", &first) == 0 && stat(*b ? b : ".", &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

const char *path_plain(struct arena *arena, const char *path)
{
    char *plain = arena_strdup(arena, path);
    size_t at = 0;
    while (plain[at]) {
        size_t size = strcspn(plain + at, "/");
        const char *next = plain + at + size;
        size_t gone = 0;
        if (size == 1 && plain[at] == '.' && next[0] && next[1]) {
            gone = size + 1;
        } else if (strncmp(next, "/../", 4) == 0 && next[4] && size > 0 &&
                   is_same_folder(arena_strndup(arena, plain, at + size + 3),
                                  arena_strndup(arena, plain, at))) {
            gone = size + 4;
        }
        if (gone) {
            memmove(plain + at, plain + at + gone, strlen(plain + at + gone) + 1);
            at = 0;
        } else {
            at += size + (*next == '/');
        }
    }
    return plain;
}

const char *path_folder(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t size = slash && slash > path ? (size_t)(slash - path) : 1;
    return slash ? arena_strndup(arena, path, size) : ".";
}

bool path_ends_in(const char *path, const char *ending)
{
    size_t size = strlen(path);
    size_t length = strlen(ending);
    return size > length && strcmp(path + size - length, ending) == 0;
}

/* Compares two numbers in digits by value, and moves both pointers behind the digits. */
static int order_digits(const char **a, const char **b)
{
    *a += strspn(*a, "0");
    *b += strspn(*b, "0");
    size_t size_a = strspn(*a, DIGITS);
    size_t size_b = strspn(*b, DIGITS);
    int order = size_a != size_b ? (size_a < size_b ? -1 : 1) : strncmp(*a, *b, size_a);
    *a += size_a;
    *b += size_b;
    return order;
}

/* A slash comes first, so that what is in a folder stays together. */
static int rank(char c) { return c == '/' ? 1 : (unsigned char)c + (c != '\0'); }

int path_order(const void *a, const void *b)
{
    const char *first = *(const char *const *)a;
    const char *second = *(const char *const *)b;
    const char *at = first;
    const char *other = second;
    int order = 0;
    while (order == 0 && *at && *other) {
        if (strspn(at, DIGITS) > 0 && strspn(other, DIGITS) > 0) {
            order = order_digits(&at, &other);
        } else {
            order = rank(*at++) - rank(*other++);
        }
    }
    order = order ? order : rank(*at) - rank(*other);
    return order ? order : strcmp(first, second);
}

static int order_as_text(const char *at, const char *other)
{
    while (*at && *at == *other) {
        at++;
        other++;
    }
    return rank(*at) - rank(*other);
}

int path_order_as_text(const void *a, const void *b)
{
    return order_as_text(*(const char *const *)a, *(const char *const *)b);
}

static const char *skip_hyphens(const char *at) { return at + strspn(at, "-"); }

int path_order_without_hyphens(const void *a, const void *b)
{
    const char *at = skip_hyphens(*(const char *const *)a);
    const char *other = skip_hyphens(*(const char *const *)b);
    while (*at && *at == *other) {
        at = skip_hyphens(at + 1);
        other = skip_hyphens(other + 1);
    }
    return *at == *other ? path_order_as_text(a, b) : rank(*at) - rank(*other);
}

const char *path_from_here(struct arena *arena, const char *path)
{
    const char *here = path_absolute(arena, ".");
    size_t size = here ? strlen(here) : 0;
    return here && strncmp(here, path, size) == 0 && path[size] == '/' ? path + size + 1 : path;
}

const char *path_shown(struct arena *arena, const char *path)
{
    const char *there = path_absolute(arena, path);
    return there ? path_from_here(arena, there) : path;
}
