/*
 * Draws single choices: replayed, simplest or fresh, clamped and recorded. Only strategies use
 * this; the rest of the program draws through strategy.h.
 *
 * The caller proposes the value of a fresh choice (propose.h). Other choices ignore the proposal.
 */
#ifndef GEN_DRAW_H
#define GEN_DRAW_H

#include "gen/strategy.h"

enum draw_source {
    SOURCE_REPLAY,
    SOURCE_SIMPLEST,
    SOURCE_FRESH,
};

/* The source of the next choice. */
enum draw_source draw_source(const struct drawer *drawer);
/* Returns true if the next choice needs a proposal. */
bool draw_is_fresh(const struct drawer *drawer);
/* Takes the next choice of the replay, if that is its source. Returns SOURCE_SIMPLEST if the choice
 * has another kind. Sets `*out` only for SOURCE_REPLAY. */
enum draw_source draw_take(struct drawer *drawer, enum choice_kind kind, const struct choice **out);
void draw_record(struct drawer *drawer, const struct choice *choice);
/* The place, from 0, of a simplest draw among `count` values in order of simplicity: it skips
 * drawer->own.nudge values. A count of 0 means 2^64. */
uint64_t draw_nudged(struct drawer *drawer, uint64_t count);

struct int_range {
    int64_t min, max, toward; /* min ≤ toward ≤ max */
};
/* `toward` is the number nearest to 0 */
struct int_range int_range(int64_t min, int64_t max);

struct float_range {
    double min, max; /* min ≤ max, no NaN */
    bool nan;
    bool single; /* float4: values are rounded to it, and the bounds are such numbers */
};

struct text_bounds {
    const struct string *alphabet; /* NULL: any character; empty: max_size is 0 */
    size_t min_size, max_size;     /* characters */
};

int64_t draw_integer(struct drawer *drawer, struct int_range range, int64_t proposal);
/* Draws one of `count` > 0 equally likely alternatives: a number from 0; `wanted` if that is not
 * DRAW_ANY. */
enum { DRAW_ANY = -1 };
int64_t draw_place(struct drawer *drawer, size_t count, int64_t wanted);
double draw_float(struct drawer *drawer, struct float_range range, double proposal);
/* The proposal is clamped to the bounds. It and the result are in the drawer's arena. */
const struct string *draw_text(struct drawer *drawer, const struct text_bounds *bounds,
                               const struct string *proposal);
const struct bytes *draw_bytes(struct drawer *drawer, size_t min_size, size_t max_size,
                               const struct bytes *proposal);

/* Draws a number with its low-order digits first, each toward 0, so that 1.00 is simpler than 0.01,
 * and 01:00:00 simpler than 00:00:00.000001. `units` ends with 0: {1000000, 86400, 0} splits
 * microseconds into those of a second, seconds of a day, and days. If the range is smaller than a
 * unit, that unit and all later ones are left out. */
int64_t draw_digits(struct drawer *drawer, struct int_range range, const int64_t *units,
                    int64_t proposal);

/* Spans: begin returns the handle for end. */
size_t draw_span_begin(struct drawer *drawer, enum span_kind kind);
void draw_span_end(struct drawer *drawer, size_t span);

/* A position in the record, to take back later draws. */
struct draw_mark {
    size_t items, spans, consumed;
};
struct draw_mark draw_mark(const struct drawer *drawer);
void draw_rewind(struct drawer *drawer, struct draw_mark mark);

/* Draws again because a value was refused. After the first try, the replay is no longer used;
 * without a random source, the next simplest value is taken. */
struct draw_retry {
    uint64_t nudge;
    bool detached;
    bool replayed; /* the first try */
};
struct draw_retry draw_retry_begin(const struct drawer *drawer);
void draw_retry_next(struct drawer *drawer, const struct draw_retry *retry, unsigned attempt);
void draw_retry_end(struct drawer *drawer, const struct draw_retry *retry);
enum { DRAW_TRIES = 10 };

/* Limits for an argument, so that a mistake in a machine becomes an error: choices, with 32 bytes
 * of text counting as one, and nested strategies. */
enum { DRAW_SPENT_MAX = 1 << 18, DRAW_DEPTH_MAX = 200 };

/* Calls a function of the model. */
enum draw_result draw_call(struct caller *caller, struct value callee, const struct value *args,
                           size_t count, struct value *out, struct error *err);
/* The site of part `index` of a value drawn at `site`. */
uint64_t draw_site(uint64_t site, uint64_t index);

#endif
