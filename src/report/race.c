#include "report/race.h"

#include <string.h>

const enum race_standing race_standings[] = {
    [RACE_SENT] = STANDS_IDLE,     [RACE_STOPPED] = STANDS_AT_GATE, [RACE_TIMES_OUT] = STANDS_IDLE,
    [RACE_RELEASED] = STANDS_IDLE, [RACE_BLOCKED] = STANDS_WAITING, [RACE_FREED] = STANDS_IDLE,
    [RACE_ANSWERED] = STANDS_IDLE, [RACE_DIED] = STANDS_IDLE,       [RACE_AGAIN] = STANDS_IDLE,
};

const char *race_text(const struct race_words *words, const char *text)
{
    struct strbuf out = {0};
    bool blank = false;
    for (size_t i = 0; text && text[i]; i++) {
        bool space = strchr(" \t\r\n", text[i]) != NULL;
        if (!space && blank && out.size) {
            strbuf_addc(&out, ' ');
        }
        if (!space) {
            strbuf_addc(&out, text[i]);
        }
        blank = space;
    }
    return show_text(words->arena, words->names, strbuf_take(&out, words->arena), words->limit);
}

/* --- lines --- */

/* "waits for a lock of A and C" */
static const char *waits_text(struct arena *arena, unsigned by)
{
    const char *text = by & LANE_SLEEPS ? "sleeps" : "waits for a lock";
    const char *between = " of ";
    for (unsigned session = 1; session <= TRACE_SESSIONS_MAX; session++) {
        if (by & 1U << session) {
            text = arena_printf(arena, "%s%s%c", text, between, 'A' + (int)session - 1);
            between = " and ";
        }
    }
    return text;
}

static const char *line_text(const struct race_words *words, const struct race_event *event,
                             bool slept)
{
    const char *text = race_text(words, event->text);
    switch (event->kind) {
    case RACE_STOPPED:
        return *text ? arena_printf(words->arena, "stops %s", text) : "stops";
    case RACE_TIMES_OUT:
        return arena_printf(words->arena, "lock_timeout ends a wait %s%s", *text ? "" : "at once",
                            text);
    case RACE_RELEASED:
        return "goes on";
    case RACE_BLOCKED:
        return waits_text(words->arena, event->by);
    case RACE_FREED:
        return slept ? "goes on" : "has the lock";
    case RACE_DIED:
        return "the client dies";
    case RACE_AGAIN:
        return "begins again";
    case RACE_SENT:
    case RACE_ANSWERED:
    default:
        return text;
    }
}

/* Whether the next event is the answer to what this one sent. */
static bool is_answered_at_once(const struct race *race, size_t index)
{
    const struct race_event *sent = &race->events.items[index];
    const struct race_event *next = sent + 1;
    return sent->kind == RACE_SENT && index + 1 < race->events.count &&
           next->kind == RACE_ANSWERED && next->step == sent->step && next->call == sent->call;
}

/* Whether what ends here is a sleep. */
static bool had_slept(const struct race *race, size_t index)
{
    unsigned by = 0;
    for (size_t i = 0; i < index; i++) {
        const struct race_event *event = &race->events.items[i];
        if (event->kind == RACE_BLOCKED && event->step == race->events.items[index].step) {
            by = event->by;
        }
    }
    return by == LANE_SLEEPS;
}

struct race_lines race_lines(const struct race_words *words, const struct race *race)
{
    struct race_lines lines = {0};
    for (size_t i = 0; i < race->events.count; i++) {
        const struct race_event *event = &race->events.items[i];
        struct race_line *line = VEC_PUSH(words->arena, &lines.items);
        *line = (struct race_line){.kind = event->kind,
                                   .step = event->step,
                                   .session = race->steps.items[event->step].session,
                                   .text = line_text(words, event, had_slept(race, i)),
                                   .failed = event->failed};
        if (is_answered_at_once(race, i)) {
            const struct race_event *answer = &race->events.items[++i];
            line->answer = race_text(words, answer->text);
            line->failed = answer->failed;
        }
        if (line->answer && strcmp(line->text, line->answer) == 0) {
            line->answer = NULL; /* COMMIT */
        }
    }
    return lines;
}

/* --- orders --- */

/* What the answer of a step should be, by the operator between it and a value. */
static const struct {
    const char *op;
    const char *should;
} comparisons[] = {
    {"==", "should give"},          {"!=", "should not give"},
    {"in", "should give one of"},   {"not in", "should give none of"},
    {"<", "should give less than"}, {"<=", "should give at most"},
    {">", "should give more than"}, {">=", "should give at least"},
};

