/* Builtins that make one value from another, or tell what it is. */
#include "lang/builtins/string_methods.h"

#include "base/hash.h"
#include "base/utf8.h"
#include "value/json/json.h"
#include "value/number/numeric.h"

#include <math.h>
#include <string.h>

bool builtin_type(const struct native_call *call, struct value *out, struct error *err)
{
    if (!native_positional(call, "type", 1, 1, err)) {
        return false;
    }
    *out = value_text(call->caller->arena, value_type_name(call->args[0]));
    return true;
}

bool builtin_bool(const struct native_call *call, struct value *out, struct error *err)
{
    *out = value_bool(call->arg_count > 0 && value_truth(call->args[0]));
    return native_positional(call, "bool", 0, 1, err);
}

bool builtin_len(const struct native_call *call, struct value *out, struct error *err)
{
    size_t length;
    if (!native_positional(call, "len", 1, 1, err) || !value_length(call->args[0], &length, err)) {
        return false;
    }
    *out = value_int(length > INT64_MAX ? INT64_MAX : (int64_t)length);
    return true;
}

bool builtin_str(const struct native_call *call, struct value *out, struct error *err)
{
    struct strbuf text = {0};
    if (!native_positional(call, "str", 0, 1, err)) {
        return false;
    }
    if (call->arg_count && call->args[0].type == VALUE_STRING) {
        *out = call->args[0];
        return true;
    }
    if (call->arg_count && !write_text(native_state(call), call->args[0], &text, err)) {
        strbuf_free(&text);
        return false;
    }
    return string_take(call, &text, out, err);
}

bool builtin_repr(const struct native_call *call, struct value *out, struct error *err)
{
    struct strbuf text = {0};
    if (!native_positional(call, "repr", 1, 1, err) ||
        !charge_value(native_state(call), call->args[0], err)) {
        return false;
    }
    value_repr(call->args[0], &text);
    return string_take(call, &text, out, err);
}

const struct native_param int_params[] = {
    {"x", PARAM_OPTIONAL, true},
    {"base", PARAM_OPTIONAL, false},
    {0},
};

static bool int_of_string(struct lang_state *state, const struct string *text, struct value base,
                          struct value *out, struct error *err)
{
    int64_t number = 10;
    if (base.type != VALUE_NONE && !native_int("int", base, &number, err)) {
        return false;
    }
    if (number != 0 && (number < 2 || number > 36)) {
        return error_set(err, ERROR_MACHINE, "int() wants a base from 2 to 36, or 0");
    }
    if (!charge(state, digits_steps(text->size), err)) {
        return false;
    }
    return int_from_text(state->caller.arena, text->data, text->size, (int)number, out, err);
}

bool builtin_int(const struct native_call *call, struct value *out, struct error *err)
{
    struct value args[2] = {value_int(0), value_none()};
    if (!native_bind("int", int_params, call, args, err)) {
        return false;
    }
    if (args[0].type == VALUE_STRING) {
        return int_of_string(native_state(call), args[0].as.string, args[1], out, err);
    }
    if (args[1].type != VALUE_NONE) {
        return error_set(err, ERROR_MACHINE, "int() takes a base only for a string");
    }
    if (args[0].type == VALUE_BOOL) {
        *out = value_int(args[0].as.boolean);
        return true;
    }
    return value_is_number(args[0])
               ? int_from_number(call->caller->arena, args[0], out, err)
               : error_set(err, ERROR_MACHINE, "int() wants a number or a string, not %s",
                           value_type_name(args[0]));
}

bool builtin_numeric(const struct native_call *call, struct value *out, struct error *err)
{
    if (!native_positional(call, "numeric", 1, 1, err)) {
        return false;
    }
    struct value from = call->args[0];
    if (from.type == VALUE_STRING) {
        return charge(native_state(call), digits_steps(from.as.string->size), err) &&
               numeric_from_text(call->caller->arena, from.as.string->data, from.as.string->size,
                                 out, err);
    }
    return value_is_number(from)
               ? numeric_from_number(call->caller->arena, from, out, err)
               : error_set(err, ERROR_MACHINE, "numeric() wants a number or a string, not %s",
                           value_type_name(from));
}

static bool is_finite(struct value number)
{
    return number.type == VALUE_INT ||
           (number.type == VALUE_NUMERIC && number.as.numeric->kind == NUMERIC_FINITE);
}

bool builtin_float(const struct native_call *call, struct value *out, struct error *err)
{
    struct value from = call->arg_count ? call->args[0] : value_int(0);
    if (!native_positional(call, "float", 0, 1, err)) {
        return false;
    }
    if (from.type == VALUE_STRING) {
        return charge(native_state(call), from.as.string->size, err) &&
               float_from_text(from.as.string->data, from.as.string->size, out, err);
    }
    if (from.type == VALUE_BOOL) {
        from = value_int(from.as.boolean);
    }
    if (!value_is_number(from)) {
        return error_set(err, ERROR_MACHINE, "float() wants a number or a string, not %s",
                         value_type_name(from));
    }
    *out = value_float(number_to_double(from));
    return !isinf(out->as.real) || !is_finite(from) ||
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
            return error_set(err, ERROR_MACHINE, "bytes() wants ints from 0 to 255");
        }
        strbuf_addc(&data, (char)(unsigned char)byte);
    }
    *out = value_bytes(call->caller->arena, strbuf_text(&data), data.size);
    strbuf_free(&data);
    return true;
}

