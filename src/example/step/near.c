#include "example/step/near.h"

#include "base/map.h"
#include "base/words.h"
#include "example/engine.h"

#include <string.h>

enum {
    COMMON_MIN = 64,    /* a name shared by more rules says little */
    GENERAL_ONE_IN = 5, /* of the parts, where most are about what differs */
};
/* How much more often rules run that are about what differs. */
static const double changed_weight = 6;
static const double near_weight = 2;

/* A name, and the rules that it connects. */
struct thing {
    bool known;             /* true for a variable of the model, a bundle or a table */
    VEC(uint32_t) users;    /* rules */
    VEC(uint32_t) fillers;  /* rules that may add something to read */
    VEC(uint32_t) removers; /* rules that remove something */
};

struct rule_things {
    VEC(uint32_t) used;
    VEC(uint32_t) needed; /* read by its arguments and queries before it can run */
};

struct building {
    struct engine *engine;
    struct arena scratch;
    struct map names; /* → index in things */
    VEC(struct thing) things;
    struct rule_things *rules;
    bool *covered; /* by rule: true if it is in some part */
    bool *chosen;  /* by rule: true if it is in this part */
    double *score; /* by rule: its similarity to this part */
    bool *entered; /* by thing: true if its rules have been scored for it */
    VEC(uint32_t) near;
    struct near_part *part;
    const double *favour; /* by rule: its score counts so much more; or NULL */
};

static size_t thing_of(struct building *building, const char *name)
{
    size_t index;
    if (map_get_text(&building->names, name, strlen(name), &index)) {
        return index;
    }
    name = arena_strdup(&building->scratch, name);
    index = building->things.count;
    (void)map_set_text(&building->names, name, strlen(name), index, NULL);
    (void)VEC_PUSH(&building->scratch, &building->things);
    return index;
}

/* The result is valid until the next call. */
static struct thing *note_thing(struct building *building, const char *name)
{
    size_t index = thing_of(building, name);
    struct thing *thing = &building->things.items[index];
    thing->known = true;
    return thing;
}

enum reading { READING, NEEDING };

/* Records the names after FROM, INTO and so on as tables; those after INTO are filled. */
static void note_tables(struct building *building, const struct snippet *sql, size_t rule,
                        enum reading reading)
{
    struct words words = {.text = sql->text, .size = sql->size};
    bool removes = false;
    while (next_word(&words)) {
        bool into = strcmp(words.word, "into") == 0;
        removes =
            strcmp(words.word, "delete") == 0 || (removes && word_is_in(words.word, "from|only"));
        if ((into || word_is_in(words.word, "from|join|update|using|only|table")) &&
            next_word(&words)) {
            skip_qualifiers(&words);
            struct thing *thing = note_thing(building, words.word);
            size_t index = (size_t)(thing - building->things.items);
            if (into) {
                *VEC_PUSH(&building->scratch, &thing->fillers) = (uint32_t)rule;
            } else if (reading == NEEDING) {
                *VEC_PUSH(&building->scratch, &building->rules[rule].needed) = (uint32_t)index;
            }
            if (removes) {
                *VEC_PUSH(&building->scratch, &thing->removers) = (uint32_t)rule;
            }
        }
    }
}

/* Records the tables that a table refers to, because a strategy for its rows reads them. */
static void note_parents(struct building *building, const char *table, size_t rule)
{
    struct engine *engine = building->engine;
    const struct table_facts *facts;
    struct error ignored = {0};
    if (!engine->catalog.find || !engine->catalog.find(engine, table, &facts, &ignored)) {
        return;
    }
    for (size_t i = 0; i < facts->keys.count; i++) {
        const char *query = facts->keys.items[i].query;
        note_tables(building, &(struct snippet){.text = query, .size = strlen(query)}, rule,
                    NEEDING);
        struct words words = {.text = query, .size = strlen(query)};
        while (next_word(&words)) {
            if (strcmp(words.word, "from") == 0 && next_word(&words)) {
                skip_qualifiers(&words);
                *VEC_PUSH(&building->scratch, &building->rules[rule].used) =
                    (uint32_t)thing_of(building, words.word);
            }
        }
    }
}

