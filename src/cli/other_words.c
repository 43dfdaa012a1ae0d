#include "cli/other_words.h"

#include "cli/options.h"

#include <string.h>

#define ENDS "a run ends by itself soon after its first failure"
#define REPEATS "a run repeats stored failures first by itself"
#define PASSWORD "write the password to ~/.pgpass, or set PGPASSWORD"
#define SETTING "it is a setting: write it under `settings:` in the machine"
#define VERSION "`pgfsm version` prints it"
#define LIST "`pgfsm list FILE...` lists rules and invariants"
#define CHECK "`pgfsm check FILE...` reads machines without running them"
#define CAPTURE "nothing is captured: print() writes to standard error"
#define EVERYTHING "a failure is shown with all that is known; -v shows long values whole"

const struct other_word other_commands[] = {
    {"bench", "run"},       {"ci", "run"},
    {"compare", "diff"},    {"clean", "cache"},
    {"collect", "list"},    {"create", "init"},
    {"debug", "replay"},    {"docs", "help"},
    {"exec", "run"},        {"explore", "run"},
    {"fuzz", "run"},        {"generate", "init"},
    {"info", "version"},    {"jsonschema", "schema"},
    {"lint", "check"},      {"ls", "list"},
    {"man", "help"},        {"mutants", "mutate"},
    {"mutation", "mutate"}, {"new", "init"},
    {"print", "eval"},      {"prove", "run"},
    {"repl", "eval"},       {"reproduce", "replay"},
    {"rerun", "replay"},    {"scaffold", "init"},
    {"show", "list"},       {"start", "run"},
    {"test", "run"},        {"tests", "run"},
    {"usage", "help"},      {"validate", "check"},
    {"verify", "run"},      {"watch", "run"},
};
const size_t other_command_count = sizeof other_commands / sizeof *other_commands;

