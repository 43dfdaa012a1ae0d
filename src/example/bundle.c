#include "example/bundle.h"

#include "gen/kinds.h"
#include "trace/ids.h"

#include <assert.h>
#include <string.h>

/* NULL if the value is not a bundle. */
static struct bundle_items *as_bundle(struct value value)
{
    bool is_bundle = value.type == VALUE_LIST && value.as.list->kind == &bundle_kind;
    return is_bundle ? (struct bundle_items *)(void *)value.as.list : NULL;
}

static bool find_changing(const struct value_index *index, struct value value, size_t *number)
{
    const struct indexed *equal = NULL;
    for (size_t i = 0; i < index->changing.count; i++) {
        const struct indexed *item = &index->changing.items[i];
        if (value_same(item->value, value)) {
            *number = item->number;
            return true;
        }
        if (!equal && value_equal(item->value, value)) {
            equal = item;
        }
    }
    if (equal) {
        *number = equal->number;
    }
    return equal;
}

static bool index_find(const struct value_index *index, struct value value, size_t *number)
{
    struct table_entry *entry = NULL;
    if (!index->hashed) {
        return false;
    }
    if (!table_find(index->hashed, value, &entry, NULL)) {
        return find_changing(index, value, number);
    }
    if (entry) {
        *number = (size_t)entry->value.as.integer;
    }
    return entry;
}

/* Adds a value with a number, unless there is an equal one. */
static void index_add(struct value_index *index, struct arena *arena, struct value value,
                      size_t number)
{
    size_t known;
    if (index_find(index, value, &known)) {
        return;
    }
    if (!index->hashed) {
        index->hashed = value_dict(arena).as.table;
    }
    if (!table_set(index->hashed, value, value_int((int64_t)number), NULL)) {
        *VEC_PUSH(arena, &index->changing) = (struct indexed){value, number};
    }
}

void bundles_begin(struct bundles *bundles, const struct machine *machine, struct arena *arena)
{
    *bundles = (struct bundles){.arena = arena, .count = machine->bundles.count};
    bundles->items = ARENA_ARRAY(arena, struct bundle_items, bundles->count);
    for (size_t i = 0; i < bundles->count; i++) {
        bundles->items[i].list = (struct list){.base.arena = arena, .kind = &bundle_kind};
        bundles->items[i].target.name = machine->bundles.items[i].name;
        *VEC_PUSH(arena, &bundles->targets) = &bundles->items[i].target;
    }
}

struct value bundle_value(struct bundles *bundles, size_t bundle)
{
    assert(bundle < bundles->count);
    return (struct value){.type = VALUE_LIST, .as.list = &bundles->items[bundle].list};
}

void bundles_add_output(struct bundles *bundles, uint32_t step, uint32_t output, struct value value,
                        const struct answer_column *column)
{
    index_add(&bundles->output_index, bundles->arena, value, bundles->outputs.count);
    *VEC_PUSH(bundles->arena, &bundles->outputs) = (struct output){
        step, output, value, column ? column->type : 0, column ? column->origin : 0};
}

static const char *arrive(struct bundles *bundles, struct target *target, size_t steps,
                          struct value value)
{
    struct arena *arena = bundles->arena;
    size_t count = target->arrivals.count;
    const char *name = arena_printf(arena, "%s_%zu", target->name, count + 1);
    index_add(&target->index, arena, value, count);
    *VEC_PUSH(arena, &target->arrivals) =
        (struct arrival){value, name, steps, bundles->outputs.count - 1};
    return name;
}

const char *bundle_add(struct bundles *bundles, size_t bundle, size_t steps, struct value value)
{
    assert(bundle < bundles->count);
    struct bundle_items *items = &bundles->items[bundle];
    list_append(&items->list, value);
    return arrive(bundles, &items->target, steps, value);
}

const char *bundles_name_in(struct bundles *bundles, const char *collection, size_t global,
                            size_t steps, struct value value)
{
    for (size_t i = bundles->count; i < bundles->targets.count; i++) {
        if (bundles->targets.items[i]->global == global) {
            return arrive(bundles, bundles->targets.items[i], steps, value);
        }
    }
    struct target *target = ARENA_NEW(bundles->arena, struct target);
    *target = (struct target){.name = collection, .global = global};
    *VEC_PUSH(bundles->arena, &bundles->targets) = target;
    return arrive(bundles, target, steps, value);
}

const struct target *bundles_target(const struct bundles *bundles, const struct lang_state *state,
                                    struct value from)
{
    const struct bundle_items *bundle = as_bundle(from);
    if (bundle) {
        return &bundle->target;
    }
    for (size_t i = bundles->count; i < bundles->targets.count; i++) {
        const struct target *target = bundles->targets.items[i];
        struct value collection;
        if (lang_get_global(state, target->global, &collection) && value_same(collection, from)) {
            return target;
        }
    }
    return NULL;
}

/* Finds the output that the value is a copy of. */
static bool find_original(const struct bundles *bundles, struct value value, size_t *number)
{
    unsigned origin = value_origin(value);
    for (size_t i = 0; origin && i < bundles->outputs.count; i++) {
        if (value_origin(bundles->outputs.items[i].value) == origin) {
            *number = i;
            return true;
        }
    }
    return false;
}

