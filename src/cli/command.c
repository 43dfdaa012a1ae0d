#include "cli/command.h"

#include "base/error.h"

#include <string.h>

const struct command command_table[] = {
    {"run", FOR_RUN, "FILE...", "test machines",
     "Runs each machine: generated sequences of its rules against a real database, each compared "
     "with\n"
     "the model after every step and rolled back. Nothing is ever committed to a database that "
     "you\n"
     "name; a machine with a schema gets a scratch database of its own, which is dropped at the "
     "end.\n"
     "\n"
     "The database is the one that -d, -h, -p and -U name, else the one that the environment "
     "names\n"
     "(PGHOST, PGSERVICE, DATABASE_URL, …), else an embedded server, started for this run.",
     "pgfsm run machines/membership.yaml\n"
     "pgfsm run machines/*.yaml --examples 1000 --max-time 5m --stats\n"
     "pgfsm run machines/membership.yaml --seed 7261\n"
     "pgfsm run machines/membership.yaml --apply migrations/0042.sql\n"
     "pgfsm run machines/membership.yaml -d postgres://ann@db.example.com/app",
     command_run},
    {"check", FOR_CHECK, "FILE...", "read machines and report every mistake, without running them",
     "Reads each machine and reports all mistakes in it, with their places. With a database (named "
     "by\n"
     "an option or the environment, or an --embedded one) it loads the schema and has the server\n"
     "prepare every statement, too.",
     "pgfsm check machines/*.yaml\n"
     "pgfsm check --embedded machines/membership.yaml",
     command_check},
    {"replay", FOR_REPLAY, "FILE...", "run counterexamples again",
     "Runs again what run found. A replay script (.sql, from counterexamples/) goes through psql, "
     "and\n"
     "what it prints is printed: TAP. Without a database that is named it gets an empty one on an\n"
     "embedded server; in a named one it runs as it is. A stored trace (.trace, from .pgfsm/) is "
     "run\n"
     "once by its machine, on the database that run would take, and reported as run reports; the "
     "file\n"
     "stays as it is. Either way all is rolled back.\n"
     "\n"
     "--apply, --in-place, --keep, --machine, --no-pipeline and --profile are for traces: a script "
     "says\n"
     "itself what it needs.",
     "pgfsm replay counterexamples/*.sql\n"
     "pgfsm replay .pgfsm/*/*.trace\n"
     "pgfsm replay counterexamples/membership-editors.sql -d postgres://ann@db.example.com/app",
     command_replay},
    {"eval", FOR_EVAL, "[EXPR]", "evaluate code in the model language",
     "Runs the expression or statements given, those of a file, or those on standard input. What\n"
     "print() prints is printed, then the value of the last statement if it is an expression.",
     "pgfsm eval '[n * n for n in range(5)]'\n"
     "pgfsm eval -m machines/membership.yaml 'members'\n"
     "pgfsm eval -f model.star",
     command_eval},
    {"schema", 0, "", "print the JSON Schema of machine files",
     "For an editor that checks and completes YAML: put the schema beside your machines and begin "
     "each\n"
     "with a line that names it.",
     "pgfsm schema > machines/machine.schema.json\n"
     "# yaml-language-server: $schema=./machine.schema.json",
     command_schema},
    {"version", 0, "", "print the version", "Prints the program's name and version.", NULL,
     command_version},
    {"help", 0, "[COMMAND]", "print help, for the program or a command",
     "Prints what the program can do, or one of its commands with its options.", "pgfsm help run",
     command_help},
    {NULL, 0, NULL, NULL, NULL, NULL, NULL},
};

const struct command *command_find(const char *name)
{
    for (const struct command *command = command_table; command->name; command++) {
        if (strcmp(command->name, name) == 0) {
            return command;
        }
    }
    return NULL;
}

const char *command_closest(const char *name)
{
    const char *names[sizeof command_table / sizeof *command_table];
    size_t count = 0;
    for (const struct command *command = command_table; command->name; command++) {
        names[count++] = command->name;
    }
    return closest_name(name, names, count);
}

enum status status_worst(enum status a, enum status b)
{
    static const enum status order[] = {STATUS_INTERRUPTED, STATUS_UNREACHABLE, STATUS_USAGE,
                                        STATUS_FAILED,      STATUS_UNMET,       STATUS_NOTHING};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (a == order[i] || b == order[i]) {
            return order[i];
        }
    }
    return STATUS_OK;
}
