#include "api/model.h"

#include "gen/kinds.h"
#include "lang/lang.h"
#include "schema/schema.h"
#include "tables/tables.h"

#include <stdarg.h>
#include <string.h>

enum { PARAMS_MAX = 16 }; /* of one function */

/* A model as a machine knows it. */
struct model_type {
    struct object_type type; /* first; its methods are the model's functions, in their order */
    const struct pgfsm_model *model;
    struct native_function constructor[2];
};

struct model_object {
    struct object object; /* first */
    struct arena *arena;
    void *state;
    void *kept; /* a copy of the state's bytes: looking does not change them */
};

static const struct native_param no_params[] = {{0}};
/* What errors call them; they are no functions of the model. */
static const struct pgfsm_function making = {.name = "init"};
static const struct pgfsm_function showing = {.name = "show"};

static const struct model_type *type_of(const struct model_object *object)
{
    return (const struct model_type *)(const void *)object->object.type;
}

void call_fail(struct pgfsm_call *call, const char *format, ...)
{
    if (!call->failed) {
        va_list args;
        va_start(args, format);
        (void)error_vat(call->err, ERROR_MACHINE, (struct source_pos){0}, format, args);
        va_end(args);
        (void)error_context(call->err, "%s.%s()", call->model->name, call->function->name);
    }
    call->failed = true;
}

/* Returns what the function did, with the check that looking has changed nothing. */
static const struct pgfsm_value *call_function(struct model_object *object, struct pgfsm_call *call)
{
    const struct pgfsm_function *function = call->function;
    const size_t size = call->model->state_size;
    const struct pgfsm_value *value;
    if (function->change) {
        value = function->change(object->state, call);
        memcpy(object->kept, object->state, size);
        return value;
    }
    value = function->look(object->state, call);
    if (memcmp(object->kept, object->state, size) != 0) {
        call_fail(call, "it changed the state, but is a `look`");
    }
    return value;
}

static bool run_method(const struct native_call *native, struct value *out, struct error *err)
{
    struct model_object *object = (struct model_object *)(void *)native->self.as.object;
    const struct pgfsm_model *model = type_of(object)->model;
    const struct pgfsm_function *function = &model->functions[native->function->variant];
    struct pgfsm_call call = {.model = model,
                              .function = function,
                              .params = native->function->params,
                              .args = native->args,
                              .arena = native->caller->arena,
                              .kept = object->arena,
                              .err = err};
    if (function->change && native->caller->looking && object->arena != call.arena) {
        call_fail(&call, "it changes the model, which only `model` may do");
        return false;
    }
    const struct pgfsm_value *value = call_function(object, &call);
    *out = value ? value->value : value_none();
    return !call.failed;
}

static void object_repr(const struct object *base, struct strbuf *out)
{
    const struct model_object *object = (const struct model_object *)(const void *)base;
    const struct pgfsm_model *model = type_of(object)->model;
    struct arena arena = {0};
    struct error err = {0};
    struct pgfsm_call call = {.model = model,
                              .function = &showing,
                              .params = no_params,
                              .arena = &arena,
                              .kept = &arena,
                              .err = &err};
    const struct pgfsm_value *value = model->show ? model->show(object->state, &call) : NULL;
    strbuf_addf(out, "%s(", model->name);
    if (call.failed) {
        strbuf_adds(out, err.message);
    } else if (value) {
        value_repr(value->value, out);
    }
    strbuf_adds(out, ")");
    arena_free(&arena);
}

static void free_state(void *data)
{
    const struct model_object *object = data;
    const struct pgfsm_model *model = type_of(object)->model;
    model->free(object->state, model->host);
}

void *pgfsm_call_host(const struct pgfsm_call *call) { return call->model->host; }

const struct pgfsm_function *pgfsm_call_function(const struct pgfsm_call *call)
{
    return call->function == &making || call->function == &showing ? NULL : call->function;
}

