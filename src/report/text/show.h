/* How the text report shows numbers, durations, values and SQL. */
#ifndef REPORT_SHOW_H
#define REPORT_SHOW_H

#include "base/source.h"
#include "base/strbuf.h"
#include "run/run.h"

/* 4812 as "4,812". */
void show_count(struct strbuf *out, uint64_t count);
/* "1 step", "2 steps", "4,812 steps": the plural of `noun` ends in s. */
void show_counted(struct strbuf *out, uint64_t count, const char *noun);
/* Microseconds as "0.61 s", "12.3 s", "2 min 5 s", "1 h 3 min". */
void show_duration(struct strbuf *out, uint64_t time_us);

/* Names of the values that the database generated in one failing example. Ids (value_is_id) appear
 * by their name in the example, so that a report says which row it means and does not vary between
 * runs. */
struct show_names {
    VEC(struct shown_arg) items;
};
/* Adds the name, if its value appears by name. */
void show_names_add(struct show_names *names, struct arena *arena, const struct shown_arg *arg);
void show_names_collect(struct show_names *names, struct arena *arena,
                        const struct failure *failure);

enum { SHOW_ALL = 0 };

/* The condition name of an SQLSTATE, "unique_violation"; the SQLSTATE itself if it has none. */
const char *show_condition(const char *sqlstate);

/* Appends text from outside on one line: safe to show, ids by name. Text longer than `limit`
 * characters (or SHOW_ALL) is cut, and its length is given. */
void show_text(struct strbuf *out, const struct show_names *names, const char *text, size_t limit);
/* The same for two texts, appended to out[0] and out[1]. A cut keeps the first place where they
 * differ. */
void show_two(struct strbuf *out, const struct show_names *names, const char *const *texts,
              size_t limit);
/* Appends a value as the model language writes it; otherwise like show_text. */
void show_value(struct strbuf *out, const struct show_names *names, struct value value,
                size_t limit);
/* The same with the value's name in the example (NULL: none): `"a"   = names_1`. An id appears by
 * its name alone. */
void show_named_value(struct strbuf *out, const struct show_names *names, struct value value,
                      const char *reference, size_t limit);
/* Appends the step as a call, each argument cut to `limit`. Returns true if nothing was cut, so
 * that the call can be pasted into a pinned example. `names` are those that values had before the
 * step. */
bool show_step(struct strbuf *out, const struct show_names *names, const struct shown_step *step,
               size_t limit);

/* Appends SQL, indented by `indent` spaces in place of the indentation that all lines but the first
 * share. Shows at most `max_lines` lines (or SHOW_ALL), then a line with the number of omitted
 * ones. Omits the last newline. */
void show_sql(struct strbuf *out, const char *sql, size_t indent, size_t max_lines);

#endif