static void note_calls(struct building *building, const struct lang_code *code, size_t rule)
{
    size_t count;
    const struct lang_text_call *calls = lang_text_calls(code, &count);
    for (size_t i = 0; i < count; i++) {
        bool row = strcmp(calls[i].function, "row") == 0;
        if (row || strcmp(calls[i].function, "column") == 0) {
            struct words words = {.text = calls[i].text, .size = strlen(calls[i].text)};
            if (next_word(&words)) {
                if (row) {
                    skip_qualifiers(&words);
                    note_parents(building, calls[i].text, rule);
                }
                (void)note_thing(building, words.word);
            }
        }
    }
}

static void note_names(struct building *building)
{
    const struct machine *machine = building->engine->machine;
    for (size_t i = 0; i < lang_module_global_count(machine->module); i++) {
        (void)note_thing(building, lang_module_global_name(machine->module, i));
    }
    for (size_t i = 0; i < machine->rules.count; i++) {
        const struct rule *rule = &machine->rules.items[i];
        for (size_t j = 0; j < rule->targets.count; j++) {
            struct thing *thing = note_thing(building, rule->targets.items[j].name);
            *VEC_PUSH(&building->scratch, &thing->fillers) = (uint32_t)i;
        }
        for (size_t j = 0; j < rule->statements.count; j++) {
            /* Later statements read what the first one did, so they need no rows. */
            note_tables(building, &rule->statements.items[j].sql->snippet, i,
                        j == 0 ? NEEDING : READING);
        }
        for (size_t j = 0; j < rule->args.count; j++) {
            note_calls(building, rule->args.items[j].code, i);
        }
    }
}

static void use_thing(struct building *building, size_t rule, size_t index)
{
    struct thing *thing = &building->things.items[index];
    size_t last = thing->users.count;
    if (last == 0 || thing->users.items[last - 1] != rule) {
        *VEC_PUSH(&building->scratch, &thing->users) = (uint32_t)rule;
        *VEC_PUSH(&building->scratch, &building->rules[rule].used) = (uint32_t)index;
    }
}

static void use_text(struct building *building, size_t rule, const struct snippet *text,
                     enum reading reading)
{
    struct words words = {.text = text->text, .size = text->size};
    size_t index;
    while (next_word(&words)) {
        if (map_get_text(&building->names, words.word, strlen(words.word), &index) &&
            building->things.items[index].known) {
            use_thing(building, rule, index);
            if (reading == NEEDING) {
                *VEC_PUSH(&building->scratch, &building->rules[rule].needed) = (uint32_t)index;
            }
        }
    }
}

static void use_code(struct building *building, size_t rule, const struct lang_code *code,
                     enum reading reading)
{
    if (code) {
        use_text(building, rule, lang_snippet(code), reading);
    }
}

static void use_rule(struct building *building, const struct rule *rule)
{
    const struct lang_code *const codes[] = {rule->where,      rule->raises, rule->expect,
                                             rule->affects,    rule->model,  rule->returns,
                                             rule->crash_model};
    size_t earlier = building->rules[rule->index].used.count; /* tables of foreign keys */
    for (size_t i = 0; i < earlier; i++) {
        struct thing *thing = &building->things.items[building->rules[rule->index].used.items[i]];
        size_t last = thing->users.count;
        if (last == 0 || thing->users.items[last - 1] != rule->index) {
            *VEC_PUSH(&building->scratch, &thing->users) = (uint32_t)rule->index;
        }
    }
    use_code(building, rule->index, rule->precondition, NEEDING);
    for (size_t i = 0; i < rule->args.count; i++) {
        use_code(building, rule->index, rule->args.items[i].code, NEEDING);
    }
    for (size_t i = 0; i < rule->lets.count; i++) {
        use_code(building, rule->index, rule->lets.items[i].code, NEEDING);
    }
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        use_code(building, rule->index, codes[i], READING);
    }
    for (size_t i = 0; i < rule->statements.count; i++) {
        use_text(building, rule->index, &rule->statements.items[i].sql->snippet, READING);
    }
    for (size_t i = 0; i < rule->targets.count; i++) {
        use_thing(building, rule->index, thing_of(building, rule->targets.items[i].name));
    }
}

