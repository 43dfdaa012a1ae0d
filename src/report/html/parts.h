/* Parts of the HTML report's data that both a run's failures and an account of one are made of. */
#ifndef REPORT_HTML_PARTS_H
#define REPORT_HTML_PARTS_H

#include "report/html/data.h"
#include "report/text/show.h"

enum {
    PART_VALUE = 240, /* characters of a value */
    PART_TEXT = 2000, /* of a text of the server, of a statement */
    PART_ROWS = 40,   /* of an answer */
};

/* Who writes parts: texts go to the arena, ids are shown by their names. */
struct parts {
    struct arena *arena;
    struct strbuf *out;
    const struct show_names *names;
};

/* What did not hold: the property, what the model says, what the database says, the rows that
 * differ, the server's error. */
void part_difference(struct parts *parts, const char *key, const struct failure *failure);
void part_error(struct parts *parts, const char *key, const struct server_error *error);
/* A cell of a row: its text, or [text, name]; `maybe` it only equals what has the name. */
void part_cell(struct parts *parts, const struct shown_cell *cell);

#endif
