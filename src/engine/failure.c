/* Failures: what is known when something does not hold, copied out of the flight, and who it is. */
#include "engine/compare.h"
#include "engine/context.h"
#include "engine/engine.h"
#include "engine/record.h"
#include "engine/result.h"
#include "trace/ids.h"

#include "base/utf8.h"
#include "trace/ids.h"

#include <inttypes.h>
#include <string.h>

/* Of an example in which a mistake of the machine showed: steps, and bytes of each. */
enum { STEPS_EXPLAINED = 6, STEP_EXPLAINED_MAX = 200 };

static const char *copy_text(struct arena *arena, const char *text)
{
    return text ? arena_strdup(arena, text) : NULL;
}

static struct server_error copy_error(struct arena *arena, const struct server_error *error)
{
    struct server_error copy = *error;
    const char **const texts[] = {
        &copy.severity, &copy.message, &copy.detail, &copy.hint,       &copy.context,
        &copy.schema,   &copy.table,   &copy.column, &copy.constraint, &copy.datatype,
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        *texts[i] = copy_text(arena, *texts[i]);
    }
    return copy;
}

/* Identity. */

static const char *const kind_words[] = {
    [FAILURE_INVARIANT] = NULL,     [FAILURE_EXPECT] = "expect",
    [FAILURE_CHECK] = "check",      [FAILURE_UNEXPECTED_ERROR] = NULL,
    [FAILURE_MISSING_ERROR] = NULL, [FAILURE_DIFFERENT_ERROR] = NULL,
    [FAILURE_TIMEOUT] = "timeout",  [FAILURE_CONNECTION] = "connection lost",
};

static void add_word(struct strbuf *out, const char *word)
{
    if (word && *word) {
        strbuf_addf(out, " %s", word);
    }
}

static void add_error(struct strbuf *out, const struct server_error *error)
{
    add_word(out, error->sqlstate);
    add_word(out, error->constraint);
    add_word(out, error->table);
}

static void add_predicted(struct strbuf *out, const struct prediction *prediction)
{
    for (size_t i = 0; i < prediction->errors.count; i++) {
        const char *condition = prediction->errors.items[i].condition;
        add_word(out, condition ? condition : "error");
    }
}

static void add_who(struct strbuf *out, const struct failing *failing)
{
    if (failing->check) {
        strbuf_addf(out, "invariant %s", failing->check->invariant->name);
    } else if (failing->step) {
        const struct rule *rule = failing->step->rule;
        strbuf_addf(out, "%s%s", rule->initialize ? "" : "rule ", rule->name);
    } else {
        strbuf_adds(out, "end");
    }
}

static const char *identity(struct arena *arena, const struct failing *failing)
{
    struct strbuf text = {0};
    add_who(&text, failing);
    if (failing->kind != FAILURE_INVARIANT) {
        bool affects = failing->kind == FAILURE_EXPECT && !failing->comparison;
        strbuf_addc(&text, ':');
        add_word(&text, affects ? "affects" : kind_words[failing->kind]);
    }
    if (failing->kind == FAILURE_MISSING_ERROR) {
        add_predicted(&text, &failing->step->raises);
        add_word(&text, "did not come");
    } else if (failing->error && failing->kind != FAILURE_TIMEOUT) {
        add_error(&text, failing->error);
    }
    const char *copy = strbuf_copy(&text, arena);
    strbuf_free(&text);
    return copy;
}

/* What is shown. */

struct shown_step shown_step(struct arena *arena, const struct step *step)
{
    struct shown_step shown = {.rule = step->rule};
    for (size_t i = 0; i < step->rule->args.count; i++) {
        const struct drawn *drawn = &step->drawn[i];
        if (drawn->shown) {
            *VEC_PUSH(arena, &shown.args) = (struct shown_arg){
                .name = step->rule->args.items[i].name,
                .value = drawn->value,
                .reference = drawn->reference,
            };
        }
    }
    for (size_t i = 0; i < step->outputs.count; i++) {
        *VEC_PUSH(arena, &shown.outputs) = step->outputs.items[i];
    }
    return shown;
}