const struct other_word other_options[] = {
    /* pytest and its plugins */
    {"k", "--rule GLOB"},
    {"m", "--rule GLOB"},
    {"deselect", "--rule GLOB"},
    {"x", ENDS},
    {"exitfirst", ENDS},
    {"maxfail", ENDS},
    {"lf", "--last-failed"},
    {"ff", REPEATS},
    {"failed-first", REPEATS},
    {"sw", REPEATS},
    {"stepwise", REPEATS},
    {"s", CAPTURE},
    {"capture", CAPTURE},
    {"n", "--jobs N"},
    {"numprocesses", "--jobs N"},
    {"dist", "--jobs N"},
    {"durations", "--stats"},
    {"co", LIST},
    {"collect-only", LIST},
    {"junitxml", "--report junit=FILE"},
    {"junit-xml", "--report junit=FILE"},
    {"html", "--report html=FILE"},
    {"l", EVERYTHING},
    {"showlocals", EVERYTHING},
    {"tb", EVERYTHING},
    {"full-trace", EVERYTHING},
    {"pdb", "`pgfsm replay FILE` runs a failure again"},
    {"cov", "--stats"},
    {"cov-report", "--stats"},
    {"c", "there is no configuration file: settings are in the machine and in PGFSM_ variables"},
    {"config",
     "there is no configuration file: settings are in the machine and in PGFSM_ variables"},
    {"rootdir", "paths are relative to the folder of the machine"},
    {"r", "-v"},
    {"timeout", "--max-time TIME"},
    {"reruns", "a failure is run again by itself, to see whether it is flaky"},
    {"randomly-seed", "--seed N"},
    {"version", VERSION},
    {"V", VERSION},
    /* Hypothesis */
    {"max-examples", "--examples N"},
    {"stateful-step-count", "--steps N"},
    {"hypothesis-seed", "--seed N"},
    {"hypothesis-profile", "--profile NAME"},
    {"hypothesis-show-statistics", "--stats"},
    {"hypothesis-verbosity", "-v"},
    {"hypothesis-explain", "--report html=FILE"},
    {"verbosity", "-v"},
    {"phases", "`--examples 0` runs only what is pinned and stored"},
    {"suppress-health-check", "health checks fail no run without --strict"},
    {"print-blob", "each failure gets a replay script, and a trace in .pgfsm/"},
    /* settings of a machine */
    {"accept", SETTING},
    {"check-deferred", SETTING},
    {"deadline", SETTING},
    {"gates", SETTING},
    {"isolation", SETTING},
    {"retry", SETTING},
    {"shrink", SETTING},
    {"statement-timeout", SETTING},
    {"transactions", "--commit"},
    /* psql, pg_prove and tools for PostgreSQL */
    {"W", PASSWORD},
    {"w", PASSWORD},
    {"password", PASSWORD},
    {"no-password", PASSWORD},
    {"f", "--apply FILE"},
    {"file", "--apply FILE"},
    {"command", "--schema-command COMMAND"},
    {"X", "psql's start-up file is never read"},
    {"no-psqlrc", "psql's start-up file is never read"},
    {"psql", "--pg-bindir DIR"},
    {"psql-bin", "--pg-bindir DIR"},
    {"database", "--dbname CONNINFO"},
    {"database-url", "--dbname CONNINFO"},
    {"db", "--dbname CONNINFO"},
    {"db-url", "--dbname CONNINFO"},
    {"dsn", "--dbname CONNINFO"},
    {"url", "--dbname CONNINFO"},
    {"user", "--username NAME"},
    {"schema", "name the schema under `schema:` in the machine"},
    {"schemas", "name the schema under `schema:` in the machine"},
    {"migrations", "name the files under `schema:` in the machine"},
    {"D", CHECK},
    {"dry", CHECK},
    {"dry-run", CHECK},
    {"comments", "-v"},
    {"failures", "-q"},
    {"formatter", "--report FORMAT"},
    {"match", "--rule GLOB"},
    {"recurse", "name the folders with machines"},
    {"shuffle", "--seed N"},
    {"state", "--last-failed"},
    {"timer", "--stats"},
    {"tap", "--report tap"},
    /* fast-check, Jest, Vitest, mocha */
    {"bail", ENDS},
    {"ci", "--progress never"},
    {"coverage", "--stats"},
    {"filter", "--rule GLOB"},
    {"g", "--rule GLOB"},
    {"grep", "--rule GLOB"},
    {"i", "--jobs 1"},
    {"max-commands", "--steps N"},
    {"maxCommands", "--steps N"},
    {"maxWorkers", "--jobs N"},
    {"num-runs", "--examples N"},
    {"numRuns", "--examples N"},
    {"reporter", "--report FORMAT"},
    {"reporters", "--report FORMAT"},
    {"runInBand", "--jobs 1"},
    {"t", "--rule GLOB"},
    {"testNamePattern", "--rule GLOB"},
    {"workers", "--jobs N"},
    /* go test, cargo test, QuickCheck */
    {"run", "--rule GLOB"},
    {"count", "--examples N"},
    {"failfast", ENDS},
    {"fail-fast", ENDS},
    {"fuzztime", "--max-time TIME"},
    {"iterations", "--examples N"},
    {"max-size", "--steps N"},
    {"max-success", "--examples N"},
    {"nocapture", CAPTURE},
    {"no-capture", CAPTURE},
    {"parallel", "--jobs N"},
    {"quickcheck-replay", "--seed N"},
    {"quickcheck-tests", "--examples N"},
    {"race", "--sessions 2"},
    {"random-seed", "--seed N"},
    {"runs", "--examples N"},
    {"test-threads", "--jobs N"},
    {"threads", "--jobs N"},
    {"threshold", "--min-score PERCENT"},
    /* formats and streams */
    {"debug", "-v"},
    {"format", "--report FORMAT"},
    {"json", "--report json"},
    {"junit", "--report junit"},
    {"markdown", "--report markdown"},
    {"no-color", "--color never"},
    {"no-progress", "--progress never"},
    {"o", "--report FORMAT=FILE"},
    {"output", "--report FORMAT=FILE"},
    {"sarif", "--report sarif"},
    {"silent", "--quiet"},
    {"xml", "--report junit"},
};
const size_t other_option_count = sizeof other_options / sizeof *other_options;

static const struct missing_option missing_options[] = {
    {FOR_MERGE, "shard", "it takes the reports of all shards"},
    {FOR_MERGE, "seed", "the reports have the seed"},
    {FOR_MERGE, "last-failed", "it merges what the shards ran"},
    {FOR_DIFF, "sessions",
     "each side would run the steps of several sessions in an order of its own"},
    {FOR_DIFF, "in-place", "two schemas can't be loaded into one database"},
    {FOR_DIFF, "prove", "the second database has the change; `pgfsm mutate` plants others"},
    {FOR_DIFF, "ways", "it counts failures, and does not compare; `pgfsm run` has it"},
    {FOR_DIFF, "watch", "run it again by hand, or from `entr`"},
    {FOR_DIFF, "all-invariants", "the answers of both sides are compared after each step anyway"},
};

const char *missing_option(unsigned command, const char *name)
{
    for (size_t i = 0; i < sizeof missing_options / sizeof *missing_options; i++) {
        const struct missing_option *row = &missing_options[i];
        if (row->commands & command && strcmp(row->name, name) == 0) {
            return row->why;
        }
    }
    return NULL;
}

static const char *find(const struct other_word *words, size_t count, const char *word, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        if (strlen(words[i].word) == size && memcmp(words[i].word, word, size) == 0) {
            return words[i].here;
        }
    }
    return NULL;
}

const char *other_command(const char *word)
{
    return find(other_commands, other_command_count, word, strlen(word));
}

const char *other_option(const char *word, size_t size)
{
    return find(other_options, other_option_count, word, size);
}
