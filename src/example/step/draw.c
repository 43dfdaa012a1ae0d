#include "example/step/draw.h"

#include "example/engine.h"
#include "example/step/moments.h"
#include "trace/ids.h"

#include <assert.h>

enum {
    WHERE_TRIES = 20, /* tries until `where` accepts the arguments */
    EMPTY_TRIES = 3,  /* tries until an argument that depends on others has a value */
};

/* An item of an argument, and its target. */
struct noted {
    size_t choice; /* index of its reference */
    struct value item;
    const struct target *target;
    bool named;
};

/* A draw of one step's arguments. */
struct drawing {
    struct drawer
        drawer; /* must be first, because the drawer's functions cast back to this struct */
    struct example *example;
    struct step *step;
    struct argument_source *argument_source; /* NULL if arguments are drawn */
    const struct rule_arg *arg;              /* the one being drawn */
    struct filter_counts where;
    struct filter_counts filters;
    VEC(struct noted) noted; /* items of the argument */
    struct {
        struct value item;
        size_t choice; /* index of its reference */
        size_t count;  /* of items that it was drawn from; 0: no such item */
    } picked;          /* the last item drawn from a bundle or a variable of the model */
    bool ids_only; /* name only ids, because other values may equal a bundle's value by chance */
};

static struct drawing *drawing_of(struct drawer *drawer)
{
    return (struct drawing *)(void *)drawer;
}

static const struct target *target_of(const struct drawing *drawing, struct value from)
{
    return bundles_target(&drawing->example->bundles, &drawing->example->state, from);
}

/* Forgets the choices from this one on, which were discarded. */
static void forget_noted(struct drawing *drawing, size_t choice)
{
    while (drawing->noted.count &&
           drawing->noted.items[drawing->noted.count - 1].choice >= choice) {
        drawing->noted.count--;
    }
}

static uint32_t source(struct drawer *drawer, struct value from)
{
    const struct lang_state *state = &drawing_of(drawer)->example->state;
    size_t count = lang_module_global_count(state->module);
    for (size_t i = 0; i < count; i++) {
        struct value global;
        if (lang_get_global(state, i, &global) && value_same(global, from)) {
            return (uint32_t)i + 1;
        }
    }
    return 0;
}

/* Remembers an item of a bundle or a variable of the model. A collection that is computed for the
 * draw has no older and newer items. */
static void note_picked(struct drawing *drawing, struct value from, struct value item)
{
    size_t count = 0;
    if (drawing->example->engine->options.tally && value_length(from, &count, NULL) &&
        source(&drawing->drawer, from)) {
        drawing->picked.item = item;
        drawing->picked.choice = drawing->drawer.record->items.count;
        drawing->picked.count = count;
    }
}

/* Records the item for the next choice. */
static const struct target *note_item(struct drawing *drawing, struct value from, struct value item)
{
    const struct target *target = target_of(drawing, from);
    size_t choice = drawing->drawer.record->items.count;
    forget_noted(drawing, choice);
    note_picked(drawing, from, item);
    if (target) {
        *VEC_PUSH(drawing->drawer.arena, &drawing->noted) =
            (struct noted){.choice = choice, .item = item, .target = target};
    }
    return target;
}

static void locate_item(struct drawer *drawer, struct value from, struct value item,
                        struct reference *out)
{
    struct drawing *drawing = drawing_of(drawer);
    bundles_locate(&drawing->example->bundles, note_item(drawing, from, item), item, out);
}

/* An id is hardly ever equal to another by chance; other values are recognised by their origin. */
static bool is_returned(struct drawer *drawer, struct value item)
{
    return value_is_id(item) || bundles_hold_copy(&drawing_of(drawer)->example->bundles, item);
}

static bool resolve(struct drawer *drawer, struct value from, const struct reference *reference,
                    struct value *out)
{
    struct drawing *drawing = drawing_of(drawer);
    bool resolved = bundles_resolve(&drawing->example->bundles, reference, out);
    if (resolved) {
        (void)note_item(drawing, from, *out);
    }
    return resolved;
}

