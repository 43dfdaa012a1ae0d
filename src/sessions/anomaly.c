#include "sessions/anomaly.h"

#include <stdlib.h>
#include <string.h>

/* A row in all runs; NULL: it is not there. */
struct tracked_row {
    const char *table;
    const char *key;
    const char *texts[ANOMALY_RUNS];
};
struct tracked_rows {
    VEC(struct tracked_row) items;
};

/* --- rows --- */

static int compare_rows(const void *a, const void *b)
{
    const struct tracked_row *left = a;
    const struct tracked_row *right = b;
    int tables = strcmp(left->table, right->table);
    return tables ? tables : strcmp(left->key, right->key);
}

static struct tracked_rows track_rows(struct arena *arena, const struct anomaly_evidence *evidence)
{
    struct tracked_rows all = {0};
    struct tracked_rows rows = {0};
    for (size_t run = 0; run < ANOMALY_RUNS; run++) {
        for (size_t i = 0; i < evidence->rows[run].items.count; i++) {
            const struct lane_row *row = &evidence->rows[run].items.items[i];
            struct tracked_row *tracked = VEC_PUSH(arena, &all.items);
            *tracked = (struct tracked_row){.table = row->table, .key = row->key};
            tracked->texts[run] = row->text;
        }
    }
    if (all.items.count) {
        qsort(all.items.items, all.items.count, sizeof *all.items.items, compare_rows);
    }
    for (size_t i = 0; i < all.items.count; i++) {
        const struct tracked_row *one = &all.items.items[i];
        if (i == 0 || compare_rows(one - 1, one) != 0) {
            *VEC_PUSH(arena, &rows.items) = *one;
            continue;
        }
        struct tracked_row *row = &rows.items.items[rows.items.count - 1];
        for (size_t run = 0; run < ANOMALY_RUNS; run++) {
            row->texts[run] = one->texts[run] ? one->texts[run] : row->texts[run];
        }
    }
    return rows;
}

static bool same_row(const struct tracked_row *row, enum anomaly_run a, enum anomaly_run b)
{
    const char *left = row->texts[a];
    const char *right = row->texts[b];
    return left && right ? strcmp(left, right) == 0 : left == right;
}

static bool changes_row(const struct tracked_row *row, enum anomaly_run run)
{
    return !same_row(row, RUN_NONE, run);
}

static bool updates_row(const struct tracked_row *row, enum anomaly_run run)
{
    return row->texts[RUN_NONE] && row->texts[run] && changes_row(row, run);
}

static bool same_rows(const struct tracked_rows *rows, enum anomaly_run a, enum anomaly_run b)
{
    bool same = true;
    for (size_t i = 0; i < rows->items.count && same; i++) {
        same = same_row(&rows->items.items[i], a, b);
    }
    return same;
}

/* --- the timeline --- */

bool anomaly_possible(const struct race *race)
{
    return race->steps.count == 2 && race->steps.items[0].session != race->steps.items[1].session &&
           !race->steps.items[0].undone && !race->steps.items[1].undone &&
           race->steps.items[0].retries == 0 && race->steps.items[1].retries == 0;
}

static bool all_succeeded(const struct race *race)
{
    bool succeeded = true;
    for (size_t i = 0; i < race->events.count && succeeded; i++) {
        succeeded = !race->events.items[i].failed;
    }
    return succeeded;
}

/* The index of the step's last event of the kind before `end`; `end` if it has none. */
static size_t last_event(const struct race *race, size_t step, enum race_event_kind kind,
                         size_t end)
{
    for (size_t i = end; i-- > 0;) {
        const struct race_event *event = &race->events.items[i];
        if (event->step == step && event->kind == kind) {
            return i;
        }
    }
    return end;
}

/* How many gates the step had reached, according to the events before `end`. */
static unsigned crossed_gates(const struct race *race, size_t step, size_t end)
{
    unsigned before = 0; /* in earlier calls */
    unsigned here = 0;
    uint32_t call = 0;
    for (size_t i = 0; i < end; i++) {
        const struct race_event *event = &race->events.items[i];
        if (event->step != step) {
            continue;
        }
        before += event->call != call ? here : 0;
        here = event->call != call || event->crossing > here ? event->crossing : here;
        call = event->call;
    }
    return before + here;
}

