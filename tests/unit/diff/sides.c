#include "sides.h"

#include "value/json/json.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { STATE_SIZE = 5 };

static const struct partition_constraint partitions[] = {
    {{NULL, "a_2020", ""}, {NULL, "a", ""}},
    {{NULL, "a_2020", "a_2020_pkey"}, {NULL, "a", "a_pkey"}},
    {{NULL, "a_2021", "a_2021_pkey"}, {NULL, "a", "a_pkey"}},
};

void both_open(struct both *both)
{
    *both = (struct both){0};
    both->sides = (struct comparing_sides){
        .arena = &both->arena, .pairs = pairs_new(&both->arena), .natures = natures_new()};
    both->sides.constraints = &both->constraints;
    for (size_t i = 0; i < sizeof partitions / sizeof *partitions; i++) {
        *VEC_PUSH(&both->arena, &both->constraints.partitions) = partitions[i];
    }
}

void both_close(struct both *both)
{
    natures_free(both->sides.natures);
    arena_free(&both->arena);
}

const char *with_uuids(struct arena *arena, const char *text)
{
    struct strbuf out = {0};
    while (*text != '\0') {
        if (*text == '@' && isdigit((unsigned char)text[1])) {
            char *end = NULL;
            strbuf_addf(&out, "5d1e0000-0000-4000-8000-%012lx", strtoul(text + 1, &end, 10));
            text = end;
        } else {
            strbuf_addc(&out, *text++);
        }
    }
    return strbuf_take(&out, arena);
}

static struct value read_json(struct arena *arena, const char *text)
{
    struct value value;
    struct error err;
    text = with_uuids(arena, text);
    if (!json_decode(arena, text, strlen(text), &value, &err)) {
        fail_msg("%s: %s", text, err.message);
    }
    return value;
}

/* "id uuid, name text" up to " = ". */
static void read_columns(struct arena *arena, const char *text, struct answer *out)
{
    VEC(struct answer_column) columns = {0};
    const char *end = strstr(text, " = ");
    while (text < end) {
        size_t size = strcspn(text, " ");
        struct answer_column *column = VEC_PUSH(arena, &columns);
        column->name = arena_strndup(arena, text, size);
        text += size + 1;
        const char *next = strstr(text, ", ");
        const char *stop = next != NULL && next < end ? next : end;
        column->type_name = arena_strndup(arena, text, (size_t)(stop - text));
        const char *modifier = strchr(column->type_name, '(');
        column->modifier = modifier == NULL ? -1 : (int)strtol(modifier + 1, NULL, 10);
        text = stop == end ? end : stop + strlen(", ");
    }
    out->columns = columns.items;
    out->column_count = columns.count;
}

static void read_rows(struct arena *arena, const char *text, struct answer *out)
{
    struct items rows = value_items(read_json(arena, strstr(text, " = ") + strlen(" = ")));
    struct value *tuples = ARENA_ARRAY(arena, struct value, rows.count + 1);
    const char **names = ARENA_ARRAY(arena, const char *, out->column_count + 1);
    for (size_t i = 0; i < out->column_count; i++) {
        names[i] = out->columns[i].name;
    }
    for (size_t i = 0; i < rows.count; i++) {
        struct items cells = value_items(rows.items[i]);
        assert_int_equal(cells.count, out->column_count);
        tuples[i] = value_row(arena, cells.items, names, cells.count);
    }
    out->rows = tuples;
    out->row_count = rows.count;
    out->count = (int64_t)rows.count;
}

static const char *take_word(struct arena *arena, const char **text)
{
    *text += strspn(*text, " ");
    size_t size = strcspn(*text, " ");
    const char *word = size == 0 ? NULL : arena_strndup(arena, *text, size);
    *text += size;
    return word;
}

static void read_error(struct arena *arena, const char *text, struct answer *out)
{
    out->status = ANSWER_ERROR;
    memcpy(out->error.sqlstate, take_word(arena, &text), STATE_SIZE);
    const char *constraint = take_word(arena, &text);
    bool none = constraint != NULL && strcmp(constraint, "-") == 0;
    out->error.constraint = none ? NULL : constraint;
    out->error.table = take_word(arena, &text);
    out->error.message = take_word(arena, &text);
}

static void read_notifications(struct arena *arena, const char *text, struct answer *out)
{
    struct items all = value_items(read_json(arena, text));
    struct notification *notifications = ARENA_ARRAY(arena, struct notification, all.count + 1);
    for (size_t i = 0; i < all.count; i++) {
        struct items parts = value_items(all.items[i]);
        notifications[i] =
            (struct notification){value_cstr(parts.items[0]), value_cstr(parts.items[1])};
    }
    out->notifications = notifications;
    out->notification_count = all.count;
}

struct answer answer_of(struct arena *arena, const char *text)
{
    struct answer out = {.status = ANSWER_OK};
    if (strstr(text, " = ") != NULL) {
        read_columns(arena, text, &out);
        read_rows(arena, text, &out);
    } else if (strncmp(text, "notify ", strlen("notify ")) == 0) {
        read_notifications(arena, text + strlen("notify "), &out);
    } else if (strcmp(text, "skipped") == 0) {
        out.status = ANSWER_SKIPPED;
    } else if (strlen(text) < STATE_SIZE) {
        out.count = strtol(text, NULL, 10);
        out.command = arena_printf(arena, "UPDATE %s", text);
    } else {
        read_error(arena, text, &out);
    }
    return out;
}

static void add_row(struct strbuf *out, const struct shown_cell *cells, size_t count)
{
    strbuf_addc(out, '(');
    for (size_t i = 0; i < count; i++) {
        strbuf_adds(out, i == 0 ? "" : ", ");
        strbuf_adds(out, cells[i].differs ? "*" : "");
        value_repr(cells[i].value, out);
    }
    strbuf_addc(out, ')');
}

const char *divergence_text(struct both *both, const struct divergence *divergence)
{
    if (divergence == NULL) {
        return "agree";
    }
    struct strbuf out = {0};
    strbuf_addf(&out, "%s: %s, %s", divergence_kind_name(divergence->kind), divergence->before,
                divergence->after);
    for (size_t i = 0; i < divergence->differences.count; i++) {
        const struct difference *difference = &divergence->differences.items[i];
        strbuf_adds(&out, i == 0 ? "; " : " ");
        strbuf_adds(&out, difference->kind == DIFFERENCE_MISSING      ? "-"
                          : difference->kind == DIFFERENCE_UNEXPECTED ? "+"
                                                                      : "~");
        if (difference->place > 0) {
            strbuf_addf(&out, "%d", (int)difference->place);
        }
        if (difference->expected != NULL) {
            add_row(&out, difference->expected, divergence->column_count);
        }
        if (difference->actual != NULL) {
            add_row(&out, difference->actual, divergence->column_count);
        }
    }
    return strbuf_take(&out, &both->arena);
}

const char *compared(struct both *both, const struct asked *asked, const char *before,
                     const char *after)
{
    struct answer *a = ARENA_NEW(&both->arena, struct answer);
    struct answer *b = ARENA_NEW(&both->arena, struct answer);
    *a = answer_of(&both->arena, before);
    *b = answer_of(&both->arena, after);
    return divergence_text(both, sides_compare(&both->sides, asked, a, b));
}
