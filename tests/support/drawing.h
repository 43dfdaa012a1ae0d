/* For the tests of gen and schema: strategies made by calling the table's functions, a caller whose
 * functions are native ones, a bundle, and a drawer over all of it. One fixture serves a test at a
 * time. */
#ifndef TESTS_SUPPORT_DRAWING_H
#define TESTS_SUPPORT_DRAWING_H

#include "gen/kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { NAMED_MAX = 8 };

/* Everything lives here; emptied by drawing_clear (a teardown). */
extern struct arena test_arena;
int drawing_clear(void **state);

/* The caller that strategies are made and drawn with. */
struct caller *test_caller(void);

/* strategy("integers", "min_value", value_int(1), …, NULL): by name; the table's function is
 * called and must succeed. A name of "" makes the argument positional. */
struct value strategy(const char *function, ...);
/* The same, of which an error is expected. */
const struct error *strategy_error(const char *function, ...);
/* s.map(f), s.filter(f), s.flatmap(f) */
struct value method(struct value self, const char *name, struct value function);
/* A native function as a callable value. */
struct value function(native_fn *fn);

struct value text(const char *text);
struct value int_list(size_t count, const int64_t *ints);
/* An object that has the methods of strategies and these items. */
struct value bundle_of(struct list *items);

/* A drawer with a random source, a memory, and a record of its own. */
struct drawer *test_drawer(uint64_t seed);
/* A drawer that replays and has no random source. */
struct drawer *replay_drawer(const struct choices *replay);
/* Begins a step and draws; the result must be DRAW_OK. */
struct value draw_ok(struct drawer *drawer, struct value strategy);
enum draw_result draw_result(struct drawer *drawer, struct value strategy, struct value *out);

/* The value's text. */
const char *repr(struct value value);
void assert_repr(struct value value, const char *expected);

#endif
