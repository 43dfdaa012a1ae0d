/* Runs machines as the options say, and reports on them. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "cli/options.h"
#include "cli/status.h"

enum status run_machines(const struct options *options);

#endif
