/* Strategies as objects of the language: the common part of all kinds. */
#include "gen/kind.h"

#include <assert.h>

const struct strategy *strategy_of(struct value value)
{
    if (value.type != VALUE_OBJECT || value.as.object->type->repr != strategy_repr) {
        return NULL;
    }
    return (const struct strategy *)(const void *)value.as.object;
}

bool value_is_strategy(struct value value) { return strategy_of(value) != NULL; }

bool value_is_bundle(struct value value)
{
    return value.type == VALUE_LIST && value.as.list->kind != NULL;
}

bool value_is_drawable(struct value value)
{
    return value.type == VALUE_LIST || value.type == VALUE_SET || value.type == VALUE_DICT ||
           value_is_strategy(value);
}

static bool is_frozen(struct value value)
{
    uint64_t ignored;
    return value.type != VALUE_OBJECT && value_hash(value, &ignored, NULL);
}

bool strategy_is_frozen(struct value value)
{
    const struct strategy *strategy = strategy_of(value);
    if (!strategy) {
        return is_frozen(value);
    }
    if (strategy->signature) {
        return true; /* a signature means that all of its arguments have a hash */
    }
    bool samples = strategy->kind->role == ROLE_SAMPLES && strategy->args[0].type == VALUE_LIST &&
                   !value_is_bundle(strategy->args[0]);
    for (size_t i = 0; samples && i < strategy->args[0].as.list->count; i++) {
        samples = is_frozen(strategy->args[0].as.list->items[i]);
    }
    return samples;
}

/* Prints a strategy as its call. */

/* Containers of a model, nested to any depth, may contain strategies. */
static void print_argument(struct value value, struct strbuf *out)
{
    enum { PARTS_MAX = 1000 };
    if (value.type == VALUE_OBJECT || value_is_data(value, PARTS_MAX)) {
        value_repr(value, out);
    } else {
        strbuf_addf(out, "<%s>", value_type_name(value));
    }
}

static void print_separated(bool *first, struct strbuf *out)
{
    if (!*first) {
        strbuf_adds(out, ", ");
    }
    *first = false;
}

void strategy_repr(const struct object *object, struct strbuf *out)
{
    const struct strategy *strategy = (const struct strategy *)(const void *)object;
    const struct native_param *params = strategy->kind->params;
    if (strategy->self.type != VALUE_NONE) {
        print_argument(strategy->self, out);
        strbuf_addc(out, '.');
    }
    strbuf_addf(out, "%s(", strategy->kind->name);
    bool first = true;
    for (size_t i = 0; params[i].name; i++) {
        struct value arg = strategy->args[i];
        if (params[i].kind == PARAM_REST) {
            for (size_t j = 0; j < arg.as.tuple->count; j++) {
                print_separated(&first, out);
                print_argument(arg.as.tuple->items[j], out);
            }
        } else if (params[i].kind == PARAM_REQUIRED || arg.type != VALUE_NONE) {
            print_separated(&first, out);
            if (params[i].kind == PARAM_OPTIONAL) {
                strbuf_addf(out, "%s=", params[i].name);
            }
            print_argument(arg, out);
        }
    }
    strbuf_addc(out, ')');
}

/* Makes strategies. */

static uint64_t mix_signature(uint64_t hash, uint64_t more)
{
    return draw_site(hash ^ (hash >> 31), more);
}

static uint64_t hash_name(const char *name)
{
    uint64_t hash = 0;
    for (; *name; name++) {
        hash = mix_signature(hash, (unsigned char)*name);
    }
    return hash;
}

/* Adds an argument to the signature and the depth. */
static void sign_argument(struct strategy *strategy, struct value arg)
{
    const struct strategy *inner = strategy_of(arg);
    uint64_t hash = 0;
    if (inner) {
        hash = inner->signature;
        strategy->depth = strategy->depth > inner->depth ? strategy->depth : inner->depth + 1;
    } else if (arg.type == VALUE_OBJECT || !value_hash(arg, &hash, NULL)) {
        hash = 0;
    } else {
        hash = mix_signature(hash, arg.type);
    }
    strategy->signature =
        hash && strategy->signature ? mix_signature(strategy->signature, hash) : 0;
}

static void sign_strategy(struct strategy *strategy)
{
    strategy->signature = hash_name(strategy->kind->name);
    strategy->depth = 1;
    if (strategy->self.type != VALUE_NONE) {
        sign_argument(strategy, strategy->self);
    }
    for (size_t i = 0; strategy->kind->params[i].name; i++) {
        struct value arg = strategy->args[i];
        if (strategy->kind->params[i].kind != PARAM_REST) {
            sign_argument(strategy, arg);
            continue;
        }
        for (size_t j = 0; j < arg.as.tuple->count; j++) {
            sign_argument(strategy, arg.as.tuple->items[j]);
        }
    }
}

bool strategy_new(struct arena *arena, const struct strategy *template, struct value *out,
                  struct error *err)
{
    assert(template->kind != NULL);
    assert(template->args != NULL || !template->kind->params[0].name);
    static const struct object_type part = {.name = "strategy", .repr = strategy_repr};
    struct strategy *strategy = arena_memdup(arena, template, sizeof *template);
    if (!strategy->object.type) {
        strategy->object.type = &part;
    }
    if (strategy->kind->make && !strategy->kind->make(arena, strategy, err)) {
        return false;
    }
    sign_strategy(strategy);
    if (strategy->depth > DRAW_DEPTH_MAX) {
        return error_set(err, ERROR_LIMIT, "strategies are nested deeper than %d", DRAW_DEPTH_MAX);
    }
    *out = value_object(&strategy->object);
    return true;
}

const struct value *kind_args(struct arena *arena, const struct strategy_kind *kind,
                              const struct value *args)
{
    size_t count = 0;
    while (kind->params[count].name) {
        count++;
    }
    return arena_memdup(arena, args, count * sizeof *args);
}

bool strategy_of_kind(struct arena *arena, const struct strategy_kind *kind,
                      const struct value *args, struct value *out, struct error *err)
{
    const struct strategy template = {.kind = kind, .args = kind_args(arena, kind, args)};
    return strategy_new(arena, &template, out, err);
}

uint64_t kind_memory_key(const struct strategy_kind *kind) { return hash_name(kind->name); }