static enum collection_kind kind_of(struct drawer *drawer, struct value from)
{
    const struct drawing *drawing = drawing_of(drawer);
    return target_of(drawing, from) ? COLLECTION_FILLED
           : drawing->arg->fixed    ? COLLECTION_FIXED
                                    : COLLECTION_COMPUTED;
}

static void consume_item(struct drawer *drawer, struct value bundle, struct value item)
{
    struct drawing *drawing = drawing_of(drawer);
    struct taken taken;
    if (bundle_take(bundle, item, &taken)) {
        *VEC_PUSH(drawing->drawer.arena, &drawing->step->taken) = taken;
    }
}

static const struct drawer_ops drawer_ops = {locate_item, is_returned, resolve,
                                             kind_of,     source,      consume_item};

void step_put_back(struct step *step)
{
    while (step->taken.count) {
        bundle_put_back(&step->taken.items[--step->taken.count]);
    }
}

/* True if each bundle has a value for each argument that draws from it. */
static bool bundles_suffice(const struct example *example, const struct rule *rule)
{
    for (size_t i = 0; i < rule->args.count; i++) {
        int bundle = rule->args.items[i].bundle;
        size_t needed = 1;
        for (size_t j = 0; j < i; j++) {
            const struct rule_arg *other = &rule->args.items[j];
            needed += other->bundle == bundle && other->consumes;
        }
        if (bundle >= 0 && example->bundles.items[bundle].list.count < needed) {
            return false;
        }
    }
    return true;
}

static bool is_between(const struct value *globals, const struct rule *rule, size_t migrated)
{
    int64_t done = globals[migrated].as.integer;
    return done >= rule->from && (rule->until < 0 || done <= rule->until);
}

/* Whether the rule is run at this point of the migration. Beside one that runs in a session, who
 * calls it must be there before that begins, and stay. One session runs the migration. */
static bool has_its_time(const struct example *example, const struct rule *rule)
{
    const struct machine_migration *migration = example->engine->machine->migration;
    return !migration || (!(rule->migrates && example->session > 1) &&
                          is_between(example->state.globals, rule, migration->migrated) &&
                          (example->session < 2 || !example->fork ||
                           is_between(example->fork, rule, migration->migrated)));
}

bool step_gate(struct example *example, const struct rule *rule, bool *open, struct error *err)
{
    *open = false;
    if (!rule->initialize && rule->limit >= 0 && example->used[rule->index] >= rule->limit) {
        example_note_why(example, rule, BLOCKED_LIMIT);
        return true;
    }
    if (!has_its_time(example, rule)) {
        example_note_why(example, rule, BLOCKED_TIME);
        return true;
    }
    if (rule->precondition) {
        struct value value;
        if (!example_look(example, rule->precondition, NULL, &value, err)) {
            return false;
        }
        if (!value_truth(value)) {
            example_note_why(example, rule, rule->migrates ? BLOCKED_TIME : BLOCKED_PRECONDITION);
            return true;
        }
    }
    *open = bundles_suffice(example, rule);
    if (!*open) {
        example_note_why(example, rule, BLOCKED_BUNDLE);
    }
    return true;
}

static bool can_change(struct value value)
{
    return value.type == VALUE_LIST || value.type == VALUE_DICT || value.type == VALUE_SET ||
           value.type == VALUE_TUPLE || value.type == VALUE_BAG;
}

/* True for references to a kept collection; items of a temporary list have no names. */
static bool has_reference(const struct choices *choices, size_t from)
{
    for (size_t i = from; i < choices->items.count; i++) {
        const struct choice *choice = &choices->items.items[i];
        if (choice->kind == CHOICE_REFERENCE &&
            (choice->as.reference.source || choice->as.reference.step != REFERENCE_BY_POSITION)) {
            return true;
        }
    }
    return false;
}

/* The value's name, preferably at the target that it was drawn from; items come in the order of the
 * draws. */
