/* Builtins that convert values, or tell their type. */
#include "lang/builtins/string_methods.h"

#include "base/hash.h"
#include "value/json/json.h"
#include "value/number/numeric.h"

#include <math.h>
#include <string.h>

static bool builtin_type(const struct native_call *call, struct value *out, struct error *err)
{
    (void)err;
    *out = value_text(call->caller->arena, value_type_name(call->args[0]));
    return true;
}

static bool builtin_bool(const struct native_call *call, struct value *out, struct error *err)
{
    (void)err;
    *out = value_bool(!is_unset(call->args[0]) && value_truth(call->args[0]));
    return true;
}

static bool builtin_len(const struct native_call *call, struct value *out, struct error *err)
{
    size_t length;
    if (!value_length(call->args[0], &length, err)) {
        return false;
    }
    *out = value_int(length > INT64_MAX ? INT64_MAX : (int64_t)length);
    return true;
}

static bool builtin_str(const struct native_call *call, struct value *out, struct error *err)
{
    struct strbuf text = {0};
    if (call->args[0].type == VALUE_STRING) {
        *out = call->args[0];
        return true;
    }
    if (!is_unset(call->args[0]) && !write_text(native_state(call), call->args[0], &text, err)) {
        strbuf_free(&text);
        return false;
    }
    return string_take(call, &text, out, err);
}

static bool builtin_repr(const struct native_call *call, struct value *out, struct error *err)
{
    struct strbuf text = {0};
    if (!charge_value(native_state(call), call->args[0], err)) {
        return false;
    }
    value_repr(call->args[0], &text);
    return string_take(call, &text, out, err);
}

static bool int_of_string(struct lang_state *state, const struct string *text, struct value base,
                          struct value *out, struct error *err)
{
    int64_t number = base.type == VALUE_NONE ? 10 : base.as.integer;
    if (number != 0 && (number < 2 || number > 36)) {
        return error_set(err, ERROR_MACHINE, "int() expects a base from 2 to 36, or 0");
    }
    if (!charge(state, digits_steps(text->size), err)) {
        return false;
    }
    return int_from_text(state->caller.arena, text->data, text->size, (int)number, out, err);
}

static bool builtin_int(const struct native_call *call, struct value *out, struct error *err)
{
    struct value from = is_unset(call->args[0]) ? value_int(0) : call->args[0];
    if (from.type == VALUE_STRING) {
        return int_of_string(native_state(call), from.as.string, call->args[1], out, err);
    }
    if (call->args[1].type != VALUE_NONE) {
        return error_set(err, ERROR_MACHINE, "int() takes a base only for a string");
    }
    if (from.type == VALUE_BOOL) {
        *out = value_int(from.as.boolean);
        return true;
    }
    return value_is_number(from)
               ? int_from_number(call->caller->arena, from, out, err)
               : error_set(err, ERROR_MACHINE, "int() expects a number or a string, not %s",
                           value_type_name(from));
}

static bool builtin_numeric(const struct native_call *call, struct value *out, struct error *err)
{
    struct value from = call->args[0];
    if (from.type == VALUE_STRING) {
        return charge(native_state(call), digits_steps(from.as.string->size), err) &&
               numeric_from_text(call->caller->arena, from.as.string->data, from.as.string->size,
                                 out, err);
    }
    return numeric_from_number(call->caller->arena, from, out, err);
}

static bool builtin_float(const struct native_call *call, struct value *out, struct error *err)
{
    struct value from = is_unset(call->args[0]) ? value_int(0) : call->args[0];
    if (from.type == VALUE_STRING) {
        return charge(native_state(call), from.as.string->size, err) &&
               float_from_text(from.as.string->data, from.as.string->size, out, err);
    }
    if (from.type == VALUE_BOOL) {
        from = value_int(from.as.boolean);
    }
    if (!value_is_number(from)) {
        return error_set(err, ERROR_MACHINE, "float() expects a number or a string, not %s",
                         value_type_name(from));
    }
    *out = value_float(number_to_double(from));
    return !isinf(out->as.real) || numeric_kind_of(from) != NUMERIC_FINITE ||
           error_set(err, ERROR_MACHINE, "the number is too large for a float");
}

static bool bytes_of_items(const struct native_call *call, struct value *out, struct error *err)
{
    struct items items;
    struct strbuf data = {0};
    if (!items_of(native_state(call), call->args[0], &items, err)) {
        return false;
    }
    for (size_t i = 0; i < items.count; i++) {
        int64_t byte = -1;
        if (items.items[i].type != VALUE_INT || !int_fits(items.items[i], &byte) || byte < 0 ||
            byte > 255) {
            strbuf_free(&data);
            return error_set(err, ERROR_MACHINE, "bytes() expects ints from 0 to 255");
        }
        strbuf_addc(&data, (char)(unsigned char)byte);
    }
    *out = value_bytes(call->caller->arena, strbuf_text(&data), data.size);
    strbuf_free(&data);
    return true;
}

static bool builtin_bytes(const struct native_call *call, struct value *out, struct error *err)
{
    struct value from = call->args[0];
    if (from.type == VALUE_STRING) {
        if (!room(native_state(call), from.as.string->size, err)) {
            return false;
        }
        *out = value_bytes(call->caller->arena, from.as.string->data, from.as.string->size);
        return true;
    }
    if (from.type == VALUE_BYTES) {
        *out = from;
        return true;
    }
    return bytes_of_items(call, out, err);
}