/* The model's name, called: a new state. */
static bool construct(const struct native_call *native, struct value *out, struct error *err)
{
    const char *row = (const char *)native->function;
    const struct model_type *type =
        (const struct model_type *)(const void *)(row - offsetof(struct model_type, constructor));
    const struct pgfsm_model *model = type->model;
    struct arena *arena = native->caller->arena;
    struct model_object *object = ARENA_NEW(arena, struct model_object);
    struct pgfsm_call call = {.model = model,
                              .function = &making,
                              .params = no_params,
                              .arena = arena,
                              .kept = arena,
                              .err = err};
    object->object.type = &type->type;
    object->arena = arena;
    object->state = arena_zalloc(arena, model->state_size);
    object->kept = arena_alloc(arena, model->state_size);
    if (model->init) {
        model->init(object->state, &call);
    }
    memcpy(object->kept, object->state, model->state_size);
    if (model->free) {
        arena_defer(arena, free_state, object);
    }
    *out = value_object(&object->object);
    return !call.failed;
}

static bool wrong(struct error *err, const struct pgfsm_model *model, const char *function,
                  const char *what)
{
    return error_set(err, ERROR_USAGE, "model %s: function %s: %s", model->name, function, what);
}

/* "id, price" as parameters. */
static bool read_params(const struct pgfsm_model *model, const struct pgfsm_function *function,
                        struct arena *arena, const struct native_param **out, struct error *err)
{
    static const char between[] = ", ";
    struct native_param *params = ARENA_ARRAY(arena, struct native_param, PARAMS_MAX + 1);
    size_t count = 0;
    const char *at = function->params ? function->params : "";
    for (at += strspn(at, between); *at; at += strspn(at, between)) {
        size_t size = strcspn(at, between);
        if (count == PARAMS_MAX) {
            return wrong(err, model, function->name, "it has more than 16 parameters");
        }
        if (!lang_is_name(at, size)) {
            return wrong(err, model, function->name, "a parameter is no name");
        }
        params[count++].name = arena_strndup(arena, at, size);
        at += size;
    }
    *out = params;
    return true;
}

static bool read_function(const struct pgfsm_model *model, size_t index, struct arena *arena,
                          struct native_function *out, struct error *err)
{
    const struct pgfsm_function *function = &model->functions[index];
    *out =
        (struct native_function){.name = function->name, .fn = run_method, .variant = (int)index};
    if (!lang_is_name(function->name, strlen(function->name))) {
        return wrong(err, model, function->name, "its name is no name of the model language");
    }
    if (!function->look == !function->change) {
        return wrong(err, model, function->name, "it needs either `look` or `change`");
    }
    return read_params(model, function, arena, &out->params, err);
}

/* Whether machines know the name already. */
static bool is_taken(const char *name)
{
    static const struct native_function *const tables[] = {strategy_functions, schema_functions,
                                                           tables_functions, NULL};
    struct arena arena = {0};
    bool taken = lang_module_is_builtin(lang_module_new(&arena, tables, NULL), name);
    arena_free(&arena);
    return taken;
}

bool model_builtins(const struct pgfsm_model *model, struct arena *arena,
                    struct machine_builtins *out, struct error *err)
{
    static const struct pgfsm_function none[] = {{0}};
    const struct pgfsm_function *functions = model->functions ? model->functions : none;
    struct model_type *type = ARENA_NEW(arena, struct model_type);
    size_t count = 0;
    if (!model->name || !lang_is_name(model->name, strlen(model->name))) {
        return error_set(err, ERROR_USAGE, "the model's name '%s' is no name of the model language",
                         model->name ? model->name : "");
    }
    if (is_taken(model->name)) {
        return error_set(err, ERROR_USAGE, "the model's name '%s' is that of a function already",
                         model->name);
    }
    while (functions[count].name) {
        count++;
    }
    struct native_function *methods = ARENA_ARRAY(arena, struct native_function, count + 1);
    for (size_t i = 0; i < count; i++) {
        if (!read_function(model, i, arena, &methods[i], err)) {
            return false;
        }
    }
    type->type = (struct object_type){.name = model->name,
                                      .module = model->name,
                                      .repr = object_repr,
                                      .methods = methods,
                                      .shown = model->show != NULL};
    type->model = model;
    type->constructor[0] = (struct native_function){model->name, construct, no_params, 0};
    *out = (struct machine_builtins){.functions = type->constructor, .methods = methods};
    return true;
}
