#include "pg/locks/look.h"

#include "pg/session/queries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The manual's table 13.2: which modes exclude one another. The test of this module asks the
 * server. */
enum {
    ACCESS_SHARE = 1,
    ROW_SHARE = 2,
    ROW_EXCLUSIVE = 4,
    SHARE_UPDATE_EXCLUSIVE = 8,
    SHARE = 16,
    SHARE_ROW_EXCLUSIVE = 32,
    EXCLUSIVE = 64,
    ACCESS_EXCLUSIVE = 128,
};
static const struct {
    const char *name;
    unsigned excludes;
} modes[] = {
    {"AccessShareLock", ACCESS_EXCLUSIVE},
    {"RowShareLock", EXCLUSIVE | ACCESS_EXCLUSIVE},
    {"RowExclusiveLock", SHARE | SHARE_ROW_EXCLUSIVE | EXCLUSIVE | ACCESS_EXCLUSIVE},
    {"ShareUpdateExclusiveLock",
     SHARE_UPDATE_EXCLUSIVE | SHARE | SHARE_ROW_EXCLUSIVE | EXCLUSIVE | ACCESS_EXCLUSIVE},
    {"ShareLock",
     ROW_EXCLUSIVE | SHARE_UPDATE_EXCLUSIVE | SHARE_ROW_EXCLUSIVE | EXCLUSIVE | ACCESS_EXCLUSIVE},
    {"ShareRowExclusiveLock", ROW_EXCLUSIVE | SHARE_UPDATE_EXCLUSIVE | SHARE | SHARE_ROW_EXCLUSIVE |
                                  EXCLUSIVE | ACCESS_EXCLUSIVE},
    {"ExclusiveLock", ROW_SHARE | ROW_EXCLUSIVE | SHARE_UPDATE_EXCLUSIVE | SHARE |
                          SHARE_ROW_EXCLUSIVE | EXCLUSIVE | ACCESS_EXCLUSIVE},
    {"AccessExclusiveLock", 255},
};
enum { MODES = sizeof modes / sizeof *modes };

unsigned look_mode(const char *name)
{
    for (unsigned i = 0; i < MODES; i++) {
        if (strcmp(modes[i].name, name) == 0) {
            return 1U << i;
        }
    }
    return 0;
}

const char *look_mode_name(unsigned bit)
{
    unsigned i = 0;
    while (i + 1 < MODES && bit != 1U << i) {
        i++;
    }
    return modes[i].name;
}

static unsigned excluded_by(unsigned held)
{
    unsigned excluded = 0;
    for (unsigned i = 0; i < MODES; i++) {
        excluded |= held & 1U << i ? modes[i].excludes : 0;
    }
    return excluded;
}

bool look_excludes(unsigned held, unsigned wanted) { return excluded_by(held) & wanted; }

/* "ShareLock AccessExclusiveLock" */
static unsigned read_modes(const char *text)
{
    unsigned found = 0;
    char name[32];
    for (int size = 0; sscanf(text, "%31s%n", name, &size) == 1; text += size) {
        found |= look_mode(name);
    }
    return found;
}

static uint32_t id_at(const PGresult *result, int row, int column)
{
    return (uint32_t)strtoul(PQgetvalue(result, row, column), NULL, 10);
}

static uint64_t count_at(const PGresult *result, int row, int column)
{
    return strtoull(PQgetvalue(result, row, column), NULL, 10);
}

static struct look_relation read_relation(const PGresult *result, int row, struct arena *arena)
{
    return (struct look_relation){
        .id = id_at(result, row, 0),
        .name =
            PQgetisnull(result, row, 1) ? NULL : arena_strdup(arena, PQgetvalue(result, row, 1)),
        .kind = *PQgetvalue(result, row, 2),
        .file = id_at(result, row, 3),
        .space = id_at(result, row, 4),
        .table = id_at(result, row, 5),
        .scans = count_at(result, row, 6),
        .read = count_at(result, row, 7),
        .written = count_at(result, row, 8),
        .modes = read_modes(PQgetvalue(result, row, 9)),
    };
}

/* The query for counters of all sessions. */
static void without_xact(struct strbuf *out)
{
    static const char word[] = "pg_stat_get_xact_";
    const char *at = query_locked;
    for (const char *next; (next = strstr(at, word)); at = next + sizeof word - 1) {
        strbuf_add(out, at, (size_t)(next - at));
        strbuf_adds(out, "pg_stat_get_");
    }
    strbuf_adds(out, at);
}

