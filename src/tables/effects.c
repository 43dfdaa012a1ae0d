#include "tables/effects.h"

#include "base/hash.h"

static const struct table_definition *table_of(const struct effects *effects, size_t table)
{
    return &effects->store->definition->tables.items[table];
}

static const struct column_list *child_columns(const struct effects *effects,
                                               const struct reference *reference)
{
    return &table_of(effects, reference->child)->indexes.items[reference->child_index];
}

static const struct column_list *parent_columns(const struct effects *effects,
                                                const struct reference *reference)
{
    return &table_of(effects, reference->parent)->indexes.items[reference->parent_index];
}

/* The hash of a row in the store, whose key always has one. */
static uint64_t place_hash(size_t table, struct value key)
{
    uint64_t hash = 0;
    struct error ignored;
    (void)value_hash(key, &hash, &ignored);
    return hash_mix(hash ^ (table + 1));
}

/* The change of a row in the store; NULL if it does not change. */
static struct row_change *find_change(const struct effects *effects, size_t table, struct value key)
{
    const struct map_entry *entry = map_find(&effects->places, place_hash(table, key));
    for (size_t at = entry ? entry->to.number : 0; at; at = effects->chain.items[at - 1]) {
        struct row_change *change = &effects->changes.items[at - 1];
        if (change->table == table && value_equal(change->key, key)) {
            return change;
        }
    }
    return NULL;
}

static void add_change(struct effects *effects, const struct row_change *change)
{
    *VEC_PUSH(effects->arena, &effects->changes) = *change;
    size_t *before = VEC_PUSH(effects->arena, &effects->chain);
    if (change->old) {
        struct map_entry *entry = map_add(&effects->places, place_hash(change->table, change->key));
        *before = entry->to.number;
        entry->to.number = effects->changes.count;
    }
}

/* A search in the future rows: those of the store, then the changed ones. */
struct future_search {
    struct index_search stored;
    size_t change;
    const struct column_list *columns;
};

static struct future_search search_rows(const struct effects *effects, size_t table, size_t index)
{
    return (struct future_search){
        .stored = {.store = effects->store, .table = table, .index = index},
        .columns = &table_of(effects, table)->indexes.items[index]};
}

/* The next row, or NULL; `*change` is its change, or NULL. */
static const struct table *next_row(const struct effects *effects, struct future_search *search,
                                    const struct row_change **change)
{
    const struct index_search *stored = &search->stored;
    const struct index_node *node;
    *change = NULL;
    while ((node = index_next(&search->stored))) {
        if (!find_change(effects, stored->table, node->key)) {
            return node->row;
        }
    }
    while (search->change < effects->changes.count) {
        *change = &effects->changes.items[search->change++];
        if ((*change)->table == stored->table && (*change)->row &&
            row_matches((*change)->row, search->columns, stored->like, stored->others)) {
            return (*change)->row;
        }
    }
    *change = NULL;
    return NULL;
}

/* A step of a cascade: the write of a row that others may refer to. */
struct cascade_step {
    size_t table;
    struct value key; /* in the store */
    struct table *old, *row;
};
struct cascade {
    VEC(struct cascade_step) steps;
};

/* The new state of a row that refers to a row whose key changes. */
static bool with_key(struct effects *effects, const struct reference *reference,
                     const struct cascade_step *step, const struct table *row, struct table **out,
                     struct error *err)
{
    const struct column_list *columns = child_columns(effects, reference);
    const struct column_list *key = parent_columns(effects, reference);
    struct table *values = value_dict(effects->arena).as.table;
    for (size_t i = 0; i < columns->count; i++) {
        if (!table_set(values, columns->names[i], row_get(step->row, key->names[i]), err)) {
            return false;
        }
    }
    return row_with(effects->arena, row, values, out, err);
}

/* A foreign key that acts in a step. */
struct acting {
    struct cascade *cascade;
    const struct cascade_step *step;
    size_t number; /* of the reference */
    const struct reference *reference;
};

