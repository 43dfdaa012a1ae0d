/* The outcome of a run, for its caller and the report. */
#ifndef API_OUTCOME_H
#define API_OUTCOME_H

#include "api/session.h"

/* Fills in the run's report and summary from its results. */
void outcome_summarize(struct run_session *session);

#endif