/* Starlark's hash: for strings java.lang.String.hashCode (UTF-16 units), for bytes FNV-1a. */
static int32_t string_hash(struct text string)
{
    uint32_t hash = 0;
    while (string.size > 0) {
        uint32_t code;
        (void)text_next(&string, &code);
        if (code >= 0x10000U) {
            hash = hash * 31 + (0xD800U + ((code - 0x10000U) >> 10U));
            code = 0xDC00U + ((code - 0x10000U) & 0x3FFU);
        }
        hash = hash * 31 + code;
    }
    return (int32_t)hash;
}

static bool builtin_hash(const struct native_call *call, struct value *out, struct error *err)
{
    struct value from = call->args[0];
    if (from.type == VALUE_STRING) {
        *out = value_int(string_hash(text_of(from)));
        return charge(native_state(call), from.as.string->size / 64, err);
    }
    *out = value_int(hash_bytes_32(from.as.bytes->data, from.as.bytes->size));
    return charge(native_state(call), from.as.bytes->size / 64, err);
}

static bool builtin_abs(const struct native_call *call, struct value *out, struct error *err)
{
    return number_abs(call->caller->arena, call->args[0], out, err);
}

static bool builtin_round(const struct native_call *call, struct value *out, struct error *err)
{
    struct value x = call->args[0];
    int64_t digits = is_unset(call->args[1]) ? 0 : call->args[1].as.integer;
    uint64_t shift = (digits < 0 ? -(uint64_t)digits : (uint64_t)digits) / 19;
    uint64_t limbs = number_limbs(x) + (shift < NUMERIC_SCALE_MAX ? shift : 0);
    return charge(native_state(call), square_steps(limbs), err) &&
           number_round(call->caller->arena, x, digits, out, err);
}

static bool json_encode_call(const struct native_call *call, struct value *out, struct error *err)
{
    struct strbuf text = {0};
    if (!charge_value(native_state(call), call->args[0], err)) {
        return false;
    }
    if (!json_encode(call->args[0], &text, err) ||
        !charge(native_state(call), text.size / 2, err)) {
        strbuf_free(&text);
        return false;
    }
    return string_take(call, &text, out, err);
}

enum { DECODED_PER_BYTE = 16 }; /* bytes of memory, about, if a text has only brackets */

static bool json_decode_call(const struct native_call *call, struct value *out, struct error *err)
{
    const struct string *text = call->args[0].as.string;
    if (!charge(native_state(call), text->size, err) ||
        !room_for(native_state(call), text->size, DECODED_PER_BYTE, err)) {
        return false;
    }
    bool has_default = !is_unset(call->args[1]);
    if (json_decode(call->caller->arena, text->data, text->size, out, has_default ? NULL : err)) {
        return true;
    }
    *out = call->args[1];
    return has_default;
}

static const struct native_param decode_params[] = {
    {"x", PARAM_REQUIRED, PARAM_POSITIONAL | PARAM_STRING},
    {"default", PARAM_OPTIONAL, PARAM_UNSET},
    {0}};

static const struct native_function json_methods[] = {
    {"encode", json_encode_call, params_x, 0},
    {"decode", json_decode_call, decode_params, 0},
    {0},
};

static void json_repr(const struct object *object, struct strbuf *out)
{
    (void)object;
    strbuf_adds(out, "<module json>");
}

static const struct object_type json_type = {
    .name = "module",
    .module = "json",
    .repr = json_repr,
    .methods = json_methods,
};

void lang_constants(struct arena *arena, struct named_value out[LANG_CONSTANTS])
{
    struct object *json = ARENA_NEW(arena, struct object);
    json->type = &json_type;
    out[0] = (struct named_value){"json", value_object(json)};
    out[1] = (struct named_value){"json_null", value_json_null()};
    out[2] = (struct named_value){"_", value_wildcard()};
}

static const struct native_param int_params[] = {
    {"x", PARAM_OPTIONAL, PARAM_POSITIONAL | PARAM_UNSET},
    {"base", PARAM_OPTIONAL, PARAM_INT},
    {0}};
static const struct native_param number[] = {{"x", PARAM_REQUIRED, PARAM_POSITIONAL | PARAM_NUMBER},
                                             {0}};
static const struct native_param number_or_string[] = {
    {"x", PARAM_REQUIRED, PARAM_POSITIONAL | PARAM_NUMBER | PARAM_STRING}, {0}};
static const struct native_param string_or_bytes[] = {
    {"x", PARAM_REQUIRED, PARAM_POSITIONAL | PARAM_STRING | PARAM_BYTES}, {0}};
static const struct native_param string_or_items[] = {
    {"x", PARAM_REQUIRED, PARAM_POSITIONAL | PARAM_STRING | PARAM_ITEMS}, {0}};
static const struct native_param round_params[] = {
    {"x", PARAM_REQUIRED, PARAM_NUMBER}, {"digits", PARAM_OPTIONAL, PARAM_UNSET | PARAM_INT}, {0}};

const struct native_function builtins_convert[] = {
    {"abs", builtin_abs, number, 0},
    {"bool", builtin_bool, params_any, 0},
    {"bytes", builtin_bytes, string_or_items, 0},
    {"float", builtin_float, params_any, 0},
    {"hash", builtin_hash, string_or_bytes, 0},
    {"int", builtin_int, int_params, 0},
    {"len", builtin_len, params_x, 0},
    {"numeric", builtin_numeric, number_or_string, 0},
    {"repr", builtin_repr, params_x, 0},
    {"round", builtin_round, round_params, 0},
    {"str", builtin_str, params_any, 0},
    {"type", builtin_type, params_x, 0},
    {0},
};
