/* Two answers, written in short, and what comparing them finds, as text. */
#ifndef TESTS_DIFF_SIDES_H
#define TESTS_DIFF_SIDES_H

#include "diff/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct both {
    struct arena arena;
    struct comparing_sides sides;
    struct constraints constraints; /* of the partitions a_2020 and a_2021 of the table a */
};

void both_open(struct both *both);
void both_close(struct both *both);

/* "id uuid, name text = [[\"@1\", \"ann\"]]": rows as JSON, in which @N is a uuid of that number;
 * "3": so many rows affected; "23505 orders_pkey orders": an error, its constraint (or "-") and its
 * table; "notify [[\"channel\", \"payload\"]]". */
struct answer answer_of(struct arena *arena, const char *text);
/* The text with the uuids written out. */
const char *with_uuids(struct arena *arena, const char *text);

/* "agree", or "rows: 1 row, no rows; -(1, 'a') ~(2, *'b') (2, *'c')": each difference, with a star
 * before each cell that differs. */
const char *compared(struct both *both, const struct asked *asked, const char *before,
                     const char *after);
const char *divergence_text(struct both *both, const struct divergence *divergence);

#endif
