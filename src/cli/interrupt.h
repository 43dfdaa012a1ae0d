/*
 * Ctrl-C and similar signals. The first SIGINT, SIGTERM or SIGHUP asks the run to stop cleanly; the
 * second ends the program at once, and its embedded server with it. A signal that was ignored when
 * the program started (nohup) stays ignored. SIGPIPE is ignored, so writing to a closed pipe is an
 * ordinary error.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

void interrupt_setup(void);
bool interrupt_asked(void);
/* Asks the run to stop when standard input ends: whoever holds its other end may be killed. */
void interrupt_at_end_of_input(void);

#endif
