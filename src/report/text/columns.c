#include "report/text/columns.h"

#include "sql/lex.h"

#include <string.h>
#include <strings.h>

enum { FEW = 6 };

static bool is_column(const char *sql, const struct sql_token *token, const char *column)
{
    size_t size = token->inner_end - token->inner_start;
    if (token->kind == SQL_TOKEN_QUOTED_NAME) {
        return strlen(column) == size && memcmp(sql + token->inner_start, column, size) == 0;
    }
    size = token->end - token->start;
    return token->kind == SQL_TOKEN_WORD && strlen(column) == size &&
           strncasecmp(sql + token->start, column, size) == 0;
}

/* Whether the column's name stands behind the first WHERE. */
static bool is_in_where(const char *sql, const char *column)
{
    struct sql_lexer lexer = {.text = sql, .size = sql ? strlen(sql) : 0};
    bool behind = false;
    for (struct sql_token token = sql_lex(&lexer);
         token.kind != SQL_TOKEN_END && token.kind != SQL_TOKEN_BAD; token = sql_lex(&lexer)) {
        if (behind && is_column(sql, &token, column)) {
            return true;
        }
        behind = behind || sql_token_is(&lexer, &token, "WHERE");
    }
    return false;
}

static bool tells_which(const struct failure *failure, const struct shown_cell *cells, size_t index)
{
    bool named = cells[index].name && !cells[index].maybe;
    return named || is_in_where(failure->sql, failure->columns[index]);
}

const size_t *columns_order(struct arena *arena, const struct failure *failure,
                            const struct shown_cell *cells)
{
    size_t count = failure->column_count;
    size_t *order = ARENA_ARRAY(arena, size_t, count + 1);
    bool *first = ARENA_ARRAY(arena, bool, count + 1);
    size_t used = 0;
    for (size_t i = 0; i < count && count > FEW; i++) {
        first[i] = tells_which(failure, cells, i);
    }
    for (size_t i = 0; i < 2 * count; i++) {
        if (first[i % count] == (i < count)) {
            order[used++] = i % count;
        }
    }
    return order;
}
