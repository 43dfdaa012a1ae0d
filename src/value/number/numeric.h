/*
 * Exact numbers: integers of any size and PostgreSQL's numeric.
 *
 * Limbs live in arenas; GMP's own allocator, which is global to the process, is used for
 * temporaries only. Sizes are checked before an operation whose result could be huge (shift,
 * multiply, power), because GMP aborts the process if it can't allocate.
 *
 * The results of numeric follow PostgreSQL 15's numeric.c, digit for digit, for + - * / % round and
 * comparison: NaN equals NaN and is greater than all, Infinity arithmetic as in the manual, section
 * 8.1.2.
 */
#ifndef VALUE_NUMERIC_H
#define VALUE_NUMERIC_H

#include "value/value.h"

#include <stdint.h>

struct bigint {
    int size; /* limbs; negative for a negative number, as in mpz_t */
    const uint64_t *limbs;
};

enum numeric_kind { NUMERIC_FINITE, NUMERIC_NAN, NUMERIC_INFINITY, NUMERIC_MINUS_INFINITY };

struct numeric {
    enum numeric_kind kind;
    int scale;                 /* digits shown after the point, 0 to 16383 */
    struct bigint coefficient; /* the value times 10^scale */
};

enum { NUMERIC_SCALE_MAX = 16383 };
/* More than the digits of any numeric, but small enough that every operation is fast and needs
 * little memory. */
enum { INTEGER_BITS_MAX = 1 << 19 };

enum arith_op { ARITH_ADD, ARITH_SUB, ARITH_MUL, ARITH_DIV, ARITH_FLOORDIV, ARITH_MOD };
enum bit_op { BIT_AND, BIT_OR, BIT_XOR, BIT_SHIFT_LEFT, BIT_SHIFT_RIGHT };

/* Both operands are numbers. int with int is exact; `/` gives a numeric (like 1::numeric / 3 in the
 * server). int with numeric gives a numeric. float with anything gives a float, like PostgreSQL's
 * float8. // and % floor, as in Starlark. Errors: division by zero, a result too large. */
bool number_arith(struct arena *arena, enum arith_op op, struct value a, struct value b,
                  struct value *out, struct error *err);
/* ints only. */
bool number_bits(struct arena *arena, enum bit_op op, struct value a, struct value b,
                 struct value *out, struct error *err);
bool number_negate(struct arena *arena, struct value a, struct value *out, struct error *err);
bool number_invert(struct arena *arena, struct value a, struct value *out,
                   struct error *err); /* ~ */
bool number_abs(struct arena *arena, struct value a, struct value *out, struct error *err);
/* round(x, digits), half away from zero, digits may be negative. A numeric gives a numeric, an int
 * an int (a numeric if digits > 0: 5 gives 5.00); a float is rounded to even, as PostgreSQL's
 * round(float8), and digits must be 0. */
bool number_round(struct arena *arena, struct value a, int64_t digits, struct value *out,
                  struct error *err);
/* < 0, 0, > 0; exact also between int, numeric and float. NaN is the greatest and equal to itself.
 */
int number_compare(struct value a, struct value b);
uint64_t number_hash(struct value a);

/* Text: "12", "-3" with base 2 to 36 (0: by prefix 0x 0o 0b). No white space. Errors: not such a
 * text; more bits than INTEGER_BITS_MAX. */
bool int_from_text(struct arena *arena, const char *text, size_t size, int base, struct value *out,
                   struct error *err);
/* "1.50", " 1e3 ", "NaN", "Infinity", "-inf", as PostgreSQL's numeric accepts. */
bool numeric_from_text(struct arena *arena, const char *text, size_t size, struct value *out,
                       struct error *err);
/* Text that PostgreSQL's float8 accepts, except hexadecimal; out of range is an error, too. */
bool float_from_text(const char *text, size_t size, struct value *out, struct error *err);
/* number → numeric; a float by its shortest text form, as the server's cast float8::numeric (15
 * digits). */
bool numeric_from_number(struct arena *arena, struct value number, struct value *out,
                         struct error *err);
/* number → int, toward zero; error for NaN and infinities. */
bool int_from_number(struct arena *arena, struct value number, struct value *out,
                     struct error *err);
double number_to_double(struct value number);
enum numeric_kind numeric_kind_of(struct value number); /* of any number */
struct value numeric_special(enum numeric_kind kind); /* NaN or an infinity; 0 for NUMERIC_FINITE */
/* 64-bit digits of an exact number beyond the first 64 bits of an int; 0 for other values. */
uint64_t number_limbs(struct value number);
/* Returns true if an int fits 64 bits (then it never carries VALUE_BIG). */
bool int_fits(struct value value, int64_t *out);

/* The text as PostgreSQL prints it: ints and numerics in full, floats in the shortest form that
 * reads back (extra_float_digits 1): 0.1, 1e+20, NaN, Infinity. */
void number_text(struct value number, struct strbuf *out);
/* An int to the base 2 to 36; -16 is 16 with capital letters. */
void int_text(struct value integer, int base, struct strbuf *out);

/* Makes GMP, in the whole process, allocate through memory_alloc, with the same handler when memory
 * runs out. Before this call, GMP prints its own message and aborts. */
void number_on_exhausted(void);

#endif
