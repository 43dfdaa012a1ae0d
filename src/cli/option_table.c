#include "cli/options.h"

#define AT(member) offsetof(struct options, member)

enum { MACHINES = FOR_RUN | FOR_CHECK, SERVER = MACHINES | FOR_REPLAY };
enum { EXAMPLES = FOR_RUN | FOR_REPLAY };

static const char database[] = "Database";
static const char sequences[] = "Sequences";
static const char output[] = "Output";
static const char program[] = "Program";

const struct option option_table[] = {
    {"dbname", "d", "CONNINFO", OPTION_TEXT, AT(dbname), 0, SERVER,
     OPTION_AGAIN | OPTION_SECRET | OPTION_PSQL, database,
     "a database's name, a connection string or a URI"},
    {"host", "h", "HOST", OPTION_TEXT, AT(host), 0, SERVER, OPTION_AGAIN | OPTION_PSQL, database,
     "the server's host or the directory of its socket"},
    {"port", "p", "PORT", OPTION_TEXT, AT(port), 0, SERVER, OPTION_AGAIN | OPTION_PSQL, database,
     "the server's port"},
    {"username", "U", "NAME", OPTION_TEXT, AT(user), 0, SERVER, OPTION_AGAIN | OPTION_PSQL,
     database, "who to connect as"},
    {"embedded", NULL, NULL, OPTION_FLAG, AT(embedded), 0, SERVER, OPTION_ENV | OPTION_AGAIN,
     database, "on an embedded server, whatever the environment names"},
    {"pg-bindir", NULL, "DIR", OPTION_TEXT, AT(bindir), 0, SERVER, OPTION_ENV | OPTION_AGAIN,
     database, "where initdb and postgres are, for the embedded server"},
    {"wait", NULL, "TIME", OPTION_DURATION, AT(wait_ms), 0, SERVER, OPTION_ENV, database,
     "keep trying this long while a server is coming up"},
    {"apply", NULL, "FILE", OPTION_TEXTS, AT(apply), 0, SERVER, OPTION_AGAIN, database,
     "more SQL to load after the schema: a migration, a bug; may be repeated"},
    {"in-place", NULL, NULL, OPTION_FLAG, AT(in_place), 0, SERVER, OPTION_ENV | OPTION_AGAIN,
     database, "load the schema in the named database, inside the transaction that is rolled back"},
    {"keep", NULL, NULL, OPTION_FLAG, AT(keep), 0, SERVER, OPTION_ENV, database,
     "keep the scratch database and print how to reach it"},

    {"machine", "m", "FILE", OPTION_TEXT, AT(machine), 0, FOR_REPLAY, OPTION_AGAIN, sequences,
     "the machine of a trace that does not say where it is, or whose machine has moved"},
    {"examples", NULL, "N", OPTION_NUMBER, AT(examples), 0, FOR_RUN, OPTION_ENV | OPTION_AGAIN,
     sequences, "how many sequences to try (100)"},
    {"steps", NULL, "N", OPTION_NUMBER, AT(steps), 1, FOR_RUN, OPTION_ENV | OPTION_AGAIN, sequences,
     "how many steps a sequence has at the most (50)"},
    {"seed", NULL, "N", OPTION_NUMBER, AT(seed), 0, FOR_RUN, OPTION_ENV, sequences,
     "a number; the same seed gives the same run (drawn, and printed)"},
    {"max-time", NULL, "TIME", OPTION_DURATION, AT(max_time_ms), 0, FOR_RUN, OPTION_ENV, sequences,
     "stop after this long, 30s or 5m for example, for each machine"},
    {"jobs", "j", "N", OPTION_NUMBER, AT(jobs), 1, FOR_RUN, OPTION_ENV, sequences,
     "connections that work side by side (1)"},
    {"strict", NULL, NULL, OPTION_FLAG, AT(strict), 0, FOR_RUN, OPTION_ENV, sequences,
     "a rule that never ran is a failure, with exit status 4"},
    {"no-pipeline", NULL, NULL, OPTION_FLAG, AT(no_pipeline), 0, EXAMPLES,
     OPTION_ENV | OPTION_AGAIN, sequences, "wait for each answer before the next statement"},
    {"profile", NULL, "NAME", OPTION_TEXT, AT(profile), 0, EXAMPLES, OPTION_ENV | OPTION_AGAIN,
     sequences, "settings of that name in the machine's `profiles`"},
    {"rule", NULL, "GLOB", OPTION_TEXTS, AT(rules), 0, FOR_RUN, OPTION_AGAIN, sequences,
     "choose only rules with such names, 'upsert_*' for example; may be repeated"},
    {"shard", NULL, "I/N", OPTION_SHARD, AT(shard), 0, FOR_RUN, OPTION_ENV | OPTION_AGAIN,
     sequences,
     "only every N-th sequence, from the I-th on: N machines split one run; needs a seed"},
    {"last-failed", NULL, NULL, OPTION_FLAG, AT(last_failed), 0, FOR_RUN, OPTION_ENV, sequences,
     "run only what failed in earlier runs, from .pgfsm/"},
    {"derandomize", NULL, NULL, OPTION_FLAG, AT(derandomize), 0, FOR_RUN, OPTION_ENV, sequences,
     "without a seed, take the machine's name for one: each run is the same"},

    {"out", NULL, "DIR", OPTION_TEXT, AT(out), 0, FOR_RUN, OPTION_ENV | OPTION_AGAIN, output,
     "where to write a replay script for each failure (counterexamples)"},
    {"no-save", NULL, NULL, OPTION_FLAG, AT(no_save), 0, FOR_RUN, OPTION_ENV | OPTION_AGAIN, output,
     "write no replay scripts, and neither read nor write .pgfsm/, which keeps what failed for the "
     "next run"},
    {"report", NULL, "FORMAT", OPTION_TEXT, AT(report), 0, FOR_RUN, OPTION_ENV, output,
     "how to report: text"},
    {"stats", NULL, NULL, OPTION_FLAG, AT(stats), 0, FOR_RUN, OPTION_ENV, output,
     "tables: how often each rule ran, was blocked and by what, raised what, how long it took; "
     "what of the schema was touched"},
    {"color", NULL, "WHEN", OPTION_WHEN, AT(color), 0, EXAMPLES, OPTION_ENV, output,
     "auto (on a terminal), always or never"},
    {"progress", NULL, "WHEN", OPTION_WHEN, AT(progress), 0, EXAMPLES, OPTION_ENV, output,
     "a line that shows how far the run is: auto (on a terminal), always or never"},
    {"verbose", "v", NULL, OPTION_LEVEL, AT(verbose), 0, EXAMPLES, 0, output,
     "leave nothing out of a failure, and show each example as it runs; -vv: each statement, too"},
    {"quiet", "q", NULL, OPTION_FLAG, AT(quiet), 0, MACHINES, 0, output, "only what went wrong"},

    {"file", "f", "FILE", OPTION_TEXT, AT(file), 0, FOR_EVAL, 0, program,
     "run a file (- is standard input)"},
    {"machine", "m", "FILE", OPTION_TEXT, AT(machine), 0, FOR_EVAL, 0, program,
     "run it in the model of a machine"},

    {"help", "?", NULL, OPTION_FLAG, AT(help), 0, FOR_ALL, 0, output, "print this help"},
    {NULL, NULL, NULL, OPTION_FLAG, 0, 0, 0, 0, NULL, NULL},
};
