/* An account of a failing example, step by step, for the HTML report: what was sent by whom, what
 * came back, the model before and after, and where model and database part. */
#ifndef REPORT_HTML_CHRONICLE_H
#define REPORT_HTML_CHRONICLE_H

#include "run/options.h"

/* What whoever examines failures has them told by: the accounts are JSON (page/page.js reads them).
 */
extern const struct chronicler report_chronicler;

#endif
