/* What came of a run, as its caller and the report read it. */
#ifndef API_OUTCOME_H
#define API_OUTCOME_H

#include "api/session.h"

/* Fills the run's report and summary, from what the engine found. */
void outcome_summarize(struct run_session *session);

#endif
