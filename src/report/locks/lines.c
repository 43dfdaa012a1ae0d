/* What is said of a statement, line by line, in all formats. */
#include "base/utf8.h"
#include "base/visible.h"
#include "report/locks/locks.h"

#include <inttypes.h>
#include <string.h>

static const char *safe(struct arena *arena, const char *text)
{
    struct strbuf out = {0};
    visible_adds(&out, VISIBLE_LINE, text);
    return strbuf_take(&out, arena);
}

const char *locks_words(const char *text, size_t width, struct arena *arena)
{
    const char *words = safe(arena, text);
    size_t size = strlen(words);
    if (utf8_length(words, size) <= width) {
        return words;
    }
    return arena_printf(arena, "%.*s…", (int)utf8_offset(words, size, width - 1), words);
}

static void add_line(struct locks_lines *lines, struct arena *arena, const char *head,
                     const char *text, bool finding)
{
    *VEC_PUSH(arena, &lines->items) = (struct locks_line){head, text, finding};
}

static void add_name(struct strbuf *list, const char *name)
{
    strbuf_adds(list, list->size ? ", " : "");
    visible_adds(list, VISIBLE_LINE, name);
}

/* "until COMMIT, over 2 more statements, of which 1 reads or writes rows" */
static void add_until(const struct blocking *blocking, size_t index, struct strbuf *out)
{
    const struct blocking_statement *statement = &blocking->statements.items[index];
    const struct blocking_transaction *transaction =
        &blocking->transactions.items[statement->transaction];
    size_t more = transaction->first + transaction->count - index - 1;
    size_t touching = blocking_touching(blocking, index) - blocking_touches(statement);
    if (transaction->bare) {
        strbuf_adds(out, "until it ends");
        return;
    }
    strbuf_adds(out, "until COMMIT");
    if (more > 0) {
        strbuf_addf(out, ", over %zu more statement%s", more, plural(more));
    }
    if (touching > 0 && touching == more) {
        strbuf_addf(out, ", which read%s or write%s rows", more == 1 ? "s" : "",
                    more == 1 ? "s" : "");
    } else if (touching > 0) {
        strbuf_addf(out, ", of which %zu read%s or write%s rows", touching,
                    touching == 1 ? "s" : "", touching == 1 ? "s" : "");
    }
}

static const char *const strongest_first[] = {
    "AccessExclusiveLock",      "ExclusiveLock",    "ShareRowExclusiveLock", "ShareLock",
    "ShareUpdateExclusiveLock", "RowExclusiveLock", "RowShareLock",          "AccessShareLock"};
enum { MODES = sizeof strongest_first / sizeof *strongest_first };

static void add_locks(const struct blocking *blocking, size_t index, struct locks_lines *lines,
                      struct arena *arena)
{
    const struct blocking_statement *statement = &blocking->statements.items[index];
    for (size_t mode = 0; mode < MODES; mode++) {
        struct strbuf list = {0};
        for (size_t i = 0; i < statement->locks.count; i++) {
            const struct blocking_lock *lock = &statement->locks.items[i];
            if (!lock->made && strcmp(lock->mode, strongest_first[mode]) == 0) {
                add_name(&list, lock->relation);
                strbuf_adds(&list, lock->dropped ? " (dropped)" : "");
            }
        }
        if (list.size) {
            struct strbuf text = {0};
            strbuf_addf(&text, "%s on %s ", strongest_first[mode], strbuf_text(&list));
            add_until(blocking, index, &text);
            add_line(lines, arena, "lock", strbuf_take(&text, arena), false);
        }
        strbuf_free(&list);
    }
}

static void add_touched(const struct blocking_statement *statement, struct locks_lines *lines,
                        struct arena *arena)
{
    for (size_t i = 0; i < statement->touched.count; i++) {
        const struct blocking_touched *touched = &statement->touched.items[i];
        struct strbuf text = {0};
        visible_adds(&text, VISIBLE_LINE, touched->relation);
        strbuf_adds(&text, ":");
        if (touched->rewritten) {
            strbuf_adds(&text, " writes the whole table anew");
        } else if (touched->scanned) {
            strbuf_adds(&text, " reads the whole table");
        } else if (touched->read) {
            strbuf_adds(&text, " reads rows");
        }
        if (touched->written) {
            strbuf_adds(&text,
                        touched->scanned || touched->read ? " and writes rows" : " writes rows");
        }
        strbuf_addf(&text, " (here: %" PRIu64 " read, %" PRIu64 " written)", touched->read,
                    touched->written);
        add_line(lines, arena, "rows", strbuf_take(&text, arena), false);
    }
}

