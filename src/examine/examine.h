/* What becomes of a failure that a run found: confirmed, shrunk, confirmed on a new connection,
 * recorded. */
#ifndef EXAMINE_EXAMINE_H
#define EXAMINE_EXAMINE_H

#include "examine/rerun.h"

/* Runs the failure's trace again, shrinks it, and runs the shortest one on a new connection, as
 * whoever replays it will. Where it fails there, too, nothing that an earlier example left behind
 * is needed. Where it does not, what was found is tried there as it is, and if that fails shrunk
 * there; if not, the failure is marked `leftover`. One that fails neither again nor on a new
 * connection is marked flaky, with the first step where the runs differ. The steps of a pinned
 * example stay as they are: a shorter form stands beside it. One that is no failure, as two
 * databases differ there by nature, or never again, is marked `by_nature`, and nothing else of it
 * holds.
 *
 * `failure` must be in an arena of its own, and the example that found it, or failure_repeat
 * after it, be the last that ran.
 * False: the run can't go on; the failure is the shortest known by then, and where that is an
 * interrupt it is recorded all the same. */
bool failure_examine(struct examiner *examiner, struct failure *failure, struct error *err);

/* Tries a trace that another process has shrunk this failure to. If it fails in the same way on a
 * new connection (*adopted), `failure` becomes it, and is recorded. Otherwise `failure` stays; what
 * found it runs again, so that failure_examine can follow. False: the run can't go on. */
bool failure_adopt(struct examiner *examiner, const struct trace *known, struct failure *failure,
                   bool *adopted, struct error *err);
/* Runs the trace of a failure once more, so that failure_examine can follow, whether it still fails
 * or not. False if the run can't go on. */
bool failure_repeat(struct examiner *examiner, const struct failure *failure, bool *fails,
                    struct error *err);

/* How many steps the last one of its trace needs at least: itself, and those whose values it refers
 * to. */
size_t failure_least_length(const struct failure *failure);
/* Whether an example that failed as `failure` did, which was examined, may take its place; `least`:
 * its failure_least_length. Two other examples are tried, and only as long as they may become
 * shorter, or if `failure` does not fail on a new connection. */
bool failure_wants_another(const struct failure *failure, size_t least);
/* The example that ran last failed as `failure` did. If `failure` wants another one, and that one
 * is shorter once it is shrunk, too, or fails on a new connection where `failure` does not,
 * `failure` becomes it, and *shorter is true. `failure->shrinking` counts what that takes. False:
 * the run can't go on; `failure` stays. */
bool failure_try_another(struct examiner *examiner, struct failure *failure, bool *shorter,
                         struct error *err);

/* What is left to do for a failure when the run was interrupted (`why`): a recording, as it is. */
void failure_write_down(struct examiner *examiner, struct failure *failure,
                        const struct error *why);

/* The parts, each in a file of its own. */

/* confirm.c: runs the failure's trace again; where it does not fail the same way the failure is
 * marked flaky, with the first step where the runs differ. */
bool failure_confirm(struct examiner *examiner, struct failure *failure, struct error *err);

/* shrink_failure.c: replaces `failure` (which was seen to fail again) by the shortest one of the
 * same identity that can be found within settings.shrink; with SHRINK_FRESH each attempt has a new
 * connection, where what other attempts leave behind would make a difference. `failure->shrinking`
 * tells what it took. Where the run must stop (interrupt, lost connection) it is false with err,
 * and the failure is the shortest that was seen. */
enum shrink_where { SHRINK_HERE, SHRINK_FRESH };
bool failure_shrink(struct examiner *examiner, enum shrink_where where, struct failure *failure,
                    struct error *err);
/* The same, within what is left of settings.shrink, for a failure of the identity of `rival`; stops
 * early if it will be no shorter than that. */
bool failure_outdo(struct examiner *examiner, const struct failure *rival, struct failure *failure,
                   struct error *err);
/* A shorter form of a pinned example's failure (which was seen to fail again), to be shown beside
 * it: sets failure->shorter where there is one. As failure_shrink, SHRINK_HERE. */
bool pinned_shrink(struct examiner *examiner, struct failure *failure, struct error *err);
/* Why the run had to stop, in a few words. */
const char *why_stopped(const struct examiner *examiner, const struct error *err);

/* record.c: where the run wants recordings, runs the failure's trace again, on a new connection, as
 * a script will (its check alone, at the end; where it does not fail like that, with what else is
 * checked), and sets failure->recording. It stays NULL where the failure needs what an earlier
 * example left behind. False: the run can't go on. */
bool failure_record(struct examiner *examiner, struct failure *failure, struct error *err);

/* explain.c: finds out which arguments of the shrunk failure may be anything, as the explain phase
 * of Hypothesis does, and sets the remarks of its steps. Each argument gets other values, all if
 * there are few, and then all of those that did not matter at once. It does nothing for failures
 * that are flaky, of sessions or pinned. False: the run can't go on. */
bool failure_explain(struct examiner *examiner, struct failure *failure, struct error *err);

/* doubt.c: of two databases: whether the failure's trace shows only what differs by nature, as the
 * first database differs from itself there. Sets failure->by_nature. Does nothing for other
 * failures. False: the run can't go on. */
bool failure_doubt(struct examiner *examiner, struct failure *failure, struct error *err);

/* follow.c: of two databases: whether they differ already in what the steps before the last one, or
 * those before an invariant, left behind. Sets failure->follows. False: the run can't go on. */
bool failure_follow(struct examiner *examiner, struct failure *failure, struct error *err);

/* committed.c: of a migration that fails between two steps: whether it does where steps are
 * committed and psql runs it, as it will be run. If not, sets failure->by_nature, and tells the
 * host. Does nothing for other failures, and where nothing can be committed. False: the run can't
 * go on. */
bool failure_commit(struct examiner *examiner, struct failure *failure, struct error *err);

/* tell.c: runs the failure's trace on a new connection, as whoever replays it will, where sequences
 * begin as in any run. All invariants are asked after every step, and none ends the example; if it
 * does not fail like that, they are asked as the machine says, and then the failing one alone. Of
 * several sessions, the account ends where they begin. False: the run can't go on. */
struct telling {
    const struct failure *shown;   /* as it failed there; NULL: it did not fail as wanted */
    const struct account *account; /* NULL: it did not, or of several sessions can't be told */
};
bool failure_tell(struct examiner *examiner, const struct failure *wanted, struct telling *out,
                  struct error *err);

/* The same for an example that passes: runs the plan step by step, without its output. *account
 * is NULL if the example fails. */
bool passing_example_tell(struct examiner *examiner, const struct example_plan *plan,
                          struct example_result *result, const struct account **account,
                          struct error *err);

#endif
