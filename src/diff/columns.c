#include "diff/verdict.h"

#include <string.h>

/* What a client gets as a text without more, whatever its length. */
static const char *const texts[] = {"text", "character varying", "name"};

/* The name of a type without its modifiers: "numeric(10,2)[]" is "numeric[]". */
static size_t bare_type(const char *name, char *out, size_t size)
{
    size_t count = 0;
    unsigned depth = 0;
    for (const char *at = name; *at != '\0' && count + 1 < size; at++) {
        depth += *at == '(';
        if (depth == 0) {
            out[count++] = *at;
        }
        depth -= *at == ')' && depth > 0;
    }
    out[count] = '\0';
    return count;
}

static void type_shown(const char *name, char *out, size_t size)
{
    size_t count = bare_type(name, out, size);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t length = strlen(texts[i]);
        if (count >= length && memcmp(out, texts[i], length) == 0 &&
            (out[length] == '\0' || out[length] == '[')) {
            memmove(out + strlen(texts[0]), out + length, count - length + 1);
            memcpy(out, texts[0], strlen(texts[0]));
            return;
        }
    }
}

static bool same_type(const struct answer_column *before, const struct answer_column *after)
{
    enum { NAME_MAX_SIZE = 256 };
    if (before->type_name == after->type_name || before->type_name == NULL ||
        after->type_name == NULL || strcmp(before->type_name, after->type_name) == 0) {
        return true;
    }
    char a[NAME_MAX_SIZE];
    char b[NAME_MAX_SIZE];
    type_shown(before->type_name, a, sizeof a);
    type_shown(after->type_name, b, sizeof b);
    return strcmp(a, b) == 0;
}

/* The column of that name that was not taken yet; columns of one name are taken in their order. */
static size_t take_column(const struct answer *answer, const char *name, bool *taken)
{
    for (size_t i = 0; i < answer->column_count; i++) {
        const char *other = answer->columns[i].name;
        if (!taken[i] && (other == name || strcmp(other, name) == 0)) {
            taken[i] = true;
            return i;
        }
    }
    return SIZE_MAX;
}

/* Returns true if the name, without its modifiers and the brackets of an array, is one of these. */
static bool is_type_in(const char *name, const char *const *types, size_t count)
{
    for (size_t i = 0; name != NULL && i < count; i++) {
        size_t size = strlen(types[i]);
        if (strncmp(name, types[i], size) == 0 && (name[size] == '\0' || name[size] == '[')) {
            return true;
        }
    }
    return false;
}

/* Names of rows, transactions and objects are numbered by each database on its own. A client sees
 * more of some types than whether they are equal; but the number of digits behind the point is the
 * column's where it has one. */
static enum nature nature_of_type(const struct answer_column *before,
                                  const struct answer_column *after)
{
    static const char *const numbered[] = {"oid", "xid",    "xid8",       "cid",
                                           "tid", "pg_lsn", "pg_snapshot"};
    static const char *const formed[] = {"numeric", "real", "double precision", "json"};
    if (is_type_in(before->type_name, numbered, sizeof numbered / sizeof *numbered)) {
        return NATURE_PAIRED;
    }
    return before->modifier == after->modifier &&
                   is_type_in(before->type_name, formed, sizeof formed / sizeof *formed)
               ? NATURE_EXACT
               : NATURE_EQUAL;
}

static const struct divergence *column_diverges(const struct comparing_answers *answers,
                                                const char *name, const char *before,
                                                const char *after)
{
    return diverges(answers,
                    &(struct divergence){
                        .kind = DIVERGES_COLUMN, .before = before, .after = after, .column = name},
                    NULL);
}

static const struct divergence *missing_column(const struct comparing_answers *answers,
                                               const char *name)
{
    struct arena *arena = answers->sides->arena;
    return column_diverges(answers, name, arena_printf(arena, "column %s", name),
                           arena_printf(arena, "no column %s", name));
}

static const struct divergence *other_type(const struct comparing_answers *answers,
                                           const struct answer_column *before,
                                           const struct answer_column *after)
{
    struct arena *arena = answers->sides->arena;
    return column_diverges(answers, before->name,
                           arena_printf(arena, "%s %s", before->name, before->type_name),
                           arena_printf(arena, "%s %s", after->name, after->type_name));
}

const struct divergence *compare_columns(const struct comparing_answers *answers,
                                         struct shared_rows *rows)
{
    const struct answer *before = answers->before;
    const struct answer *after = answers->after;
    struct arena *arena = answers->sides->arena;
    struct shared_column *columns =
        ARENA_ARRAY(arena, struct shared_column, before->column_count + 1);
    bool *taken = ARENA_ARRAY(arena, bool, after->column_count + 1);
    *rows = (struct shared_rows){answers->sides, before, after, columns, 0};
    for (size_t i = 0; i < before->column_count; i++) {
        const struct answer_column *column = &before->columns[i];
        size_t k = take_column(after, column->name, taken);
        if (k != SIZE_MAX && !same_type(column, &after->columns[k])) {
            return other_type(answers, column, &after->columns[k]);
        }
        if (k != SIZE_MAX) {
            columns[rows->column_count++] =
                (struct shared_column){.name = column->name,
                                       .before = i,
                                       .after = k,
                                       .nature = nature_of_type(column, &after->columns[k])};
        } else if (!answers->asked->partial) {
            return missing_column(answers, column->name);
        }
    }
    return NULL;
}
