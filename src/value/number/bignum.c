#include "value/number/bignum.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void *resize(void *old, size_t old_size, size_t size)
{
    (void)old_size;
    return memory_realloc(old, size);
}

static void release_memory(void *data, size_t size)
{
    (void)size;
    free(data);
}

void number_on_exhausted(void) { mp_set_memory_functions(memory_alloc, resize, release_memory); }

mpz_srcptr bignum_view(struct bignum_view *view, const struct bigint *big)
{
    return mpz_roinit_n(view->z, (const mp_limb_t *)big->limbs, big->size);
}

mpz_srcptr bignum_view_int(struct bignum_view *view, struct value integer)
{
    assert(integer.type == VALUE_INT);
    if (integer.flags & VALUE_BIG) {
        return bignum_view(view, integer.as.big);
    }
    int64_t i = integer.as.integer;
    view->limb = i < 0 ? 0 - (mp_limb_t)i : (mp_limb_t)i;
    return mpz_roinit_n(view->z, &view->limb, (i > 0) - (i < 0));
}

struct bigint bignum_store(uint64_t *limbs, mpz_srcptr z)
{
    size_t count = mpz_size(z);
    if (count) {
        memcpy(limbs, mpz_limbs_read(z), count * sizeof *limbs);
    }
    return (struct bigint){.size = mpz_sgn(z) < 0 ? -(int)count : (int)count, .limbs = limbs};
}

struct value bignum_int(struct arena *arena, mpz_srcptr z)
{
    if (mpz_fits_slong_p(z)) {
        return value_int(mpz_get_si(z));
    }
    struct bigint *big = arena_alloc(arena, sizeof *big + mpz_size(z) * sizeof *big->limbs);
    *big = bignum_store((uint64_t *)(void *)(big + 1), z);
    return (struct value){.type = VALUE_INT, .flags = VALUE_BIG, .as.big = big};
}

void bignum_scale_up(mpz_ptr z, unsigned long exponent)
{
    if (exponent == 0) {
        return;
    }
    mpz_t power;
    mpz_init(power);
    mpz_ui_pow_ui(power, 10, exponent);
    mpz_mul(z, z, power);
    mpz_clear(power);
}

void bignum_divide_rounded(mpz_ptr q, mpz_srcptr n, mpz_srcptr d)
{
    assert(mpz_sgn(d) != 0 && q != d);
    mpz_t rest;
    mpz_init(rest);
    int sign = mpz_sgn(n) * mpz_sgn(d);
    mpz_tdiv_qr(q, rest, n, d);
    mpz_mul_2exp(rest, rest, 1);
    if (mpz_cmpabs(rest, d) >= 0) {
        if (sign < 0) {
            mpz_sub_ui(q, q, 1);
        } else {
            mpz_add_ui(q, q, 1);
        }
    }
    mpz_clear(rest);
}

void bignum_text(mpz_srcptr z, int base, struct strbuf *out)
{
    size_t start = out->size;
    /* mpz_get_str wants two more than the digits, for a sign and the NUL that a strbuf has anyway
     */
    strbuf_fill(out, '0', mpz_sizeinbase(z, abs(base)) + 1);
    (void)mpz_get_str(out->data + start, base, z);
    strbuf_truncate(out, start + strlen(out->data + start));
}

bool not_a_number(const char *type, const char *text, size_t size, struct error *err)
{
    enum { SHOWN = 60 };
    return error_set(err, ERROR_MACHINE, "not %s: \"%.*s%s\"", type,
                     size > SHOWN ? SHOWN : (int)size, text, size > SHOWN ? "…" : "");
}

bool divided_by_zero(struct error *err)
{
    return error_set(err, ERROR_MACHINE, "division by zero");
}
