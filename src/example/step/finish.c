#include "example/step/step.h"

#include "example/engine.h"
#include "example/failure/fail.h"
#include "example/step/result.h"
#include "example/step/send.h"

static bool eval_checks(struct example *example, struct step *step, struct error *err)
{
    const struct rule *rule = step->rule;
    bool passes = example->plan.lenient || example->engine->options.differs;
    for (size_t i = 0; i < rule->checks.count && !passes; i++) {
        const struct lang_code *code = rule->checks.items[i];
        struct value value;
        if (!example_look(example, code, step->locals, &value, err)) {
            return false;
        }
        if (!value_truth(value)) {
            /* an earlier item in flight may have failed first */
            return flight_settle(example, err) &&
                   (example->failure || (fail_check(example, step, NULL, code, value), true));
        }
    }
    return true;
}

/* The values that the step returned, in order. */
struct returned {
    VEC(struct value) values;
};

static bool eval_returns(struct example *example, struct step *step, struct returned *out,
                         struct error *err)
{
    struct value value;
    struct value_iter iter;
    struct value item;
    if (!lang_eval(&example->state, step->rule->returns, step->locals, &value, err)) {
        return false;
    }
    if (value.type != VALUE_MULTIPLE) {
        *VEC_PUSH(&example->arena, &out->values) = value;
        return true;
    }
    if (!value_iter_begin(&iter, value, &example->arena, err)) {
        return false;
    }
    while (value_iter_next(&iter, &item)) {
        *VEC_PUSH(&example->arena, &out->values) = item;
    }
    value_iter_end(&iter);
    return true;
}

/* Without `returns`: the first column of every row. Without a target, outputs only tell the origin
 * of values, which is not worth reading many rows. */
static void first_column(struct example *example, const struct step *step,
                         const struct answer *answer, struct returned *out)
{
    enum { UNUSED_MAX = 1000 };
    if (answer->column_count == 0 ||
        (step->rule->targets.count == 0 && answer->row_count > UNUSED_MAX)) {
        return;
    }
    const struct value *rows =
        column_can_change(&answer->columns[0]) ? answer_rows(answer) : answer->rows;
    for (size_t i = 0; i < answer->row_count; i++) {
        *VEC_PUSH(&example->arena, &out->values) = rows[i].as.tuple->items[0];
    }
}

static bool returns_used(const struct example *example, const struct rule *rule)
{
    const struct analysis *analysis = &example->engine->analysis;
    return (rule->initialize ? analysis->initialize : analysis->rules)[rule->index].returns_used;
}

static bool put_in_dict(struct example *example, struct step *step,
                        const struct rule_target *target, struct value dict, struct value key,
                        struct error *err)
{
    struct value value = value_none();
    if (target->value && !lang_eval(&example->state, target->value, step->locals, &value, err)) {
        return false;
    }
    return table_set(dict.as.table, key, value, err);
}

static bool put_in_collection(struct example *example, struct step *step,
                              const struct rule_target *target, struct value value,
                              struct error *err)
{
    struct value collection;
    if (!lang_get_global(&example->state, target->global, &collection)) {
        return error_set(err, ERROR_MACHINE, "the target %s has no value here", target->name);
    }
    bool known = collection.type == VALUE_LIST || collection.type == VALUE_DICT ||
                 collection.type == VALUE_SET;
    if (!known) {
        return error_set(err, ERROR_MACHINE,
                         "the target %s must be a list, a set or a dict, not a value of type %s",
                         target->name, value_type_name(collection));
    }
    if (!value_check_mutable(collection, err)) {
        return false;
    }
    if (collection.type == VALUE_LIST) {
        list_append(collection.as.list, value);
        return true;
    }
    return collection.type == VALUE_SET
               ? table_set(collection.as.table, value, value_none(), err)
               : put_in_dict(example, step, target, collection, value, err);
}

static bool put_value(struct example *example, struct step *step, const struct rule_target *target,
                      struct value value, struct error *err)
{
    const char *name;
    if (target->kind == TARGET_BUNDLE) {
        name = bundle_add(&example->bundles, (size_t)target->bundle, step->index + 1, value);
    } else if (located(put_in_collection(example, step, target, value, err), step->rule->pos,
                       err)) {
        name = bundles_name_in(&example->bundles, target->name, target->global, step->index + 1,
                               value);
    } else {
        return false;
    }
    *VEC_PUSH(&example->arena, &step->outputs) = name;
    return true;
}

/* The column of the answer that the value was read from; NULL if unknown. */
static const struct answer_column *column_of(const struct answer *answer, size_t index,
                                             struct value value)
{
    size_t row = answer && index < answer->row_count ? index : 0;
    for (size_t i = 0; answer && answer->row_count && i < answer->column_count; i++) {
        if (value_equal(answer->rows[row].as.tuple->items[i], value)) {
            return &answer->columns[i];
        }
    }
    return NULL;
}

static bool hand_on(struct example *example, struct step *step, const struct answer *answer,
                    struct error *err)
{
    struct returned returned = {0};
    if (step->rule->returns) {
        if (!eval_returns(example, step, &returned, err)) {
            return false;
        }
    } else if (answer) {
        first_column(example, step, answer, &returned);
    }
    /* reads the answer only if the rule does, so that the result does not depend on waiting */
    const struct answer *read = step->rule->needs_answer ? answer : NULL;
    for (size_t i = 0; i < returned.values.count; i++) {
        struct value value = returned.values.items[i];
        bundles_add_output(&example->bundles, step->id, (uint32_t)i, value,
                           column_of(read, i, value));
        for (size_t j = 0; j < step->rule->targets.count; j++) {
            if (!put_value(example, step, &step->rule->targets.items[j], value, err)) {
                return false;
            }
        }
    }
    return true;
}

bool step_after_error(struct example *example, struct step *step, struct error *err)
{
    const struct rule *rule = step->rule;
    step_put_back(step);
    if (rule->result_slot != SLOT_NONE) {
        step->locals[rule->result_slot] = value_none();
    }
    step_name_nothing(step);
    return !rule->outside || !rule->model ||
           lang_exec(&example->state, rule->model, step->locals, err);
}

bool step_finish(struct example *example, struct step *step, struct error *err)
{
    const struct rule *rule = step->rule;
    const struct answer *answer = step->waits ? &step->answer : NULL;
    if (answer) {
        step_give_origins(example, &step->answer);
    }
    if (answer && rule->result_slot != SLOT_NONE) {
        step->locals[rule->result_slot] = result_value(&example->arena, answer);
    }
    if (!eval_checks(example, step, err)) {
        return false;
    }
    if (example->failure) {
        return true;
    }
    choosing_succeeded(example, rule);
    if (rule->model && !lang_exec(&example->state, rule->model, step->locals, err)) {
        return false;
    }
    return !returns_used(example, rule) || hand_on(example, step, answer, err);
}
