/* String interpolation: "%d of %s" % (1, "x"), and "{} of {name}".format(1, name="x"). */
#include "lang/eval/interp.h"

#include "value/number/numeric.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct formatter {
    struct lang_state *state;
    struct strbuf out;
    const char *text;
    size_t size;
    size_t at;
    struct error *err;
};

bool write_text(struct lang_state *state, struct value value, struct strbuf *out, struct error *err)
{
    if (!charge_value(state, value, err)) {
        return false;
    }
    value_str(value, out);
    return room(state, out->size, err);
}

static bool write_repr(struct formatter *formatter, struct value value)
{
    if (!charge_value(formatter->state, value, formatter->err)) {
        return false;
    }
    value_repr(value, &formatter->out);
    return room(formatter->state, formatter->out.size, formatter->err);
}

static bool finish_format(struct formatter *formatter, bool ok, struct value *out)
{
    ok = ok && room(formatter->state, formatter->out.size, formatter->err);
    if (ok) {
        *out = value_string(formatter->state->caller.arena, strbuf_text(&formatter->out),
                            formatter->out.size);
    }
    strbuf_free(&formatter->out);
    return ok;
}

/* Writes six digits after the point; exact for numeric and int. */
static bool write_fixed(struct formatter *formatter, struct value value)
{
    struct arena *arena = formatter->state->caller.arena;
    struct value exact;
    if (value.type == VALUE_FLOAT) {
        strbuf_addf(&formatter->out, "%f", value.as.real);
        return true;
    }
    if (!numeric_from_number(arena, value, &exact, formatter->err) ||
        !number_round(arena, exact, 6, &exact, formatter->err)) {
        return false;
    }
    size_t start = formatter->out.size;
    number_text(exact, &formatter->out);
    const char *point = strchr(formatter->out.data + start, '.');
    bool finite = numeric_kind_of(exact) == NUMERIC_FINITE;
    size_t digits = point ? strlen(point + 1) : 0;
    if (finite && !point) {
        strbuf_addc(&formatter->out, '.');
    }
    if (finite && digits < 6) {
        strbuf_fill(&formatter->out, '0', 6 - digits);
    }
    return true;
}

/* Writes the shortest form that reads back as the same float. */
static void write_general(char conversion, struct value value, struct strbuf *out)
{
    size_t start = out->size;
    number_text(value_float(number_to_double(value)), out);
    for (size_t i = start; conversion == 'G' && i < out->size; i++) {
        out->data[i] = (char)toupper((unsigned char)out->data[i]);
    }
}

static bool write_number(struct formatter *formatter, char conversion, struct value value)
{
    struct strbuf *out = &formatter->out;
    struct value whole;
    if (!value_is_number(value)) {
        return error_set(formatter->err, ERROR_MACHINE, "%%%c in a format takes a number, not %s",
                         conversion, value_type_name(value));
    }
    if (!charge(formatter->state, number_text_steps(value), formatter->err)) {
        return false;
    }
    if (strchr("fF", conversion)) {
        return write_fixed(formatter, value);
    }
    if (strchr("eE", conversion)) {
        strbuf_addf(out, conversion == 'e' ? "%e" : "%E", number_to_double(value));
    } else if (strchr("gG", conversion)) {
        write_general(conversion, value, out);
    } else if (!int_from_number(formatter->state->caller.arena, value, &whole, formatter->err)) {
        return false;
    } else if (strchr("di", conversion)) {
        number_text(whole, out);
    } else {
        int_text(whole, conversion == 'o' ? 8 : conversion == 'x' ? 16 : -16, out);
    }
    return true;
}

static bool convert(struct formatter *formatter, char conversion, struct value value)
{
    if (conversion == 's') {
        return write_text(formatter->state, value, &formatter->out, formatter->err);
    }
    if (conversion == 'r') {
        return write_repr(formatter, value);
    }
    if (conversion && strchr("dioxXeEfFgG", conversion)) {
        return write_number(formatter, conversion, value);
    }
    (void)error_set(formatter->err, ERROR_MACHINE, "an unknown conversion '%%%c' in a format",
                    isprint((unsigned char)conversion) ? conversion : ' ');
    if (conversion == '(') {
        error_hint(formatter->err, "write \"{name}\".format(name=x)");
    } else if (conversion && strchr("0123456789.-+ #*", conversion)) {
        error_hint(formatter->err, "there are no widths here; round(x, 2) rounds");
    } else {
        error_hint(formatter->err, "%%s %%r %%d %%x %%o %%e %%f %%g are known; %%%% is a percent "
                                   "sign");
    }
    return false;
}

struct percent_args {
    struct items items;
    size_t next;
};

static bool next_percent(struct formatter *formatter, struct percent_args *args)
{
    char conversion = formatter->at < formatter->size ? formatter->text[formatter->at] : '\0';
    if (conversion == '%') {
        strbuf_addc(&formatter->out, '%');
        formatter->at++;
        return true;
    }
    if (args->next == args->items.count) {
        return error_set(formatter->err, ERROR_MACHINE,
                         "the format takes more values than the %zu given", args->items.count);
    }
    formatter->at++;
    return convert(formatter, conversion, args->items.items[args->next++]);
}

/* Copies the text up to the next character in `stops`. */
static void copy_plain(struct formatter *formatter, const char *stops)
{
    size_t start = formatter->at;
    while (formatter->at < formatter->size && !strchr(stops, formatter->text[formatter->at])) {
        formatter->at++;
    }
    strbuf_add(&formatter->out, formatter->text + start, formatter->at - start);
}

