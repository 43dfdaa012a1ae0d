#include "cli/fleet.h"

#include "base/hash.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* An engine, and its variables. One that is unset or empty says nothing. */
struct engine {
    const char *name;
    const char
        *given; /* set in every job of the engine: its other names are not its own; or NULL */
    const char *index; /* NULL: the engine numbers no jobs */
    int64_t base;      /* the first index, unless `first` is set */
    const char *total;
    const char *run;   /* the same in all jobs of a run, and when a job is tried again; or NULL */
    const char *first; /* the first index; or NULL */
    const char *last;  /* with `first` and `step`: the indices are a range */
    const char *step;
};

/* From the outermost to the innermost: each can start jobs of those below it. */
static const struct engine engines[] = {
    {.name = "GitHub Actions", .given = "GITHUB_ACTIONS", .run = "GITHUB_RUN_ID"},
    {.name = "GitLab",
     .given = "GITLAB_CI",
     .index = "CI_NODE_INDEX",
     .base = 1,
     .total = "CI_NODE_TOTAL",
     .run = "CI_PIPELINE_ID"},
    {.name = "CircleCI",
     .given = "CIRCLECI",
     .index = "CIRCLE_NODE_INDEX",
     .total = "CIRCLE_NODE_TOTAL",
     .run = "CIRCLE_PIPELINE_ID"},
    {.name = "Buildkite",
     .given = "BUILDKITE",
     .index = "BUILDKITE_PARALLEL_JOB",
     .total = "BUILDKITE_PARALLEL_JOB_COUNT",
     .run = "BUILDKITE_BUILD_ID"},
    {.name = "Bitbucket",
     .index = "BITBUCKET_PARALLEL_STEP",
     .total = "BITBUCKET_PARALLEL_STEP_COUNT",
     .run = "BITBUCKET_BUILD_NUMBER"},
    {.name = "Semaphore",
     .index = "SEMAPHORE_JOB_INDEX",
     .base = 1,
     .total = "SEMAPHORE_JOB_COUNT",
     .run = "SEMAPHORE_WORKFLOW_ID"},
    {.name = "Kubernetes", .index = "JOB_COMPLETION_INDEX", .total = VARIABLE_SHARDS},
    {.name = "Cloud Run",
     .index = "CLOUD_RUN_TASK_INDEX",
     .total = "CLOUD_RUN_TASK_COUNT",
     .run = "CLOUD_RUN_EXECUTION"},
    {.name = "AWS Batch",
     .index = "AWS_BATCH_JOB_ARRAY_INDEX",
     .total = "AWS_BATCH_JOB_ARRAY_SIZE",
     .run = "AWS_BATCH_JOB_ID"},
    {.name = "Slurm",
     .index = "SLURM_ARRAY_TASK_ID",
     .total = "SLURM_ARRAY_TASK_COUNT",
     .run = "SLURM_ARRAY_JOB_ID",
     .first = "SLURM_ARRAY_TASK_MIN",
     .last = "SLURM_ARRAY_TASK_MAX",
     .step = "SLURM_ARRAY_TASK_STEP"},
    {.name = "Open MPI",
     .index = "OMPI_COMM_WORLD_RANK",
     .total = "OMPI_COMM_WORLD_SIZE",
     .run = "PMIX_NAMESPACE"},
};
enum { ENGINES = sizeof engines / sizeof *engines };

static const char *variable(const char *name)
{
    const char *value = name ? getenv(name) : NULL;
    return value && *value ? value : NULL;
}

static bool is_here(const struct engine *engine)
{
    return !engine->given || variable(engine->given);
}

/* Reads a number from `least` up; false with a problem. */
static bool read_number(const struct engine *engine, const char *name, int64_t least, int64_t *out,
                        struct strbuf *problem)
{
    const char *value = variable(name);
    char *end = NULL;
    errno = 0;
    *out = value && isdigit((unsigned char)*value) ? strtoll(value, &end, 10) : -1;
    if (!value) {
        strbuf_addf(problem,
                    "--shard auto: %s sets %s, but %s is not set: set it to the number of shards, "
                    "or name the shard with --shard I/N\n",
                    engine->name, engine->index, name);
        return false;
    }
    if (!end || errno || *end || *out < least) {
        strbuf_addf(problem,
                    "--shard auto: %s is '%s', which is no number from %" PRId64
                    " up; name the shard with --shard I/N\n",
                    name, value, least);
        return false;
    }
    return true;
}

