#include "example/setup/prefix.h"

#include "example/engine.h"
#include "example/step/step.h"

struct answer answer_copy(struct arena *arena, const struct answer *answer)
{
    struct answer copy = *answer;
    struct answer_column *columns =
        arena_memdup(arena, answer->columns, answer->column_count * sizeof *columns);
    for (size_t i = 0; i < answer->column_count; i++) {
        columns[i].name = arena_strdup(arena, columns[i].name);
        columns[i].type_name = arena_strdup(arena, columns[i].type_name);
    }
    copy.columns = columns;
    /* as one value, so that the rows keep sharing the names of their columns */
    struct value rows = value_tuple(arena, answer->rows, answer->row_count);
    copy.rows = value_copy(arena, rows).as.tuple->items;
    struct notification *notifications = arena_memdup(
        arena, answer->notifications, answer->notification_count * sizeof *notifications);
    for (size_t i = 0; i < answer->notification_count; i++) {
        notifications[i].channel = arena_strdup(arena, notifications[i].channel);
        notifications[i].payload = arena_strdup(arena, notifications[i].payload);
    }
    copy.notifications = notifications;
    copy.copies = NULL;
    copy.command = answer->command ? arena_strdup(arena, answer->command) : NULL;
    return copy;
}

const struct value *answer_rows(const struct answer *answer)
{
    struct row_copies *copies = answer->copies;
    if (!copies) {
        return answer->rows;
    }
    if (!copies->rows) {
        /* as one value, as above */
        struct value rows = value_tuple(copies->arena, answer->rows, answer->row_count);
        copies->rows = value_copy(copies->arena, rows).as.tuple->items;
    }
    return copies->rows;
}

bool column_can_change(const struct answer_column *column)
{
    return column->class == COLUMN_JSON || column->class == COLUMN_CONTAINER;
}

static bool can_change(const struct answer *answer)
{
    for (size_t i = 0; i < answer->column_count; i++) {
        if (column_can_change(&answer->columns[i])) {
            return true;
        }
    }
    return false;
}

struct saved_answer saved_answer_for_all(struct engine *engine, const struct step *step)
{
    struct keeping *keeping = ARENA_NEW(&engine->saving, struct keeping);
    keeping->arena = &engine->saving;
    keeping->rows = (struct items){step->answer.rows, step->answer.row_count};
    return (struct saved_answer){
        .raised = step->raised,
        .waits = step->waits,
        .can_change = can_change(&step->answer),
        .answer = step->answer,
        .keeping = keeping,
    };
}

void saved_answer_give(struct example *example, const struct saved_answer *saved, struct step *step)
{
    step->raised = saved->raised;
    step->waits = saved->waits;
    step->answer = saved->answer;
    if (saved->named) {
        size_t count = step->rule->statements.count;
        step->answers = ARENA_ARRAY(&example->arena, struct answer, count);
        for (size_t i = 0; i < count; i++) {
            step->answers[i] = saved->named[i];
            if (can_change(&saved->named[i])) {
                step->answers[i].copies = ARENA_NEW(&example->arena, struct row_copies);
                step->answers[i].copies->arena = &example->arena;
            }
        }
    }
    if (saved->can_change) {
        step->answer.copies = ARENA_NEW(&example->arena, struct row_copies);
        step->answer.copies->arena = &example->arena;
    }
    example_keep(example, saved->keeping);
}

static struct answer *copy_named(struct arena *arena, const struct step *step)
{
    size_t count = step->rule->statements.count;
    struct answer *copies = step->answers ? ARENA_ARRAY(arena, struct answer, count) : NULL;
    for (size_t i = 0; copies && i < count; i++) {
        copies[i] = answer_copy(arena, &step->answers[i]);
    }
    return copies;
}

struct saved_answer saved_answer_of(struct arena *arena, const struct step *step)
{
    return (struct saved_answer){
        .raised = step->raised,
        .waits = step->waits,
        .can_change = step->waits && can_change(&step->answer),
        .answer = step->waits ? answer_copy(arena, &step->answer) : (struct answer){.count = -1},
        .named = copy_named(arena, step),
    };
}
