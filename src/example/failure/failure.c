#include "example/failure/failure.h"

#include "base/names.h"
#include "example/divergence.h"
#include "example/step/advance.h"
#include "trace/ids.h"

#include <string.h>

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

bool failure_id_equal(const struct failure_id *a, const struct failure_id *b)
{
    return a->kind == b->kind && a->affects == b->affects && same_text(a->who, b->who) &&
           same_text(a->sqlstate, b->sqlstate) && same_text(a->constraint, b->constraint) &&
           same_text(a->table, b->table) && same_text(a->differs, b->differs);
}

const char *failure_id_text(struct arena *arena, const struct failure_id *id)
{
    static const char *const kinds[] = {
        [FAILURE_EXPECT] = "expect",        [FAILURE_CHECK] = "check",
        [FAILURE_TIMEOUT] = "timeout",      [FAILURE_CONNECTION] = "connection lost",
        [FAILURE_RACE] = "no serial order", [FAILURE_DIFFERS] = "",
    };
    if (id->kind == FAILURE_INVARIANT) {
        return id->who;
    }
    const char *kind = id->affects                                    ? "affects"
                       : id->kind != FAILURE_RACE || !id->sqlstate    ? kinds[id->kind]
                       : strcmp(id->sqlstate, DEADLOCK_DETECTED) == 0 ? "deadlock"
                                                                      : "kept lock";
    const char *const words[] = {
        kind,           id->differs, id->sqlstate,
        id->constraint, id->table,   id->kind == FAILURE_MISSING_ERROR ? "did not come" : NULL};
    const char *text = arena_printf(arena, "%s:", id->who);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        text = words[i] && *words[i] ? arena_printf(arena, "%s %s", text, words[i]) : text;
    }
    return text;
}

static const char *copy_text(struct arena *arena, const char *text)
{
    return text ? arena_strdup(arena, text) : NULL;
}

struct shown_step shown_step(struct arena *arena, const struct step *step)
{
    struct shown_step shown = {
        .rule = step->rule, .death = step->death, .gate = step->gate, .again = step->again != NULL};
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
    shown.now = step->advanced ? now_text(arena, step->now_us) : NULL;
    return shown;
}

bool shown_step_takes(const struct shown_step *step, const char *name)
{
    bool takes = false;
    for (size_t i = 0; i < step->args.count && !takes; i++) {
        const char *reference = step->args.items[i].reference;
        takes = reference && strcmp(reference, name) == 0;
    }
    return takes;
}

bool shown_step_gives(const struct shown_step *step, const char *name)
{
    return name_is_in(name, NAMES_OF(step->outputs));
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

static void copy_args(struct arena *arena, struct shown_arg *args, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        args[i].value = value_copy(arena, args[i].value);
        args[i].reference = copy_text(arena, args[i].reference);
    }
}

static void copy_step(struct arena *arena, struct shown_step *step)
{
    VEC_OWN(arena, &step->args);
    VEC_OWN(arena, &step->constants);
    VEC_OWN(arena, &step->outputs);
    step->now = copy_text(arena, step->now);
    step->remark = copy_text(arena, step->remark);
    copy_args(arena, step->args.items, step->args.count);
    copy_args(arena, step->constants.items, step->constants.count);
    for (size_t i = 0; i < step->outputs.count; i++) {
        step->outputs.items[i] = copy_text(arena, step->outputs.items[i]);
    }
}

static void copy_rows(struct arena *arena, struct failure *out)
{
    const char **columns = ARENA_ARRAY(arena, const char *, out->column_count);
    for (size_t i = 0; i < out->column_count; i++) {
        columns[i] = arena_strdup(arena, out->columns[i]);
    }
    out->columns = columns;
    VEC_OWN(arena, &out->differences);
    for (size_t i = 0; i < out->differences.count; i++) {
        struct difference *difference = &out->differences.items[i];
        difference->expected = shown_cells_copy(arena, difference->expected, out->column_count);
        difference->actual = shown_cells_copy(arena, difference->actual, out->column_count);
    }
}

struct failure *failure_copy(struct arena *arena, const struct failure *failure)
{
    struct failure *out = arena_memdup(arena, failure, sizeof *failure);
    const char **const texts[] = {&out->id.who,      &out->id.sqlstate,      &out->id.constraint,
                                  &out->id.table,    &out->id.differs,       &out->check,
                                  &out->returned,    &out->sides.source,     &out->sides.left,
                                  &out->sides.right, &out->identity,         &out->sql,
                                  &out->context,     &out->expected,         &out->actual,
                                  &out->hint,        &out->flaky_difference, &out->follows};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        *texts[i] = copy_text(arena, *texts[i]);
    }
    VEC_OWN(arena, &out->fors);
    VEC_OWN(arena, &out->bundled);
    VEC_OWN(arena, &out->settings);
    VEC_OWN(arena, &out->steps);
    copy_args(arena, out->fors.items, out->fors.count);
    copy_args(arena, out->bundled.items, out->bundled.count);
    for (size_t i = 0; i < out->settings.count; i++) {
        struct shown_setting *setting = &out->settings.items[i];
        *setting = (struct shown_setting){copy_text(arena, setting->name),
                                          copy_text(arena, setting->value)};
    }
    for (size_t i = 0; i < out->steps.count; i++) {
        copy_step(arena, &out->steps.items[i]);
    }
    copy_rows(arena, out);
    out->error = server_error_copy(arena, &failure->error);
    out->trace = trace_copy(arena, &failure->trace);
    out->race = failure->race ? race_copy(arena, failure->race) : NULL;
    out->divergence = failure->divergence ? divergence_copy(arena, failure->divergence) : NULL;
    return out;
}