/* Applies a foreign key's action to a row; NULL if it deletes the row. */
static bool act_on_row(struct effects *effects, const struct acting *acting,
                       const struct table *row, struct table **out, struct error *err)
{
    const struct reference *reference = acting->reference;
    const struct action *action = acting->step->row ? &reference->on_update : &reference->on_delete;
    *out = NULL;
    if (action->kind == ACTION_SET) {
        return row_with(effects->arena, row, action->set.as.table, out, err);
    }
    return !acting->step->row || with_key(effects, reference, acting->step, row, out, err);
}

/* Acts on a row that refers to the step's row, or did before the statement. */
static bool act_on(struct effects *effects, const struct acting *acting,
                   const struct index_node *child, struct error *err)
{
    const struct reference *reference = acting->reference;
    const struct cascade_step *step = acting->step;
    enum action_kind kind = step->row ? reference->on_update.kind : reference->on_delete.kind;
    struct row_change *change = find_change(effects, reference->child, child->key);
    struct table *row = change ? change->row : child->row;
    const struct row_act found = {acting->number, reference->child, child->key, step->old};
    struct table *becomes;
    map_add(&effects->met, place_hash(reference->child, child->key))->to.number++;
    if (!row || !row_matches(row, child_columns(effects, reference), step->old,
                             parent_columns(effects, reference))) {
        return true;
    }
    *VEC_PUSH(effects->arena, &effects->acts) = found;
    if (kind == ACTION_NOTHING || kind == ACTION_RESTRICT) {
        *VEC_PUSH(effects->arena, &effects->blocked) = found;
        return true;
    }
    if (!act_on_row(effects, acting, row, &becomes, err)) {
        return false;
    }
    if (change) {
        change->row = becomes;
    } else {
        add_change(effects,
                   &(struct row_change){reference->child, child->key, child->row, becomes});
    }
    *VEC_PUSH(effects->arena, &acting->cascade->steps) =
        (struct cascade_step){reference->child, child->key, row, becomes};
    return true;
}

/* True if it is the step's own row and is deleted: a row that refers to itself may be deleted. */
static bool is_gone(const struct acting *acting, struct value key)
{
    const struct cascade_step *step = acting->step;
    return !step->row && step->table == acting->reference->child && value_equal(step->key, key);
}

/* Acts on the rows that refer to the step's row, in their stored or their new state. Lists them
 * first, because a change to one may make it match again. */
static bool follow_references(struct effects *effects, const struct acting *acting,
                              struct error *err)
{
    const struct reference *reference = acting->reference;
    const struct column_list *columns = child_columns(effects, reference);
    struct index_search search = {.store = effects->store,
                                  .table = reference->child,
                                  .index = reference->child_index,
                                  .like = acting->step->old,
                                  .others = parent_columns(effects, reference)};
    VEC(struct index_node) children = {0};
    const struct index_node *node;
    while ((node = index_next(&search))) {
        if (!is_gone(acting, node->key)) {
            *VEC_PUSH(effects->arena, &children) = *node;
        }
    }
    for (size_t i = 0; i < effects->changes.count; i++) {
        const struct row_change *change = &effects->changes.items[i];
        if (change->table == reference->child && change->old && change->row &&
            !row_matches(change->old, columns, search.like, search.others) &&
            row_matches(change->row, columns, search.like, search.others)) {
            *VEC_PUSH(effects->arena, &children) =
                (struct index_node){.key = change->key, .row = change->old};
        }
    }
    for (size_t i = 0; i < children.count; i++) {
        if (!act_on(effects, acting, &children.items[i], err)) {
            return false;
        }
    }
    return true;
}

static struct value new_error(const struct effects *effects, const char *condition,
                              struct value constraint, struct value table)
{
    return value_error(effects->arena,
                       &(struct error_value){.condition = value_text(effects->arena, condition),
                                             .constraint = constraint,
                                             .table = table});
}

/* For foreign keys where the referring rows are uncertain: the write may be refused, or those rows
 * may change. A cascading delete of rows without references and triggers raises no error. */
