#include "layout/layout.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The digits of the next number of a version such as "1.2_3__x", without leading zeros. */
static size_t next_number(const char **at, const char **digits)
{
    *at += isdigit((unsigned char)**at) ? 0 : 1;
    *at += strspn(*at, "0");
    *digits = *at;
    *at += strspn(*at, "0123456789");
    return (size_t)(*at - *digits);
}

/* Whether a number is left. */
static bool has_number(const char *at)
{
    return isdigit((unsigned char)*at) ||
           (*at && strchr("._", *at) && isdigit((unsigned char)at[1]));
}

/* Compares versions by their numbers: 1 and 1.0 are the same. */
static int order_versions(const char *a, const char *b)
{
    int order = 0;
    while (order == 0 && (has_number(a) || has_number(b))) {
        const char *first;
        const char *second;
        size_t size = has_number(a) ? next_number(&a, &first) : 0;
        size_t other = has_number(b) ? next_number(&b, &second) : 0;
        order = size != other ? (size < other ? -1 : 1) : 0;
        order = order == 0 && size > 0 ? strncmp(first, second, size) : order;
    }
    return order;
}

/* Versioned migrations, repeatable ones, and then whatever else a pattern has matched. */
static int kind_of(const char *name)
{
    return strchr("VB", *name) && isdigit((unsigned char)name[1]) ? 0
           : strncmp(name, "R__", 3) == 0                         ? 1
                                                                  : 2;
}

static int order_names(const void *a, const void *b)
{
    const char *first = name_of(*(const char *const *)a);
    const char *second = name_of(*(const char *const *)b);
    int kind = kind_of(first);
    int order = kind - kind_of(second);
    if (order == 0) {
        order = kind == 0 ? order_versions(first + 1, second + 1) : strcmp(first, second);
    }
    return order ? order : strcmp(first, second);
}

/* On an empty database, Flyway begins with its latest baseline, B2__x.sql, instead of all that came
 * before it. */
void layout_sort_versions(struct layout_files *files)
{
    const char **items = files->paths.items;
    const char *baseline = NULL;
    size_t first = 0;
    size_t kept = 0;
    if (files->paths.count > 0) {
        qsort(items, files->paths.count, sizeof *items, order_names);
    }
    for (size_t i = 0; i < files->paths.count; i++) {
        const char *name = name_of(items[i]);
        if (*name == 'B' && kind_of(name) == 0) {
            first = i;
            baseline = name;
        }
    }
    for (size_t i = first; i < files->paths.count; i++) {
        const char *name = name_of(items[i]);
        bool replaced = baseline && name != baseline && kind_of(name) == 0 &&
                        order_versions(name + 1, baseline + 1) == 0;
        if (!replaced) {
            items[kept++] = items[i];
        }
    }
    files->paths.count = kept;
}
