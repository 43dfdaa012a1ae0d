#include "api/machine.h"

#include "api/errors.h"
#include "api/given.h"
#include "api/model.h"
#include "pg/pg.h"

#include <stdlib.h>
#include <string.h>

/* Text for machine_read, or a file to load. */
struct machine_source {
    const char *name;
    const char *text; /* NULL: the file of that name */
    size_t size;
};

static void add_property(struct pgfsm_machine *machine, const char *kind, const char *name,
                         struct source_pos pos)
{
    struct source_place place = pos.source ? source_place(pos) : (struct source_place){0};
    *VEC_PUSH(&machine->arena, &machine->properties) =
        (struct pgfsm_property){.kind = kind,
                                .name = name,
                                .file = pos.source ? pos.source->name : machine->machine->path,
                                .line = place.line,
                                .column = place.column};
}

/* Those that report/cases.c tells the outcome of, in its order. */
static void add_properties(struct pgfsm_machine *out)
{
    const struct machine *machine = out->machine;
    if (machine->initialize.count) {
        add_property(out, "initialize", "", machine->initialize.items->pos);
    }
    for (size_t i = 0; i < machine->rules.count; i++) {
        add_property(out, "rule", machine->rules.items[i].name, machine->rules.items[i].pos);
    }
    for (size_t i = 0; i < machine->invariants.count; i++) {
        const struct invariant *invariant = &machine->invariants.items[i];
        add_property(out, "invariant", invariant->name, invariant->pos);
    }
    for (size_t i = 0; i < machine->pinned.count; i++) {
        add_property(out, "example", machine->pinned.items[i].name, machine->pinned.items[i].pos);
    }
    for (size_t i = 0; i < machine->requirements.count; i++) {
        const char *title = requirement_title(&machine->requirements.items[i], &out->arena);
        add_property(out, "requirement", title, (struct source_pos){0});
    }
}

/* Gives the machine out, or its mistakes. */
static bool give(const struct machine_source *source, const struct pgfsm_model *model,
                 struct pgfsm_machine **out, struct pgfsm_errors *errors)
{
    struct pgfsm_machine *machine = memory_alloc(sizeof *machine);
    *machine = (struct pgfsm_machine){0};
    struct arena *arena = &machine->arena;
    struct diagnostics diagnostics = {.arena = arena};
    struct machine_builtins builtins;
    struct error err = {0};
    struct pgfsm_model *own = ARENA_NEW(arena, struct pgfsm_model);
    if (!GIVEN_TAKE(own, model, errors, pgfsm_model)) {
        pgfsm_machine_free(machine);
        *out = NULL;
        return false;
    }
    if (model && !model_builtins(own, arena, &builtins, &err)) {
        (void)errors_add(errors, &err);
    } else if (source->text) {
        (void)machine_read(source->name, source->text, source->size, model ? &builtins : NULL,
                           arena, &machine->machine, &diagnostics);
    } else {
        (void)machine_load(source->name, model ? &builtins : NULL, arena, &machine->machine,
                           &diagnostics);
    }
    (void)errors_add_all(errors, &diagnostics);
    *out = machine->machine ? machine : NULL;
    if (*out) {
        add_properties(machine);
    } else {
        pgfsm_machine_free(machine);
    }
    return *out != NULL;
}

bool pgfsm_machine_load(struct pgfsm_machine **out, const char *path,
                        const struct pgfsm_model *model, struct pgfsm_errors *errors)
{
    return give(&(struct machine_source){.name = path}, model, out, errors);
}

bool pgfsm_machine_read(struct pgfsm_machine **out, const char *name, const char *text, size_t size,
                        const struct pgfsm_model *model, struct pgfsm_errors *errors)
{
    return give(&(struct machine_source){name, text ? text : "", size}, model, out, errors);
}

void pgfsm_machine_warnings(const struct pgfsm_machine *machine, struct pgfsm_errors *warnings)
{
    for (size_t i = 0; i < machine->machine->warnings.count; i++) {
        errors_add_warning(warnings, &machine->machine->warnings.items[i]);
    }
}

void pgfsm_machine_expand(const struct pgfsm_machine *machine, char **out)
{
    struct strbuf text = {0};
    machine_expand(machine->machine, &text);
    *out = text.data;
}

void pgfsm_machine_free(struct pgfsm_machine *machine)
{
    if (machine) {
        arena_free(&machine->arena);
        free(machine);
    }
}

const char *pgfsm_machine_name(const struct pgfsm_machine *machine)
{
    return machine->machine->name;
}

const char *pgfsm_machine_path(const struct pgfsm_machine *machine)
{
    return machine->machine->path;
}

const char *pgfsm_machine_description(const struct pgfsm_machine *machine)
{
    return machine->machine->description ? machine->machine->description : "";
}

size_t pgfsm_machine_rule_count(const struct pgfsm_machine *machine)
{
    return machine->machine->rules.count;
}

const char *pgfsm_machine_rule_name(const struct pgfsm_machine *machine, size_t index)
{
    const struct machine *of = machine->machine;
    return index < of->rules.count ? of->rules.items[index].name : NULL;
}

size_t pgfsm_machine_invariant_count(const struct pgfsm_machine *machine)
{
    return machine->machine->invariants.count;
}

const char *pgfsm_machine_invariant_name(const struct pgfsm_machine *machine, size_t index)
{
    const struct machine *of = machine->machine;
    return index < of->invariants.count ? of->invariants.items[index].name : NULL;
}

const struct pgfsm_property *pgfsm_machine_property(const struct pgfsm_machine *machine,
                                                    size_t index)
{
    return index < machine->properties.count ? &machine->properties.items[index] : NULL;
}

const char *pgfsm_machine_schema_file(const struct pgfsm_machine *machine, size_t index)
{
    const struct machine *of = machine->machine;
    return index < of->schema.count ? of->schema.items[index] : NULL;
}

void pgfsm_machine_files(const struct pgfsm_machine *machine,
                         void (*each)(void *host, const char *path), void *host)
{
    const struct machine *of = machine->machine;
    each(host, of->path);
    pg_files(of->schema.items, of->schema.count, each, host);
    if (of->migration) {
        pg_files(of->migration->files.items, of->migration->files.count, each, host);
    }
}

void pgfsm_machine_json_schema(char **out)
{
    struct strbuf text = {0};
    machine_json_schema(&text);
    strbuf_adds(&text, "");
    *out = text.data; /* malloc's, as strbuf documents */
}
