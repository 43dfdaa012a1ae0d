/* Examples as they run, told as text: the narrator (engine/narrate.h) of `-v` and `-vv`. */
#ifndef REPORT_NARRATE_H
#define REPORT_NARRATE_H

#include "engine/narrate.h"

extern const struct narrator text_narrator;

#endif