static const char *should_of(const struct race_order *order)
{
    for (size_t i = 0; order->op && i < sizeof comparisons / sizeof *comparisons; i++) {
        if (strcmp(comparisons[i].op, order->op) == 0) {
            return comparisons[i].should;
        }
    }
    return order->raises ? "should raise" : order->check ? "should satisfy" : "should give";
}

/* "[1, 2]" for "set([1, 2])": its items are what counts. */
static const char *items_text(struct arena *arena, const char *text)
{
    static const char before[] = "set(";
    size_t start = sizeof before - 1;
    return strncmp(text, before, start) == 0
               ? arena_strndup(arena, text + start, strlen(text) - start - 1)
               : text;
}

struct race_verdict race_verdict(const struct race_words *words, const struct race_order *order)
{
    struct race_verdict verdict = {.at_end = order->at >= order->count};
    verdict.shown = verdict.at_end ? order->count : order->at + 1;
    if (order->expected || order->actual) {
        verdict.should = should_of(order);
        verdict.expected = order->check && !order->op ? race_text(words, order->check)
                           : order->op ? race_text(words, items_text(words->arena, order->expected))
                           : order->expected ? race_text(words, order->expected)
                                             : "something else";
        verdict.but = order->raises ? "but raised" : "but gave";
        verdict.actual = order->actual ? race_text(words, order->actual) : "this";
    }
    return verdict;
}

/* "should have given one of" for "should give one of". */
static const char *past_should(struct arena *arena, const char *should)
{
    static const struct {
        const char *now;
        const char *past;
    } verbs[] = {{"should give", "should have given"},
                 {"should not give", "should not have given"},
                 {"should raise", "should have raised"},
                 {"should satisfy", "should have satisfied"}};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        size_t size = strlen(verbs[i].now);
        if (strncmp(should, verbs[i].now, size) == 0) {
            return arena_printf(arena, "%s%s", verbs[i].past, should + size);
        }
    }
    return should;
}

/* "B1 should have raised P0ONE; it succeeded" */
static const char *should_have_text(const struct race_words *words, const char *who,
                                    const struct race_order *order,
                                    const struct race_verdict *verdict)
{
    static const char nothing[] = "no error";
    bool fine = order->raises && strcmp(verdict->expected, nothing) == 0;
    bool succeeded = order->raises && strcmp(verdict->actual, nothing) == 0;
    const char *should =
        fine ? "should have succeeded"
             : arena_printf(words->arena, "%s %s", past_should(words->arena, verdict->should),
                            verdict->expected);
    return arena_printf(words->arena, "%s %s; it %s%s", who, should,
                        succeeded       ? "succeeded"
                        : order->raises ? "raised "
                                        : "gave ",
                        succeeded ? "" : verdict->actual);
}

static const char *pair_text(const struct race_words *words, const struct race *race,
                             const struct race_order *order, const struct race_verdict *verdict)
{
    const char *first = race_step_name(words->arena, race, order->steps[0]);
    const char *who = verdict->at_end  ? order->who
                      : order->at == 0 ? "it"
                                       : race_step_name(words->arena, race, order->steps[1]);
    const char *text = verdict->should ? should_have_text(words, who, order, verdict)
                                       : arena_printf(words->arena, "%s would not hold", who);
    return arena_printf(words->arena, "if %s ran first, %s", first, text);
}

const char *race_order_text(const struct race_words *words, const struct race *race,
                            const struct race_order *order)
{
    struct arena *arena = words->arena;
    const struct race_verdict verdict = race_verdict(words, order);
    if (order->count == 2) {
        return pair_text(words, race, order, &verdict);
    }
    const char *name = "";
    const char *text = "";
    for (size_t i = 0; i < verdict.shown; i++) {
        name = race_step_name(arena, race, order->steps[i]);
        text = arena_printf(arena, "%s%s ", text, name);
    }
    text = arena_printf(arena, "%s%s", text, verdict.shown < order->count ? "…  " : " ");
    text = verdict.at_end ? arena_printf(arena, "%s%s", text, order->who)
                          : arena_printf(arena, "%s%s (%s)", text, name, order->who);
    return verdict.should ? arena_printf(arena, "%s %s %s, %s %s", text, verdict.should,
                                         verdict.expected, verdict.but, verdict.actual)
                          : arena_printf(arena, "%s does not hold", text);
}

/* --- what a run says --- */

bool race_bound(const struct run_result *result, struct race_bound *bound)
{
    const struct session_stats *stats = &result->stats.sessions;
    if (stats->examples == 0 || stats->single == 0 || result->failures.count) {
        return false;
    }
    *bound = (struct race_bound){.places = (double)stats->sessions * (double)stats->points /
                                           ((double)stats->examples * (double)stats->examples),
                                 .schedules = stats->single,
                                 .missed = 1};
    if (bound->places < 1) {
        return false;
    }
    for (uint64_t i = 0; i < bound->schedules && bound->missed > 1e-9; i++) {
        bound->missed *= 1 - 1 / bound->places;
    }
    return true;
}

