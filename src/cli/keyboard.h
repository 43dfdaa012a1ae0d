/*
 * Keys that are pressed while the program waits, each at once and without being echoed.
 *
 * The terminal's settings are those of before whenever the program is not waiting, is stopped, or
 * ends, also by a signal. Without a terminal on standard input, or in the background, there are no
 * keys.
 */
#ifndef CLI_KEYBOARD_H
#define CLI_KEYBOARD_H

#include <stdbool.h>

void keyboard_begin(void);
void keyboard_end(void);
/* Whether keys can be pressed now. Call it again and again: the program may have been stopped, or
 * brought to the foreground, since. */
bool keyboard_on(void);
/* The next key, or 0 if none was pressed. */
int keyboard_read(void);
/* For a signal handler that ends the program. */
void keyboard_restore(void);

#endif