/* True if the step waited for the other one alone, before `end`. */
static bool waited_for(const struct race *race, size_t step, size_t other, size_t end)
{
    size_t wait = last_event(race, step, RACE_BLOCKED, end);
    return wait < end && race->events.items[wait].by == 1U << race->steps.items[other].session;
}

/* True if the step had written and committed before the other one could write the same row. That
 * one waited for it, or stood before its first write. */
static bool wrote_before(const struct race *race, size_t step, size_t other)
{
    size_t end = race->events.count;
    size_t committed = last_event(race, step, RACE_ANSWERED, end);
    size_t other_ended = last_event(race, other, RACE_ANSWERED, end);
    return committed < other_ended && last_event(race, step, RACE_BLOCKED, end) == end &&
           (waited_for(race, other, step, committed) ||
            (crossed_gates(race, step, committed) >= 2 &&
             crossed_gates(race, other, committed) <= 1 &&
             last_event(race, other, RACE_BLOCKED, end) == end));
}

/* --- the anomalies --- */

static bool is_lost(const struct tracked_row *row, enum anomaly_run lost, enum anomaly_run kept)
{
    return updates_row(row, lost) && updates_row(row, kept) && same_row(row, RUN_RACE, kept) &&
           !same_row(row, RUN_RACE, RUN_FIRST_SECOND) && !same_row(row, RUN_RACE, RUN_SECOND_FIRST);
}

/* True if each row that `lost` changes is one that `kept` updates: then the later step can't have
 * gone wrong by what it read of another row. */
static bool shares_rows(const struct tracked_rows *rows, enum anomaly_run lost,
                        enum anomaly_run kept)
{
    bool shares = true;
    for (size_t i = 0; i < rows->items.count; i++) {
        const struct tracked_row *row = &rows->items.items[i];
        shares = shares && (!changes_row(row, lost) || updates_row(row, kept));
    }
    return shares;
}

static bool is_answered(const char *answer, const struct race *race, size_t step)
{
    return answer && strcmp(answer, race->steps.items[step].answer) == 0;
}

static struct race_anomaly find_lost_update(const struct race *race,
                                            const struct anomaly_evidence *evidence,
                                            const struct tracked_rows *rows)
{
    static const enum anomaly_run alone[] = {RUN_FIRST, RUN_SECOND};
    for (size_t step = 0; step < 2; step++) {
        size_t by = 1 - step;
        bool as_alone = is_answered(evidence->answers[step], race, step) &&
                        shares_rows(rows, alone[step], alone[by]);
        for (size_t i = 0; i < rows->items.count && as_alone && wrote_before(race, step, by); i++) {
            const struct tracked_row *row = &rows->items.items[i];
            if (is_lost(row, alone[step], alone[by])) {
                return (struct race_anomaly){
                    .kind = ANOMALY_LOST_UPDATE, .step = step, .by = by, .table = row->table};
            }
        }
    }
    return (struct race_anomaly){0};
}

static struct race_anomaly find_write_skew(const struct tracked_rows *rows)
{
    bool writes[2] = {false, false};
    bool adds = false;
    bool skewed = !same_rows(rows, RUN_RACE, RUN_FIRST_SECOND) &&
                  !same_rows(rows, RUN_RACE, RUN_SECOND_FIRST);
    for (size_t i = 0; i < rows->items.count && skewed; i++) {
        const struct tracked_row *row = &rows->items.items[i];
        bool first = changes_row(row, RUN_FIRST);
        bool second = changes_row(row, RUN_SECOND);
        adds = adds || ((first || second) && !row->texts[RUN_NONE]);
        writes[0] = writes[0] || first;
        writes[1] = writes[1] || second;
        skewed = !(first && second) && same_row(row, RUN_RACE,
                                                first    ? RUN_FIRST
                                                : second ? RUN_SECOND
                                                         : RUN_NONE);
    }
    return skewed && writes[0] && writes[1]
               ? (struct race_anomaly){.kind = adds ? ANOMALY_PHANTOM : ANOMALY_WRITE_SKEW, .by = 1}
               : (struct race_anomaly){0};
}

