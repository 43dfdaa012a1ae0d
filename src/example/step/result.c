#include "example/step/result.h"

#include "example/setup/prefix.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

struct result_object {
    struct object object; /* must be first */
    const struct answer *answer;
};

static const struct answer *answer_of(const struct object *object)
{
    return ((const struct result_object *)(const void *)object)->answer;
}

static bool get_rows(const struct answer *answer, struct arena *arena, struct value *out,
                     struct error *err)
{
    (void)err;
    const struct value *rows = answer_rows(answer);
    *out = value_list(arena);
    for (size_t i = 0; i < answer->row_count; i++) {
        list_append(out->as.list, rows[i]);
    }
    return true;
}

static bool one_row(const struct answer *answer, const char *attr, struct error *err)
{
    if (answer->row_count == 1) {
        return true;
    }
    if (answer->column_count == 0 && answer->row_count == 0) {
        (void)error_set(err, ERROR_MACHINE, "result.%s needs a row, but %s returns none", attr,
                        answer->command ? answer->command : "the statement");
        return error_hint(err, "add RETURNING to the statement");
    }
    (void)error_set(err, ERROR_MACHINE, "result.%s needs exactly one row, but there are %zu", attr,
                    answer->row_count);
    return error_hint(err, "result.rows holds all rows, result.count says how many");
}

static bool get_row(const struct answer *answer, struct arena *arena, struct value *out,
                    struct error *err)
{
    (void)arena;
    if (!one_row(answer, "row", err)) {
        return false;
    }
    *out = answer_rows(answer)[0];
    return true;
}

static bool get_value(const struct answer *answer, struct arena *arena, struct value *out,
                      struct error *err)
{
    (void)arena;
    if (!one_row(answer, "value", err)) {
        return false;
    }
    if (answer->column_count != 1) {
        (void)error_set(err, ERROR_MACHINE,
                        "result.value needs exactly one column, but there are %zu column%s",
                        answer->column_count, plural(answer->column_count));
        return error_hint(err, "result.row holds them all, by position and by name");
    }
    *out = answer_rows(answer)[0].as.tuple->items[0];
    return true;
}

static bool get_count(const struct answer *answer, struct arena *arena, struct value *out,
                      struct error *err)
{
    (void)arena;
    (void)err;
    *out = answer->count < 0 ? value_none() : value_int(answer->count);
    return true;
}

static bool get_columns(const struct answer *answer, struct arena *arena, struct value *out,
                        struct error *err)
{
    (void)err;
    *out = value_list(arena);
    for (size_t i = 0; i < answer->column_count; i++) {
        list_append(out->as.list, value_text(arena, answer->columns[i].name));
    }
    return true;
}

static struct value notifications_value(struct arena *arena, const struct answer *answer)
{
    static const char *const names[] = {"channel", "payload"};
    struct value list = value_list(arena);
    for (size_t i = 0; i < answer->notification_count; i++) {
        const struct notification *notification = &answer->notifications[i];
        const struct value items[] = {value_text(arena, notification->channel),
                                      value_text(arena, notification->payload)};
        list_append(list.as.list, value_row(arena, items, names, 2));
    }
    return list;
}

static bool get_notifications(const struct answer *answer, struct arena *arena, struct value *out,
                              struct error *err)
{
    if (!answer->listens) {
        (void)error_set(err, ERROR_MACHINE, "the session listens to no channel here");
        return error_hint(err, "name channels at the top of the machine, as in `listen: jobs`, and "
                               "read result.notifications in a rule");
    }
    *out = notifications_value(arena, answer);
    return true;
}

static const struct {
    const char *name;
    bool (*get)(const struct answer *answer, struct arena *arena, struct value *out,
                struct error *err);
} attrs[] = {
    {"rows", get_rows},   {"row", get_row},         {"value", get_value},
    {"count", get_count}, {"columns", get_columns}, {"notifications", get_notifications},
};
enum { ATTRS = sizeof attrs / sizeof attrs[0] };

static const char *const attr_names[] = {"rows",    "row",           "value", "count",
                                         "columns", "notifications", NULL};

static bool result_attr(const struct object *object, const char *name, struct caller *caller,
                        struct value *out, struct error *err)
{
    for (size_t i = 0; i < ATTRS; i++) {
        if (strcmp(attrs[i].name, name) == 0) {
            return attrs[i].get(answer_of(object), caller->arena, out, err);
        }
    }
    const struct answer *answer = answer_of(object);
    for (size_t i = 0; i < answer->column_count; i++) {
        if (strcmp(answer->columns[i].name, name) == 0) {
            bool one = one_row(answer, name, err);
            *out = one ? answer_rows(answer)[0].as.tuple->items[i] : value_none();
            return one;
        }
    }
    return error_set(err, ERROR_MACHINE, "the answer has no '%s', and no column of that name",
                     name);
}

static void result_repr(const struct object *object, struct strbuf *out)
{
    const struct answer *answer = answer_of(object);
    strbuf_addf(out, "<result of %zu row%s>", answer->row_count, plural(answer->row_count));
}

/* Appends a row of several columns with their names: (item="nut", quantity=3). */
static void add_result_row(const struct answer *answer, const struct tuple *row, struct strbuf *out)
{
    if (row->count == 1) {
        value_repr(row->items[0], out);
        return;
    }
    strbuf_addc(out, '(');
    for (size_t i = 0; i < row->count; i++) {
        strbuf_addf(out, "%s%s=", i ? ", " : "", answer->columns[i].name);
        value_repr(row->items[i], out);
    }
    strbuf_addc(out, ')');
}

static void add_result_rows(const struct answer *answer, struct strbuf *out)
{
    strbuf_addf(out, "%zu row%s", answer->row_count, plural(answer->row_count));
    for (size_t i = 0; i < answer->row_count; i++) {
        strbuf_adds(out, i ? ", " : ": ");
        add_result_row(answer, answer->rows[i].as.tuple, out);
    }
}

const char *result_text(struct arena *arena, struct value result)
{
    assert(result.type == VALUE_OBJECT);
    const struct answer *answer = answer_of(result.as.object);
    struct strbuf text = {0};
    if (answer->row_count) {
        add_result_rows(answer, &text);
    } else if (answer->column_count || answer->count < 0) {
        strbuf_adds(&text, "no rows");
    } else {
        strbuf_addf(&text, "%" PRId64 " row%s affected", answer->count,
                    plural((size_t)answer->count));
    }
    if (answer->notification_count) {
        strbuf_adds(&text, ", notified of ");
        value_repr(notifications_value(arena, answer), &text);
    }
    return strbuf_take(&text, arena);
}

static const struct object_type result_type = {
    .name = "result",
    .repr = result_repr,
    .attr = result_attr,
    .attr_names = attr_names,
};

struct value result_value(struct arena *arena, const struct answer *answer)
{
    struct result_object *result = ARENA_NEW(arena, struct result_object);
    result->object.type = &result_type;
    result->answer = answer;
    return value_object(&result->object);
}
