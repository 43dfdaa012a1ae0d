#include "example/step/raises.h"

#include "base/names.h"
#include "machine/conditions.h"

#include <string.h>

static const char *string_text(struct value value)
{
    return value.type == VALUE_STRING ? value_cstr(value) : NULL;
}

static bool read_condition(const char *text, struct error *err)
{
    if (condition_is_name(text) || condition_is_sqlstate(text)) {
        return true;
    }
    (void)error_set(err, ERROR_MACHINE,
                    "raises gives \"%s\", which is neither a condition nor an SQLSTATE", text);
    return error_hint(err,
                      "a condition is a name such as unique_violation; an SQLSTATE is a string of "
                      "five digits and upper-case letters");
}

static bool read_error(struct value value, struct predicted_error *out, struct error *err)
{
    if (value.type == VALUE_STRING) {
        *out = (struct predicted_error){.condition = value_cstr(value)};
    } else if (value.type == VALUE_ERROR) {
        *out = (struct predicted_error){
            .condition = string_text(value.as.error->condition),
            .constraint = string_text(value.as.error->constraint),
            .message = string_text(value.as.error->message),
            .table = string_text(value.as.error->table),
        };
    } else {
        (void)error_set(err, ERROR_MACHINE, "raises gives a value of type %s",
                        value_type_name(value));
        return error_hint(
            err, "it must give None, a condition such as unique_violation, an SQLSTATE such "
                 "as \"P0001\", error(...), or a list of these");
    }
    return !out->condition || read_condition(out->condition, err);
}

static bool add_prediction(struct arena *arena, struct value value, struct prediction *out,
                           struct error *err)
{
    if (value.type == VALUE_NONE) {
        out->may_succeed = true;
        return true;
    }
    return read_error(value, VEC_PUSH(arena, &out->errors), err);
}

static bool is_list(struct value value)
{
    return value.type == VALUE_LIST || value.type == VALUE_TUPLE || value.type == VALUE_SET ||
           value.type == VALUE_BAG;
}

bool prediction_read(struct arena *arena, struct value value, struct prediction *out,
                     struct error *err)
{
    *out = (struct prediction){0};
    if (!is_list(value)) {
        return add_prediction(arena, value, out, err);
    }
    struct value_iter iter;
    struct value item;
    if (!value_iter_begin(&iter, value, arena, err)) {
        return false;
    }
    bool ok = true;
    while (ok && value_iter_next(&iter, &item)) {
        ok = add_prediction(arena, item, out, err);
    }
    value_iter_end(&iter);
    if (ok && out->errors.count == 0) {
        out->may_succeed = true; /* an empty list predicts no error */
    }
    return ok;
}

static bool is_same_error(const char *wanted, const char *actual)
{
    return !wanted || (actual && strcmp(wanted, actual) == 0);
}

/* Errors of a statement that names what is not there, or uses it as something else, if they are new
 * with the migration: the server had taken the statement before, or the rule has worked. That it
 * took the statement says nothing of errors that a function raises, or that running it does. */
static bool is_misfit(const struct predicted_error *one, const struct server_error *error)
{
    static const char *const parsing[] = {
        "42P01", "42703", "42883", "42804", "42704", "42846", "42809", "42P18", "3F000",
    };
    static const char *const running[] = {"42P10", "0A000"};
    bool parsed = name_is_in(error->sqlstate, NAMES_IN(parsing));
    bool ran = name_is_in(error->sqlstate, NAMES_IN(running));
    return error->column_made || (parsed && error->fitted && !error->context) ||
           ((parsed || ran) && one->worked);
}

bool prediction_allows(const struct prediction *prediction, const struct server_error *error)
{
    for (size_t i = 0; i < prediction->errors.count; i++) {
        const struct predicted_error *one = &prediction->errors.items[i];
        if ((!one->condition || condition_matches(one->condition, error->sqlstate)) &&
            is_same_error(one->constraint, error->constraint) &&
            is_same_error(one->table, error->table) && !(one->fits && is_misfit(one, error)) &&
            (!one->message || (error->message && strstr(error->message, one->message)))) {
            return true;
        }
    }
    return false;
}

const char *prediction_renamed(struct arena *arena, const struct prediction *prediction,
                               const struct server_error *error)
{
    const char *wanted = NULL;
    for (size_t i = 0; error->constraint && i < prediction->errors.count; i++) {
        const struct predicted_error *one = &prediction->errors.items[i];
        bool other = one->condition && condition_matches(one->condition, error->sqlstate) &&
                     one->constraint && is_same_error(one->table, error->table);
        wanted = other && !wanted ? one->constraint : wanted;
    }
    return wanted ? arena_printf(arena,
                                 "raises predicts this error of constraint %s, but it is that of "
                                 "constraint %s; if that is its new name, change it in the machine",
                                 wanted, error->constraint)
                  : NULL;
}

/* Appends a name with its SQLSTATE. */
static void add_condition(struct strbuf *out, const char *condition)
{
    const char *name = condition_is_sqlstate(condition) ? condition_name(condition) : condition;
    if (!name) {
        strbuf_adds(out, condition);
        return;
    }
    strbuf_adds(out, name);
    if (name != condition) {
        strbuf_addf(out, " (%s)", condition);
        return;
    }
    const char *sqlstate = NULL;
    for (size_t i = 0; i < condition_count; i++) {
        if (strcmp(conditions[i].name, name) == 0) {
            if (sqlstate) {
                return; /* the name has two */
            }
            sqlstate = conditions[i].sqlstate;
        }
    }
    if (sqlstate) {
        strbuf_addf(out, " (%s)", sqlstate);
    }
}

static void add_predicted(struct strbuf *out, const struct predicted_error *one)
{
    if (one->condition) {
        add_condition(out, one->condition);
    } else {
        strbuf_adds(out, one->fits ? "one that it could raise before the migration" : "an error");
    }
    if (one->constraint) {
        strbuf_addf(out, " of constraint %s", one->constraint);
    }
    if (one->table) {
        strbuf_addf(out, " on table %s", one->table);
    }
    if (one->message) {
        strbuf_addf(out, " with \"%s\" in its message", one->message);
    }
}

const char *prediction_text(struct arena *arena, const struct prediction *prediction)
{
    struct strbuf text = {0};
    if (prediction->may_succeed) {
        strbuf_adds(&text, "no error");
    }
    for (size_t i = 0; i < prediction->errors.count; i++) {
        strbuf_adds(&text, text.size ? " or " : "");
        add_predicted(&text, &prediction->errors.items[i]);
    }
    return strbuf_take(&text, arena);
}

const char *error_text(struct arena *arena, const struct server_error *error)
{
    struct strbuf text = {0};
    add_condition(&text, error->sqlstate);
    return strbuf_take(&text, arena);
}
