/* Examples as they run, told as text: the narrator (example/narrate.h) of `-v` and `-vv`. */
#ifndef REPORT_NARRATE_H
#define REPORT_NARRATE_H

#include "example/narrate.h"

extern const struct narrator text_narrator;

#endif