static struct race_anomaly find_read_skew(const struct race *race,
                                          const struct anomaly_evidence *evidence,
                                          const struct tracked_rows *rows)
{
    static const enum anomaly_run alone[] = {RUN_FIRST, RUN_SECOND};
    for (size_t step = 0; step < 2; step++) {
        size_t by = 1 - step;
        bool reads = same_rows(rows, RUN_NONE, alone[by]) && evidence->answers[by] &&
                     evidence->after[by] && !is_answered(evidence->answers[by], race, by) &&
                     !is_answered(evidence->after[by], race, by);
        bool writes = !same_rows(rows, RUN_NONE, alone[step]) &&
                      is_answered(evidence->answers[step], race, step);
        if (reads && writes && same_rows(rows, RUN_RACE, alone[step]) &&
            same_rows(rows, RUN_FIRST_SECOND, alone[step]) &&
            same_rows(rows, RUN_SECOND_FIRST, alone[step])) {
            return (struct race_anomaly){.kind = ANOMALY_READ_SKEW, .step = step, .by = by};
        }
    }
    return (struct race_anomaly){0};
}

/* True if the step had written before it waited. */
static bool wrote_and_waited(const struct race *race, size_t step)
{
    size_t wait = last_event(race, step, RACE_BLOCKED, race->events.count);
    return wait < race->events.count && crossed_gates(race, step, wait + 1) >= 2;
}

static struct race_anomaly find_lock_order(const struct race *race, const struct tracked_rows *rows)
{
    struct race_anomaly found = {.kind = ANOMALY_LOCK_ORDER, .by = 1};
    for (size_t i = 0; i < rows->items.count; i++) {
        const struct tracked_row *row = &rows->items.items[i];
        bool first = changes_row(row, RUN_FIRST);
        bool second = changes_row(row, RUN_SECOND);
        if (!first && !second) {
            continue;
        }
        if (!updates_row(row, RUN_FIRST) || !updates_row(row, RUN_SECOND)) {
            return (struct race_anomaly){0};
        }
        bool same = found.rows == 0 || (found.table && strcmp(found.table, row->table) == 0);
        found.table = same ? row->table : NULL;
        found.rows++;
    }
    bool proved = found.rows >= 2 && wrote_and_waited(race, 0) && wrote_and_waited(race, 1);
    return proved ? found : (struct race_anomaly){0};
}

static struct race_anomaly find_anomaly(const struct race *race,
                                        const struct anomaly_evidence *evidence,
                                        const struct tracked_rows *rows)
{
    if (race->deadlock) {
        return find_lock_order(race, rows);
    }
    if (!all_succeeded(race)) {
        return (struct race_anomaly){0};
    }
    const struct race_anomaly lost = find_lost_update(race, evidence, rows);
    const struct race_anomaly skew = find_write_skew(rows);
    return lost.kind ? lost : skew.kind ? skew : find_read_skew(race, evidence, rows);
}

/* The table of all rows that a step changes; NULL: several, or none. */
static const char *written_table(const struct tracked_rows *rows, enum anomaly_run run)
{
    const char *table = NULL;
    for (size_t i = 0; i < rows->items.count; i++) {
        const struct tracked_row *row = &rows->items.items[i];
        if (changes_row(row, run)) {
            if (table && strcmp(table, row->table) != 0) {
                return NULL;
            }
            table = row->table;
        }
    }
    return table;
}

struct race_anomaly anomaly_of(struct arena *arena, const struct race *race,
                               const struct anomaly_evidence *evidence)
{
    const struct tracked_rows rows = track_rows(arena, evidence);
    struct race_anomaly found = find_anomaly(race, evidence, &rows);
    found.wrote[0] = written_table(&rows, found.step == 0 ? RUN_FIRST : RUN_SECOND);
    found.wrote[1] = written_table(&rows, found.by == 0 ? RUN_FIRST : RUN_SECOND);
    return found;
}