const char *race_step_name(struct arena *arena, const struct race *race, size_t index)
{
    const struct race_step *step = &race->steps.items[index];
    size_t number = 1;
    for (size_t i = 0; i < index; i++) {
        number += race->steps.items[i].session == step->session;
    }
    return arena_printf(arena, "%c%zu", 'A' + (int)step->session - 1, number);
}

const char *race_kept_text(struct arena *arena, unsigned by)
{
    const char *names = "";
    unsigned count = 0;
    for (unsigned session = 1; session <= TRACE_SESSIONS_MAX; session++) {
        if (by & 1U << session) {
            names = arena_printf(arena, "%s%s%c", names, count++ ? " and " : "",
                                 'A' + (int)session - 1);
        }
    }
    return count == 1 ? arena_printf(arena, "a lock that %s keeps after its last step", names)
                      : arena_printf(arena, "a lock that %s keep after their last steps", names);
}

struct race *race_copy(struct arena *arena, const struct race *race)
{
    struct race *out = arena_memdup(arena, race, sizeof *race);
    VEC_OWN(arena, &out->steps);
    VEC_OWN(arena, &out->events);
    VEC_OWN(arena, &out->orders);
    for (size_t i = 0; i < out->steps.count; i++) {
        copy_step(arena, &out->steps.items[i].shown);
        out->steps.items[i].answer = copy_text(arena, out->steps.items[i].answer);
    }
    for (size_t i = 0; i < out->events.count; i++) {
        out->events.items[i].text = copy_text(arena, out->events.items[i].text);
    }
    for (size_t i = 0; i < out->orders.count; i++) {
        struct race_order *order = &out->orders.items[i];
        order->steps = arena_memdup(arena, order->steps, order->count * sizeof *order->steps);
        order->sqlstate = copy_text(arena, order->sqlstate);
        order->who = copy_text(arena, order->who);
        order->check = copy_text(arena, order->check);
        order->op = copy_text(arena, order->op);
        order->expected = copy_text(arena, order->expected);
        order->actual = copy_text(arena, order->actual);
    }
    VEC_OWN(arena, &out->between);
    VEC_OWN(arena, &out->bodies);
    for (size_t i = 0; i < out->bodies.count; i++) {
        out->bodies.items[i] = arena_strdup(arena, out->bodies.items[i]);
    }
    out->anomaly.table = copy_text(arena, out->anomaly.table);
    out->anomaly.wrote[0] = copy_text(arena, out->anomaly.wrote[0]);
    out->anomaly.wrote[1] = copy_text(arena, out->anomaly.wrote[1]);
    return out;
}

static const char *steps_text(struct arena *arena, const struct failure *failure)
{
    struct strbuf text = {0};
    for (size_t i = 0; i < failure->steps.count; i++) {
        trace_print_step(&failure->steps.items[i], &text);
    }
    return strbuf_take(&text, arena);
}

/* The shown steps, with names for all ids that the database generated. */
static const char *steps_by_name(struct arena *arena, const struct failure *failure)
{
    const char *text = steps_text(arena, failure);
    size_t size = strlen(text);
    struct strbuf out = {0};
    VEC(struct shown_arg) ids = {0};
    for (size_t i = 0; i < failure->bundled.count; i++) {
        if (value_is_id(failure->bundled.items[i].value)) {
            *VEC_PUSH(arena, &ids) = failure->bundled.items[i];
        }
    }
    for (size_t at = 0; at < size;) {
        const struct shown_arg *name = id_at(ids.items, ids.count, text, at, size);
        if (name) {
            strbuf_adds(&out, name->reference);
            at += name->value.as.string->size;
        } else {
            strbuf_addc(&out, text[at++]);
        }
    }
    return strbuf_take(&out, arena);
}

bool failure_same_steps(const struct failure *a, const struct failure *b)
{
    struct arena arena = {0};
    bool same = a->steps.count == b->steps.count &&
                strcmp(steps_by_name(&arena, a), steps_by_name(&arena, b)) == 0;
    arena_free(&arena);
    return same;
}

bool failure_same_calls(const struct failure *a, const struct failure *b)
{
    struct arena arena = {0};
    bool same = strcmp(steps_text(&arena, a), steps_text(&arena, b)) == 0;
    arena_free(&arena);
    return same;
}
