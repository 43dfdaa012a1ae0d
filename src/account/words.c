#include "account/words.h"

#include <string.h>

const char *words_text(const struct words *words, const char *text, size_t limit)
{
    return text ? show_text(words->arena, words->names, text, limit) : NULL;
}

const char *words_name(const struct words *words, const char *name)
{
    return name ? show_name(words->arena, name) : NULL;
}

const char *words_value(const struct words *words, struct value value)
{
    return show_value(words->arena, words->names, value, ACCOUNT_VALUE);
}

void words_pair(const struct words *words, struct account_pairs *pairs, const char *name,
                const char *value)
{
    *VEC_PUSH(words->arena, &pairs->items) = (struct account_pair){words_name(words, name), value};
}

static const char *some(const struct words *words, const char *text)
{
    return text && *text ? words_text(words, text, ACCOUNT_TEXT) : NULL;
}

/* Line by line. */
static const char *lines(const struct words *words, const char *text)
{
    const char *out = NULL;
    for (const char *at = text; at && *at; at += strcspn(at, "\n"), at += *at == '\n') {
        const char *line = some(words, arena_strndup(words->arena, at, strcspn(at, "\n")));
        out = out ? arena_printf(words->arena, "%s\n%s", out, line ? line : "") : line;
    }
    return out;
}

struct account_error words_error(const struct words *words, const struct server_error *error)
{
    if (!error->sqlstate[0]) {
        return (struct account_error){0};
    }
    const char *sqlstate = arena_strdup(words->arena, error->sqlstate);
    return (struct account_error){
        .sqlstate = sqlstate,
        .condition = show_condition(sqlstate),
        .message = some(words, error->message),
        .detail = some(words, error->detail),
        .hint = some(words, error->hint),
        .table = some(words, error->table),
        .column = some(words, error->column),
        .type = some(words, error->datatype),
        .constraint = some(words, error->constraint),
        .context = lines(words, error->context),
    };
}

struct account_columns words_columns(const struct words *words, const struct answer_column *columns,
                                     size_t count)
{
    const char **names = ARENA_ARRAY(words->arena, const char *, count);
    for (size_t i = 0; i < count; i++) {
        names[i] = show_name(words->arena, columns[i].name);
    }
    return (struct account_columns){names, count};
}

const struct account_cell *words_cells(const struct words *words, const struct shown_cell *cells,
                                       size_t count)
{
    if (!cells) {
        return NULL;
    }
    struct account_cell *out = ARENA_ARRAY(words->arena, struct account_cell, count);
    for (size_t i = 0; i < count; i++) {
        out[i] = (struct account_cell){
            .text = words_value(words, cells[i].value),
            .name = words_name(words, cells[i].name),
            .maybe = cells[i].name && cells[i].maybe,
            .differs = cells[i].differs,
        };
    }
    return out;
}