/* The rules that wait for a lock, or for rows, and are a finding, or not. */
static void add_waits_of(const struct blocking *blocking, size_t index, bool rows, bool finding,
                         struct locks_lines *lines, struct arena *arena)
{
    const struct blocking_statement *statement = &blocking->statements.items[index];
    struct strbuf list = {0};
    bool brief = blocking_touching(blocking, index) == 0;
    for (size_t i = 0; i < statement->waits.count; i++) {
        const struct blocking_wait *wait = &statement->waits.items[i];
        if (!wait->relation == rows && blocking_refuses(blocking, index, wait) == finding) {
            add_name(&list, blocking->rules.items[wait->rule].name);
        }
    }
    if (list.size) {
        strbuf_adds(&list, rows      ? " (for rows that it has written)"
                           : !brief  ? ""
                           : finding ? ", if only for a moment: no rows are read or written"
                                     : ", but only for a moment: no rows are read or written");
        strbuf_adds(&list, finding || brief ? "" : "; the machine allows it");
        add_line(lines, arena, "waits", strbuf_copy(&list, arena), finding);
    }
    strbuf_free(&list);
}

static void add_waits(const struct blocking *blocking, size_t index, struct locks_lines *lines,
                      struct arena *arena)
{
    for (int rows = 0; rows < 2; rows++) {
        add_waits_of(blocking, index, rows, true, lines, arena);
        add_waits_of(blocking, index, rows, false, lines, arena);
    }
}

static void add_stand(const struct blocking *blocking, const struct blocking_statement *statement,
                      const struct blocking_stand *stand, struct locks_lines *lines,
                      struct arena *arena)
{
    struct strbuf text = {0};
    struct strbuf list = {0};
    struct strbuf allowed = {0};
    struct strbuf held = {0};
    bool finding = blocking_queues_at(blocking, statement, stand);
    for (size_t i = 0; i < stand->waits.count; i++) {
        const struct blocking_rule *rule = &blocking->rules.items[stand->waits.items[i]];
        add_name(rule->any && !statement->timeout ? &allowed : &list, rule->name);
    }
    for (size_t i = 0; i < stand->locks.count; i++) {
        if (!stand->locks.items[i].made) {
            add_name(&held, stand->locks.items[i].relation);
        }
    }
    strbuf_adds(&text, "waits for transactions that have written to ");
    visible_adds(&text, VISIBLE_LINE, stand->relation ? stand->relation : "a table");
    if (held.size) {
        strbuf_addf(&text, ", with its locks on %s", strbuf_text(&held));
    }
    if (list.size) {
        strbuf_addf(&text, "; behind it: %s", strbuf_text(&list));
    }
    strbuf_adds(&text, finding ? "; set lock_timeout" : "");
    if (allowed.size) {
        strbuf_addf(&text, "; behind it%s, as the machine allows: %s", finding ? " also" : "",
                    strbuf_text(&allowed));
    }
    add_line(lines, arena, "queue", strbuf_take(&text, arena), finding);
    strbuf_free(&list);
    strbuf_free(&allowed);
    strbuf_free(&held);
}

/* The same relation may be waited for again and again, by CREATE INDEX CONCURRENTLY. */
static bool is_told(const struct blocking_statement *statement, size_t index)
{
    const struct blocking_stand *stand = &statement->stands.items[index];
    for (size_t i = 0; i < index; i++) {
        const struct blocking_stand *other = &statement->stands.items[i];
        if (other->relation == stand->relation && other->waits.count == stand->waits.count) {
            return true;
        }
    }
    return false;
}

struct locks_lines locks_lines(const struct blocking *blocking, size_t index, struct arena *arena)
{
    const struct blocking_statement *statement = &blocking->statements.items[index];
    struct locks_lines lines = {0};
    add_touched(statement, &lines, arena);
    add_locks(blocking, index, &lines, arena);
    add_waits(blocking, index, &lines, arena);
    for (size_t i = 0; i < statement->stands.count; i++) {
        if (!is_told(statement, i)) {
            add_stand(blocking, statement, &statement->stands.items[i], &lines, arena);
        }
    }
    if (blocking->failed && index + 1 == blocking->statements.count) {
        add_line(&lines, arena, "fails",
                 arena_printf(arena, "%s: %s", blocking->sqlstate, safe(arena, blocking->failed)),
                 true);
    }
    return lines;
}

const char *locks_summary(const struct blocking *blocking, struct arena *arena)
{
    size_t tried = 0;
    for (size_t i = 0; i < blocking->rules.count; i++) {
        tried += !blocking->rules.items[i].untried && !blocking->rules.items[i].failed;
    }
    size_t statements = blocking->statements.count;
    size_t transactions = blocking->transactions.count;
    return arena_printf(arena, "%zu statement%s in %zu transaction%s, %zu rule%s tried", statements,
                        plural(statements), transactions, plural(transactions), tried,
                        plural(tried));
}

const char *locks_untried(const struct blocking *blocking, struct arena *arena)
{
    struct strbuf list = {0};
    for (size_t i = 0; i < blocking->rules.count; i++) {
        const struct blocking_rule *rule = &blocking->rules.items[i];
        if (rule->untried || rule->failed) {
            add_name(&list, rule->name);
        }
    }
    return list.size ? strbuf_take(&list, arena) : NULL;
}

const char *locks_invalid(const char *index, struct arena *arena)
{
    return arena_printf(arena,
                        "index %s is invalid: no query uses it, every write maintains it, and IF "
                        "NOT EXISTS passes over it; drop it before it is made again",
                        safe(arena, index));
}