/* The first index, and the distance between two: the indices of an array may be any range. */
static bool read_range(const struct engine *engine, int64_t total, int64_t *first, int64_t *step,
                       struct strbuf *problem)
{
    int64_t last;
    *first = engine->base;
    *step = 1;
    if (!engine->first) {
        return true;
    }
    if (!read_number(engine, engine->first, 0, first, problem) ||
        !read_number(engine, engine->last, 0, &last, problem) ||
        (variable(engine->step) && !read_number(engine, engine->step, 1, step, problem))) {
        return false;
    }
    if (last < *first || (last - *first) / *step != total - 1 || (last - *first) % *step) {
        strbuf_addf(problem,
                    "--shard auto: the array of %s is a list, not a range: %" PRId64
                    " indices from %" PRId64 " to %" PRId64
                    "; number it 1-N, or name the shard with --shard I/N\n",
                    engine->name, total, *first, last);
        return false;
    }
    return true;
}

/* The shard that the engine names; count 0: it names none. False with a problem. */
static bool read_engine(const struct engine *engine, struct shard *out, struct strbuf *problem)
{
    int64_t index;
    int64_t first;
    int64_t step;
    int64_t total;
    *out = (struct shard){0};
    if (!variable(engine->index) || !is_here(engine)) {
        return true;
    }
    if (!read_number(engine, engine->total, 1, &total, problem) ||
        !read_range(engine, total, &first, &step, problem) ||
        !read_number(engine, engine->index, first, &index, problem)) {
        return false;
    }
    index -= first;
    if (index % step || index / step >= total) {
        strbuf_addf(problem,
                    "--shard auto: %s is %s, but there are %" PRId64 " shards from %" PRId64
                    " on; name the shard with --shard I/N\n",
                    engine->index, variable(engine->index), total, first);
        return false;
    }
    *out = (struct shard){.index = index / step + 1, .count = total};
    return true;
}

static bool disagree(const struct engine *one, struct shard first, const struct engine *other,
                     struct shard second, struct strbuf *problem)
{
    strbuf_addf(problem,
                "--shard auto: %s says %" PRId64 "/%" PRId64 " (%s), and %s %" PRId64 "/%" PRId64
                " (%s); name the shard with --shard I/N\n",
                one->name, first.index, first.count, one->index, other->name, second.index,
                second.count, other->index);
    return false;
}

/* Finds the innermost engine that splits a run. Jobs that are alone in theirs count only if nothing
 * else does: an engine around them may split the run. */
static bool find_shard(struct shard *out, const struct engine **by, struct strbuf *problem)
{
    *out = (struct shard){0};
    *by = NULL;
    for (size_t i = ENGINES; i-- > 0;) {
        struct shard shard;
        if (!read_engine(&engines[i], &shard, problem)) {
            return false;
        }
        if (shard.count > 1 && out->count > 1 &&
            (shard.index != out->index || shard.count != out->count)) {
            return disagree(*by, *out, &engines[i], shard, problem);
        }
        if (shard.count > 0 && (!*by || (shard.count > 1 && out->count == 1))) {
            *out = shard;
            *by = &engines[i];
        }
    }
    return true;
}

/* Of an engine that has set some of its variables: those, and what it does not have. */
static bool add_seen(const struct engine *engine, struct strbuf *out)
{
    const char *names[] = {engine->given, engine->index, engine->total};
    struct strbuf set = {0};
    struct strbuf unset = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct strbuf *list = variable(names[i]) ? &set : &unset;
        if (names[i]) {
            strbuf_addf(list, "%s%s", list->size ? " and " : "", names[i]);
        }
    }
    bool seen = engine->index && (variable(engine->index) || variable(engine->total));
    if (seen) {
        strbuf_addf(out, "%s %s set, but not %s, which %s sets in each job that it numbers",
                    strbuf_text(&set), strstr(strbuf_text(&set), " and ") ? "are" : "is",
                    strbuf_text(&unset), engine->name);
    }
    strbuf_free(&set);
    strbuf_free(&unset);
    return seen;
}

