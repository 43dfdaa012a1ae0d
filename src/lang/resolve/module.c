/* Modules: names that are known, and the locals of a step. */
#include "lang/resolve/module.h"

#include "base/names.h"
#include "lang/builtins/native.h"

#include <assert.h>
#include <string.h>

static void add_builtin(struct lang_module *module, const char *name, struct value value)
{
    *VEC_PUSH(module->arena, &module->builtins) = (struct named_value){name, value};
}

/* `tables` may be NULL. */
static void add_tables(struct lang_module *module, const struct native_function *const *tables)
{
    for (; tables && *tables; tables++) {
        for (const struct native_function *row = *tables; row->name; row++) {
            add_builtin(module, row->name, value_native(module->arena, row, value_none()));
        }
    }
}

struct lang_module *lang_module_new(struct arena *arena,
                                    const struct native_function *const *tables,
                                    const struct named_value *constants)
{
    struct lang_module *module = ARENA_NEW(arena, struct lang_module);
    struct named_value own[LANG_CONSTANTS];
    module->arena = arena;
    module->global_names.arena = arena;
    add_tables(module, lang_builtins);
    lang_constants(arena, own);
    for (size_t i = 0; i < LANG_CONSTANTS; i++) {
        add_builtin(module, own[i].name, own[i].value);
    }
    add_tables(module, tables);
    for (; constants && constants->name; constants++) {
        add_builtin(module, constants->name, constants->value);
    }
    return module;
}

void lang_module_methods(struct lang_module *module, const struct native_function *methods)
{
    if (methods) {
        *VEC_PUSH(module->arena, &module->methods) = methods;
    }
}

size_t lang_module_global(struct lang_module *module, const char *name, enum lang_global_kind kind)
{
    size_t slot;
    if (lang_module_find_global(module, name, &slot)) {
        return slot;
    }
    struct global *global = VEC_PUSH(module->arena, &module->globals);
    global->name = arena_strdup(module->arena, name);
    global->kind = kind;
    (void)map_set_text(&module->global_names, global->name, strlen(name), module->globals.count - 1,
                       NULL);
    return module->globals.count - 1;
}

bool lang_module_find_global(const struct lang_module *module, const char *name, size_t *slot)
{
    return map_get_text(&module->global_names, name, strlen(name), slot);
}

size_t lang_module_global_count(const struct lang_module *module) { return module->globals.count; }

const char *lang_module_global_name(const struct lang_module *module, size_t slot)
{
    assert(slot < module->globals.count);
    return module->globals.items[slot].name;
}

enum lang_global_kind lang_module_global_kind(const struct lang_module *module, size_t slot)
{
    assert(slot < module->globals.count);
    return module->globals.items[slot].kind;
}

bool module_builtin(const struct lang_module *module, const char *name, struct value *out)
{
    size_t index = name_index(name, ROWS_OF(module->builtins, name));
    if (index < module->builtins.count) {
        *out = module->builtins.items[index].value;
    }
    return index < module->builtins.count;
}

void lang_module_name_values(struct lang_module *module, size_t slot)
{
    assert(slot < module->globals.count);
    module->globals.items[slot].names_values = true;
}

bool lang_module_is_builtin(const struct lang_module *module, const char *name)
{
    return name_is_in(name, ROWS_OF(module->builtins, name));
}

size_t lang_locals_add(struct lang_locals *locals, struct arena *arena, const char *name)
{
    *VEC_PUSH(arena, &locals->names) = name;
    return locals->names.count - 1;
}

bool lang_locals_find(const struct lang_locals *locals, const char *name, size_t *slot)
{
    *slot = name_index(name, NAMES_OF(locals->names));
    return *slot < locals->names.count;
}

bool module_names_bundle_value(const struct lang_module *module, const char *name)
{
    const char *digits = strrchr(name, '_');
    if (!digits || !digits[1] || strspn(digits + 1, "0123456789") != strlen(digits + 1)) {
        return false;
    }
    size_t size = (size_t)(digits - name);
    for (size_t i = 0; i < module->globals.count; i++) {
        const struct global *global = &module->globals.items[i];
        bool names = global->kind == LANG_FIXED || global->names_values;
        if (names && strlen(global->name) == size && memcmp(global->name, name, size) == 0) {
            return true;
        }
    }
    return false;
}
