/* Runs machines as the options say, and reports on them. Shared by the commands that run some. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "cli/database.h"
#include "cli/options.h"
#include "cli/status.h"

#include <pgfsm/machine.h>

/* Which command runs machines, and what it does differently from `run`. */
struct run_command {
    const char *name; /* of the command that repeats a run, with the options of `bit` */
    unsigned bit;
    void *host; /* passed to the callbacks */
    /* Makes a machine that the command line does not name; the path is for messages. false:
     * `work->errors`. NULL: machines are loaded from their paths. */
    bool (*make)(void *host, struct work *work, const char *path, struct pgfsm_machine **out);
    /* Completes the options for a machine; the database is open. Returns another status than
     * STATUS_OK with `work->errors`, or STATUS_NOTHING without: then this machine is left out.
     * NULL: the options are complete. */
    enum status (*prepare)(void *host, struct work *work, const struct pgfsm_machine *machine,
                           struct pgfsm_run_options *run);
};

/* Runs the machines that the options name as operands. */
enum status run_machines(const struct options *options, const struct run_command *command);

/* Checks the options that all of these commands have; prints why they don't fit. */
bool run_options_usable(const char *command, const struct options *options);

#endif