static const char *value_name(struct drawing *drawing, struct value value)
{
    const struct target *target = NULL;
    if (drawing->ids_only && !value_is_id(value)) {
        return NULL;
    }
    for (size_t i = 0; i < drawing->noted.count && !target; i++) {
        struct noted *noted = &drawing->noted.items[i];
        if (!noted->named && value_equal(noted->item, value)) {
            noted->named = true;
            target = noted->target;
        }
    }
    return bundles_name_of(&drawing->example->bundles, target, value, SIZE_MAX);
}

static bool add_named(struct drawing *drawing, struct value value, struct strbuf *out);

static bool add_named_items(struct drawing *drawing, const struct value *items, size_t count,
                            struct strbuf *out)
{
    bool named = false;
    for (size_t i = 0; i < count; i++) {
        strbuf_adds(out, i ? ", " : "");
        named = add_named(drawing, items[i], out) || named;
    }
    return named;
}

/* Appends the keys of a dict with their values, or the items of a set. */
static bool add_named_entries(struct drawing *drawing, struct value table, struct strbuf *out)
{
    struct value_parts parts = {.of = table};
    struct value key;
    struct value value;
    bool named = false;
    for (const char *between = "";
         value_parts_next(&parts, &key) && value_parts_next(&parts, &value); between = ", ") {
        strbuf_adds(out, between);
        named = add_named(drawing, key, out) || named;
        if (table.type == VALUE_DICT) {
            strbuf_adds(out, ": ");
            named = add_named(drawing, value, out) || named;
        }
    }
    return named;
}

/* Appends the value, with names for the parts that have one. Returns true if any part has. */
static bool add_named(struct drawing *drawing, struct value value, struct strbuf *out)
{
    const char *name = value_name(drawing, value);
    if (name) {
        strbuf_adds(out, name);
        return true;
    }
    bool named = false;
    if (value.type == VALUE_LIST) {
        strbuf_addc(out, '[');
        named = add_named_items(drawing, value.as.list->items, value.as.list->count, out);
        strbuf_addc(out, ']');
    } else if (value.type == VALUE_TUPLE) {
        strbuf_addc(out, '(');
        named = add_named_items(drawing, value.as.tuple->items, value.as.tuple->count, out);
        strbuf_adds(out, value.as.tuple->count == 1 ? ",)" : ")");
    } else if (value.type == VALUE_DICT || value.type == VALUE_SET) {
        strbuf_adds(out, value.type == VALUE_DICT ? "{" : "set([");
        named = add_named_entries(drawing, value, out);
        strbuf_adds(out, value.type == VALUE_DICT ? "}" : "])");
    } else {
        value_repr(value, out);
    }
    return named;
}

static const char *reference_text(struct drawing *drawing, struct value value)
{
    if (!can_change(value)) {
        return value_name(drawing, value);
    }
    struct strbuf text = {0};
    const char *copy = NULL;
    if (add_named(drawing, value, &text)) {
        copy = strbuf_copy(&text, drawing->drawer.arena);
    }
    strbuf_free(&text);
    return copy;
}

/* True if the value or a part of it is an id. */
static bool has_id(struct value value)
{
    struct value_parts parts = {.of = value};
    struct value part;
    bool found = value_is_id(value);
    while (!found && value_parts_next(&parts, &part)) {
        found = has_id(part);
    }
    return found;
}

/* Values from a bundle have names, and so have ids that the argument's code took from the model. */
static const char *find_name(struct drawing *drawing, size_t from, struct value value)
{
    drawing->ids_only = !has_reference(&drawing->step->choices, from);
    return !drawing->ids_only || (!drawing->arg->fixed && has_id(value))
               ? reference_text(drawing, value)
               : NULL;
}