/* --- headlines --- */

/* Who waited for whom when a deadlock was found. */
struct waiting {
    unsigned by[TRACE_SESSIONS_MAX + 1]; /* by session: for whom, as in race_event; 0: it didn't */
    size_t step[TRACE_SESSIONS_MAX + 1];
    unsigned ended; /* the session that the server chose; 0: there was no deadlock */
};

static struct waiting waiting_in_deadlock(const struct race *race)
{
    struct waiting waiting = {0};
    for (size_t i = 0; i < race->events.count && !waiting.ended; i++) {
        const struct race_event *event = &race->events.items[i];
        unsigned session = race->steps.items[event->step].session;
        waiting.step[session] = event->step;
        if (event->deadlock) {
            waiting.ended = session;
        } else {
            waiting.by[session] = event->kind == RACE_BLOCKED ? event->by : 0;
        }
    }
    if (race->sessions == 2) { /* whoever saw it: with two there is no other way */
        waiting.by[1] = 1U << 2;
        waiting.by[2] = 1U << 1;
    }
    return waiting;
}

/* The sessions that waited for each other, each for the next one, in the shortest circle that ends
 * at the one that the server chose; 0: it is not known. */
static size_t circle_of(const struct waiting *waiting, unsigned *circle)
{
    unsigned from[TRACE_SESSIONS_MAX + 1] = {0}; /* which session waits for it */
    unsigned queue[TRACE_SESSIONS_MAX + 1] = {waiting->ended};
    size_t queued = 1;
    for (size_t i = 0; i < queued && !from[waiting->ended]; i++) {
        for (unsigned next = 1; next <= TRACE_SESSIONS_MAX; next++) {
            if (waiting->by[queue[i]] & 1U << next && !from[next]) {
                from[next] = queue[i];
                queue[queued++] = next;
            }
        }
    }
    size_t count = 0;
    for (unsigned at = from[waiting->ended]; at; at = at == waiting->ended ? 0 : from[at]) {
        count++;
    }
    unsigned at = waiting->ended;
    for (size_t i = count; i > 0; i--) {
        at = from[at];
        circle[i - 1] = at;
    }
    return count;
}

/* "A1 pay" */
static const char *named_step(struct arena *arena, const struct race *race, size_t index)
{
    return arena_printf(arena, "%s %s", race_step_name(arena, race, index),
                        race->steps.items[index].shown.rule->name);
}

/* "a deadlock: A1 waits for B1, B1 for C1, C1 for A1" */
static const char *deadlock_text(struct arena *arena, const struct race *race)
{
    const struct waiting waiting = waiting_in_deadlock(race);
    unsigned circle[TRACE_SESSIONS_MAX];
    const char *names[TRACE_SESSIONS_MAX + 1];
    size_t count = waiting.ended ? circle_of(&waiting, circle) : 0;
    size_t least = 0;
    for (size_t i = 1; i < count; i++) {
        least = circle[i] < circle[least] ? i : least;
    }
    for (size_t i = 0; i <= count && count; i++) {
        size_t step = waiting.step[circle[(least + i) % count]];
        names[i] = count == 2 ? named_step(arena, race, step) : race_step_name(arena, race, step);
    }
    if (count == 2) {
        return arena_printf(arena, "%s and %s deadlocked", names[0], names[1]);
    }
    const char *text = "a deadlock";
    for (size_t i = 0; i < count; i++) {
        text = arena_printf(arena, i == 0 ? "%s: %s waits for %s" : "%s, %s for %s", text, names[i],
                            names[i + 1]);
    }
    return text;
}

/* "B1 raises unique_violation, which no order predicts"; NULL: not all orders end at such an error
 * of one step. */
static const char *unpredicted_text(struct arena *arena, const struct race *race)
{
    const struct race_order *first = race->orders.items;
    bool same = race->orders.count > 0;
    for (size_t i = 0; i < race->orders.count && same; i++) {
        const struct race_order *order = &race->orders.items[i];
        same = order->sqlstate && order->at < order->count &&
               order->steps[order->at] == first->steps[first->at];
    }
    return same ? arena_printf(arena, "%s raises %s, which no order predicts",
                               named_step(arena, race, first->steps[first->at]),
                               show_condition(first->sqlstate))
                : NULL;
}

/* "B1 waits for a lock that A keeps after its last step" */
static const char *kept_text(struct arena *arena, const struct race *race)
{
    for (size_t i = 0; i < race->events.count; i++) {
        const struct race_event *event = &race->events.items[i];
        if (event->kind == RACE_ANSWERED && event->by) {
            return arena_printf(arena, "%s waits for %s", named_step(arena, race, event->step),
                                race_kept_text(arena, event->by));
        }
    }
    return NULL;
}