bool bundles_hold_copy(const struct bundles *bundles, struct value value)
{
    size_t number;
    return find_original(bundles, value, &number);
}

/* The arrival of that output, with one of the first `steps` steps. */
static const struct arrival *arrival_of(const struct target *target, size_t output, size_t steps)
{
    for (size_t i = 0; i < target->arrivals.count; i++) {
        const struct arrival *arrival = &target->arrivals.items[i];
        if (arrival->output == output && arrival->steps <= steps) {
            return arrival;
        }
    }
    return NULL;
}

static const struct arrival *arrival_at(const struct target *target, struct value value,
                                        size_t steps)
{
    size_t number;
    bool found =
        index_find(&target->index, value, &number) && target->arrivals.items[number].steps <= steps;
    return found ? &target->arrivals.items[number] : NULL;
}

/* The value's arrival at that target, or otherwise at any, with one of the first `steps` steps. A
 * copy of an output does not match other equal outputs. */
static const struct arrival *find_arrival(const struct bundles *bundles,
                                          const struct target *target, struct value value,
                                          size_t steps)
{
    const struct arrival *arrival = target ? arrival_at(target, value, steps) : NULL;
    size_t original;
    bool copy = find_original(bundles, value, &original);
    for (size_t i = 0; !arrival && i < bundles->targets.count; i++) {
        const struct target *other = bundles->targets.items[i];
        arrival = copy ? arrival_of(other, original, steps) : arrival_at(other, value, steps);
    }
    return arrival;
}

/* Outputs without a target come last, because values in the model usually come from targets. */
static bool find_output(const struct bundles *bundles, const struct target *target,
                        struct value value, size_t *number)
{
    const struct arrival *arrival = find_arrival(bundles, target, value, SIZE_MAX);
    if (arrival) {
        *number = arrival->output;
        return true;
    }
    return find_original(bundles, value, number) ||
           index_find(&bundles->output_index, value, number);
}

void bundles_locate(const struct bundles *bundles, const struct target *target, struct value value,
                    struct reference *out)
{
    size_t number;
    out->step = REFERENCE_BY_POSITION;
    out->output = 0;
    if (find_output(bundles, target, value, &number)) {
        out->step = bundles->outputs.items[number].step;
        out->output = bundles->outputs.items[number].output;
    }
}

bool bundles_resolve(const struct bundles *bundles, const struct reference *reference,
                     struct value *out)
{
    for (size_t i = 0; i < bundles->outputs.count; i++) {
        const struct output *output = &bundles->outputs.items[i];
        if (output->step == reference->step && output->output == reference->output) {
            *out = output->value;
            return true;
        }
    }
    return false;
}

static size_t position_of(const struct list *list, struct value item)
{
    for (size_t i = 0; i < list->count; i++) {
        if (value_same(list->items[i], item)) {
            return i;
        }
    }
    for (size_t i = 0; i < list->count; i++) {
        if (value_equal(list->items[i], item)) {
            return i;
        }
    }
    return SIZE_MAX;
}

bool bundle_take(struct value bundle, struct value item, struct taken *out)
{
    struct bundle_items *taken_from = as_bundle(bundle);
    size_t at = taken_from ? position_of(&taken_from->list, item) : SIZE_MAX;
    if (at == SIZE_MAX) {
        return false;
    }
    struct list *list = &taken_from->list;
    *out = (struct taken){taken_from, at, list->items[at]};
    list->count--;
    memmove(list->items + at, list->items + at + 1, (list->count - at) * sizeof *list->items);
    return true;
}

void bundle_put_back(const struct taken *taken)
{
    assert(taken->position <= taken->bundle->list.count);
    struct list *list = &taken->bundle->list;
    size_t at = taken->position;
    list_append(list, taken->item);
    memmove(list->items + at + 1, list->items + at, (list->count - 1 - at) * sizeof *list->items);
    list->items[at] = taken->item;
}

const char *bundles_name_of(const struct bundles *bundles, const struct target *target,
                            struct value value, size_t steps)
{
    const struct arrival *arrival = find_arrival(bundles, target, value, steps);
    return arrival ? arrival->name : NULL;
}

static enum naming column_fits(const struct answer_column *column, const struct output *output)
{
    bool known = column->origin && output->origin;
    bool other_type = output->type && column->type != output->type;
    if (value_is_id(output->value) || (known && column->origin == output->origin)) {
        return NAMING_SURE;
    }
    if (known || other_type || column->no_id || strcmp(column->name, "?column?") == 0) {
        return NAMING_NONE;
    }
    return output->value.type == VALUE_STRING ? NAMING_SURE : NAMING_MAYBE;
}

enum naming bundles_name_cell(const struct bundles *bundles, const struct answer_column *column,
                              struct value value, size_t steps, const char **name)
{
    enum naming best = NAMING_NONE;
    for (size_t i = 0; i < bundles->targets.count; i++) {
        const struct arrival *arrival = arrival_at(bundles->targets.items[i], value, steps);
        enum naming naming =
            arrival ? column_fits(column, &bundles->outputs.items[arrival->output]) : NAMING_NONE;
        if (naming > best) {
            best = naming;
            *name = arrival->name;
        }
    }
    return best;
}