/* How many items are newer than the value, if it is what was picked last. */
static int64_t newer_than(const struct drawing *drawing, struct value value)
{
    const struct choices *choices = &drawing->step->choices;
    size_t index = drawing->picked.choice;
    if (!drawing->picked.count || index >= choices->items.count ||
        choices->items.items[index].kind != CHOICE_REFERENCE ||
        !value_equal(drawing->picked.item, value)) {
        return -1;
    }
    size_t position = choices->items.items[index].as.reference.position;
    return position < drawing->picked.count ? (int64_t)(drawing->picked.count - 1 - position) : -1;
}

static struct drawn drawn_of(struct drawing *drawing, size_t from, struct value value)
{
    const struct choices *choices = &drawing->step->choices;
    forget_noted(drawing, choices->items.count);
    return (struct drawn){
        .value = can_change(value) ? value_copy(drawing->drawer.arena, value) : value,
        .reference = find_name(drawing, from, value),
        .shown = choices->items.count > from,
        .newer = newer_than(drawing, value),
    };
}

static uint64_t site_of(const struct rule *rule, size_t arg)
{
    assert(arg < rule->args.count);
    return ((uint64_t)rule->initialize << 63U) | ((uint64_t)rule->index << 32U) | arg;
}

static enum draw_result draw_arg(struct drawing *drawing, size_t index, struct value strategy,
                                 struct inverted *out, struct error *err)
{
    assert(index < drawing->step->rule->args.count);
    struct argument_source *argument_source = drawing->argument_source;
    if (argument_source) {
        return argument_source->give(argument_source, &drawing->drawer, index, strategy, out, err);
    }
    *out = (struct inverted){0};
    return strategy_draw(&drawing->drawer, strategy, site_of(drawing->step->rule, index),
                         &out->value, err);
}

/* A fixed argument with an immutable value is evaluated once. */
static bool eval_arg(struct example *example, const struct step *step, size_t index,
                     struct value *out, struct error *err)
{
    struct engine *engine = example->engine;
    const struct rule *rule = step->rule;
    const struct rule_arg *arg = &rule->args.items[index];
    const struct rule_analysis *analysis =
        rule->initialize ? engine->analysis.initialize : engine->analysis.rules;
    struct kept_argument *kept = &analysis[rule->index].args[index];
    struct lang_state *state = &example->state;
    if (arg->fixed && !kept->evaluated) {
        uint64_t before = state->steps;
        if (!lang_look(state, arg->code, step->locals, &engine->arena, &kept->value, err)) {
            return false;
        }
        kept->evaluated = true;
        kept->frozen = strategy_is_frozen(kept->value);
        kept->steps = state->steps - before;
        state->steps = before; /* must not depend on which example was the first */
    }
    if (!kept->frozen) {
        return lang_eval(state, arg->code, step->locals, out, err);
    }
    state->steps += kept->steps;
    *out = kept->value;
    return true;
}

static enum draw_result draw_args(struct drawing *drawing, struct error *err)
{
    struct example *example = drawing->example;
    struct step *step = drawing->step;
    for (size_t i = 0; i < step->rule->args.count; i++) {
        const struct rule_arg *arg = &step->rule->args.items[i];
        size_t from = step->choices.items.count;
        struct value strategy;
        struct inverted given;
        if (!eval_arg(example, step, i, &strategy, err)) {
            return DRAW_ERROR;
        }
        drawing->noted.count = 0;
        drawing->picked.count = 0;
        drawing->arg = arg;
        enum draw_result result = draw_arg(drawing, i, strategy, &given, err);
        (void)located(result != DRAW_ERROR, arg->pos, err);
        if (result != DRAW_OK) {
            return result;
        }
        step->locals[arg->slot] = given.value;
        if (!example->state.caller.looking) {
            step->drawn[i] = drawn_of(drawing, from, given.value);
            step->drawn[i].shown = step->drawn[i].shown || given.on_trust;
        }
        example->on_trust = example->on_trust || given.on_trust;
    }
    return DRAW_OK;
}

