/*
 * Time spans as users write them: on the command line, in PGFSM_* variables and in machines.
 *
 * A number, which may have a fraction, and a unit: `500ms`, `1.5s`, `5m`, `2min`, `1h`; a space may
 * stand between them. `0` and `none` are no bound. A bare number is refused: psql would read it as
 * milliseconds, most programs as seconds.
 */
#ifndef BASE_TIMESPAN_H
#define BASE_TIMESPAN_H

#include "base/error.h"

#include <stdint.h>

/* Milliseconds; what is below one is dropped. ERROR_USAGE with a hint where the text is no
 * duration, or one of more than a hundred years. */
bool timespan_parse(const char *text, int64_t *out_ms, struct error *err);

#endif
