#include "example/setup/prefix.h"

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
    /* as one value, so that the rows go on sharing their columns' names */
    struct value rows = value_tuple(arena, answer->rows, answer->row_count);
    copy.rows = value_copy(arena, rows).as.tuple->items;
    struct notification *notifications = arena_memdup(
        arena, answer->notifications, answer->notification_count * sizeof *notifications);
    for (size_t i = 0; i < answer->notification_count; i++) {
        notifications[i].channel = arena_strdup(arena, notifications[i].channel);
        notifications[i].payload = arena_strdup(arena, notifications[i].payload);
    }
    copy.notifications = notifications;
    copy.command = answer->command ? arena_strdup(arena, answer->command) : NULL;
    return copy;
}

static bool can_change(const struct answer *answer)
{
    for (size_t i = 0; i < answer->column_count; i++) {
        enum column_class class = answer->columns[i].class;
        if (class == COLUMN_JSON || class == COLUMN_CONTAINER) {
            return true;
        }
    }
    return false;
}

struct saved_answer saved_answer_of(struct arena *arena, const struct step *step)
{
    return (struct saved_answer){
        .raised = step->raised,
        .waits = step->waits,
        .can_change = step->waits && can_change(&step->answer),
        .answer = step->waits ? answer_copy(arena, &step->answer) : (struct answer){.count = -1},
    };
}
