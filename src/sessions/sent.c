#include "sessions/sent.h"

#include "example/step/raises.h"
#include "example/step/result.h"

#include <string.h>

static void add_quoted(struct strbuf *out, const char *text, size_t size, char quote)
{
    strbuf_addc(out, quote);
    for (size_t i = 0; i < size; i++) {
        strbuf_fill(out, text[i], text[i] == quote ? 2 : 1);
    }
    strbuf_addc(out, quote);
}

/* Numbers and what has no literal as the model language writes it; strings as SQL does. */
static void add_value(struct strbuf *out, struct value value, enum sql_piece_kind kind)
{
    struct strbuf text = {0};
    bool plain = value_is_number(value) || value.type == VALUE_BOOL;
    if (value.type == VALUE_NONE) {
        strbuf_adds(out, "NULL");
        return;
    }
    value_str(value, &text);
    if (kind == SQL_IDENTIFIER) {
        size_t word = strspn(strbuf_text(&text), "abcdefghijklmnopqrstuvwxyz0123456789_");
        if (text.size && word == text.size) {
            strbuf_add(out, text.data, text.size);
        } else {
            add_quoted(out, strbuf_text(&text), text.size, '"');
        }
    } else if (kind == SQL_VALUE && plain) {
        strbuf_add(out, text.data, text.size);
    } else {
        add_quoted(out, strbuf_text(&text), text.size, '\'');
    }
    strbuf_free(&text);
}

const char *sent_text(struct arena *arena, const struct recorded_call *call)
{
    struct strbuf out = {0};
    size_t value = 0;
    if (!call->sql) {
        return "COMMIT";
    }
    for (size_t i = 0; i < call->sql->pieces.count; i++) {
        const struct sql_piece *piece = &call->sql->pieces.items[i];
        if (piece->kind == SQL_TEXT) {
            strbuf_add(&out, piece->text, piece->size);
        } else {
            add_value(&out, call->values[value++], piece->kind);
        }
    }
    return strbuf_take(&out, arena);
}

const char *answered_text(struct arena *arena, const struct recorded_call *call)
{
    const struct answer *answer = &call->answer;
    if (answer->status == ANSWER_ERROR) {
        return arena_printf(arena, "%s: %s", error_text(arena, &answer->error),
                            answer->error.message);
    }
    if (answer->status == ANSWER_OK && answer->column_count) {
        return arena_strdup(arena, result_text(arena, result_value(arena, answer)));
    }
    if (answer->status == ANSWER_SKIPPED) { /* it was sent, so it is where a session ended */
        return "the server ends the session";
    }
    return answer->command ? arena_strdup(arena, answer->command) : "";
}

/* "99", "id=1, balance=99" */
static const char *row_text(struct arena *arena, const struct failure *failure,
                            const struct shown_cell *cells)
{
    struct strbuf out = {0};
    for (size_t i = 0; i < failure->column_count; i++) {
        strbuf_adds(&out, i ? ", " : "");
        if (failure->column_count > 1) {
            strbuf_addf(&out, "%s=", failure->columns[i]);
        }
        value_repr(cells[i].value, &out);
    }
    return strbuf_take(&out, arena);
}

struct sent_sides sent_sides(struct arena *arena, const struct failure *failure)
{
    struct sent_sides sides = {failure->expected,
                               failure->check ? failure->returned : failure->actual, NULL};
    const struct shown_cell *expected = NULL;
    const struct shown_cell *actual = NULL;
    if (failure->check && failure->sides.source &&
        strcmp(failure->sides.source, "result.value") == 0) {
        return (struct sent_sides){failure->sides.right, failure->sides.left, failure->sides.op};
    }
    if (!sides.expected || !sides.actual || strcmp(sides.expected, sides.actual) != 0) {
        return sides;
    }
    for (size_t i = 0; i < failure->differences.count && !(expected && actual); i++) {
        const struct difference *difference = &failure->differences.items[i];
        expected = expected ? expected : difference->expected;
        actual = actual ? actual : difference->actual;
    }
    if (expected && actual) {
        sides.expected = row_text(arena, failure, expected);
        sides.actual = row_text(arena, failure, actual);
    }
    return sides;
}
