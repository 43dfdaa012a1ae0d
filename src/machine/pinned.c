/* Pinned examples: `examples:`, a list of names with the calls of their steps. */
#include "base/names.h"
#include "machine/loader.h"

#include <ctype.h>
#include <string.h>

enum pinned_key { PINNED_NAME, PINNED_STEPS, PINNED_XFAIL, PINNED_KEYS };

static const struct key pinned_key_items[] = {
    [PINNED_NAME] = {"name", SHAPE_TEXT, KEY_REQUIRED, NULL,
                     "The name that reports use for the example."},
    [PINNED_STEPS] = {"steps", SHAPE_CALLS, KEY_REQUIRED, NULL,
                      "Calls of rules, one on each line, as a failure prints them."},
    [PINNED_XFAIL] = {"xfail", SHAPE_XFAIL, 0, NULL,
                      "Why it is known to fail; such a failure does not fail the run."},
};
const struct keys pinned_keys = {.of = "an example",
                                 .where = "in an example, within `examples`",
                                 .items = pinned_key_items,
                                 .count = PINNED_KEYS};

static const struct rule *find_rule(struct loader *loader, const struct lang_call *call)
{
    const struct machine *machine = loader->machine;
    size_t index;
    if (map_get_text(&loader->rule_names, call->function, strlen(call->function), &index)) {
        return &machine->rules.items[index];
    }
    error_hint(report_at(loader, call->pos, "unknown rule '%s'%s", call->function,
                         did_you_mean(loader, call->function, machine->rules)),
               "each step calls a rule of this machine: rule(argument=value)");
    return NULL;
}

/* "its arguments are: project, role" */
static void hint_arguments(const struct rule *rule, struct error *err)
{
    struct strbuf list = {0};
    for (size_t i = 0; i < rule->args.count; i++) {
        strbuf_addf(&list, "%s%s", list.size ? ", " : "", rule->args.items[i].name);
    }
    error_hint(err, list.size ? "its arguments are: %s" : "it has no arguments%s",
               strbuf_text(&list));
    strbuf_free(&list);
}

static void unknown_argument(struct loader *loader, const struct rule *rule,
                             const struct lang_call_arg *given)
{
    if (name_is_in(given->name, ROWS_OF(rule->lets, name))) {
        error_hint(report_at(loader, given->pos, "'%s' is a `let` of rule '%s' and can't be given",
                             given->name, rule->name),
                   "leave it out: pgfsm computes it from the model and the arguments");
    } else {
        hint_arguments(rule,
                       report_at(loader, given->pos, "rule '%s' has no argument '%s'%s", rule->name,
                                 given->name, did_you_mean(loader, given->name, rule->args)));
    }
}

/* The index of the given argument, or SIZE_MAX after a mistake. */
static size_t find_argument(struct loader *loader, const struct rule *rule,
                            const struct lang_call_arg *given)
{
    if (!given->name) {
        hint_arguments(rule, report_at(loader, given->pos,
                                       "an argument of rule '%s' lacks its name", rule->name));
        return SIZE_MAX;
    }
    size_t index = name_index(given->name, ROWS_OF(rule->args, name));
    if (index == rule->args.count) {
        unknown_argument(loader, rule, given);
        return SIZE_MAX;
    }
    const struct rule_arg *arg = &rule->args.items[index];
    if (arg->code && lang_is_constant(arg->code)) {
        error_hint(report_at(loader, given->pos,
                             "the argument '%s' of rule '%s' is a constant and can't be given",
                             arg->name, rule->name),
                   "leave it out");
        return SIZE_MAX;
    }
    return index;
}

static bool is_given(const struct pinned_step *step, size_t arg)
{
    for (size_t i = 0; i < step->args.count; i++) {
        if (step->args.items[i].arg == arg) {
            return true;
        }
    }
    return false;
}

