/* What several sessions did, line by line, and the orders that don't explain it: what the text and
 * the HTML report make of a failure of several sessions. */
#ifndef REPORT_RACE_H
#define REPORT_RACE_H

#include "account/show.h"
#include "run/run.h"

/* How texts of a race are shown. */
struct race_words {
    struct arena *arena;
    const struct show_names *names;
    size_t limit; /* characters of a text, or SHOW_ALL */
};

/* What a session is doing after a line of it, while others go on. */
enum race_standing { STANDS_IDLE, STANDS_WAITING, STANDS_AT_GATE };
extern const enum race_standing race_standings[]; /* by enum race_event_kind */

/* A line of the timeline. */
struct race_line {
    enum race_event_kind kind;
    size_t step;        /* index in the race's steps */
    unsigned session;   /* from 1 */
    const char *text;   /* the statement, "COMMIT", "stops before its UPDATE of accounts"; ANSWERED:
                           the answer */
    const char *answer; /* SENT: what came at once; NULL: nothing did, or it says nothing new */
    bool failed;        /* the answer is an error */
};
struct race_lines {
    VEC(struct race_line) items;
};

struct race_lines race_lines(const struct race_words *words, const struct race *race);

/* Safe to show on one line: white space folded, ids by name; "" of NULL. */
const char *race_text(const struct race_words *words, const char *text);

/* Which part of an order says that it does not explain the answers. */
struct race_verdict {
    bool at_end;          /* an invariant after all steps; else the last one of `shown` */
    size_t shown;         /* steps of the order up to there */
    const char *should;   /* "should give", "should give one of", "should raise", "should satisfy";
                             NULL: it does not hold, that is all */
    const char *expected; /* "98", "something else" */
    const char *but;      /* "but gave", "but raised" */
    const char *actual;
};
struct race_verdict race_verdict(const struct race_words *words, const struct race_order *order);
/* "if A1 ran first, B1 should have given 98; it gave 99"; of more than two steps "A1 B1 …  B1 (rule
 * withdraw) should give 98, but gave 99". */
const char *race_order_text(const struct race_words *words, const struct race *race,
                            const struct race_order *order);

/* What a run of sessions that found nothing says: the bound of PCT (Burckhardt et al. 2010) for
 * races of depth 2. */
struct race_bound {
    double places;      /* one in so many schedules with a switch shows such a race, at least */
    uint64_t schedules; /* so many looked for one */
    double missed;      /* the probability that all of them miss one that all examples contain */
};
/* False: it says nothing, as something failed or nothing was run side by side. */
bool race_bound(const struct run_result *result, struct race_bound *bound);

/* "2 sessions: A1 pay, B1 pay: no order explains the answers", "2 sessions: A1 pay and B1 refund
 * deadlocked" */
const char *race_headline(struct arena *arena, const struct race *race);
/* "lost update: B1 overwrote what A1 had written to accounts"; NULL: the race has no name. */
const char *race_anomaly_text(struct arena *arena, const struct race *race);
/* "B1 read accounts before the COMMIT of A1, and wrote after it": who read what the other one
 * wrote, and when. NULL: the race has no name, or it is a matter of locks alone. */
const char *race_dependency_text(struct arena *arena, const struct race *race);
/* What prevents the anomaly: an isolation level, and what else does. NULL: the race has no name. */
const char *race_remedy_text(const struct race *race);

#endif