/* DRAW_REJECTED if `where` is false. */
static enum draw_result check_where(struct drawing *drawing, struct error *err)
{
    const struct step *step = drawing->step;
    struct value value;
    if (!step->rule->where) {
        return DRAW_OK;
    }
    if (!example_look(drawing->example, step->rule->where, step->locals, &value, err)) {
        return DRAW_ERROR;
    }
    bool passes = value_truth(value);
    drawing->where.asked++;
    drawing->where.refused += !passes;
    return passes ? DRAW_OK : DRAW_REJECTED;
}

static enum draw_result draw_until_allowed(struct drawing *drawing, struct error *err)
{
    enum draw_result result = DRAW_OK;
    unsigned tries = drawing->argument_source ? 1 : WHERE_TRIES;
    for (unsigned attempt = 0; attempt < tries; attempt++) {
        step_put_back(drawing->step);
        /* otherwise the simplest example would end if no simple value passes */
        drawing->drawer.simplest = drawing->drawer.simplest && attempt < tries / 2;
        if (attempt) {
            drawer_begin_again(&drawing->drawer, attempt);
        } else {
            drawer_begin(&drawing->drawer);
        }
        result = draw_args(drawing, err);
        bool depends = drawing->step->choices.items.count > 0;
        if (result == DRAW_EMPTY && depends && attempt + 1 < EMPTY_TRIES) {
            continue; /* it may have a value with other arguments */
        }
        if (result != DRAW_OK) {
            return result;
        }
        result = check_where(drawing, err);
        if (result != DRAW_REJECTED) {
            return result;
        }
    }
    return result;
}

static const struct draw_moments *find_moments(struct drawer *drawer)
{
    return moments_find(drawing_of(drawer)->example, drawer->arena);
}

static struct drawing drawing_begin(struct example *example, struct step *step,
                                    const struct choices *replay)
{
    const struct example_plan *plan = &example->plan;
    return (struct drawing){
        .drawer = {.caller = &example->state.caller,
                   .rng = plan->way ? &example->rng : NULL,
                   .replay = replay,
                   .arena = example->state.caller.arena,
                   .record = &step->choices,
                   .ops = &drawer_ops,
                   .host = example,
                   .pool = &example->engine->pool,
                   .catalog = example->engine->catalog.find ? &example->engine->catalog : NULL,
                   .moments = example->engine->machine->clock ? find_moments : NULL,
                   .advancing = step->rule->advances,
                   .favourite = example->favourite,
                   .memory = plan->way && !plan->way->simplest ? example->memory : NULL,
                   .simplest = example->way->simplest,
                   .local = example->way->few,
                   .salt = example->salt},
        .example = example,
        .step = step,
    };
}

static void note_filters(struct example *example, const struct drawing *drawing)
{
    const struct rule *rule = drawing->step->rule;
    struct rule_stats *stats = &example->stats.rules[rule->index];
    if (!rule->initialize) {
        example_note(example, &stats->where.asked, drawing->where.asked);
        example_note(example, &stats->where.refused, drawing->where.refused);
        example_note(example, &stats->filters.asked, drawing->filters.asked);
        example_note(example, &stats->filters.refused, drawing->filters.refused);
    }
}

bool step_draw(struct example *example, struct step *step, const struct choices *replay,
               struct argument_source *argument_source, enum step_fate *fate, struct error *err)
{
    struct drawing drawing = drawing_begin(example, step, replay);
    drawing.argument_source = argument_source;
    if (argument_source) { /* nothing is drawn by chance */
        drawing.drawer.rng = NULL;
        drawing.drawer.memory = NULL;
    }
    drawing.drawer.filters = &drawing.filters;
    enum draw_result result = draw_until_allowed(&drawing, err);
    if (!replay) { /* only arguments that passed are repeated later */
        note_filters(example, &drawing);
    }
    if (result == DRAW_OK) {
        *fate = STEP_RAN;
        return true;
    }
    step_put_back(step);
    if (result == DRAW_EMPTY) {
        example_note_why(example, step->rule, BLOCKED_EMPTY);
        *fate = STEP_BLOCKED;
    } else {
        *fate = STEP_GIVEN_UP;
    }
    return result != DRAW_ERROR;
}