/* Whether a later step is given the value of that name. */
static bool is_referred_to(const struct failure *failure, size_t index, const char *name)
{
    for (size_t i = index + 1; i < failure->steps.count; i++) {
        const struct shown_step *step = &failure->steps.items[i];
        for (size_t j = 0; j < step->args.count; j++) {
            const char *reference = step->args.items[j].reference;
            if (reference && strcmp(reference, name) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* Whether the step put the value into a bundle out of which a later one took it. */
static bool is_handed_on(const struct failure *failure, size_t index, struct value value)
{
    const struct shown_step *step = &failure->steps.items[index];
    for (size_t i = 0; i < failure->bundled.count; i++) {
        const struct shown_arg *bundled = &failure->bundled.items[i];
        for (size_t j = 0; j < step->outputs.count; j++) {
            if (strcmp(bundled->reference, step->outputs.items[j]) == 0 &&
                value_equal(bundled->value, value) &&
                is_referred_to(failure, index, bundled->reference)) {
                return true;
            }
        }
    }
    return false;
}

/* Arguments that had one value only are not shown, unless later steps take the value by its name:
 * it would stand nowhere. */
static void add_constants(struct arena *arena, const struct step *step, size_t index,
                          struct failure *out)
{
    struct shown_step *shown = &out->steps.items[index];
    for (size_t i = 0; i < step->rule->args.count; i++) {
        const struct drawn *drawn = &step->drawn[i];
        if (!drawn->shown && is_handed_on(out, index, drawn->value)) {
            *VEC_PUSH(arena, &shown->constants) =
                (struct shown_arg){.name = step->rule->args.items[i].name, .value = drawn->value};
        }
    }
}

static void add_bundled(struct arena *arena, const struct place *place, size_t steps,
                        struct failure *out)
{
    for (size_t i = 0; i < place->arrivals.count; i++) {
        const struct arrival *arrival = &place->arrivals.items[i];
        if (arrival->steps <= steps) {
            *VEC_PUSH(arena, &out->bundled) = (struct shown_arg){
                .name = place->name, .value = arrival->value, .reference = arrival->name};
        }
    }
}

/* The cells with their values in the arena; NULL where there are none. */
static struct shown_cell *copy_cells(struct arena *arena, const struct shown_cell *cells,
                                     size_t count)
{
    if (!cells) {
        return NULL;
    }
    struct shown_cell *out = arena_memdup(arena, cells, count * sizeof *cells);
    for (size_t i = 0; i < count; i++) {
        out[i].value = value_copy(arena, cells[i].value);
        out[i].name = copy_text(arena, cells[i].name);
    }
    return out;
}

static const char *const *copy_columns(struct arena *arena, const char *const *columns,
                                       size_t count)
{
    const char **out = ARENA_ARRAY(arena, const char *, count);
    for (size_t i = 0; i < count; i++) {
        out[i] = arena_strdup(arena, columns[i]);
    }
    return out;
}

bool failure_draws(const struct failure *failure, struct value value)
{
    for (size_t i = 0; i < failure->steps.count; i++) {
        const struct shown_step *step = &failure->steps.items[i];
        for (size_t j = 0; j < step->args.count; j++) {
            if (!step->args.items[j].reference && value_equal(step->args.items[j].value, value)) {
                return true;
            }
        }
    }
    return false;
}

/* A text that a step was given stays: it says more than a name. */
static struct shown_cell *name_cells(const struct example *example,
                                     const struct comparison *comparison,
                                     const struct failure *failure, size_t steps,
                                     struct shown_cell *cells)
{
    for (size_t i = 0; cells && i < comparison->column_count; i++) {
        struct value value = cells[i].value;
        if (value.type != VALUE_STRING || !failure_draws(failure, value)) {
            enum naming naming = bundles_name_cell(&example->bundles, &comparison->columns[i],
                                                   value, steps, &cells[i].name);
            cells[i].maybe = naming == NAMING_MAYBE;
        }
    }
    return cells;
}

/* Those of a failure after the first `steps` steps. */
static void add_differences(struct example *example, const struct comparison *comparison,
                            size_t steps, struct failure *out)
{
    struct arena *arena = &example->arena;
    size_t columns = comparison->column_count;
    const char **names = ARENA_ARRAY(arena, const char *, columns);
    for (size_t i = 0; i < columns; i++) {
        names[i] = arena_strdup(arena, comparison->columns[i].name);
    }
    for (size_t i = 0; i < comparison->differences.count; i++) {
        struct difference *difference = VEC_PUSH(arena, &out->differences);
        *difference = comparison->differences.items[i];
        difference->expected = name_cells(example, comparison, out, steps,
                                          copy_cells(arena, difference->expected, columns));
        difference->actual = name_cells(example, comparison, out, steps,
                                        copy_cells(arena, difference->actual, columns));
    }
    out->columns = names;
    out->column_count = columns;
    out->difference_count = comparison->difference_count;
    out->expected = copy_text(arena, comparison->expected);
    out->actual = copy_text(arena, comparison->actual);
    out->hint = copy_text(arena, comparison->hint);
}

static void add_fors(struct example *example, const struct invariant_check *check,
                     struct failure *out)
{
    for (size_t i = 0; i < check->invariant->fors.count; i++) {
        struct value value = value_copy(&example->arena, check->fors[i]);
        *VEC_PUSH(&example->arena, &out->fors) = (struct shown_arg){
            .name = check->invariant->fors.items[i].name,
            .value = value,
            .reference = bundles_name_of(&example->bundles, check->places[i], value, check->trace),
        };
    }
}

/* Whether initialize came out as it does without a random source. */
static bool initialized_simply(const struct trace *trace)
{
    size_t rule = 0;
    for (size_t i = 0; i < trace->steps.count; i++) {
        const struct trace_step *step = &trace->steps.items[i];
        bool simple = !step->initialize || step->rule == rule++;
        for (size_t j = 0; step->initialize && j < step->choices.items.count; j++) {
            simple = simple && choice_is_simplest(&step->choices.items.items[j]);
        }
        if (!simple) {
            return false;
        }
    }
    return true;
}

/* The first `count` steps, of which the first `finished` had put into bundles what they returned:
 * the client may have run ahead of that. */
static void add_steps(struct example *example, size_t count, size_t finished, struct failure *out)
{
    struct arena *arena = &example->arena;
    struct trace part = {.steps = {example->trace.steps.items, count, count}};
    out->trace = trace_copy(arena, &part);
    for (size_t i = 0; i < count; i++) {
        if (!example->steps.items[i]->rule->initialize) {
            struct shown_step *shown = VEC_PUSH(arena, &out->steps);
            *shown = shown_step(arena, example->steps.items[i]);
            shown->outputs.count = i < finished ? shown->outputs.count : 0;
        }
    }
    out->pinnable = out->steps.count > 0 && initialized_simply(&out->trace);
    for (size_t i = 0; i < example->bundles.count; i++) {
        add_bundled(arena, &example->bundles.items[i].place, finished, out);
    }
    for (size_t i = 0; i < example->bundles.places.count; i++) {
        add_bundled(arena, example->bundles.places.items[i], finished, out);
    }
    size_t shown = 0;
    for (size_t i = 0; i < count; i++) {
        if (!example->steps.items[i]->rule->initialize) {
            add_constants(arena, example->steps.items[i], shown++, out);
        }
    }
}

static void add_setting(struct arena *arena, const char *name, const char *value,
                        struct failure *out)
{
    *VEC_PUSH(arena, &out->settings) =
        (struct shown_setting){arena_strdup(arena, name), arena_strdup(arena, value)};
}

/* What the context comes to: a role that the machine does not name, and every setting. */
static void add_context(struct arena *arena, const struct context *context,
                        const struct backend_context *set, struct failure *out)
{
    if (context->session_user_code) {
        add_setting(arena, "session user", set->session_user, out);
    }
    if (context->role_code) {
        add_setting(arena, "role", set->role, out);
    }
    for (size_t i = 0; i < set->setting_count; i++) {
        add_setting(arena, set->settings[i].name, set->settings[i].value, out);
    }
}

/* An id that a model variable holds, as that of the user whom initialize made, has its name. */
static void add_variables(struct example *example, const struct context *context,
                          struct failure *out)
{
    const struct context_facts *facts = &example->engine->facts.contexts[context->index];
    const struct lang_module *module = example->engine->machine->module;
    for (size_t i = 0; i < facts->global_count; i++) {
        struct value value;
        const char *name = lang_module_global_name(module, facts->globals[i]);
        if (lang_get_global(&example->state, facts->globals[i], &value) && value_is_id(value) &&
            !bundles_name_of(&example->bundles, NULL, value, SIZE_MAX)) {
            *VEC_PUSH(&example->arena, &out->bundled) =
                (struct shown_arg){.name = name, .value = value, .reference = name};
        }
    }
}

static void add_statement(struct example *example, const struct failing *failing,
                          struct failure *out)
{
    struct arena *arena = &example->arena;
    const struct machine_statement *statement = failing->statement;
    const struct sending *sending = failing->step    ? &failing->step->sending
                                    : failing->check ? &failing->check->sending
                                                     : NULL;
    if (!statement) {
        return;
    }
    const struct snippet *sql = &statement->sql->snippet;
    out->sql = arena_strndup(arena, sql->text, sql->size);
    out->context = context_text(arena, statement->context);
    for (size_t i = 0; sending && statement->context && i < sending->count; i++) {
        if (sending->items[i].statement == statement) {
            add_context(arena, statement->context, &sending->items[i].context, out);
            add_variables(example, statement->context, out);
            return;
        }
    }
}

void example_fail(struct example *example, const struct failing *failing)
{
    struct arena *arena = &example->arena;
    const struct step *step = failing->step;
    const struct invariant_check *check = failing->check;
    if (example->failure) {
        return;
    }
    struct failure *out = ARENA_NEW(arena, struct failure);
    out->kind = failing->kind;
    out->identity = identity(arena, failing);
    out->invariant = check ? check->invariant : NULL;
    out->step = step ? step->number : check ? check->number : example->number;
    size_t count = step ? step->index + 1 : check ? check->trace : example->steps.count;
    size_t finished = step ? step->index : count;
    out->rule = count ? example->steps.items[count - 1]->rule : NULL;
    out->pos = failing->pos;
    out->check = copy_text(arena, failing->source);
    out->returned = copy_text(arena, failing->returned);
    out->expected = copy_text(arena, failing->expected);
    out->actual = copy_text(arena, failing->actual);
    out->example = example->plan->number;
    out->pinned = example->plan->pinned;
    out->on_trust = example->on_trust;
    out->example_steps = out->step;
    add_steps(example, count, finished, out);
    add_statement(example, failing, out);
    if (failing->comparison) {
        add_differences(example, failing->comparison, finished, out);
    }
    if (failing->error) {
        out->error = copy_error(arena, failing->error);
    }
    if (check) {
        add_fors(example, check, out);
    }
    example->failure = out;
}

void fail_check(struct example *example, const struct step *step,
                const struct invariant_check *check, const struct lang_code *code,
                struct value value)
{
    const struct snippet *snippet = lang_snippet(code);
    const char *text = arena_strndup(&example->arena, snippet->text, snippet->size);
    const struct sending *sending = step ? &step->sending : &check->sending;
    const struct value *locals = step ? step->locals : check->locals;
    int result = step ? step->rule->result_slot : check->invariant->result_slot;
    bool reads = result != SLOT_NONE && lang_reads_local(code, (size_t)result);
    size_t count = step ? step->rule->locals.names.count : check->invariant->locals.names.count;
    record_failed_check(example->engine->recorder, example, code, locals, count, result);
    example_fail(
        example,
        &(struct failing){
            .kind = step ? FAILURE_CHECK : FAILURE_INVARIANT,
            .step = step,
            .check = check,
            .statement = sending->count ? sending->items[sending->count - 1].statement : NULL,
            .pos = code_pos(code),
            .source = text,
            .returned = reads ? result_text(&example->arena, locals[result]) : NULL,
            .expected = text,
            .actual = repr_text(&example->arena, value),
        });
}

void fail_deferred(struct example *example, const struct server_error *error)
{
    example_fail(example,
                 &(struct failing){
                     .kind = error_is_timeout(error) ? FAILURE_TIMEOUT : FAILURE_UNEXPECTED_ERROR,
                     .expected = "no error",
                     .actual = error_text(&example->arena, error),
                     .error = error,
                 });
}

void fail_connection(struct example *example)
{
    const struct flight *flight = &example->flight;
    struct failing failing = {.kind = FAILURE_CONNECTION};
    const struct sending *sending = NULL;
    if (flight->settled < flight->items.count) {
        const struct pending *pending = &flight->items.items[flight->settled];
        if (pending->kind == PENDING_STEP) {
            failing.step = pending->as.step;
            sending = &failing.step->sending;
        } else if (pending->kind == PENDING_CHECK) {
            failing.check = pending->as.check;
            sending = &failing.check->sending;
        }
    } else if (example->steps.count) {
        failing.step = example->steps.items[example->steps.count - 1];
        sending = &failing.step->sending;
    }
    if (sending && sending->count) {
        failing.statement = sending->items[0].statement;
        failing.pos = snippet_pos(&failing.statement->sql->snippet, 0);
    }
    example_fail(example, &failing);
}

/* What an error in the machine's code arose in: a step, whose answer is being compared or which is
 * being worked out; else NULL. And how many steps had come before. */
static const struct step *step_at_fault(const struct example *example, size_t *before)
{
    const struct flight *flight = &example->flight;
    const struct step *step = example->working;
    *before = example->steps.count;
    if (flight->settled < flight->items.count) {
        const struct pending *pending = &flight->items.items[flight->settled];
        step = pending->kind == PENDING_STEP ? pending->as.step : NULL;
        *before = pending->kind == PENDING_CHECK ? pending->as.check->trace : *before;
    }
    for (size_t i = 0; step && i < example->steps.count; i++) {
        if (example->steps.items[i] == step) {
            *before = i;
        }
    }
    return step;
}

static void explain_step(struct example *example, const struct step *step, const char *note,
                         struct error *err)
{
    const struct shown_step shown = shown_step(&example->arena, step);
    struct strbuf line = {0};
    trace_print_step(&shown, &line);
    bool cut = line.size > STEP_EXPLAINED_MAX;
    strbuf_truncate(&line, cut ? utf8_cut(line.data, STEP_EXPLAINED_MAX) : line.size);
    error_detail(err, "  %s%s%s", strbuf_text(&line), cut ? "…" : "", note);
    strbuf_free(&line);
}

void explain_mistake(struct example *example, struct error *err)
{
    size_t before;
    const struct step *step = step_at_fault(example, &before);
    size_t first = before > STEPS_EXPLAINED ? before - STEPS_EXPLAINED : 0;
    const char *where =
        first < before || step ? ", whose last steps were" : ", before its first step";
    if (example->plan->pinned) {
        error_detail(err, "in the pinned example '%s'%s", example->plan->pinned->name, where);
    } else {
        error_detail(err, "in example %" PRIu64 "%s", example->plan->number, where);
    }
    for (size_t i = first; i < before; i++) {
        explain_step(example, example->steps.items[i], "", err);
    }
    if (step) {
        explain_step(example, step, "   <- here", err);
    }
}

/* Copying. */

static void copy_args(struct arena *arena, struct shown_arg *args, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        args[i].value = value_copy(arena, args[i].value);
        args[i].reference = copy_text(arena, args[i].reference);
    }
}

static void copy_steps(struct arena *arena, struct failure *out)
{
    struct shown_step *steps =
        arena_memdup(arena, out->steps.items, out->steps.count * sizeof *steps);
    out->steps.items = steps;
    out->steps.capacity = out->steps.count;
    for (size_t i = 0; i < out->steps.count; i++) {
        struct shown_step *step = &steps[i];
        step->args.items =
            arena_memdup(arena, step->args.items, step->args.count * sizeof *step->args.items);
        step->args.capacity = step->args.count;
        copy_args(arena, step->args.items, step->args.count);
        step->constants.items = arena_memdup(arena, step->constants.items,
                                             step->constants.count * sizeof *step->constants.items);
        step->constants.capacity = step->constants.count;
        copy_args(arena, step->constants.items, step->constants.count);
        step->outputs.items = arena_memdup(arena, step->outputs.items,
                                           step->outputs.count * sizeof *step->outputs.items);
        step->outputs.capacity = step->outputs.count;
        for (size_t j = 0; j < step->outputs.count; j++) {
            step->outputs.items[j] = copy_text(arena, step->outputs.items[j]);
        }
    }
}

static void copy_settings(struct arena *arena, struct failure *out)
{
    const struct shown_setting *from = out->settings.items;
    size_t count = out->settings.count;
    out->settings.items = ARENA_ARRAY(arena, struct shown_setting, count);
    out->settings.capacity = count;
    for (size_t i = 0; i < count; i++) {
        out->settings.items[i] =
            (struct shown_setting){copy_text(arena, from[i].name), copy_text(arena, from[i].value)};
    }
}

static void copy_differences(struct arena *arena, struct failure *out)
{
    out->differences.items = arena_memdup(arena, out->differences.items,
                                          out->differences.count * sizeof *out->differences.items);
    out->differences.capacity = out->differences.count;
    for (size_t i = 0; i < out->differences.count; i++) {
        struct difference *difference = &out->differences.items[i];
        difference->expected = copy_cells(arena, difference->expected, out->column_count);
        difference->actual = copy_cells(arena, difference->actual, out->column_count);
    }
}

struct failure *failure_copy(struct arena *arena, const struct failure *failure)
{
    struct failure *out = arena_memdup(arena, failure, sizeof *failure);
    const char **const texts[] = {&out->check,  &out->returned, &out->identity,
                                  &out->sql,    &out->context,  &out->expected,
                                  &out->actual, &out->hint,     &out->flaky_difference};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        *texts[i] = copy_text(arena, *texts[i]);
    }
    out->fors.items =
        arena_memdup(arena, out->fors.items, out->fors.count * sizeof *out->fors.items);
    out->fors.capacity = out->fors.count;
    copy_args(arena, out->fors.items, out->fors.count);
    out->bundled.items =
        arena_memdup(arena, out->bundled.items, out->bundled.count * sizeof *out->bundled.items);
    out->bundled.capacity = out->bundled.count;
    copy_args(arena, out->bundled.items, out->bundled.count);
    out->columns = copy_columns(arena, out->columns, out->column_count);
    copy_differences(arena, out);
    copy_settings(arena, out);
    out->error = copy_error(arena, &failure->error);
    out->trace = trace_copy(arena, &failure->trace);
    copy_steps(arena, out);
    return out;
}

/* The steps as they are shown: ids that the database made up by their names, wherever they stand.
 */
static void add_steps_by_name(const struct failure *failure, struct strbuf *out)
{
    struct arena scratch = {0};
    struct strbuf text = {0};
    VEC(struct shown_arg) ids = {0};
    for (size_t i = 0; i < failure->bundled.count; i++) {
        if (value_is_id(failure->bundled.items[i].value)) {
            *VEC_PUSH(&scratch, &ids) = failure->bundled.items[i];
        }
    }
    for (size_t i = 0; i < failure->steps.count; i++) {
        trace_print_step(&failure->steps.items[i], &text);
    }
    for (size_t at = 0; at < text.size;) {
        const struct shown_arg *name = id_at(ids.items, ids.count, text.data, at, text.size);
        if (name) {
            strbuf_adds(out, name->reference);
            at += name->value.as.string->size;
        } else {
            strbuf_addc(out, text.data[at++]);
        }
    }
    strbuf_free(&text);
    arena_free(&scratch);
}

bool failure_same_steps(const struct failure *a, const struct failure *b)
{
    struct strbuf first = {0};
    struct strbuf second = {0};
    add_steps_by_name(a, &first);
    add_steps_by_name(b, &second);
    bool same = a->steps.count == b->steps.count && first.size == second.size &&
                memcmp(strbuf_text(&first), strbuf_text(&second), first.size) == 0;
    strbuf_free(&first);
    strbuf_free(&second);
    return same;
}