static void add_doubt(struct effects *effects, const struct acting *acting)
{
    const struct reference *reference = acting->reference;
    const struct table_definition *child = table_of(effects, reference->child);
    enum action_kind kind =
        acting->step->row ? reference->on_update.kind : reference->on_delete.kind;
    struct list *list = effects->possible.as.list;
    bool goes = kind == ACTION_CASCADE && !acting->step->row;
    if (goes && child->referred.count == 0 && !((child->before | child->after) & EVENT_DELETE)) {
        return;
    }
    list_append(list, new_error(effects, "foreign_key_violation", reference->name, value_none()));
    if (kind == ACTION_CASCADE || kind == ACTION_SET) {
        list_append_all(list, child->raised);
        list_append(list, value_text(effects->arena, "integrity_constraint_violation"));
    }
}

enum { CASCADE_MAX = 100000 }; /* steps; keys that refer to each other could cascade without end */

static bool cascade_all(struct effects *effects, struct cascade *cascade, struct error *err)
{
    for (size_t i = 0; i < cascade->steps.count && i < CASCADE_MAX; i++) {
        const struct cascade_step step = cascade->steps.items[i];
        const struct table_definition *table = table_of(effects, step.table);
        for (size_t j = 0; j < table->referred.count; j++) {
            size_t number = table->referred.items[j];
            const struct reference *reference =
                &effects->store->definition->references.items[number];
            const struct column_list *key = parent_columns(effects, reference);
            const struct acting acting = {cascade, &step, number, reference};
            if (step.row && row_matches(step.old, key, step.row, key)) {
                continue;
            }
            if (reference->inexact) {
                add_doubt(effects, &acting);
            } else if (!follow_references(effects, &acting, err)) {
                return false;
            }
        }
    }
    return true;
}

/* True if another row has the same values in the columns of the unique constraint. */
static bool is_value_taken(const struct effects *effects, const struct row_change *change,
                           size_t index)
{
    struct future_search search = search_rows(effects, change->table, index);
    const struct row_change *other;
    search.stored.like = change->row;
    search.stored.others = search.columns;
    while (next_row(effects, &search, &other)) {
        if (other != change) {
            return true;
        }
    }
    return false;
}

/* True if a foreign key of the row refers to a missing row. */
static bool reference_dangles(const struct effects *effects, const struct reference *reference,
                              const struct table *row)
{
    const struct column_list *columns = child_columns(effects, reference);
    struct future_search search = search_rows(effects, reference->parent, reference->parent_index);
    const struct row_change *change;
    size_t nulls = 0;
    for (size_t i = 0; i < columns->count; i++) {
        nulls += row_get(row, columns->names[i]).type == VALUE_NONE;
    }
    if (nulls > 0) {
        return reference->full && nulls < columns->count;
    }
    search.stored.like = row;
    search.stored.others = columns;
    return !next_row(effects, &search, &change);
}

/* True if the row sets the column to NULL. */
static bool gives_null(const struct table *row, struct value column)
{
    struct table_entry *entry = NULL;
    return row && table_find(row, column, &entry, NULL) && entry && entry->value.type == VALUE_NONE;
}

enum nulls { NULLS_NEW, NULLS_KEPT };

/* A required column that the row sets to NULL, or NULL if there is none. `*early`: its domain
 * refuses NULL. NULLS_KEPT: also a column that was NULL already, which then is JSON's null. */
static const struct value *missing_column(const struct table_definition *table,
                                          const struct row_change *change, enum nulls nulls,
                                          bool *early)
{
    const struct column_list *lists[] = {&table->domains, &table->required};
    for (size_t i = 0; i < 2; i++) {
        for (size_t j = 0; j < lists[i]->count; j++) {
            const struct value *name = &lists[i]->names[j];
            if (gives_null(change->row, *name) &&
                gives_null(change->old, *name) == (nulls == NULLS_KEPT)) {
                *early = i == 0;
                return name;
            }
        }
    }
    return NULL;
}