/* Adds the similarity of other rules to a rule of the part. */
static void enter_rule(struct building *building, size_t index)
{
    const struct thing *thing = &building->things.items[index];
    if (building->entered[index] || thing->users.count > COMMON_MIN) {
        return;
    }
    building->entered[index] = true;
    for (size_t i = 0; i < thing->users.count; i++) {
        uint32_t rule = thing->users.items[i];
        if (!building->chosen[rule] && !(building->score[rule] > 0)) {
            *VEC_PUSH(&building->scratch, &building->near) = rule;
        }
        building->score[rule] += 1 / (double)thing->users.count;
    }
}

static bool is_filled(const struct building *building, const struct thing *thing)
{
    for (size_t i = 0; i < thing->fillers.count; i++) {
        if (building->chosen[thing->fillers.items[i]]) {
            return true;
        }
    }
    return thing->fillers.count == 0;
}

static void add_rule_to_part(struct building *building, uint32_t rule)
{
    building->chosen[rule] = building->covered[rule] = true;
    *VEC_PUSH(&building->engine->arena, &building->part->rules) = rule;
}

/* Adds rules that fill what those from `first` on read, and so on. Also adds one that removes what
 * they read, because foreign keys act when a referenced row is deleted. */
static void add_needed(struct building *building, size_t first)
{
    for (size_t i = first; i < building->part->rules.count; i++) {
        const struct rule_things *rule = &building->rules[building->part->rules.items[i]];
        for (size_t j = 0; j < rule->needed.count; j++) {
            const struct thing *thing = &building->things.items[rule->needed.items[j]];
            if (!is_filled(building, thing)) {
                add_rule_to_part(building, thing->fillers.items[0]);
            }
            if (thing->removers.count > 0 && !building->chosen[thing->removers.items[0]]) {
                add_rule_to_part(building, thing->removers.items[0]);
            }
        }
        for (size_t j = 0; j < rule->used.count; j++) {
            enter_rule(building, rule->used.items[j]);
        }
    }
}

/* The rule with the highest similarity to the part. Rules that are in no part yet count more, so
 * that few parts cover all rules, and each gets many turns. */
static uint32_t nearest(const struct building *building)
{
    enum { NEW_SCORE = 8 };
    uint32_t found = UINT32_MAX;
    double most = 0;
    for (size_t i = 0; i < building->near.count; i++) {
        uint32_t rule = building->near.items[i];
        double score = building->score[rule] * (building->covered[rule] ? 1 : NEW_SCORE) *
                       (building->favour ? building->favour[rule] : 1);
        if (!building->chosen[rule] && score > most) {
            most = score;
            found = rule;
        }
    }
    return found;
}

static void build_part(struct building *building, uint32_t seed)
{
    size_t count = building->engine->machine->rules.count;
    building->part = VEC_PUSH(&building->engine->arena, &building->engine->near.parts);
    memset(building->chosen, 0, count * sizeof *building->chosen);
    memset(building->score, 0, count * sizeof *building->score);
    memset(building->entered, 0, building->things.count * sizeof *building->entered);
    building->near.count = 0;
    uint32_t next = seed;
    uint32_t behind = seed;
    while (building->part->rules.count < NEAR_SIZE && next != UINT32_MAX) {
        size_t first = building->part->rules.count;
        add_rule_to_part(building, next);
        add_needed(building, first);
        next = nearest(building);
        /* If no rule is similar, take the next one in the file. */
        while (next == UINT32_MAX && behind + 1 < count) {
            next = building->covered[++behind] ? UINT32_MAX : behind;
        }
    }
}

