/*
 * Ctrl-C and its kin. The first SIGINT, SIGTERM or SIGHUP asks whatever runs to stop in order; the
 * second one ends the program at once (an embedded server goes with it). A signal that the program
 * was started with ignored (nohup) stays ignored. SIGPIPE is ignored: a closed pipe is an error of
 * writing.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

void interrupt_setup(void);
bool interrupt_asked(void);

#endif