static void add_must(struct effects *effects, const struct must *must)
{
    *VEC_PUSH(effects->arena, &effects->must) = *must;
}

/* The errors of the constraints that a row breaks. */
static void add_broken(struct effects *effects, const struct row_change *change)
{
    const struct table_definition *table = table_of(effects, change->table);
    struct must must = {.table = change->table, .key = change->key};
    bool early = false;
    if (missing_column(table, change, NULLS_NEW, &early)) {
        struct value relation = early ? value_none() : table->relation;
        must.error = new_error(effects, "not_null_violation", value_none(), relation);
        add_must(effects, &must);
        return;
    }
    for (size_t i = 0; i < table->uniques.count; i++) {
        if (is_value_taken(effects, change, table->uniques.items[i].index)) {
            must.error =
                new_error(effects, "unique_violation", table->uniques.items[i].name, value_none());
            must.repair = REPAIR_REMOVE;
            must.in = change->table;
            add_must(effects, &must);
        }
    }
    for (size_t i = 0; i < table->refers.count; i++) {
        const struct reference *reference =
            &effects->store->definition->references.items[table->refers.items[i]];
        if (!reference->inexact && reference_dangles(effects, reference, change->row)) {
            must.error = new_error(effects, "foreign_key_violation", reference->name, value_none());
            must.repair = REPAIR_ADD;
            must.in = reference->parent;
            add_must(effects, &must);
        }
    }
}

/* Adds the errors of rows that still refer to a deleted row in the end. */
static void add_blocked(struct effects *effects)
{
    for (size_t i = 0; i < effects->blocked.count; i++) {
        const struct row_act *blocked = &effects->blocked.items[i];
        const struct reference *reference =
            &effects->store->definition->references.items[blocked->reference];
        const struct row_change *change = find_change(effects, blocked->table, blocked->key);
        struct table *row = change ? change->row : NULL;
        struct error ignored;
        if (!change) {
            (void)rows_find(effects->store, blocked->table, blocked->key, &row, &ignored);
        }
        if (row && row_matches(row, child_columns(effects, reference), blocked->parent,
                               parent_columns(effects, reference))) {
            add_must(effects, &(struct must){.table = blocked->table,
                                             .key = blocked->key,
                                             .error = new_error(effects, "foreign_key_violation",
                                                                reference->name, value_none()),
                                             .repair = REPAIR_REMOVE,
                                             .in = reference->child});
        }
    }
}

/* True if the triggers of a changed row fire. `refused`: the row violates a constraint itself, so
 * AFTER triggers do not fire. */
static bool triggers_fire(const struct effects *effects, const struct row_change *change,
                          bool refused)
{
    const struct table_definition *table = table_of(effects, change->table);
    unsigned event = !change->old ? EVENT_INSERT : change->row ? EVENT_UPDATE : EVENT_DELETE;
    return (table->before & event) || ((table->after & event) && !refused);
}

/* Adds the further errors that may occur. */
static void add_possible(struct effects *effects, const struct row_change *change, bool refused)
{
    const struct table_definition *table = table_of(effects, change->table);
    struct list *list = effects->possible.as.list;
    bool early;
    if (change->row) {
        bool lacks = missing_column(table, change, NULLS_NEW, &early);
        list_append_all(list, lacks ? table->may_early : table->may);
        if (missing_column(table, change, NULLS_KEPT,
                           &early)) { /* the statement may set NULL itself */
            list_append(list, value_text(effects->arena, "not_null_violation"));
        }
    }
    if (triggers_fire(effects, change, refused)) {
        list_append_all(list, table->raised);
    }
    const struct map_entry *met =
        change->old ? map_find(&effects->met, place_hash(change->table, change->key)) : NULL;
    if (met && met->to.number > 1) {
        list_append(list, value_text(effects->arena, "integrity_constraint_violation"));
    }
}

