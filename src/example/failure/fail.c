#include "example/failure/fail.h"

#include "example/compare/compare.h"
#include "example/divergence.h"
#include "example/engine.h"
#include "example/observer.h"
#include "example/step/invariant.h"
#include "example/step/result.h"
#include "trace/ids.h"

#include <string.h>

/* Identity. */

static const char *copy_text(struct arena *arena, const char *text)
{
    return text ? arena_strdup(arena, text) : NULL;
}

/* "unique_violation 23514" */
static const char *predicted_text(struct arena *arena, const struct prediction *prediction)
{
    const char *text = NULL;
    for (size_t i = 0; i < prediction->errors.count; i++) {
        const char *condition = prediction->errors.items[i].condition;
        condition = condition ? condition : "error";
        text = text ? arena_printf(arena, "%s %s", text, condition) : condition;
    }
    return text;
}

static const char *who_text(struct arena *arena, const struct failing *failing)
{
    if (failing->check) {
        return arena_printf(arena, "invariant %s", failing->check->invariant->name);
    }
    if (failing->divergence && !failing->step) {
        return failing->divergence->context
                   ? arena_printf(arena, "%s %s", failing->divergence->place,
                                  failing->divergence->context)
                   : copy_text(arena, failing->divergence->place);
    }
    if (failing->step) {
        const struct rule *rule = failing->step->rule;
        return arena_printf(arena, "%s%s", rule->initialize ? "" : "rule ", rule->name);
    }
    return "end";
}

static struct failure_id id_of(struct arena *arena, const struct failing *failing)
{
    struct failure_id id = {
        .kind = failing->kind,
        .affects = failing->kind == FAILURE_EXPECT && !failing->comparison,
        .who = who_text(arena, failing),
    };
    if (failing->divergence) {
        id.differs = divergence_kind_name(failing->divergence->kind);
    }
    if (failing->kind == FAILURE_DIFFERENT_ERROR) {
        id.kind = FAILURE_UNEXPECTED_ERROR;
    }
    if (failing->kind == FAILURE_MISSING_ERROR) {
        id.sqlstate = predicted_text(arena, &failing->step->raises);
    } else if (failing->error && failing->kind != FAILURE_TIMEOUT &&
               (!failing->divergence || failing->divergence->kind == DIVERGES_MIGRATE)) {
        id.sqlstate = copy_text(arena, failing->error->sqlstate);
        id.constraint = copy_text(arena, failing->error->constraint);
        id.table = copy_text(arena, failing->error->table);
    }
    return id;
}

/* What is shown. */

/* True if the step put the value into a bundle and a later step took it. */
static bool is_handed_on(const struct failure *failure, size_t index, struct value value)
{
    const struct shown_step *steps = failure->steps.items;
    for (size_t i = 0; i < failure->bundled.count; i++) {
        const struct shown_arg *bundled = &failure->bundled.items[i];
        bool given = shown_step_gives(&steps[index], bundled->reference) &&
                     value_equal(bundled->value, value);
        for (size_t j = index + 1; given && j < failure->steps.count; j++) {
            if (shown_step_takes(&steps[j], bundled->reference)) {
                return true;
            }
        }
    }
    return false;
}

/* Arguments with only one possible value are not shown, unless later steps take the value by its
 * name. */
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

static void add_bundled(struct arena *arena, const struct target *target, size_t steps,
                        struct failure *out)
{
    for (size_t i = 0; i < target->arrivals.count; i++) {
        const struct arrival *arrival = &target->arrivals.items[i];
        if (arrival->steps <= steps) {
            *VEC_PUSH(arena, &out->bundled) = (struct shown_arg){
                .name = target->name, .value = arrival->value, .reference = arrival->name};
        }
    }
}

/* The name by which a step drew the value last; or NULL. */
static const char *drawn_as(const struct failure *failure, struct value value)
{
    for (size_t i = failure->steps.count; i-- > 0;) {
        const struct shown_step *step = &failure->steps.items[i];
        for (size_t j = 0; j < step->args.count; j++) {
            if (step->args.items[j].reference && value_equal(step->args.items[j].value, value)) {
                return step->args.items[j].reference;
            }
        }
    }
    return NULL;
}

