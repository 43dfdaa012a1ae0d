#include "value/object.h"

#include "base/hash.h"

#include <string.h>

bool caller_check_mutable(const struct caller *caller, struct value value, struct error *err)
{
    const struct container *container = value_container(value);
    if (caller->looking && container && container->arena != caller->arena) {
        (void)error_set(err, ERROR_MACHINE, "this %s of the model can't be changed here",
                        value_type_name(value));
        return error_hint(err, "only `model` may change the model; change a copy instead: %s(x)",
                          value_type_name(value));
    }
    return value_check_mutable(value, err);
}

void **caller_keep(const struct caller *caller)
{
    struct keeping *keeping = caller->keeping;
    if (!keeping) {
        return NULL;
    }
    while (keeping->next >= keeping->slots.count) {
        *VEC_PUSH(keeping->arena, &keeping->slots) = NULL; /* NOLINT(bugprone-sizeof-expression) */
    }
    return &keeping->slots.items[keeping->next++];
}

/* A native function as a value. */
struct native {
    struct object object;
    const struct native_function *function; /* borrowed */
    struct value self;
};

static const struct native *native_of(const struct object *object)
{
    return (const struct native *)(const void *)object;
}

static void native_repr(const struct object *object, struct strbuf *out)
{
    const struct native *native = native_of(object);
    char buffer[NATIVE_NAME_SIZE];
    const char *name = native_name(native->function->name, native->self, buffer);
    if (native->self.type == VALUE_NONE || name == buffer) {
        strbuf_addf(out, "<built-in function %s>", name);
    } else {
        strbuf_addf(out, "<built-in method %s of %s value>", name, value_type_name(native->self));
    }
}

static bool native_equal(const struct object *a, const struct object *b)
{
    return native_of(a)->function == native_of(b)->function &&
           value_same(native_of(a)->self, native_of(b)->self);
}

static bool native_hash(const struct object *object, uint64_t *out)
{
    *out = hash_text(native_of(object)->function->name);
    return true;
}

static bool native_invoke(struct object *object, const struct native_call *call, struct value *out,
                          struct error *err)
{
    struct native_call inner = *call;
    inner.self = native_of(object)->self;
    return native_run(native_of(object)->function, &inner, out, err);
}

static const struct object_type native_type = {
    .name = "builtin_function_or_method",
    .repr = native_repr,
    .equal = native_equal,
    .hash = native_hash,
    .call = native_invoke,
};

struct value value_native(struct arena *arena, const struct native_function *function,
                          struct value self)
{
    struct native *native = ARENA_NEW(arena, struct native);
    native->object.type = &native_type;
    native->function = function;
    native->self = self;
    return value_object(&native->object);
}

const struct native_function *native_function_of(struct value value)
{
    bool native = value.type == VALUE_OBJECT && value.as.object->type == &native_type;
    return native ? native_of(value.as.object)->function : NULL;
}

const char *native_name_of(struct value value, char buffer[NATIVE_NAME_SIZE])
{
    const struct native_function *function = native_function_of(value);
    return function ? native_name(function->name, native_of(value.as.object)->self, buffer) : NULL;
}

const struct native_function *own_methods(struct value value)
{
    if (value.type == VALUE_LIST) {
        return value.as.list->kind ? value.as.list->kind->methods : NULL;
    }
    return value.type == VALUE_OBJECT ? value.as.object->type->methods : NULL;
}

const struct native_function *native_find(const struct native_function *table, const char *name)
{
    while (table && table->name && strcmp(table->name, name) != 0) {
        table++;
    }
    return table && table->name ? table : NULL;
}

static void wildcard_repr(const struct object *object, struct strbuf *out)
{
    (void)object;
    strbuf_addc(out, '_');
}

static bool wildcard_equal(const struct object *a, const struct object *b)
{
    return a->type == b->type;
}

static bool wildcard_hash(const struct object *object, uint64_t *out)
{
    (void)object;
    *out = 0;
    return true;
}

static const struct object_type wildcard_type = {
    .name = "wildcard",
    .shown = true,
    .repr = wildcard_repr,
    .equal = wildcard_equal,
    .hash = wildcard_hash,
};

/* Static, because copies of a value share its objects and may outlive every arena. It never
 * changes. */
static struct object wildcard = {&wildcard_type};

struct value value_wildcard(void) { return value_object(&wildcard); }

bool value_is_wildcard(struct value value)
{
    return value.type == VALUE_OBJECT && value.as.object->type == &wildcard_type;
}
