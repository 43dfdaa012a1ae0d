/* What engines say of a shard and its run. The variables are those of the engines' manuals. */
#include "cli/fleet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Sets "NAME=VALUE NAME=VALUE"; nothing else is set. */
static void set_environment(const char *text)
{
    char copy[400];
    assert_true(strlen(text) < sizeof copy);
    strcpy(copy, text);
    assert_int_equal(clearenv(), 0);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');
        *value = '\0';
        assert_int_equal(setenv(word, value + 1, 1), 0);
    }
}

struct sample {
    const char *environment;
    int64_t index; /* 0: an error */
    int64_t count;
    const char *text; /* part of what is said, or of the problem */
};

static const struct sample samples[] = {
    {"GITLAB_CI=true CI_NODE_INDEX=1 CI_NODE_TOTAL=4", 1, 4, "GitLab says (CI_NODE_INDEX=1)"},
    {"GITLAB_CI=true CI_NODE_INDEX=4 CI_NODE_TOTAL=4", 4, 4, "GitLab"},
    {"GITLAB_CI=true CI_NODE_INDEX=0 CI_NODE_TOTAL=4", 0, 0, "CI_NODE_INDEX is '0'"},
    {"GITLAB_CI=true CI_NODE_INDEX=5 CI_NODE_TOTAL=4", 0, 0, "CI_NODE_INDEX is 5"},
    {"CI_NODE_INDEX=1 CI_NODE_TOTAL=4", 0, 0,
     "no engine numbers this job: CI_NODE_INDEX and CI_NODE_TOTAL are set, but not GITLAB_CI, "
     "which GitLab sets in each job that it numbers; name the shard with --shard I/N"},
    {"GITLAB_CI=true CI_NODE_TOTAL=1", 0, 0,
     "GITLAB_CI and CI_NODE_TOTAL are set, but not CI_NODE_INDEX"},
    {"PGFSM_SHARDS=3", 0, 0, "PGFSM_SHARDS is set, but not JOB_COMPLETION_INDEX, which "},
    {"CIRCLECI=true CIRCLE_NODE_INDEX=0 CIRCLE_NODE_TOTAL=2", 1, 2, "CircleCI"},
    {"CIRCLECI=true CIRCLE_NODE_INDEX=1 CIRCLE_NODE_TOTAL=2", 2, 2, "CircleCI"},
    {"BUILDKITE=true BUILDKITE_PARALLEL_JOB=0 BUILDKITE_PARALLEL_JOB_COUNT=5", 1, 5, "Buildkite"},
    {"BITBUCKET_PARALLEL_STEP=2 BITBUCKET_PARALLEL_STEP_COUNT=3", 3, 3, "Bitbucket"},
    {"SEMAPHORE_JOB_INDEX=3 SEMAPHORE_JOB_COUNT=3", 3, 3, "Semaphore"},
    {"JOB_COMPLETION_INDEX=0 PGFSM_SHARDS=3", 1, 3, "Kubernetes"},
    {"JOB_COMPLETION_INDEX=0", 0, 0, "PGFSM_SHARDS is not set"},
    {"CLOUD_RUN_TASK_INDEX=1 CLOUD_RUN_TASK_COUNT=2", 2, 2, "Cloud Run"},
    {"AWS_BATCH_JOB_ARRAY_INDEX=1 AWS_BATCH_JOB_ARRAY_SIZE=2", 2, 2, "AWS Batch"},
    {"SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MIN=1 "
     "SLURM_ARRAY_TASK_MAX=7 SLURM_ARRAY_TASK_STEP=2",
     4, 4, "Slurm"},
    {"SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=32 SLURM_ARRAY_TASK_MIN=0 "
     "SLURM_ARRAY_TASK_MAX=31 SLURM_ARRAY_TASK_STEP=1",
     1, 32, "Slurm"},
    {"SLURM_ARRAY_TASK_ID=9 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=1 "
     "SLURM_ARRAY_TASK_MAX=9 SLURM_ARRAY_TASK_STEP=1",
     0, 0, "a list, not a range"},
    {"OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=8", 1, 8, "Open MPI"},
    {"OMPI_COMM_WORLD_RANK=x OMPI_COMM_WORLD_SIZE=8", 0, 0, "'x'"},
    {"OMPI_COMM_WORLD_RANK=99999999999999999999 OMPI_COMM_WORLD_SIZE=8", 0, 0, "is '9999"},
    {"", 0, 0, "--shard I/N"},
    /* the innermost one is named; one that is alone in its engine says nothing */
    {"OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 CIRCLECI=true CIRCLE_NODE_INDEX=1 "
     "CIRCLE_NODE_TOTAL=2",
     2, 2, "Open MPI"},
    {"OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=3 CIRCLECI=true CIRCLE_NODE_INDEX=0 "
     "CIRCLE_NODE_TOTAL=1",
     2, 3, "Open MPI"},
    {"OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1 CIRCLECI=true CIRCLE_NODE_INDEX=1 "
     "CIRCLE_NODE_TOTAL=2",
     2, 2, "CircleCI"},
    {"OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 CIRCLECI=true CIRCLE_NODE_INDEX=1 "
     "CIRCLE_NODE_TOTAL=2",
     0, 0, "Open MPI says 1/2 (OMPI_COMM_WORLD_RANK), and CircleCI 2/2 (CIRCLE_NODE_INDEX)"},
};

