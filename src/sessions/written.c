#include "sessions/written.h"

#include <string.h>

static const char *what_of(const struct lane_gate *gate)
{
    const char *space = strchr(gate->when, ' ');
    return space ? space + 1 : "";
}

static bool same_table(const struct writing *writing, const struct lane_gate *gate)
{
    return strcmp(writing->table, gate->table) == 0 && strcmp(writing->schema, gate->schema) == 0;
}

/* One statement may do several things to a table, and comes to the gates of all of them before its
 * first row. */
static void begin_writing(struct written *written, const struct lane_gate *gate, unsigned crossing)
{
    bool several = false;
    for (size_t i = written->open.count; i > 0; i--) {
        struct writing *writing = &written->open.items[i - 1];
        if (!same_table(writing, gate) || strcmp(writing->what, what_of(gate)) == 0 ||
            writing->rows_at != crossing - 1) {
            break;
        }
        writing->rows_at = crossing;
        several = writing->several = true;
    }
    *VEC_PUSH(written->arena, &written->open) =
        (struct writing){.what = arena_strdup(written->arena, what_of(gate)),
                         .schema = arena_strdup(written->arena, gate->schema),
                         .table = arena_strdup(written->arena, gate->table),
                         .before = gate->number,
                         .rows_at = crossing,
                         .several = several};
}

/* An INSERT has locked nothing at its first row, and everything else all of it at its last one. Of
 * a statement that does several things, a row may have two gates. */
static void add_rows(struct written *written, const struct writing *writing, uint64_t count)
{
    enum { MOST = 1024 };
    bool inserts = !writing->several && strcmp(writing->what, "INSERT") == 0;
    unsigned rows = count < MOST ? (unsigned)count : MOST;
    *VEC_PUSH(written->arena, &written->rows) = (struct written_rows){
        .crossing = writing->rows_at,
        .first = inserts ? 2 : 1,
        .last = writing->several ? 2 * rows - 1
                : inserts        ? rows
                                 : rows - 1,
    };
}

static void end_writing(struct written *written, const struct lane_gate *gate)
{
    for (size_t i = written->open.count; i > 0; i--) {
        const struct writing writing = written->open.items[i - 1];
        if (same_table(&writing, gate) && strcmp(writing.what, what_of(gate)) == 0) {
            written->open.count = i - 1; /* those after it raised an error that was caught */
            if (gate->number >= writing.before + 2) {
                add_rows(written, &writing, gate->number - writing.before);
            }
            return;
        }
    }
}

void written_crossed(struct written *written, const struct lane_gate *gate, unsigned crossing)
{
    if (strncmp(gate->when, "BEFORE", 6) == 0) {
        begin_writing(written, gate, crossing);
    } else {
        *VEC_PUSH(written->arena, &written->ends) = crossing;
        end_writing(written, gate);
    }
}