bool look_take(struct wire *wire, int pid, enum look_counters counters, struct arena *arena,
               struct look *out, struct error *err)
{
    struct strbuf all = {0};
    char number[16];
    const char *value = number;
    const struct wire_params params = {.count = 1, .values = &value};
    (void)snprintf(number, sizeof number, "%d", pid);
    if (counters == LOOK_ALL) {
        without_xact(&all);
    }
    PGresult *result =
        wire_query_ok(wire, all.size ? strbuf_text(&all) : query_locked, &params, err);
    strbuf_free(&all);
    *out = (struct look){0};
    for (int i = 0; result && i < PQntuples(result); i++) {
        *VEC_PUSH(arena, &out->items) = read_relation(result, i, arena);
    }
    PQclear(result);
    return result != NULL;
}

static int by_id(const void *id, const void *item)
{
    uint32_t a = *(const uint32_t *)id;
    uint32_t b = ((const struct look_relation *)item)->id;
    return (a > b) - (a < b);
}

const struct look_relation *look_find(const struct look *look, uint32_t id)
{
    return look->items.count == 0 ? NULL
                                  : bsearch(&id, look->items.items, look->items.count,
                                            sizeof *look->items.items, by_id);
}

static bool is_index(const struct look_relation *relation)
{
    return relation->kind == 'i' || relation->kind == 'I';
}

/* Whoever uses an index has locked its table first: where that is locked as much, the index says
 * nothing more. */
static bool is_told_by_table(const struct look *after, const struct look_relation *index)
{
    const struct look_relation *table = is_index(index) ? look_find(after, index->table) : NULL;
    return table && (excluded_by(index->modes) & ~excluded_by(table->modes)) == 0;
}

static void add_locks(const struct look *known, const struct look_relation *relation,
                      unsigned before, struct arena *arena, struct blocking_statement *out)
{
    const struct look_relation *old = look_find(known, relation->id);
    for (unsigned i = MODES; i-- > 0;) {
        unsigned others = before | (relation->modes & ~((2U << i) - 1));
        if (relation->modes & 1U << i && modes[i].excludes & ~excluded_by(others)) {
            *VEC_PUSH(arena, &out->locks) = (struct blocking_lock){
                .relation = old ? old->name : relation->name, /* as others know it */
                .mode = modes[i].name,
                .made = !old,
                .dropped = !relation->name,
            };
        }
    }
}

void look_locks(const struct look *known, const struct look *before, const struct look *after,
                struct arena *arena, struct blocking_statement *out)
{
    for (size_t i = 0; i < after->items.count; i++) {
        struct look_relation relation = after->items.items[i];
        const struct look_relation *old = look_find(known, relation.id);
        const struct look_relation *earlier = look_find(before, relation.id);
        if (!relation.name && old) {
            relation.kind = old->kind;
            relation.table = old->table;
        }
        bool nobodys = !relation.name && !old; /* made and dropped by the same transaction */
        if (relation.modes && !nobodys && !is_told_by_table(after, &relation)) {
            add_locks(known, &relation, earlier ? earlier->modes : 0, arena, out);
        }
    }
}

static uint64_t grown(uint64_t before, uint64_t after)
{
    return after > before ? after - before : 0;
}

/* Whether an index of the table is new, and so has been built. */
static bool has_new_index(const struct look *before, const struct look *after, uint32_t table)
{
    bool has = false;
    for (size_t i = 0; i < after->items.count && !has; i++) {
        const struct look_relation *index = &after->items.items[i];
        const struct look_relation *old = look_find(before, index->id);
        has = is_index(index) && index->table == table && index->file &&
              (!old || old->file != index->file);
    }
    return has;
}

void look_touched(const struct look *before, const struct look *after, bool truncates,
                  struct arena *arena, struct blocking_statement *out)
{
    for (size_t i = 0; i < after->items.count; i++) {
        const struct look_relation *now = &after->items.items[i];
        const struct look_relation *old = look_find(before, now->id);
        if (!old || !now->name || !now->kind || !strchr("rpm", now->kind)) {
            continue;
        }
        const struct blocking_touched touched = {
            .relation = now->name,
            .read = grown(old->read, now->read),
            .written = grown(old->written, now->written),
            .scanned =
                now->scans > old->scans || (!truncates && has_new_index(before, after, now->id)),
            .rewritten = !truncates && now->file != old->file,
        };
        if (touched.read || touched.written || touched.scanned || touched.rewritten) {
            *VEC_PUSH(arena, &out->touched) = touched;
        }
    }
}