static void shards(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const struct sample *sample = &samples[i];
        struct options options = {.shard = {.count = SHARD_AUTO}};
        struct strbuf said = {0};
        struct strbuf problem = {0};
        set_environment(sample->environment);
        bool good = fleet_resolve(&options, &said, &problem);
        if (good != (sample->index > 0)) {
            print_message("%s: %s%s\n", sample->environment, strbuf_text(&said),
                          strbuf_text(&problem));
        }
        assert_int_equal(good, sample->index > 0);
        assert_non_null(strstr(strbuf_text(good ? &said : &problem), sample->text));
        if (good) {
            assert_int_equal(options.shard.index, sample->index);
            assert_int_equal(options.run.shard, sample->index - 1);
            assert_int_equal(options.run.shard_count, sample->count);
        }
        arena_free(&options.arena);
        strbuf_free(&said);
        strbuf_free(&problem);
    }
}

static int64_t seed_in(const char *environment)
{
    struct options options = {.run.seed = SEED_AUTO};
    struct strbuf said = {0};
    struct strbuf problem = {0};
    set_environment(environment);
    int64_t seed = fleet_resolve(&options, &said, &problem) ? options.run.seed : -1;
    arena_free(&options.arena);
    strbuf_free(&said);
    strbuf_free(&problem);
    return seed;
}

static void seeds(void **state)
{
    (void)state;
    assert_int_equal(seed_in(""), -1);
    int64_t seed = seed_in("GITHUB_ACTIONS=true GITHUB_RUN_ID=77 GITHUB_RUN_ATTEMPT=1");
    assert_true(seed >= 0 && seed <= UINT32_MAX);
    assert_int_equal(seed_in("GITHUB_ACTIONS=true GITHUB_RUN_ID=77 GITHUB_RUN_ATTEMPT=2"), seed);
    assert_int_equal(seed_in("PGFSM_RUN_ID=77 CIRCLECI=true CIRCLE_PIPELINE_ID=a"), seed);
    assert_int_not_equal(seed_in("GITHUB_ACTIONS=true GITHUB_RUN_ID=78"), seed);
    /* all shards of a run have the same, whatever is set in some of them */
    assert_int_equal(seed_in("GITLAB_CI=true CI_PIPELINE_ID=77 PMIX_NAMESPACE=5"), seed);
    assert_int_equal(seed_in("AWS_BATCH_JOB_ID=77:0"), seed);
    assert_int_equal(seed_in("AWS_BATCH_JOB_ID=77:1"), seed);
    assert_int_equal(seed_in("GITLAB_CI=true CI_PIPELINE_ID="), -1);
    assert_int_equal(seed_in("CI_PIPELINE_ID=77"), -1);
}

/* What is said of an id where nothing is automatic. */
static void check_said(const char *environment, const char *store, int64_t shards,
                       const char *wanted)
{
    struct options options = {.run = {.seed = -1, .shared = store, .shard_count = shards}};
    struct strbuf said = {0};
    struct strbuf problem = {0};
    set_environment(environment);
    assert_true(fleet_resolve(&options, &said, &problem));
    assert_non_null(strstr(strbuf_text(&said), wanted));
    assert_true(*wanted || said.size == 0);
    strbuf_free(&said);
    strbuf_free(&problem);
    arena_free(&options.arena);
}

/* Jobs whose store or id is not set each run everything, and are green. */
static void ids(void **state)
{
    (void)state;
    check_said("PGFSM_RUN_ID=7", "url", 0, "shares run 7 with all processes of the store");
    check_said("PGFSM_RUN_ID=7", NULL, 0, "PGFSM_RUN_ID is set, but no --store");
    check_said("PGFSM_RUN_ID=7", NULL, 4, "");
    check_said("PGFSM_RUN_ID=", "url", 0, "");
    check_said("GITHUB_ACTIONS=true GITHUB_RUN_ID=77", NULL, 0, "");
    check_said("GITHUB_ACTIONS=true GITHUB_RUN_ID=77", "url", 0, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shards), cmocka_unit_test(seeds),
                                       cmocka_unit_test(ids)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
