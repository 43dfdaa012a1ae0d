/*
 * Examples of several sessions: a beginning, run by one of them, then branches, one for each
 * session, side by side, then the invariants.
 *
 * A fresh example first runs with its branches one after the other, as any other example does: that
 * draws its steps, and finds what needs no second session. Then its branches run side by side, by
 * one schedule after the other (steer.h). Each branch has a thread, a lane, and the model as it is
 * after the beginning and the branch's own steps: what the others do is not in it, so nothing is
 * predicted from it but what the steps send.
 *
 * The verdict is the model's: the run is right where some serial order of the branches' steps
 * (orders.h) explains every answer, and every invariant at the end. Each order is an ordinary
 * example over a backend that plays what was recorded (player.h). Where no order explains it, that
 * is the failure. An order in which a step could not run, or would have sent something else, says
 * nothing: then neither does the run.
 */
#ifndef SESSIONS_SESSIONS_H
#define SESSIONS_SESSIONS_H

#include "example/engine.h"

/* For engine_options, if settings.sessions > 1. */
extern const struct sessions_driver sessions_driver;

#endif
