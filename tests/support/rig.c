#include "support/rig.h"

#include "example/setup/setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t now_us(void *host)
{
    struct rig *rig = host;
    return ++rig->now_us;
}

static bool interrupted(void *host)
{
    struct rig *rig = host;
    rig->asked++;
    return rig->interrupt_at && !rig->masked && rig->asked >= rig->interrupt_at;
}

static void mask_interrupts(void *host, bool mask)
{
    struct rig *rig = host;
    rig->masked = mask;
}

static void progress(void *host, const struct run_stats *stats, uint64_t planned)
{
    struct rig *rig = host;
    (void)stats;
    (void)planned;
    rig->progress++;
}

static void print(void *host, const char *line, size_t size)
{
    struct rig *rig = host;
    strbuf_add(&rig->printed, line, size);
    strbuf_addc(&rig->printed, '\n');
}

static _Noreturn void die(const struct diagnostics *diagnostics)
{
    struct strbuf text = {0};
    for (size_t i = 0; i < diagnostics->errors.count; i++) {
        error_format(&diagnostics->errors.items[i], &text);
    }
    (void)fprintf(stderr, "%s", strbuf_text(&text));
    abort();
}

void rig_open(struct rig *rig, const char *yaml, const struct fake_script *script, void *state,
              size_t size)
{
    *rig = (struct rig){0};
    struct diagnostics diagnostics = {.arena = &rig->arena};
    if (!machine_read("test.yaml", yaml, strlen(yaml), NULL, &rig->arena, &rig->machine,
                      &diagnostics)) {
        die(&diagnostics);
    }
    fake_init(&rig->fake, script, state, size);
    rig->options.settings = rig->machine->settings;
    rig->options.settings.examples = 1;
    rig->options.settings.steps = 10;
    rig->options.settings.has_seed = true;
    rig->options.settings.seed = 1;
    rig->options.settings.shrink_executions = 0;
    rig->options.callbacks = (struct run_callbacks){.host = rig,
                                                    .now_us = now_us,
                                                    .interrupted = interrupted,
                                                    .mask_interrupts = mask_interrupts,
                                                    .progress = progress,
                                                    .print = print};
}

void rig_close(struct rig *rig)
{
    fake_free(&rig->fake);
    strbuf_free(&rig->printed);
    arena_free(&rig->results);
    arena_free(&rig->arena);
}

bool rig_run(struct rig *rig)
{
    fake_begin(&rig->fake);
    strbuf_clear(&rig->printed);
    rig->asked = 0;
    return run_machine(rig->machine, &rig->fake.backend, &rig->options, &rig->results, &rig->result,
                       &rig->err);
}

void rig_run_ok(struct rig *rig)
{
    if (!rig_run(rig)) {
        (void)fprintf(stderr, "the run failed: %s\n", rig->err.message);
        abort();
    }
}

const struct failure *rig_failure(struct rig *rig)
{
    rig_run_ok(rig);
    if (rig->result.failures.count != 1) {
        (void)fprintf(stderr, "%zu failures\n%s", rig->result.failures.count, fake_log(&rig->fake));
        abort();
    }
    return &rig->result.failures.items[0];
}

const char *rig_steps(struct rig *rig, const struct failure *failure)
{
    struct strbuf text = {0};
    for (size_t i = 0; i < failure->steps.count; i++) {
        trace_print_step(&failure->steps.items[i], &text);
        strbuf_addc(&text, '\n');
    }
    const char *copy = strbuf_copy(&text, &rig->results);
    strbuf_free(&text);
    return copy;
}

void rig_start(struct rig *rig)
{
    const struct engine_options options = run_engine_options(&rig->options);
    const struct failure *failure;
    fake_begin(&rig->fake);
    engine_init(&rig->engine, rig->machine, &rig->fake.backend, &options);
    const struct examine_options examine = run_examine_options(&rig->options);
    examiner_init(&rig->examiner, &rig->engine, &rig->results, &examine);
    if (!engine_setup(&rig->engine, NULL, &failure, &rig->err) || failure) {
        (void)fprintf(stderr, "set-up: %s\n", failure ? failure->identity : rig->err.message);
        abort();
    }
}

void rig_stop(struct rig *rig) { engine_free(&rig->engine); }

const struct example_result *rig_example(struct rig *rig, const struct example_plan *plan)
{
    if (!example_run(&rig->engine, plan, &rig->last, &rig->err)) {
        (void)fprintf(stderr, "example: %s\n", rig->err.message);
        abort();
    }
    return &rig->last;
}

size_t rig_rule(const struct rig *rig, const char *name)
{
    for (size_t i = 0; i < rig->machine->rules.count; i++) {
        if (strcmp(rig->machine->rules.items[i].name, name) == 0) {
            return i;
        }
    }
    (void)fprintf(stderr, "no rule %s\n", name);
    abort();
}
