/* How the text report shows numbers, durations, values and SQL. */
#ifndef REPORT_SHOW_H
#define REPORT_SHOW_H

#include "base/source.h"
#include "base/strbuf.h"
#include "run/run.h"

/* 4812 as "4,812". */
void show_count(struct strbuf *out, uint64_t count);
/* "1 step", "2 steps", "4,812 steps": `noun` takes an s. */
void show_counted(struct strbuf *out, uint64_t count, const char *noun);
/* Microseconds as "0.61 s", "12.3 s", "2 min 5 s", "1 h 3 min". */
void show_duration(struct strbuf *out, uint64_t time_us);

/* Names of values that the database made up, in one failing example. Ids (value_is_id) that
 * the steps do not show appear by the name that they have in the example, so that a report says
 * which row is meant and is the same each time. */
struct show_names {
    VEC(struct shown_arg) items;
};
/* Takes the name in, if the value is one that is shown by it. */
void show_names_add(struct show_names *names, struct arena *arena, const struct shown_arg *arg);
void show_names_collect(struct show_names *names, struct arena *arena,
                        const struct failure *failure);

enum { SHOW_ALL = 0 };

/* An SQLSTATE by the name that a machine calls it: "unique_violation"; where there is none as it
 * is. */
const char *show_condition(const char *sqlstate);

/* Text from outside on one line: safe to show, ids by name, cut to `limit` characters (or
 * SHOW_ALL) with a word on how many there are. */
void show_text(struct strbuf *out, const struct show_names *names, const char *text, size_t limit);
/* Two such texts, appended to out[0] and out[1]; where they are cut, so that the first place where
 * they differ is among what is left. */
void show_two(struct strbuf *out, const struct show_names *names, const char *const *texts,
              size_t limit);
/* A value as the model language writes it; the rest as show_text. */
void show_value(struct strbuf *out, const struct show_names *names, struct value value,
                size_t limit);
/* The same with the name that the value has in the example (NULL: none): `"a"   = names_1`, and the
 * name alone for an id that stands by it. */
void show_named_value(struct strbuf *out, const struct show_names *names, struct value value,
                      const char *reference, size_t limit);
/* The step, each of its arguments cut to `limit`, as it can be pasted into a pinned example where
 * nothing is cut. False: something is. `names` are those that values had before it. */
bool show_step(struct strbuf *out, const struct show_names *names, const struct shown_step *step,
               size_t limit);

/* SQL without the indentation that all its lines but the first share, each line behind `indent`
 * spaces; at most `max_lines` lines (or SHOW_ALL), then a line that says how many are left out. The
 * last newline is left out. */
void show_sql(struct strbuf *out, const char *sql, size_t indent, size_t max_lines);

#endif