static bool percent_all(struct formatter *formatter, struct percent_args *args)
{
    copy_plain(formatter, "%");
    while (formatter->at < formatter->size) {
        formatter->at++;
        if (!next_percent(formatter, args) ||
            !room(formatter->state, formatter->out.size, formatter->err)) {
            return false;
        }
        copy_plain(formatter, "%");
    }
    if (args->next == args->items.count) {
        return true;
    }
    (void)error_set(formatter->err, ERROR_MACHINE, "the format takes %zu value%s, but %zu %s given",
                    args->next, plural(args->next), args->items.count,
                    args->items.count == 1 ? "was" : "were");
    return error_hint(formatter->err, "a tuple as one value is written (t,)");
}

bool format_percent(struct lang_state *state, struct value format, struct value args,
                    struct value *out, struct error *err)
{
    struct formatter formatter = {
        .state = state, .text = format.as.string->data, .size = format.as.string->size, .err = err};
    struct percent_args values = {.items = {&args, 1}};
    if (args.type == VALUE_TUPLE) {
        values.items = value_items(args);
    }
    bool ok = charge(state, formatter.size / 64, err) && percent_all(&formatter, &values);
    return finish_format(&formatter, ok, out);
}

struct brace_args {
    const struct native_call *call;
    size_t next; /* of the `{}` */
    bool counted;
    bool numbered;
};

static bool positional(struct formatter *formatter, struct brace_args *args, size_t index,
                       struct value *out)
{
    if (index >= args->call->arg_count) {
        return error_set(formatter->err, ERROR_MACHINE,
                         "format() got %zu positional argument%s, the text takes more",
                         args->call->arg_count, plural(args->call->arg_count));
    }
    *out = args->call->args[index];
    return true;
}

static bool named_value(struct formatter *formatter, const struct brace_args *args,
                        const char *name, size_t size, struct value *out)
{
    for (size_t i = 0; i < args->call->named_count; i++) {
        const char *given = args->call->named[i].name;
        if (strlen(given) == size && memcmp(given, name, size) == 0) {
            *out = args->call->named[i].value;
            return true;
        }
    }
    if (!lang_is_name(name, size)) {
        (void)error_set(formatter->err, ERROR_MACHINE,
                        "between the braces of a format stands '%.*s'", size > 60 ? 60 : (int)size,
                        name);
        return error_hint(formatter->err,
                          "a name or a number may stand there; round(x, 2) rounds, {{ is a brace");
    }
    return error_set(formatter->err, ERROR_MACHINE, "format() got no argument '%.*s'",
                     size > 60 ? 60 : (int)size, name);
}

static bool is_number(const char *text, size_t size)
{
    return size > 0 && size <= 9 && strspn(text, "0123456789") >= size;
}

static bool find_argument(struct formatter *formatter, struct brace_args *args, const char *field,
                          size_t size, struct value *out)
{
    bool numbered = is_number(field, size);
    if (size > 0 && !numbered) {
        return named_value(formatter, args, field, size, out);
    }
    args->numbered = args->numbered || numbered;
    args->counted = args->counted || !numbered;
    if (args->numbered && args->counted) {
        return error_set(formatter->err, ERROR_MACHINE, "a format can't have both {} and {0}");
    }
    return positional(formatter, args, numbered ? strtoul(field, NULL, 10) : args->next++, out);
}

/* Reads the field after `{` up to `}`, perhaps with !r or !s. */
static bool next_field(struct formatter *formatter, struct brace_args *args)
{
    const char *field = formatter->text + formatter->at;
    const char *end = memchr(field, '}', formatter->size - formatter->at);
    struct value value;
    if (!end) {
        (void)error_set(formatter->err, ERROR_MACHINE, "a '{' in the format is never closed");
        return error_hint(formatter->err, "{{ is a brace");
    }
    size_t size = (size_t)(end - field);
    formatter->at += size + 1;
    bool repr = size >= 2 && memcmp(end - 2, "!r", 2) == 0;
    bool str = size >= 2 && memcmp(end - 2, "!s", 2) == 0;
    if (!find_argument(formatter, args, field, repr || str ? size - 2 : size, &value)) {
        return false;
    }
    return repr ? write_repr(formatter, value)
                : write_text(formatter->state, value, &formatter->out, formatter->err);
}

static bool next_brace(struct formatter *formatter, struct brace_args *args)
{
    char brace = formatter->text[formatter->at++];
    if (formatter->at < formatter->size && formatter->text[formatter->at] == brace) {
        strbuf_addc(&formatter->out, brace);
        formatter->at++;
        return true;
    }
    if (brace == '}') {
        (void)error_set(formatter->err, ERROR_MACHINE, "a '}' in the format closes nothing");
        return error_hint(formatter->err, "}} is a brace");
    }
    return next_field(formatter, args);
}

bool format_braces(const struct native_call *call, struct value *out, struct error *err)
{
    struct lang_state *state = (struct lang_state *)call->caller;
    struct formatter formatter = {.state = state,
                                  .text = call->self.as.string->data,
                                  .size = call->self.as.string->size,
                                  .err = err};
    struct brace_args args = {.call = call};
    bool ok = charge(state, formatter.size / 64, err);
    while (ok && formatter.at < formatter.size) {
        copy_plain(&formatter, "{}");
        ok = formatter.at == formatter.size || next_brace(&formatter, &args);
        ok =
            ok && charge(state, 1 + call->named_count, err) && room(state, formatter.out.size, err);
    }
    return finish_format(&formatter, ok, out);
}
