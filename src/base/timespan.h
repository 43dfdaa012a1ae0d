/*
 * Time spans as users write them: on the command line, in PGFSM_* variables and in machines.
 *
 * A number, which may have a fraction, and a unit: `500ms`, `1.5s`, `5m`, `2min`, `1h`; a space may
 * stand between them. `0` and `none` mean no limit. A bare number is refused: psql would read it as
 * milliseconds, most programs as seconds.
 */
#ifndef BASE_TIMESPAN_H
#define BASE_TIMESPAN_H

#include "base/error.h"

#include <stdint.h>

/* Gives milliseconds, rounded down. Fails with ERROR_USAGE and a hint if the text is not a
 * duration, or longer than a hundred years. */
bool timespan_parse(const char *text, int64_t *out_ms, struct error *err);

#endif