/* No engine numbers this job: what is missing. */
static void add_unnumbered(struct strbuf *problem)
{
    bool seen = false;
    strbuf_adds(problem, "--shard auto: no engine numbers this job: ");
    for (size_t i = 0; i < ENGINES && !seen; i++) {
        seen = add_seen(&engines[i], problem);
    }
    for (size_t i = 0; i < ENGINES && !seen; i++) {
        if (engines[i].index) {
            strbuf_addf(problem, "%s%s", engines[i].index,
                        i + 1 < ENGINES ? ", " : ": none of these variables is set");
        }
    }
    strbuf_adds(problem, "; name the shard with --shard I/N\n");
}

static bool resolve_shard(struct options *options, struct strbuf *said, struct strbuf *problem)
{
    const struct engine *by;
    if (!find_shard(&options->shard, &by, problem)) {
        return false;
    }
    if (!by) {
        add_unnumbered(problem);
        return false;
    }
    options->run.shard = options->shard.index - 1;
    options->run.shard_count = options->shard.count;
    strbuf_addf(said, "shard %" PRId64 " of %" PRId64 ", as %s says (%s=%s)", options->shard.index,
                options->shard.count, by->name, by->index, variable(by->index));
    return true;
}

/* The run that this job belongs to, from the outermost engine, which all shards have in common. A
 * child of AWS Batch has the id of its array, and its own index behind a colon. */
static void find_run(struct options *options, const char **name, const char **by)
{
    *name = VARIABLE_RUN_ID;
    *by = NULL;
    const char *value = variable(VARIABLE_RUN_ID);
    for (size_t i = 0; i < ENGINES && !value; i++) {
        value = is_here(&engines[i]) ? variable(engines[i].run) : NULL;
        *name = engines[i].run;
        *by = engines[i].name;
    }
    options->run_id =
        value ? arena_strndup(&options->arena, value, strcspn(value, *by ? ":" : "")) : NULL;
}

/* Folded to what a drawn seed has. */
static int64_t seed_of(const char *run)
{
    uint64_t hash = hash_text(run);
    return (int64_t)((hash ^ (hash >> 32)) & UINT32_MAX);
}

bool fleet_resolve(struct options *options, struct strbuf *said, struct strbuf *problem)
{
    const char *name;
    const char *by;
    find_run(options, &name, &by);
    if (options->shard.count == SHARD_AUTO && !resolve_shard(options, said, problem)) {
        return false;
    }
    bool shares = options->run.shared && options->run_id && !options->run.shard_count;
    if (shares && !by && options->run.seed == -1 && !options->run.derandomize) {
        options->run.seed = SEED_AUTO; /* which the processes have in common */
    }
    if (shares && (!by || options->run.seed == SEED_AUTO)) {
        options->run.run_id = options->run_id;
        strbuf_addf(said, "shares run %s with all processes of the store that are to do the same",
                    options->run_id);
    } else if (options->run_id && !by && !options->run.shard_count &&
               options->run.seed != SEED_AUTO) {
        strbuf_adds(said, VARIABLE_RUN_ID " is set, but no --store: this process runs everything");
    }
    if (options->run.seed != SEED_AUTO) {
        return true;
    }
    if (!options->run_id) {
        strbuf_adds(problem, "--seed auto: no engine names this run; set " VARIABLE_RUN_ID
                             " to the same text in all shards, or give --seed N\n");
        return false;
    }
    options->run.seed = seed_of(options->run_id);
    strbuf_addf(said, "%sseed %" PRId64 ", from %s (%s=%s)", said->size ? "; " : "",
                options->run.seed, by ? by : "the environment", name, options->run_id);
    return true;
}