/* "A1 pay, B1 refund: no order explains the answers"; of many steps without their names. */
static const char *unexplained_text(struct arena *arena, const struct race *race)
{
    enum { NAMED_MAX = 4 };
    const char *text = "";
    for (size_t i = 0; i < race->steps.count && race->steps.count <= NAMED_MAX; i++) {
        text = arena_printf(arena, "%s%s%s", text, i ? ", " : "", named_step(arena, race, i));
    }
    return arena_printf(arena, "%s%sno order explains the answers", text, *text ? ": " : "");
}

const char *race_headline(struct arena *arena, const struct race *race)
{
    const char *text = race->deadlock ? deadlock_text(arena, race)
                       : race->kept   ? kept_text(arena, race)
                                      : unpredicted_text(arena, race);
    return arena_printf(arena, "%u session%s: %s", race->sessions, plural(race->sessions),
                        text ? text : unexplained_text(arena, race));
}

/* --- anomalies --- */

const char *race_anomaly_text(struct arena *arena, const struct race *race)
{
    const struct race_anomaly *anomaly = &race->anomaly;
    const char *step = anomaly->kind ? race_step_name(arena, race, anomaly->step) : "";
    const char *by = anomaly->kind ? race_step_name(arena, race, anomaly->by) : "";
    const char *table = anomaly->table ? show_name(arena, anomaly->table) : "";
    switch (anomaly->kind) {
    case ANOMALY_LOST_UPDATE:
        return arena_printf(arena, "lost update: %s overwrote what %s had written to %s", by, step,
                            table);
    case ANOMALY_WRITE_SKEW:
        return arena_printf(arena,
                            "looks like write skew: %s and %s wrote different rows, each as if the "
                            "other did not run",
                            step, by);
    case ANOMALY_PHANTOM:
        return arena_printf(arena,
                            "looks like a phantom: %s and %s wrote different rows, some of them "
                            "new, each as if the other did not run",
                            step, by);
    case ANOMALY_READ_SKEW:
        return arena_printf(arena, "read skew: %s saw a part of what %s wrote", by, step);
    case ANOMALY_LOCK_ORDER:
        return arena_printf(
            arena, "lock order: %s and %s update the same %zu rows%s%s in different orders", step,
            by, anomaly->rows, *table ? " of " : "", table);
    case ANOMALY_NONE:
    default:
        return NULL;
    }
}

/* "A1 read accounts before the COMMIT of B1" */
static const char *early_read(struct arena *arena, const struct race *race, size_t reader,
                              size_t writer, const char *table)
{
    const char *by = race_step_name(arena, race, writer);
    const char *what = table ? show_name(arena, table) : arena_printf(arena, "rows of %s", by);
    return arena_printf(arena, "%s read %s before the COMMIT of %s",
                        race_step_name(arena, race, reader), what, by);
}

const char *race_dependency_text(struct arena *arena, const struct race *race)
{
    const struct race_anomaly *anomaly = &race->anomaly;
    if (anomaly->kind == ANOMALY_NONE || anomaly->kind == ANOMALY_LOCK_ORDER) {
        return NULL;
    }
    bool lost = anomaly->kind == ANOMALY_LOST_UPDATE;
    const char *early = early_read(arena, race, anomaly->by, anomaly->step,
                                   lost ? anomaly->table : anomaly->wrote[0]);
    return lost ? arena_printf(arena, "%s, and wrote after it", early)
           : anomaly->kind == ANOMALY_READ_SKEW
               ? arena_printf(arena, "%s, and again after it", early)
               : arena_printf(
                     arena, "%s, and %s",
                     early_read(arena, race, anomaly->step, anomaly->by, anomaly->wrote[1]), early);
}

const char *race_remedy_text(const struct race *race)
{
    static const char *const remedies[] = {
        [ANOMALY_LOST_UPDATE] = "REPEATABLE READ prevents it, by serialization_failure; so does "
                                "SELECT … FOR UPDATE",
        [ANOMALY_WRITE_SKEW] = "SERIALIZABLE prevents it, by serialization_failure; so does a row "
                               "that both lock first",
        [ANOMALY_PHANTOM] = "SERIALIZABLE prevents it, by serialization_failure; so may a unique "
                            "or exclusion constraint",
        [ANOMALY_READ_SKEW] = "REPEATABLE READ prevents it; so does one statement instead of "
                              "several",
        [ANOMALY_LOCK_ORDER] = "no isolation level prevents it; a common order does, as in SELECT "
                               "… ORDER BY … FOR UPDATE",
    };
    return remedies[race->anomaly.kind];
}