static bool is_listed(const char *word, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(word, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether the word is the name of a table or a function, by what stands around it. */
static bool is_named(const struct words *words, const char *before)
{
    size_t at = words->at + (words->at < words->size && words->text[words->at] == '"');
    return word_is_in(before, "from|into|join|update|using|only|table|truncate|call|view") ||
           (at < words->size && words->text[at] == '(');
}

/* The names of the statement's tables and functions: what differs counts more than what is near. */
static double favour_of(const struct snippet *sql, const struct backend_concerns *concerns)
{
    struct words words = {.text = sql->text, .size = sql->size};
    char before[WORD_SIZE] = "";
    double favour = 1;
    while (next_word(&words)) {
        skip_qualifiers(&words);
        bool named = is_named(&words, before);
        if (named && is_listed(words.word, concerns->changed.items, concerns->changed.count)) {
            return changed_weight;
        }
        if (named && is_listed(words.word, concerns->near.items, concerns->near.count)) {
            favour = near_weight;
        }
        memcpy(before, words.word, sizeof before);
    }
    return favour;
}

/* Of two databases that differ: how much more often each rule runs; NULL if there is nothing to
 * prefer. */
static double *favour_rules(struct engine *engine)
{
    const struct machine *machine = engine->machine;
    const struct backend_concerns *concerns =
        engine->options.differs ? engine->backend->ops->concerns(engine->backend) : NULL;
    double *favour = ARENA_ARRAY(&engine->arena, double, machine->rules.count);
    bool some = false;
    for (size_t i = 0; i < machine->rules.count; i++) {
        const struct rule *rule = &machine->rules.items[i];
        favour[i] = 1;
        for (size_t j = 0; concerns && j < rule->statements.count; j++) {
            double of = favour_of(&rule->statements.items[j].sql->snippet, concerns);
            favour[i] = of > favour[i] ? of : favour[i];
        }
        some = some || favour[i] > 1;
    }
    return some ? favour : NULL;
}

/* Parts that together have all rules, or those of which there is most to see. */
static void build_parts(struct building *building, double least)
{
    struct engine *engine = building->engine;
    memset(building->covered, 0, engine->machine->rules.count * sizeof *building->covered);
    for (uint32_t i = 0; i < engine->machine->rules.count; i++) {
        bool wanted = !building->favour || building->favour[i] >= least;
        if (!building->covered[i] && wanted) {
            build_part(building, i);
        }
    }
}

static void build(struct engine *engine)
{
    size_t count = engine->machine->rules.count;
    struct building building = {.engine = engine, .favour = engine->near.favour};
    struct arena *scratch = &building.scratch;
    building.names.arena = scratch;
    building.rules = ARENA_ARRAY(scratch, struct rule_things, count);
    building.covered = ARENA_ARRAY(scratch, bool, count);
    building.chosen = ARENA_ARRAY(scratch, bool, count);
    building.score = ARENA_ARRAY(scratch, double, count);
    note_names(&building);
    for (size_t i = 0; i < count; i++) {
        use_rule(&building, &engine->machine->rules.items[i]);
    }
    building.entered = ARENA_ARRAY(scratch, bool, building.things.count);
    if (building.favour) {
        build_parts(&building, changed_weight);
        engine->near.about_changes = engine->near.parts.count;
    }
    building.favour = NULL;
    build_parts(&building, 0);
    arena_free(scratch);
}

/* Which part it is, of those about what differs or of all rules. */
static const struct near_part *part_at(const struct near *near, size_t turn, bool favours)
{
    size_t first = favours ? 0 : near->about_changes;
    size_t count = favours ? near->about_changes : near->parts.count - first;
    return &near->parts.items[first + turn % count];
}

void near_choose(struct example *example)
{
    struct engine *engine = example->engine;
    struct choosing *choosing = &example->choosing;
    struct near *near = &engine->near;
    size_t count = engine->machine->rules.count;
    size_t turn = 0;
    size_t steps = (size_t)engine->options.settings->steps;
    choosing->near = NULL;
    choosing->favour = NULL;
    if (!example->plan.near || !way_near(example->plan.number, &turn)) {
        return;
    }
    if (!near->made) {
        near->favour = favour_rules(engine);
        if (count > NEAR_RULES_MIN) {
            build(engine);
        }
        near->made = true;
    }
    turn = turn * ((steps + NEAR_STEPS - 1) / NEAR_STEPS) + example->number / NEAR_STEPS;
    bool rows = example->migrates_at != SIZE_MAX; /* the migration is to find rows */
    bool favours = near->favour && (turn % GENERAL_ONE_IN != 0 || rows);
    choosing->favour = favours ? near->favour : NULL;
    if (near->favour) { /* the parts of each kind take turns */
        turn = favours ? turn - turn / GENERAL_ONE_IN : turn / GENERAL_ONE_IN;
    }
    if (near->parts.count > 0) {
        const struct near_part *part = part_at(near, turn, favours && near->about_changes > 0);
        bool *in = ARENA_ARRAY(&example->arena, bool, count);
        for (size_t i = 0; i < part->rules.count; i++) {
            in[part->rules.items[i]] = true;
        }
        choosing->near = in;
    }
}
