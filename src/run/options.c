#include "run/options.h"

#include "sessions/sessions.h"

#include <assert.h>

bool run_shard_is_idle(const struct run_options *options)
{
    return options->shard_count > 0 && options->settings.examples > 0 &&
           options->shard >= (uint64_t)options->settings.examples;
}

struct engine_options run_engine_options(const struct run_options *options)
{
    assert(options->callbacks.now_us != NULL);
    const struct run_callbacks *callbacks = &options->callbacks;
    bool ahead = !options->no_pipeline && options->settings.deadline_ms == 0 && !options->narrator;
    return (struct engine_options){
        .settings = &options->settings,
        .rules_off = options->rules_off,
        .invariants_off = options->invariants_off,
        .ahead = ahead,
        .measure = options->measure && !ahead,
        .tally = options->measure,
        .plant = options->plant,
        .all_invariants = options->all_invariants,
        .strict = options->finding == FIND_TELL,
        .differs = options->differs,
        .migration = options->migration,
        .sessions = options->settings.sessions > 1 ? &sessions_driver : NULL,
        .clock = {.host = callbacks->host,
                  .now_us = callbacks->now_us,
                  .interrupted = callbacks->interrupted,
                  .started_us = callbacks->now_us(callbacks->host),
                  .max_ms = options->settings.max_time_ms},
        .print = callbacks->print,
        .print_host = callbacks->host,
    };
}

struct examine_options run_examine_options(const struct run_options *options)
{
    const struct run_callbacks *callbacks = &options->callbacks;
    return (struct examine_options){.record = options->record,
                                    .host = callbacks->host,
                                    .mask_interrupts = callbacks->mask_interrupts,
                                    .shrinking = callbacks->shrinking,
                                    .open_committed = callbacks->open_committed,
                                    .fails_uncommitted = callbacks->fails_uncommitted};
}
