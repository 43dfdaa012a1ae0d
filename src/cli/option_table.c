#include "cli/options.h"

#define AT(member) offsetof(struct options, member)

enum { RUNS = FOR_RUN | FOR_MUTATE, MACHINES = RUNS | FOR_CHECK, SERVER = MACHINES | FOR_REPLAY };
enum { REACH = SERVER | FOR_INIT };
enum { EXAMPLES = RUNS | FOR_REPLAY };

static const char database[] = "Database";
static const char sequences[] = "Sequences";
static const char output[] = "Output";
static const char program[] = "Program";

const struct option option_table[] = {
    {"dbname", "d", "CONNINFO", OPTION_TEXT, AT(database.dbname), 0, REACH,
     OPTION_AGAIN | OPTION_SECRET | OPTION_PSQL, database,
     "database name, connection string or URI"},
    {"host", "h", "HOST", OPTION_TEXT, AT(database.host), 0, REACH, OPTION_AGAIN | OPTION_PSQL,
     database, "host of the server, or directory of its socket"},
    {"port", "p", "PORT", OPTION_TEXT, AT(database.port), 0, REACH, OPTION_AGAIN | OPTION_PSQL,
     database, "port of the server"},
    {"username", "U", "NAME", OPTION_TEXT, AT(database.user), 0, REACH, OPTION_AGAIN | OPTION_PSQL,
     database, "user to connect as"},
    {"embedded", NULL, NULL, OPTION_FLAG, AT(database.embedded), 0, REACH,
     OPTION_ENV | OPTION_AGAIN, database,
     "use an embedded server, even if the environment names a database"},
    {"pg-bindir", NULL, "DIR", OPTION_TEXT, AT(database.bindir), 0, REACH,
     OPTION_ENV | OPTION_AGAIN, database,
     "folder with initdb and postgres, for the embedded server"},
    {"no-cache", NULL, NULL, OPTION_FLAG, AT(database.no_cache), 0, REACH, OPTION_ENV, database,
     "do not start the embedded server from a copy that is kept, and keep none"},
    {"wait", NULL, "TIME", OPTION_DURATION, AT(database.wait_ms), 0, REACH, OPTION_ENV, database,
     "retry for this long while the server starts"},
    {"schema-command", NULL, "COMMAND", OPTION_TEXT, AT(schema_command), 0, SERVER,
     OPTION_TRACES | OPTION_ENV | OPTION_AGAIN, database,
     "load what this shell command prints instead of the machine's schema"},
    {"no-schema", NULL, NULL, OPTION_FLAG, AT(no_schema), 0, SERVER,
     OPTION_TRACES | OPTION_ENV | OPTION_AGAIN, database,
     "load no schema: test the named database as it is"},
    {"apply", NULL, "FILE", OPTION_TEXTS, AT(apply), 0, SERVER, OPTION_TRACES | OPTION_AGAIN,
     database, "SQL file to load after the schema: a migration, a planted bug; may be repeated"},
    {"in-place", NULL, NULL, OPTION_FLAG, AT(run.in_place), 0, SERVER,
     OPTION_TRACES | OPTION_ENV | OPTION_AGAIN, database,
     "load the schema into the named database, inside the transaction that is rolled back"},
    {"commit", NULL, NULL, OPTION_FLAG, AT(run.commit), 0, SERVER,
     OPTION_TRACES | OPTION_ENV | OPTION_AGAIN, database,
     "commit each step in a transaction of its own, in a scratch database (as `transactions: "
     "commit`)"},
    {"sessions", NULL, "N", OPTION_NUMBER, AT(run.sessions), 1, SERVER,
     OPTION_TRACES | OPTION_ENV | OPTION_AGAIN, database,
     "run steps of N sessions side by side, 2 to 4; steps are then committed"},
    {"keep", NULL, NULL, OPTION_FLAG, AT(run.keep), 0, SERVER, OPTION_TRACES | OPTION_ENV, database,
     "keep the scratch database and print how to reach it"},

    {"schema", NULL, "FILE", OPTION_TEXTS, AT(schema), 0, FOR_INIT, 0, database,
     "file of the schema, or a pattern; loaded into a scratch database; may be repeated"},
    {"table", NULL, "NAME", OPTION_TEXTS, AT(tables), 0, FOR_INIT, 0, database,
     "describe only this table and those that it refers to; may be repeated"},

    {"machine", "m", "FILE", OPTION_TEXT, AT(machine), 0, FOR_REPLAY, OPTION_TRACES | OPTION_AGAIN,
     sequences, "machine of a trace that names none, or whose machine has moved"},
    {"examples", NULL, "N", OPTION_NUMBER, AT(run.examples), 0, RUNS, OPTION_ENV | OPTION_AGAIN,
     sequences, "number of sequences to try (100); of mutate: on each mutant (50)"},
    {"steps", NULL, "N", OPTION_NUMBER, AT(run.steps), 1, RUNS, OPTION_ENV | OPTION_AGAIN,
     sequences, "maximum number of steps in a sequence (50)"},
    {"seed", NULL, "N", OPTION_NUMBER, AT(run.seed), 0, RUNS, OPTION_ENV, sequences,
     "the same seed gives the same run (default: drawn, and printed)"},
    {"max-time", NULL, "TIME", OPTION_DURATION, AT(run.max_time_ms), 0, RUNS, OPTION_ENV, sequences,
     "stop each machine after this time, for example 30s or 5m"},
    {"jobs", "j", "N", OPTION_NUMBER, AT(run.jobs), 1, RUNS, OPTION_ENV, sequences,
     "number of connections that work side by side (1; of mutate: one for each processor)"},
    {"strict", NULL, NULL, OPTION_FLAG, AT(run.strict), 0, MACHINES, OPTION_ENV, sequences,
     "exit with status 4 if a rule never ran; of check: if there is a warning"},
    {"no-pipeline", NULL, NULL, OPTION_FLAG, AT(run.no_pipeline), 0, EXAMPLES,
     OPTION_TRACES | OPTION_ENV | OPTION_AGAIN, sequences,
     "wait for each answer before the next statement"},
    {"profile", NULL, "NAME", OPTION_TEXT, AT(run.profile), 0, EXAMPLES,
     OPTION_TRACES | OPTION_ENV | OPTION_AGAIN, sequences,
     "apply the settings under this name in the machine's `profiles`"},
    {"rule", NULL, "GLOB", OPTION_TEXTS, AT(rules), 0, RUNS, OPTION_AGAIN, sequences,
     "choose only rules whose names match, for example 'upsert_*'; may be repeated"},
    {"shard", NULL, "I/N", OPTION_SHARD, AT(shard), 0, FOR_RUN, OPTION_ENV | OPTION_AGAIN,
     sequences,
     "run every N-th sequence from the I-th on, to split a run between N computers; needs a seed"},
    {"last-failed", NULL, NULL, OPTION_FLAG, AT(run.last_failed), 0, FOR_RUN, OPTION_ENV, sequences,
     "run only the failures of earlier runs, from .pgfsm/"},
    {"derandomize", NULL, NULL, OPTION_FLAG, AT(run.derandomize), 0, RUNS, OPTION_ENV, sequences,
     "if no seed is given, derive it from the machine's name: each run is the same"},
    {"ways", NULL, "WAY", OPTION_TEXT, AT(run.ways), 0, FOR_RUN, OPTION_AGAIN, sequences,
     "make all sequences in one way (uniform, novel, …), or in turns (all), and only count those "
     "that fail"},

    {"list", NULL, NULL, OPTION_FLAG, AT(mutate.list), 0, FOR_MUTATE, 0, sequences,
     "list the mutants, and run none"},
    {"only", NULL, "GLOB", OPTION_TEXTS, AT(only), 0, FOR_MUTATE, OPTION_AGAIN, sequences,
     "only mutants whose id, operator or object matches, for example 'policy-*'; may be repeated"},
    {"changed", NULL, NULL, OPTION_FLAG, AT(mutate.changed), 0, FOR_MUTATE, OPTION_AGAIN, sequences,
     "only mutants of what the files that --apply names change"},
    {"kill", NULL, "ID", OPTION_TEXT, AT(kill), 0, FOR_MUTATE, OPTION_AGAIN, sequences,
     "run one mutant at length, and shrink what kills it"},
    {"min-score", NULL, "PERCENT", OPTION_NUMBER, AT(min_score), 0, FOR_MUTATE,
     OPTION_ENV | OPTION_AGAIN, sequences, "exit with status 4 if fewer mutants are killed"},
    {"prove", NULL, "N", OPTION_NUMBER, AT(mutate.prove), 0, FOR_RUN, OPTION_ENV | OPTION_AGAIN,
     sequences,
     "if the machine holds, plant N faults in the schema, drawn by the seed, and say how "
     "many of them it finds"},

    {"output", "o", "FILE", OPTION_TEXT, AT(file), 0, FOR_INIT, 0, output,
     "write to this new file instead of standard output"},
    {"out", NULL, "DIR", OPTION_TEXT, AT(out), 0, FOR_RUN, OPTION_ENV | OPTION_AGAIN, output,
     "folder for replay scripts, one for each failure (counterexamples)"},
    {"no-save", NULL, NULL, OPTION_FLAG, AT(no_save), 0, FOR_RUN, OPTION_ENV | OPTION_AGAIN, output,
     "write no replay scripts; do not read or write .pgfsm/, which keeps failures for the next "
     "run"},
    {"report", NULL, "FORMAT[=FILE]", OPTION_TEXTS, AT(reports), 0, RUNS, OPTION_ENV, output,
     "format of the report: text, html, tap, junit, json, github, markdown, sarif, ctrf or "
     "mutation; with a file, the report goes there, beside what is printed; may be repeated"},
    {"stats", NULL, NULL, OPTION_FLAG, AT(stats), 0, RUNS, OPTION_ENV, output,
     "add tables: how often each rule ran, what blocked it, which errors it raised, how long it "
     "took; which objects of the schema the run touched"},
    {"color", NULL, "WHEN", OPTION_WHEN, AT(color), 0, EXAMPLES, OPTION_ENV, output,
     "use colors: auto (on a terminal), always or never"},
    {"progress", NULL, "WHEN", OPTION_WHEN, AT(progress), 0, EXAMPLES, OPTION_ENV, output,
     "show a progress line: auto (on a terminal), always or never"},
    {"verbose", "v", NULL, OPTION_LEVEL, AT(run.verbose), 0, EXAMPLES, 0, output,
     "show failures in full, and each example as it runs; -vv: each statement, too"},
    {"watch", NULL, NULL, OPTION_FLAG, AT(watch), 0, MACHINES, 0, output,
     "do it again whenever a machine or an SQL file changes, until Ctrl-C"},
    {"format", NULL, "text|json", OPTION_CHOICE, AT(format), 0, FOR_CHECK | FOR_LIST, 0, output,
     "text or json: a line of JSON for each message, or of list for each machine, on standard "
     "output"},
    {"quiet", "q", NULL, OPTION_FLAG, AT(quiet), 0, MACHINES, 0, output,
     "print only what went wrong"},

    {"file", "f", "FILE", OPTION_TEXT, AT(file), 0, FOR_EVAL, 0, program,
     "run a file (-: standard input)"},
    {"machine", "m", "FILE", OPTION_TEXT, AT(machine), 0, FOR_EVAL, 0, program,
     "run the code in the model of this machine"},

    {"help", "?", NULL, OPTION_FLAG, AT(help), 0, FOR_ALL, 0, program, "print this help"},
    {NULL, NULL, NULL, OPTION_FLAG, 0, 0, 0, 0, NULL, NULL},
};
