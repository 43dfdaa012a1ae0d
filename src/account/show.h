/* How reports show numbers, durations, values and SQL: as texts in an arena. */
#ifndef ACCOUNT_SHOW_H
#define ACCOUNT_SHOW_H

#include "base/strbuf.h"
#include "example/failure/failure.h"

/* 4812 as "4,812". */
const char *show_count(struct arena *arena, uint64_t count);
/* "1 step", "2 steps", "4,812 steps": the plural of `noun` ends in s. */
const char *show_counted(struct arena *arena, uint64_t count, const char *noun);
/* Microseconds as "0.61 s", "12.3 s", "2 min 5 s", "1 h 3 min". */
const char *show_duration(struct arena *arena, uint64_t time_us);

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

/* Text from outside on one line: safe to show, ids by name. Text longer than `limit` characters (or
 * SHOW_ALL) is cut, and its length is given. */
const char *show_text(struct arena *arena, const struct show_names *names, const char *text,
                      size_t limit);
/* A name of the machine or the database: text that is neither cut nor replaced. */
const char *show_name(struct arena *arena, const char *name);
/* Replaces two texts by what show_text gives. A cut keeps the first place where they differ. */
void show_two(struct arena *arena, const struct show_names *names, const char *texts[2],
              size_t limit);
/* A value as the model language writes it; otherwise like show_text. */
const char *show_value(struct arena *arena, const struct show_names *names, struct value value,
                       size_t limit);
/* The same with the value's name in the example (NULL: none): `"a"   = names_1`. An id appears by
 * its name alone. */
const char *show_named_value(struct arena *arena, const struct show_names *names,
                             struct value value, const char *reference, size_t limit);
/* The step as a call, each argument cut to `limit`. *whole becomes false if something was cut, so
 * that the call can't be pasted into a pinned example. `names` are those that values had before the
 * step. */
const char *show_step(struct arena *arena, const struct show_names *names,
                      const struct shown_step *step, size_t limit, bool *whole);

/* SQL, indented by `indent` spaces in place of the indentation that all lines but the first share.
 * Shows at most `max_lines` lines (or SHOW_ALL), then a line with the number of omitted ones. Omits
 * the last newline. */
const char *show_sql(struct arena *arena, const char *sql, size_t indent, size_t max_lines);

#endif