bool builtin_bytes(const struct native_call *call, struct value *out, struct error *err)
{
    if (!native_positional(call, "bytes", 1, 1, err)) {
        return false;
    }
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

/* Starlark's: of a string as java.lang.String.hashCode (UTF-16 units), of bytes FNV-1a. */
static int32_t string_hash(const struct string *string)
{
    uint32_t hash = 0;
    for (size_t at = 0; at < string->size;) {
        uint32_t code = 0;
        at += utf8_decode(string->data + at, string->size - at, &code);
        if (code >= 0x10000U) {
            hash = hash * 31 + (0xD800U + ((code - 0x10000U) >> 10U));
            code = 0xDC00U + ((code - 0x10000U) & 0x3FFU);
        }
        hash = hash * 31 + code;
    }
    return (int32_t)hash;
}

bool builtin_hash(const struct native_call *call, struct value *out, struct error *err)
{
    if (!native_positional(call, "hash", 1, 1, err)) {
        return false;
    }
    struct value from = call->args[0];
    if (from.type == VALUE_STRING) {
        *out = value_int(string_hash(from.as.string));
        return charge(native_state(call), from.as.string->size / 64, err);
    }
    if (from.type == VALUE_BYTES) {
        *out = value_int(hash_bytes_32(from.as.bytes->data, from.as.bytes->size));
        return charge(native_state(call), from.as.bytes->size / 64, err);
    }
    return error_set(err, ERROR_MACHINE, "hash() wants a string or bytes, not %s",
                     value_type_name(from));
}

bool builtin_abs(const struct native_call *call, struct value *out, struct error *err)
{
    if (!native_positional(call, "abs", 1, 1, err)) {
        return false;
    }
    return value_is_number(call->args[0])
               ? number_abs(call->caller->arena, call->args[0], out, err)
               : error_set(err, ERROR_MACHINE, "abs() wants a number, not %s",
                           value_type_name(call->args[0]));
}

const struct native_param round_params[] = {
    {"x", PARAM_REQUIRED, false},
    {"digits", PARAM_OPTIONAL, false},
    {0},
};

bool builtin_round(const struct native_call *call, struct value *out, struct error *err)
{
    struct value args[2] = {value_none(), value_int(0)};
    int64_t digits;
    if (!native_bind("round", round_params, call, args, err) ||
        !native_int("round", args[1], &digits, err)) {
        return false;
    }
    uint64_t shift = (digits < 0 ? -(uint64_t)digits : (uint64_t)digits) / 19;
    uint64_t limbs = number_limbs(args[0]) + (shift < NUMERIC_SCALE_MAX ? shift : 0);
    if (!charge(native_state(call), square_steps(limbs), err)) {
        return false;
    }
    return value_is_number(args[0])
               ? number_round(call->caller->arena, args[0], digits, out, err)
               : error_set(err, ERROR_MACHINE, "round() wants a number, not %s",
                           value_type_name(args[0]));
}

static native_fn json_encode_call, json_decode_call;

static const struct native_param decode_params[] = {
    {"x", PARAM_REQUIRED, true},
    {"default", PARAM_OPTIONAL, false},
    {0},
};

static bool json_encode_call(const struct native_call *call, struct value *out, struct error *err)
{
    struct strbuf text = {0};
    if (!native_positional(call, "json.encode", 1, 1, err) ||
        !charge_value(native_state(call), call->args[0], err)) {
        return false;
    }
    if (!json_encode(call->args[0], &text, err) ||
        !charge(native_state(call), text.size / 2, err)) {
        strbuf_free(&text);
        return false;
    }
    return string_take(call, &text, out, err);
}

enum { DECODED_PER_BYTE = 16 }; /* of memory, about, where a text is all brackets */

static bool json_decode_call(const struct native_call *call, struct value *out, struct error *err)
{
    struct value args[2] = {[1] = unset_value()};
    const struct string *text;
    if (!native_bind("json.decode", decode_params, call, args, err) ||
        !native_string("json.decode", args[0], &text, err) ||
        !charge(native_state(call), text->size, err) ||
        !room_for(native_state(call), text->size, DECODED_PER_BYTE, err)) {
        return false;
    }
    bool has_default = !is_unset(args[1]);
    if (json_decode(call->caller->arena, text->data, text->size, out, has_default ? NULL : err)) {
        return true;
    }
    *out = args[1];
    return has_default;
}

static const struct native_function json_methods[] = {
    {"encode", json_encode_call, NULL},
    {"decode", json_decode_call, decode_params},
    {0},
};

static void json_repr(const struct object *object, struct strbuf *out)
{
    (void)object;
    strbuf_adds(out, "<module json>");
}

static const struct object_type json_type = {
    .name = "module",
    .repr = json_repr,
    .methods = json_methods,
};

void lang_constants(struct arena *arena, struct named_value out[2])
{
    struct object *json = ARENA_NEW(arena, struct object);
    json->type = &json_type;
    out[0] = (struct named_value){"json", value_object(json)};
    out[1] = (struct named_value){"json_null", value_json_null()};
}
