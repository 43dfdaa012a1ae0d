#include "diff/verdict.h"

/* The notifications as rows of two columns. */
static struct answer as_rows(struct arena *arena, const struct answer *answer)
{
    static const struct answer_column columns[] = {
        {.name = "channel", .type_name = "text", .class = COLUMN_TEXT},
        {.name = "payload", .type_name = "text", .class = COLUMN_TEXT}};
    static const char *const names[] = {"channel", "payload"};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    struct value *rows = ARENA_ARRAY(arena, struct value, answer->notification_count + 1);
    for (size_t i = 0; i < answer->notification_count; i++) {
        const struct notification *at = &answer->notifications[i];
        const struct value cells[COLUMNS] = {
            value_text(arena, at->channel),
            value_text(arena, at->payload == NULL ? "" : at->payload)};
        rows[i] = value_row(arena, cells, names, COLUMNS);
    }
    return (struct answer){.column_count = COLUMNS,
                           .columns = columns,
                           .row_count = answer->notification_count,
                           .rows = rows};
}

const struct divergence *compare_notifications(const struct comparing_answers *answers)
{
    static const struct shared_column columns[] = {{"channel", 0, 0, NATURE_EQUAL},
                                                   {"payload", 1, 1, NATURE_EQUAL}};
    if (answers->before->notification_count == 0 && answers->after->notification_count == 0) {
        return NULL;
    }
    struct arena *arena = answers->sides->arena;
    struct answer before = as_rows(arena, answers->before);
    struct answer after = as_rows(arena, answers->after);
    const struct asked asked = {
        .place = arena_printf(arena, "notifications of %s", answers->asked->place),
        .context = answers->asked->context};
    const struct comparing_answers notified = {answers->sides, &asked, &before, &after};
    struct shared_rows rows = {answers->sides, &before, &after, columns,
                               sizeof columns / sizeof *columns};
    const struct divergence *found = compare_rows(&notified, &rows);
    if (found == NULL) {
        return NULL;
    }
    struct divergence *out = arena_memdup(arena, found, sizeof *found);
    out->kind = DIVERGES_NOTIFY;
    out->place = answers->asked->place;
    out->before =
        arena_printf(arena, "%zu notification%s", before.row_count, plural(before.row_count));
    out->after =
        arena_printf(arena, "%zu notification%s", after.row_count, plural(after.row_count));
    return out;
}
