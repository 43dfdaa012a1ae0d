#include "mutate/body/tokens.h"

bool body_has(const struct body *body, size_t index, unsigned marks)
{
    return index < body->sql.tokens.count && (body->sql.tokens.items[index].marks & marks);
}

char *body_text(const struct body *body, size_t from, size_t to)
{
    size_t start = body->sql.tokens.items[from].start;
    return arena_strndup(body->sql.arena, body->sql.text + start,
                         body->sql.tokens.items[to - 1].end - start);
}

const char *body_cased(const struct body *body, size_t index, const char *keyword)
{
    char first = body->sql.text[body->sql.tokens.items[index].start];
    char *cased = arena_strdup(body->sql.arena, keyword);
    for (char *c = cased; first >= 'a' && first <= 'z' && *c; c++) {
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    }
    return cased;
}

void body_add(struct body *body, enum body_operator_id id, size_t start, size_t end,
              const char *replacement)
{
    *VEC_PUSH(body->sql.arena, &body->out->items) = (struct body_edit){
        .op = &body_operators[id],
        .start = start,
        .end = end,
        .replacement = replacement,
    };
}

void body_remove(struct body *body, enum body_operator_id id, size_t from, size_t to)
{
    body_add(body, id, body->sql.tokens.items[from].start, body->sql.tokens.items[to].start, "");
}

void body_replace(struct body *body, enum body_operator_id id, size_t from, size_t to,
                  const char *replacement)
{
    body_add(body, id, body->sql.tokens.items[from].start, body->sql.tokens.items[to - 1].end,
             replacement);
}

void body_cut(struct body *body, enum body_operator_id id, size_t from, size_t to)
{
    size_t start = body->sql.tokens.items[from].start;
    size_t before = start;
    while (before > 0 && sql_is_space(body->sql.text[before - 1])) {
        before--;
    }
    /* A comment keeps the end of its line. */
    if (from > 0 && before == body->sql.tokens.items[from - 1].end) {
        start = before;
    }
    body_add(body, id, start, body->sql.tokens.items[to - 1].end, "");
}