/* True if a trigger that fires may prevent the error. */
static bool is_repaired(const struct effects *effects, const struct must *must, bool refused)
{
    const struct value name = table_of(effects, must->in)->name;
    for (size_t i = 0; must->repair != REPAIR_NONE && i < effects->changes.count; i++) {
        const struct row_change *change = &effects->changes.items[i];
        const struct table_definition *table = table_of(effects, change->table);
        const struct column_list *names =
            must->repair == REPAIR_ADD ? &table->adds : &table->removes;
        for (size_t j = 0; j < names->count; j++) {
            if (value_equal(names->names[j], name) && triggers_fire(effects, change, refused)) {
                return true;
            }
        }
    }
    return false;
}

static void predict_errors(struct effects *effects)
{
    bool early;
    bool refused = false;
    for (size_t i = 0; i < effects->asked; i++) {
        const struct row_change *asked = &effects->changes.items[i];
        refused = refused || (asked->row && missing_column(table_of(effects, asked->table), asked,
                                                           NULLS_NEW, &early));
    }
    for (size_t i = 0; i < effects->changes.count; i++) {
        if (effects->changes.items[i].row) {
            add_broken(effects, &effects->changes.items[i]);
        }
        add_possible(effects, &effects->changes.items[i], refused);
    }
    add_blocked(effects);
    effects->errors = value_list(effects->arena);
    for (size_t i = 0; i < effects->must.count; i++) {
        const struct must *must = &effects->must.items[i];
        list_append(is_repaired(effects, must, refused) ? effects->possible.as.list
                                                        : effects->errors.as.list,
                    must->error);
    }
    if (effects->errors.as.list->count == 0) {
        list_append(effects->errors.as.list, value_none());
    }
    list_append_all(effects->errors.as.list, value_items(effects->possible));
}

static struct effects effects_begin(struct arena *arena, const struct row_store *store,
                                    size_t asked)
{
    return (struct effects){.arena = arena,
                            .store = store,
                            .asked = asked,
                            .possible = value_list(arena),
                            .places = {.arena = arena},
                            .met = {.arena = arena}};
}

void effects_of_rows(struct effects *effects, struct arena *arena, const struct row_store *store,
                     const struct row_change *rows, size_t count)
{
    *effects = effects_begin(arena, store, count);
    for (size_t i = 0; i < count; i++) {
        add_change(effects, &rows[i]);
    }
    predict_errors(effects);
}

bool effects_of(struct effects *effects, struct arena *arena, const struct row_store *store,
                const struct row_change *write, struct error *err)
{
    struct cascade cascade = {0};
    *effects = effects_begin(arena, store, 1);
    add_change(effects, write);
    if (write->old) {
        map_add(&effects->met, place_hash(write->table, write->key))->to.number = 1;
        *VEC_PUSH(arena, &cascade.steps) =
            (struct cascade_step){write->table, write->key, write->old, write->row};
    }
    if (!cascade_all(effects, &cascade, err)) {
        return false;
    }
    predict_errors(effects);
    return true;
}

/* The key of a changed row: the old one, unless its columns changed. */
static struct value place_of(struct row_store *store, const struct row_change *change)
{
    const struct column_list *key = &store->definition->tables.items[change->table].key;
    bool stays =
        change->old && (key->count == 0 || row_matches(change->row, key, change->old, key));
    return stays ? change->key : rows_key_of(store, change->table, change->row);
}

bool effects_apply(const struct effects *effects, struct row_store *store, struct value *key,
                   struct error *err)
{
    size_t count = effects->changes.count;
    struct value *places = ARENA_ARRAY(effects->arena, struct value, count);
    for (size_t i = 0; i < count; i++) {
        const struct row_change *change = &effects->changes.items[i];
        places[i] = change->row ? place_of(store, change) : value_none();
        if (change->old && (!change->row || !value_equal(places[i], change->key)) &&
            !rows_remove(store, change->table, change->key, err)) {
            return false;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const struct row_change *change = &effects->changes.items[i];
        const struct value row = {.type = VALUE_DICT, .as.table = change->row};
        if (change->row && !rows_put(store, change->table, places[i], row, err)) {
            return false;
        }
    }
    *key = places[0];
    return true;
}