static void report_missing(struct loader *loader, const struct rule *rule,
                           const struct lang_call *call, const struct pinned_step *step)
{
    struct strbuf missing = {0};
    size_t count = 0;
    for (size_t i = 0; i < rule->args.count; i++) {
        if (rule->args.items[i].drawn && !is_given(step, i)) {
            strbuf_addf(&missing, "%s'%s'", count++ ? ", " : "", rule->args.items[i].name);
        }
    }
    if (count) {
        hint_arguments(rule, report_at(loader, call->pos, "rule '%s' needs the argument%s %s",
                                       rule->name, plural(count), strbuf_text(&missing)));
    }
    strbuf_free(&missing);
}

static void read_call_args(struct loader *loader, const struct rule *rule,
                           const struct lang_call *call, struct pinned_step *step)
{
    bool wrong = false;
    for (size_t i = 0; i < call->args.count; i++) {
        const struct lang_call_arg *given = &call->args.items[i];
        size_t arg = find_argument(loader, rule, given);
        wrong = wrong || arg == SIZE_MAX;
        if (arg != SIZE_MAX) {
            *VEC_PUSH(loader->arena, &step->args) =
                (struct pinned_arg){.arg = arg, .code = given->code, .pos = given->pos};
        }
    }
    if (!wrong) {
        report_missing(loader, rule, call, step);
    }
}

static void read_call(struct loader *loader, const struct lang_call *call,
                      struct pinned_example *example)
{
    const struct rule *rule = find_rule(loader, call);
    if (!rule || loader->rules.items[rule->index].broken) {
        return;
    }
    struct pinned_step *step = VEC_PUSH(loader->arena, &example->steps);
    *step = (struct pinned_step){.rule = rule->index, .assigned = SLOT_NONE, .pos = call->pos};
    size_t slot;
    if (call->assigned && lang_locals_find(&example->locals, call->assigned, &slot)) {
        step->assigned = (int)slot;
    }
    if (call->assigned && !rule->targets.count) {
        error_hint(report_at(loader, call->pos,
                             "rule '%s' has no target, so there is no value to name '%s'",
                             rule->name, call->assigned),
                   "write the call alone");
    }
    read_call_args(loader, rule, call, step);
}

static void explain_compile(struct loader *loader, const struct node *node, struct error *err)
{
    bool unknown = unknown_name(loader, err) != NULL;
    if (unknown && loader->names_incomplete) {
        return; /* it may be one of the missing names */
    }
    hint_at_comment(loader, node, err);
    if (unknown && !err->hint[0]) {
        error_hint(err, "a value that a step puts into a bundle is named <bundle>_<number>, "
                        "numbered in order of arrival; or name it by assignment: name = rule(…)");
    }
    (void)report_error(loader, err);
}

/* "add(" or "ids_1 =" */
static bool is_call(const char *text)
{
    size_t name = strcspn(text, " (=\n");
    const char *behind = text + name + strspn(text + name, " ");
    bool word = isalpha((unsigned char)*text) || *text == '_' || (unsigned char)*text >= 0x80;
    return word && (text[name] == '(' || (behind[0] == '=' && behind[1] != '='));
}

/* The place after the number that a report puts before a step, and after the mark of the step that
 * failed; `at` if there is no number. */
static size_t skip_number(const char *text, size_t at)
{
    size_t end = at + strspn(text + at, " ");
    size_t digits = strspn(text + end, "0123456789");
    end += digits;
    end += text[end] == '.' || text[end] == ')' || text[end] == '>';
    size_t blanks = strspn(text + end, " ");
    return digits && blanks && is_call(text + end + blanks) ? end + blanks : at;
}

/* The place after the call on a line, where a report puts the answer; the line's end if the call
 * continues on the next line. */
