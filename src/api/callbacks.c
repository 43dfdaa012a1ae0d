#include "api/session.h"
#include "api/sharing.h"
#include "os/wait.h"

static uint64_t now_us(void *host)
{
    (void)host;
    return (uint64_t)clock_us();
}

static bool on_interrupted(void *host)
{
    struct run_session *session = host;
    if (session->sharing) {
        sharing_tick(session);
    }
    return database_interrupted(session->database);
}

static void on_mask_interrupts(void *host, bool mask)
{
    const struct run_session *session = host;
    bool interrupted = database_interrupted(session->database);
    atomic_store(&session->database->masked, mask);
    if (mask && interrupted && session->callbacks->note) {
        session->callbacks->note(session->callbacks->host,
                                 "writing what was found; interrupt again to end at once");
    }
}

static void count_rules(const struct run_session *session, const struct run_stats *stats,
                        struct pgfsm_progress *progress)
{
    const bool *rules_off = session->run->report.rules_off;
    size_t count = session->machine->rules.count;
    for (size_t i = 0; i < count; i++) {
        bool off = rules_off && rules_off[i];
        progress->rules += !off;
        progress->rules_ran += !off && stats->rules[i].ran > 0;
    }
    for (size_t i = 0; stats->pairs && i < count * count; i++) {
        progress->pairs_seen += stats->pairs[i] > 0;
    }
    progress->pairs = stats->pairs ? progress->rules * progress->rules : 0;
}

static void on_progress(void *host, const struct run_stats *stats, uint64_t planned)
{
    struct run_session *session = host;
    session->progress = (struct pgfsm_progress){
        .examples = stats->examples,
        .examples_planned = planned,
        .steps = stats->steps,
        .time_us = stats->time_us,
        .max_time_us = (uint64_t)session->settings.max_time_ms * 1000,
        .failures = session->run->result.failures.count,
        .differs = session->options.diff != NULL,
    };
    count_rules(session, stats, &session->progress);
    session->callbacks->progress(session->callbacks->host, &session->progress);
}

static void on_shrinking(void *host, uint64_t time_us, uint64_t executions, size_t steps)
{
    const struct run_session *session = host;
    struct pgfsm_progress progress = session->progress;
    progress.time_us = time_us;
    progress.shrink_runs = executions;
    progress.shrink_steps = steps;
    progress.failures = session->run->result.failures.count;
    progress.differs = session->options.diff != NULL;
    session->callbacks->progress(session->callbacks->host, &progress);
}

static void on_print(void *host, const char *line, size_t size)
{
    const struct run_session *session = host;
    session->callbacks->print(session->callbacks->host, line, size);
}

static void on_tell(void *host, const char *text, size_t size)
{
    const struct run_session *session = host;
    session->callbacks->tell(session->callbacks->host, text, size);
}

struct run_callbacks callbacks_of(struct run_session *session)
{
    const struct pgfsm_callbacks *callbacks = session->callbacks;
    return (struct run_callbacks){
        .host = session,
        .now_us = now_us,
        .interrupted = callbacks->interrupted || session->sharing ? on_interrupted : NULL,
        .mask_interrupts = on_mask_interrupts,
        .progress = callbacks->progress ? on_progress : NULL,
        .shrinking = callbacks->progress ? on_shrinking : NULL,
        .print = callbacks->print ? on_print : NULL,
        .tell = callbacks->tell ? on_tell : NULL,
    };
}