/* A text that a step drew itself is kept, because it says more than a name. */
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
        const char *drawn = value_is_id(value) ? drawn_as(failure, value) : NULL;
        cells[i].name = cells[i].name && drawn ? drawn : cells[i].name;
    }
    return cells;
}

/* Adds the differences of a failure after the first `steps` steps. */
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
                                          shown_cells_copy(arena, difference->expected, columns));
        difference->actual = name_cells(example, comparison, out, steps,
                                        shown_cells_copy(arena, difference->actual, columns));
    }
    out->columns = names;
    out->column_count = columns;
    out->difference_count = comparison->difference_count;
    out->expected = out->expected ? out->expected : copy_text(arena, comparison->expected);
    out->actual = out->actual ? out->actual : copy_text(arena, comparison->actual);
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
            .reference = bundles_name_of(&example->bundles, check->targets[i], value, check->trace),
        };
    }
}

/* True if initialize drew the same values as without a random source. */
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

/* Adds the first `count` steps. Only the first `finished` had put their results into bundles,
 * because the client may have run ahead. */
static void add_steps(struct example *example, size_t count, size_t finished, struct failure *out)
{
    struct arena *arena = &example->arena;
    struct trace part = {.steps = {example->trace.steps.items, count, count},
                         .schedule = example->trace.schedule};
    out->trace = trace_copy(arena, &part);
    for (size_t i = 0; i < count; i++) {
        if (!example->steps.items[i]->rule->initialize) {
            struct shown_step *shown = VEC_PUSH(arena, &out->steps);
            *shown = shown_step(arena, example->steps.items[i]);
            shown->outputs.count = i < finished ? shown->outputs.count : 0;
        }
    }
    out->pinnable = out->steps.count > 0 && !trace_deaths(&out->trace) &&
                    initialized_simply(&out->trace) && !example->engine->options.differs;
    for (size_t i = 0; i < example->bundles.targets.count; i++) {
        add_bundled(arena, example->bundles.targets.items[i], finished, out);
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

/* Adds the context's values: a role that the machine does not name, and every setting. */
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

static bool context_reads(const struct context *context, size_t global)
{
    const struct lang_code *codes[] = {context->role_code, context->session_user_code,
                                       context->claims};
    bool reads = false;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        reads = reads || (codes[i] && lang_reads_global(codes[i], global));
    }
    for (size_t i = 0; i < context->settings.count; i++) {
        reads = reads || lang_reads_global(context->settings.items[i].code, global);
    }
    return reads;
}

/* An id in a variable of the model, such as the user that initialize created, is shown by the
 * variable's name. */
static void add_variables(struct example *example, const struct context *context,
                          struct failure *out)
{
    const struct lang_module *module = example->engine->machine->module;
    for (size_t i = 0; i < lang_module_global_count(module); i++) {
        struct value value;
        const char *name = lang_module_global_name(module, i);
        if (lang_get_global(&example->state, i, &value) && value_is_id(value) &&
            !bundles_name_of(&example->bundles, NULL, value, SIZE_MAX) &&
            context_reads(context, i)) {
            *VEC_PUSH(&example->arena, &out->bundled) =
                (struct shown_arg){.name = name, .value = value, .reference = name};
        }
    }
}

/* As whom the state differs. */
static void add_reader(struct arena *arena, const struct divergence *divergence,
                       struct failure *out)
{
    out->context = copy_text(arena, divergence->context);
    for (size_t i = 0; i < divergence->settings.count; i++) {
        add_setting(arena, divergence->settings.items[i].name, divergence->settings.items[i].value,
                    out);
    }
}

/* NULL if it sent no statement. */
static const struct sending *sending_of(const struct failing *failing)
{
    return failing->step    ? &failing->step->sending
           : failing->check ? &failing->check->sending
                            : NULL;
}

static void add_number(const struct failing *failing, const struct machine_statement *statement,
                       struct failure *out)
{
    const struct statement_list *all = failing->check  ? &failing->check->invariant->statements
                                       : failing->step ? &failing->step->rule->statements
                                                       : NULL;
    size_t number = 0;
    size_t count = 0;
    for (size_t i = 0; all && i < all->count; i++) {
        count += !all->items[i].sql->added;
        number = &all->items[i] == statement ? count : number;
    }
    if (number && count > 1) {
        out->statement = number;
        out->statements = count;
    }
}

static void add_statement(struct example *example, const struct failing *failing,
                          struct failure *out)
{
    struct arena *arena = &example->arena;
    const struct machine_statement *statement = failing->statement;
    const struct sending *sending = sending_of(failing);
    if (!statement) {
        return;
    }
    /* One that we have added shows what became of the one before it. */
    statement -= statement->sql->added != NULL;
    const struct snippet *sql = &statement->sql->snippet;
    out->sql = arena_strndup(arena, sql->text, sql->size);
    add_number(failing, statement, out);
    if (statement->context && statement->context->name) {
        out->context = arena_printf(arena, "as %s", statement->context->name);
    }
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
    out->id = id_of(arena, failing);
    out->identity = failure_id_text(arena, &out->id);
    out->invariant = check ? check->invariant : NULL;
    out->step = step ? step->number : check ? check->number : example->number;
    out->at_end = !step && !check;
    size_t count = step ? step->index + 1 : check ? check->trace : example->steps.count;
    size_t finished = step ? step->index : count;
    out->rule = count ? example->steps.items[count - 1]->rule : NULL;
    out->pos = failing->pos;
    out->check = copy_text(arena, failing->source);
    out->sides = failing->sides ? *failing->sides : (struct shown_sides){0};
    out->returned = copy_text(arena, failing->returned);
    out->expected = copy_text(arena, failing->expected);
    out->actual = copy_text(arena, failing->actual);
    out->hint = copy_text(arena, failing->hint);
    out->example = example->plan.number;
    out->pinned = example->plan.pinned;
    out->on_trust = example->on_trust;
    out->example_steps = out->step;
    add_steps(example, count, finished, out);
    add_statement(example, failing, out);
    if (failing->comparison) {
        add_differences(example, failing->comparison, finished, out);
    }
    if (failing->error) {
        out->error = server_error_copy(arena, failing->error);
        if (failing->statement && failing->statement->sql->added) {
            out->error.context = NULL;
        }
    }
    if (failing->divergence) {
        out->divergence = divergence_copy(arena, failing->divergence);
        if (out->at_end) {
            add_reader(arena, failing->divergence, out);
        }
    }
    if (check) {
        add_fors(example, check, out);
    }
    if (example->plan.scope == SCOPE_EACH && failing->kind == FAILURE_INVARIANT) {
        OBSERVE(example->plan.observer, parted, example, out);
    } else {
        example->failure = out;
    }
}

void fail_check(struct example *example, const struct step *step,
                const struct invariant_check *check, const struct lang_code *code,
                struct value value)
{
    const struct snippet *snippet = lang_snippet(code);
    const char *text = arena_strndup(&example->arena, snippet->text, snippet->size);
    struct value *locals = step ? step->locals : check->locals;
    int result = step ? step->rule->result_slot : check->invariant->result_slot;
    bool reads = result != SLOT_NONE && lang_reads_local(code, (size_t)result);
    size_t count = step ? step->rule->locals.names.count : check->invariant->locals.names.count;
    struct comparison differences = {.equal = true};
    struct shown_sides sides;
    bool compares =
        check_sides(example, &(struct checked){code, locals, count, result}, &sides, &differences);
    OBSERVE(example->plan.observer, untrue, example, code, locals, count, result);
    example_fail(example,
                 &(struct failing){
                     .kind = step ? FAILURE_CHECK : FAILURE_INVARIANT,
                     .step = step,
                     .check = check,
                     .statement = sending_last(step ? &step->sending : &check->sending),
                     .pos = code_pos(code),
                     .source = text,
                     .sides = compares ? &sides : NULL,
                     .comparison = differences.equal ? NULL : &differences,
                     .returned = reads ? result_text(&example->arena, locals[result]) : NULL,
                     .expected = text,
                     .actual = value_repr_text(&example->arena, value),
                 });
}

/* A hint for procedures that commit, VACUUM and the like. */
static const char *outside_hint(const struct step *step, const struct server_error *error)
{
    bool refused = strcmp(error->sqlstate, "2D000") == 0 || strcmp(error->sqlstate, "25001") == 0;
    return refused && step && !step->rule->outside
               ? "with `transactions: commit`, a rule can have `transaction: none`: its statements "
                 "then run outside of a transaction"
               : NULL;
}

static const char *outlived_hint(const struct server_error *error)
{
    return error->outlived ? "the session had prepared this statement before the schema changed; "
                             "name the columns that it returns, and cast those whose type changes"
                           : NULL;
}

/* Unlike after a lost connection, the next statement may work. */
static bool server_lacks(struct example *example, const struct failing *failing, struct error *err)
{
    const struct server_error *error = failing->error;
    error_at(err, ERROR_SYSTEM, failing->pos, "%s: the server lacks what this needs: %s: %s",
             who_text(&example->arena, failing), error_text(&example->arena, error),
             error->message);
    memcpy(err->sqlstate, error->sqlstate, sizeof err->sqlstate);
    if (error->detail) {
        error_detail(err, "%s", error->detail);
    }
    return error_hint(err, "this says nothing about the schema; where the machine is to provoke "
                           "it, predict it with `raises`");
}

bool fail_error(struct example *example, const struct step *step,
                const struct invariant_check *check, const struct received *received,
                struct error *err)
{
    const struct machine_statement *statement = received->statement;
    struct failing failing = {
        .kind = received->error.cancelled               ? FAILURE_TIMEOUT
                : step && step->raises.errors.count > 0 ? FAILURE_DIFFERENT_ERROR
                                                        : FAILURE_UNEXPECTED_ERROR,
        .step = step,
        .check = check,
        .statement = statement,
        .expected = step ? prediction_text(&example->arena, &step->raises) : "no error",
        .actual = error_text(&example->arena, &received->error),
        .error = &received->error,
        .hint = step ? prediction_renamed(&example->arena, &step->raises, &received->error) : NULL,
    };
    failing.hint = failing.hint ? failing.hint : outside_hint(step, &received->error);
    failing.hint = failing.hint ? failing.hint : outlived_hint(&received->error);
    if (statement) {
        failing.pos = statement_error_pos(statement, &received->error);
    } else if (step) {
        failing.pos = step->rule->pos;
    }
    if (received->error.lacking) {
        return server_lacks(example, &failing, err);
    }
    example_fail(example, &failing);
    return true;
}

void fail_divergence(struct example *example, const struct step *step,
                     const struct invariant_check *check, const struct machine_statement *statement,
                     const struct divergence *divergence)
{
    struct comparison rows = {.expected = divergence->before,
                              .actual = divergence->after,
                              .column_count = divergence->column_count,
                              .difference_count = divergence->difference_count};
    struct answer_column *columns =
        ARENA_ARRAY(&example->arena, struct answer_column, divergence->column_count);
    for (size_t i = 0; i < divergence->column_count; i++) {
        columns[i] = (struct answer_column){.name = divergence->columns[i], .class = COLUMN_OTHER};
    }
    rows.columns = columns;
    for (size_t i = 0; i < divergence->differences.count; i++) {
        *VEC_PUSH(&example->arena, &rows.differences) = divergence->differences.items[i];
    }
    bool several = step && statement && step->rule->statements.count > 1;
    example_fail(example, &(struct failing){
                              .kind = FAILURE_DIFFERS,
                              .step = step,
                              .check = check,
                              .statement = statement,
                              .pos = several ? snippet_pos(&statement->sql->snippet, 0)
                                     : step  ? step->rule->pos
                                     : check ? check->invariant->pos
                                             : (struct source_pos){0},
                              .comparison = &rows,
                              .error = divergence->error_after ? divergence->error_after
                                                               : divergence->error_before,
                              .divergence = divergence,
                          });
}

void fail_connection(struct example *example)
{
    const struct pending *pending = flight_first(&example->flight);
    struct backend *backend = example->engine->backend;
    struct failing failing = {.kind = FAILURE_CONNECTION};
    const char *lost = backend->ops->lost ? backend->ops->lost(backend) : NULL;
    if (lost) {
        failing.actual = arena_printf(&example->arena, "the %s server closed the connection", lost);
    }
    if (pending) {
        failing.step = pending->step;
        failing.check = pending->check;
    } else if (example->steps.count) {
        failing.step = example->steps.items[example->steps.count - 1];
    }
    const struct sending *sending = sending_of(&failing);
    if (sending && sending->count) {
        failing.statement = sending->items[0].statement;
        failing.pos = snippet_pos(&failing.statement->sql->snippet, 0);
    }
    example_fail(example, &failing);
}