static size_t skip_call(const char *text, size_t at)
{
    size_t depth = 0;
    char quote = '\0';
    for (; text[at] && text[at] != '\n'; at++) {
        char c = text[at];
        if (quote) {
            at += c == '\\' && text[at + 1] && text[at + 1] != '\n';
            quote = c == quote ? '\0' : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (strchr("([{", c)) {
            depth++;
        } else if (strchr(")]}", c) && (depth <= 1)) {
            return at + 1;
        } else {
            depth -= strchr(")]}", c) != NULL;
        }
    }
    return at;
}

/* Removes the numbers and answers of steps, because they may be pasted from a report. */
static const struct snippet *without_numbers(struct loader *loader, const struct snippet *code)
{
    char *text = ARENA_ARRAY(loader->arena, char, code->size + 1);
    struct arena arena = {0};
    uint32_t *places = ARENA_ARRAY(&arena, uint32_t, code->size + 1);
    size_t size = 0;
    size_t answer = code->size; /* where that of the line begins, if it has a number */
    for (size_t i = 0; i < code->size; i++) {
        if (i == 0 || code->text[i - 1] == '\n') {
            size_t call = skip_number(code->text, i);
            answer = call > i ? skip_call(code->text, call) : code->size;
            i = call;
        }
        if (i >= answer && i < code->size && code->text[i] != '\n') {
            continue;
        }
        places[size] = (uint32_t)snippet_pos(code, i).offset;
        text[size++] = code->text[i];
    }
    places[size] = (uint32_t)snippet_pos(code, code->size).offset;
    text[size] = '\0';
    struct snippet *out = ARENA_NEW(loader->arena, struct snippet);
    *out = (struct snippet){.source = code->source, .text = text, .size = size};
    snippet_map(out, places, loader->arena);
    arena_free(&arena);
    return out;
}

static void read_steps(struct loader *loader, const struct node *steps,
                       struct pinned_example *example)
{
    struct lang_calls calls;
    struct error err = {0};
    const struct snippet *snippet = take_code(loader, steps);
    if (!snippet) {
        return;
    }
    snippet = without_numbers(loader, snippet);
    if (!lang_compile_calls(loader->machine->module, loader->arena, &example->locals, snippet,
                            &calls, &err)) {
        explain_compile(loader, steps, &err);
        return;
    }
    if (!calls.calls.count) {
        error_hint(report(loader, steps, "there is no call in `steps`"),
                   "every example checks the invariants after initialize anyway");
    }
    for (size_t i = 0; i < calls.calls.count; i++) {
        read_call(loader, &calls.calls.items[i], example);
    }
}

static void read_example(struct loader *loader, const struct node *node, struct map *seen)
{
    const struct node *values[PINNED_KEYS];
    size_t first;
    if (node->kind != NODE_MAP) {
        error_hint(
            report(loader, node, "an example must be a mapping, not %s", node_kind_name(node)),
            "its keys are: name, steps, xfail");
        return;
    }
    keys_check(loader, &pinned_keys, node, 0, values);
    const struct node *name = values[PINNED_NAME];
    if (name && !map_set_text(seen, name->text, name->size, node_pos(loader->source, name).offset,
                              &first)) {
        struct source_pos pos = {loader->source, (uint32_t)first};
        error_hint(report(loader, name, "the name '%s' is written twice", name->text),
                   "the first one is in line %zu", line_of(loader, pos));
    }
    if (!values[PINNED_STEPS]) {
        return;
    }
    struct pinned_example *example = VEC_PUSH(loader->arena, &loader->machine->pinned);
    *example = (struct pinned_example){.name = name ? name->text : "",
                                       .pos = node_pos(loader->source, name ? name : node)};
    if (values[PINNED_XFAIL]) {
        example->xfail = read_xfail(loader, values[PINNED_XFAIL]);
    }
    read_steps(loader, values[PINNED_STEPS], example);
}

/* Values that steps add to a collection of the model have names, like those in bundles. */
static void name_collections(struct loader *loader, const struct rule *rule)
{
    for (size_t i = 0; i < rule->targets.count; i++) {
        lang_module_name_values(loader->machine->module, rule->targets.items[i].global);
    }
}

void compile_pinned(struct loader *loader)
{
    const struct machine *machine = loader->machine;
    struct map seen = {.arena = loader->arena};
    for (size_t i = 0; i < machine->initialize.count; i++) {
        name_collections(loader, &machine->initialize.items[i]);
    }
    for (size_t i = 0; i < machine->rules.count; i++) {
        name_collections(loader, &machine->rules.items[i]);
    }
    for (size_t i = 0; loader->examples && i < loader->examples->entries.count; i++) {
        read_example(loader, loader->examples->entries.items[i].value, &seen);
    }
}
