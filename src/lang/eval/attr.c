/* x.name: columns of rows, methods, attributes of objects. */
#include "base/names.h"
#include "lang/builtins/methods.h"
#include "lang/eval/interp.h"
#include "lang/syntax/token.h"

#include <string.h>

const struct native_function *const method_tables[VALUE_TYPES] = {
    [VALUE_STRING] = string_methods, [VALUE_BYTES] = bytes_methods, [VALUE_LIST] = list_methods,
    [VALUE_DICT] = dict_methods,     [VALUE_SET] = set_methods,
};

struct names {
    struct arena *arena;
    VEC(const char *) items;
};

static void add_methods(struct names *names, const struct native_function *methods)
{
    for (; methods && methods->name; methods++) {
        *VEC_PUSH(names->arena, &names->items) = methods->name;
    }
}

size_t attr_names(struct lang_state *state, struct value object, const char ***out)
{
    struct names names = {.arena = state->caller.arena};
    add_methods(&names, method_tables[object.type]);
    add_methods(&names, own_methods(object));
    if (object.type == VALUE_TUPLE && object.as.tuple->names) {
        for (size_t i = 0; i < object.as.tuple->count; i++) {
            *VEC_PUSH(names.arena, &names.items) = object.as.tuple->names[i];
        }
    }
    if (object.type == VALUE_OBJECT) {
        const struct object_type *type = object.as.object->type;
        for (const char *const *name = type->attr_names; name && *name; name++) {
            *VEC_PUSH(names.arena, &names.items) = *name;
        }
    }
    *out = names.items.items;
    return names.items.count;
}

/* The hint for an attribute that belongs to another type. */
static const char *hint_for_type(enum value_type type, const char *name)
{
    static const struct {
        enum value_type type;
        const char *name, *hint;
    } hints[] = {
        {VALUE_SET, "append", "write s.add(x)"},
        {VALUE_SET, "extend", "write s.update(xs)"},
        {VALUE_SET, "insert", "write s.add(x)"},
        {VALUE_LIST, "add", "write xs.append(x)"},
        {VALUE_LIST, "update", "write xs.extend(ys)"},
        {VALUE_LIST, "discard", "write `if x in xs: xs.remove(x)`"},
        {VALUE_LIST, "get", "write xs[i] if i < len(xs) else None"},
        {VALUE_LIST, "filter",
         "write [x for x in xs if …]; to draw from it, sampled_from(xs).filter(…)"},
        {VALUE_LIST, "map", "write [f(x) for x in xs]; to draw from it, sampled_from(xs).map(…)"},
        {VALUE_DICT, "filter",
         "write {k: d[k] for k in d if …}; to draw a key, sampled_from(d).filter(…)"},
        {VALUE_DICT, "map", "write {k: f(d[k]) for k in d}; to draw a key, sampled_from(d).map(…)"},
        {VALUE_SET, "filter",
         "write {x for x in xs if …}; to draw from it, sampled_from(xs).filter(…)"},
        {VALUE_SET, "map", "write {f(x) for x in xs}; to draw from it, sampled_from(xs).map(…)"},
        {VALUE_DICT, "append", "write d[key] = value"},
        {VALUE_DICT, "add", "write d[key] = value"},
        {VALUE_DICT, "remove", "write d.pop(key)"},
        {VALUE_DICT, "discard", "write d.pop(key, None)"},
    };
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        if (hints[i].type == type && strcmp(hints[i].name, name) == 0) {
            return hints[i].hint;
        }
    }
    return NULL;
}

static void suggest(struct lang_state *state, struct value object, const char *name,
                    struct error *err)
{
    const char **names;
    size_t count = attr_names(state, object, &names);
    const char *known = hint_for_type(object.type, name);
    bool row = object.type == VALUE_TUPLE && object.as.tuple->names;
    const char *foreign = row ? NULL : token_hint(FOREIGN_METHOD, name);
    const char *close = closest_name(name, names, count);
    if (known) {
        error_hint(err, "%s", known);
    } else if (foreign && object.type == VALUE_DICT) {
        error_hint(err, "%s; an entry is read by d[\"%s\"]", foreign, name);
    } else if (foreign) {
        error_hint(err, "%s", foreign);
    } else if (close) {
        error_hint(err, "did you mean '%s'?", close);
    } else if (object.type == VALUE_DICT) {
        error_hint(err, "an entry is read by d[\"%s\"]", name);
    } else if (object.type == VALUE_TUPLE && object.as.tuple->names && count <= 12) {
        struct strbuf list = {0};
        for (size_t i = 0; i < count; i++) {
            strbuf_addf(&list, "%s%s", i ? ", " : "", names[i]);
        }
        error_hint(err, "its columns are: %s", strbuf_text(&list));
        strbuf_free(&list);
    }
}

static bool missing_attr(struct lang_state *state, struct value object, const char *name,
                         struct error *err)
{
    bool row = object.type == VALUE_TUPLE && object.as.tuple->names;
    (void)(row ? error_set(err, ERROR_MACHINE, "the row has no column '%s'", name)
               : error_set(err, ERROR_MACHINE, "a value of type %s has no attribute '%s'",
                           value_type_name(object), name));
    suggest(state, object, name, err);
    return false;
}

static bool row_field(struct value row, const char *name, struct value *out)
{
    const struct tuple *tuple = row.as.tuple;
    size_t count = tuple->names ? tuple->count : 0;
    size_t index = name_index(name, tuple->names, count, sizeof *tuple->names, 0);
    if (index < count) {
        *out = tuple->items[index];
    }
    return index < count;
}

static bool object_attr(struct lang_state *state, struct value object, const char *name,
                        struct value *out, struct error *err)
{
    const struct object_type *type = object.as.object->type;
    if (!type->attr) {
        return missing_attr(state, object, name, err);
    }
    if (type->attr(object.as.object, name, &state->caller, out, err)) {
        return true;
    }
    if (err && !err->hint[0]) {
        suggest(state, object, name, err);
    }
    return false;
}

bool attr_get(struct lang_state *state, struct value object, const char *name, struct value *out,
              struct error *err)
{
    const struct native_function *method = native_find(own_methods(object), name);
    if (!method) {
        method = native_find(method_tables[object.type], name);
    }
    if (method) {
        *out = value_native(state->caller.arena, method, object);
        return true;
    }
    if (object.type == VALUE_OBJECT) {
        return object_attr(state, object, name, out, err);
    }
    return (object.type == VALUE_TUPLE && row_field(object, name, out)) ||
           missing_attr(state, object, name, err);
}
