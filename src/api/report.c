#include "api/errors.h"
#include "api/given.h"
#include "api/run.h"

#include <stdlib.h>
#include <time.h>

#include <pgfsm/report.h>
#include <pgfsm/version.h>

struct pgfsm_reporter {
    struct report report;
    struct strbuf out; /* what the last call returned */
};

static uint64_t now_ms(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

bool pgfsm_reporter_new(struct pgfsm_reporter **out, const struct pgfsm_report_options *options,
                        struct pgfsm_errors *errors)
{
    struct pgfsm_report_options given = PGFSM_REPORT_OPTIONS_INIT;
    *out = NULL;
    if (!GIVEN_TAKE(&given, options, errors, pgfsm_report_options)) {
        return false;
    }
    const char *name = given.format ? given.format : "text";
    const struct report_format *format = report_format_find(name);
    if (!format) {
        (void)errors_addf(errors, ERROR_USAGE, "there is no report format '%s'", name);
        return false;
    }
    *out = memory_alloc(sizeof **out);
    **out = (struct pgfsm_reporter){
        .report = {.format = format, .version = pgfsm_version(), .began_ms = now_ms()}};
    (*out)->report.options = (struct report_options){
        .stats = given.stats,
        .color = given.color,
        .whole = given.whole,
        .quiet = given.quiet,
        .unsaved = given.unsaved,
        .told = given.told,
        .replay = given.replay,
        .replay_trace = given.replay_trace,
        .pin = given.pin,
        .show = given.show,
        .page = given.page,
        .width = given.width,
        .folder = given.folder,
        .machines = given.machines,
        .run = given.run,
    };
    return true;
}

static const char *written(struct pgfsm_reporter *reporter, size_t *size)
{
    *size = reporter->out.size;
    return strbuf_text(&reporter->out);
}

const char *pgfsm_reporter_begin(struct pgfsm_reporter *reporter, size_t *size)
{
    strbuf_clear(&reporter->out);
    report_begin(&reporter->report, &reporter->out);
    return written(reporter, size);
}

static void add_problems(struct report_run *run, const struct pgfsm_errors *errors,
                         struct arena *arena)
{
    size_t count = errors ? pgfsm_errors_count(errors) : 0;
    struct report_problem *problems = ARENA_ARRAY(arena, struct report_problem, count);
    for (size_t i = 0; i < count; i++) {
        const struct pgfsm_error *error = pgfsm_errors_at(errors, i);
        problems[i] = (struct report_problem){error->file, error->line, error->column,
                                              error->message, error->text};
    }
    run->problems = problems;
    run->problem_count = count;
}

const char *pgfsm_reporter_add(struct pgfsm_reporter *reporter,
                               const struct pgfsm_report_part *part, size_t *size)
{
    struct pgfsm_report_part given = PGFSM_REPORT_PART_INIT;
    struct arena arena = {0};
    if (!GIVEN_TAKE(&given, part, NULL, pgfsm_report_part)) {
        return NULL;
    }
    struct report_run run = given.run ? given.run->report : (struct report_run){0};
    run.path = given.path ? given.path : run.machine ? run.machine->path : "";
    run.name = given.name;
    run.again = given.again;
    run.most = given.most;
    run.options = given.options;
    run.command = given.command;
    run.made = given.made;
    add_problems(&run, given.errors, &arena);
    strbuf_clear(&reporter->out);
    reporter->report.ended_ms = now_ms();
    report_add(&reporter->report, &run, &reporter->out);
    arena_free(&arena);
    return written(reporter, size);
}

const char *pgfsm_reporter_end(struct pgfsm_reporter *reporter, size_t *size)
{
    strbuf_clear(&reporter->out);
    reporter->report.ended_ms = now_ms();
    report_end(&reporter->report, &reporter->out);
    return written(reporter, size);
}

void pgfsm_reporter_free(struct pgfsm_reporter *reporter)
{
    if (reporter) {
        report_free(&reporter->report);
        strbuf_free(&reporter->out);
        free(reporter);
    }
}

bool pgfsm_report(char **out, size_t *size, const struct pgfsm_run *run,
                  const struct pgfsm_report_options *options, struct pgfsm_errors *errors)
{
    struct pgfsm_reporter *reporter;
    const struct pgfsm_report_part part_of_run = {.struct_size = sizeof part_of_run, .run = run};
    struct strbuf text = {0};
    size_t part;
    *out = NULL;
    *size = 0;
    if (!pgfsm_reporter_new(&reporter, options, errors)) {
        return false;
    }
    strbuf_adds(&text, pgfsm_reporter_begin(reporter, &part));
    strbuf_adds(&text, pgfsm_reporter_add(reporter, &part_of_run, &part));
    strbuf_adds(&text, pgfsm_reporter_end(reporter, &part));
    pgfsm_reporter_free(reporter);
    *out = text.data;
    *size = text.size;
    return true;
}

const char *pgfsm_report_format(size_t index)
{
    for (size_t i = 0; report_formats[i]; i++) {
        if (i == index) {
            return report_formats[i]->name;
        }
    }
    return NULL;
}
