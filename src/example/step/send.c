#include "example/step/send.h"

#include "example/engine.h"
#include "example/setup/prefix.h"
#include "example/step/result.h"
#include "value/number/numeric.h"

bool affects_look(struct example *example, const struct lang_code *code, struct value *locals,
                  int64_t *out, struct error *err)
{
    struct value value;
    if (!example_look(example, code, locals, &value, err)) {
        return false;
    }
    if (value.type != VALUE_INT || !int_fits(value, out) || *out < 0) {
        return error_at(err, ERROR_MACHINE, code_pos(code),
                        "affects must give a number of rows, not a value of type %s",
                        value_type_name(value));
    }
    return true;
}

static unsigned next_origin(struct engine *engine)
{
    engine->origins = engine->origins % INT32_MAX + 1;
    return engine->origins;
}

/* A copy in the model is then shown by the name in a bundle, and a value that is only equal is not.
 */
void step_give_origins(struct example *example, struct answer *answer)
{
    enum { CELLS_MAX = 1000 };
    struct arena *arena = &example->arena;
    if (answer->column_count == 0 || answer->row_count > CELLS_MAX / answer->column_count) {
        return;
    }
    struct value *rows = ARENA_ARRAY(arena, struct value, answer->row_count);
    for (size_t i = 0; i < answer->row_count; i++) {
        const struct tuple *row = answer->rows[i].as.tuple;
        struct value *items = arena_memdup(arena, row->items, row->count * sizeof *items);
        for (size_t j = 0; j < row->count; j++) {
            items[j] = value_takes_origin(items[j]) && !value_origin(items[j])
                           ? value_with_origin(items[j], next_origin(example->engine))
                           : items[j];
        }
        rows[i] = value_row(arena, items, row->names, row->count);
    }
    answer->rows = rows;
}

static bool compute(struct example *example, struct step *step,
                    const struct machine_statement *statement, struct error *err)
{
    for (size_t i = 0; i < statement->lets.count; i++) {
        const struct named_code *let = &statement->lets.items[i];
        struct value value;
        if (!lang_eval(&example->state, let->code, step->locals, &value, err)) {
            return false;
        }
        step->locals[let->slot] = value;
    }
    return true;
}

static void name_answer(struct example *example, struct step *step, int slot, struct answer *answer)
{
    if (slot != SLOT_NONE) {
        step_give_origins(example, answer);
        step->locals[slot] = result_value(&example->arena, answer);
    }
}

/* Waits for what was sent. False in *goes_on: an error, or nothing that the client could go on
 * with. */
static bool wait_before(struct example *example, struct step *step, bool *goes_on,
                        struct error *err)
{
    struct sending *sending = &step->sending;
    *goes_on = true;
    for (size_t i = 0; i < sending->count && *goes_on; i++) {
        struct sent *sent = &sending->items[i];
        bool new = !sent->taken;
        if (!statement_take(example, sending, i, &example->arena, err)) {
            return false;
        }
        *goes_on = sent->answer.status == ANSWER_OK;
        if (*goes_on && new) {
            name_answer(example, step, sent->statement->result_slot, &sent->answer);
        }
    }
    return true;
}

static bool expect_of(struct example *example, struct step *step, size_t index, struct error *err)
{
    const struct machine_statement *statement = &step->rule->statements.items[index];
    struct expectation *expectation = &step->expectations[index];
    expectation->predicted = true;
    if (statement->expect) {
        if (!example_look(example, statement->expect, step->locals, &expectation->expected, err)) {
            return false;
        }
        /* the model has advanced when a step that does not wait is compared */
        if (!step->waits) {
            expectation->expected = value_copy(&example->flying, expectation->expected);
        }
    }
    return !statement->affects ||
           affects_look(example, statement->affects, step->locals, &expectation->affected, err);
}

bool step_send(struct example *example, struct step *step, bool predicts, struct error *err)
{
    const struct statement_list *statements = &step->rule->statements;
    bool goes_on = true;
    step->stopped = false;
    step->sending = (struct sending){.rule = step->rule, .asker = step->rule->name};
    sending_begin(example, statements->count, &step->sending);
    step->expectations = step->rule->expects
                             ? ARENA_ARRAY(&example->arena, struct expectation, statements->count)
                             : NULL;
    for (size_t i = 0; i < statements->count; i++) {
        const struct machine_statement *statement = &statements->items[i];
        if (statement->waits && !wait_before(example, step, &goes_on, err)) {
            return false;
        }
        if (!goes_on) {
            step->stopped = true;
            return true;
        }
        if (!compute(example, step, statement, err) ||
            (predicts && step->expectations && !expect_of(example, step, i, err)) ||
            !statement_send(example, statement, step->locals, &step->sending, err)) {
            return false;
        }
    }
    return true;
}

void step_name_answers(struct example *example, struct step *step)
{
    size_t count = step->sending.count;
    if (!step->rule->names_answers || !step->waits) {
        return;
    }
    step->answers = ARENA_ARRAY(&example->arena, struct answer, count);
    for (size_t i = 0; i < count; i++) {
        step->answers[i] = step->sending.items[i].answer;
        name_answer(example, step, step->rule->statements.items[i].result_slot, &step->answers[i]);
    }
}

void step_name_nothing(struct step *step)
{
    for (size_t i = 0; i < step->rule->statements.count; i++) {
        const struct machine_statement *statement = &step->rule->statements.items[i];
        if (statement->result_slot != SLOT_NONE) {
            step->locals[statement->result_slot] = value_none();
        }
        for (size_t k = 0; k < statement->lets.count; k++) {
            step->locals[statement->lets.items[k].slot] = value_none();
        }
    }
}

bool step_name_saved(struct example *example, struct step *step, struct error *err)
{
    for (size_t i = 0; i < step->rule->statements.count; i++) {
        const struct machine_statement *statement = &step->rule->statements.items[i];
        if (!compute(example, step, statement, err)) {
            return false;
        }
        if (step->answers) {
            name_answer(example, step, statement->result_slot, &step->answers[i]);
        }
    }
    return true;
}
