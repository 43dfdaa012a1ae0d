/*
 * GMP for this module's numbers: the only place that includes <gmp.h>.
 *
 * A view lends the limbs of a value to GMP without copying them. Temporaries are plain mpz_t
 * (mpz_init, mpz_clear); lasting results are copied into an arena.
 */
#ifndef VALUE_BIGNUM_H
#define VALUE_BIGNUM_H

#include "value/number/numeric.h"

#include <gmp.h>

_Static_assert(sizeof(mp_limb_t) == sizeof(uint64_t) && GMP_NAIL_BITS == 0, "64-bit limbs");
_Static_assert(sizeof(long) == sizeof(int64_t), "64-bit long, for mpz_set_si and its like");

/* Read-only; valid as long as the value and the view itself, which must not be moved. */
struct bignum_view {
    mpz_t z;
    mp_limb_t limb;
};

mpz_srcptr bignum_view_int(struct bignum_view *view, struct value integer);
mpz_srcptr bignum_view(struct bignum_view *view, const struct bigint *big);

/* An int of any size. */
struct value bignum_int(struct arena *arena, mpz_srcptr z);
/* Copies the number's limbs to `limbs`, which has room for mpz_size(z). */
struct bigint bignum_store(uint64_t *limbs, mpz_srcptr z);

/* z *= 10^exponent */
void bignum_scale_up(mpz_ptr z, unsigned long exponent);
/* q = n / d, rounded half away from zero; q may be n. */
void bignum_divide_rounded(mpz_ptr q, mpz_srcptr n, mpz_srcptr d);
/* Appends the digits, with a sign if z is negative; -16 is 16 with capital letters. */
void bignum_text(mpz_srcptr z, int base, struct strbuf *out);

/* Makes a numeric from a coefficient, if it is within the limits of PostgreSQL's format: 131072
 * digits before the point, 16383 after it. */
bool numeric_make(struct arena *arena, mpz_srcptr coefficient, long scale, struct value *out,
                  struct error *err);
/* The result of two finite numbers, ints or numerics, as a coefficient and a scale. False with err:
 * a division by zero. */
bool exact_arith(enum arith_op op, struct value a, struct value b, mpz_ptr z, long *scale,
                 struct error *err);
bool numeric_arith(struct arena *arena, enum arith_op op, struct value a, struct value b,
                   struct value *out, struct error *err);
bool numeric_round(struct arena *arena, struct value a, int64_t digits, struct value *out,
                   struct error *err);
/* The finite number's coefficient and scale; `number` is an int or a numeric. */
mpz_srcptr numeric_parts(struct bignum_view *view, struct value number, long *scale);

bool int_arith(struct arena *arena, enum arith_op op, struct value a, struct value b,
               struct value *out, struct error *err);
bool float_arith(enum arith_op op, double a, double b, struct value *out, struct error *err);
bool float_out_of_range(struct error *err);
void float_text(double real, struct strbuf *out);
/* Appends the finite `real` with 15 significant digits, like "%.15g" but the same in every
 * locale. */
void float_text_15(double real, struct strbuf *out);

bool divided_by_zero(struct error *err);
/* "not a numeric: …"; `type` is "a numeric". Always false. */
bool not_a_number(const char *type, const char *text, size_t size, struct error *err);

#endif
