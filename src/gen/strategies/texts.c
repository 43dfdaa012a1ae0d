/* text, binary, uuids */
#include "gen/args.h"
#include "gen/invert.h"
#include "gen/propose/propose.h"
#include "gen/strategies/strategies.h"

#include "base/digits.h"
#include "base/utf8.h"

#include <string.h>

enum { SIZE_MAX_TEXT = 1000000, SIZE_USUAL_MAX = 256 };

/* text(alphabet=None, min_size=0, max_size=None) */

/* Joins a collection of one-character strings into one string. */
static bool join_characters(struct arena *arena, struct value characters, struct value *out)
{
    struct value_iter iter;
    if (!value_iter_begin(&iter, characters, arena, NULL)) {
        return false;
    }
    struct strbuf joined = {0};
    struct value item;
    bool ok = true;
    while (ok && value_iter_next(&iter, &item)) {
        ok = item.type == VALUE_STRING && item.as.string->length == 1;
        if (ok) {
            strbuf_add(&joined, item.as.string->data, item.as.string->size);
        }
    }
    value_iter_end(&iter);
    *out = value_string(arena, strbuf_text(&joined), joined.size);
    strbuf_free(&joined);
    return ok;
}

static bool make_text(struct arena *arena, struct strategy *strategy, struct error *err)
{
    struct text_bounds *spec = ARENA_NEW(arena, struct text_bounds);
    strategy->spec = spec;
    struct sizes sizes = {.max = SIZE_USUAL_MAX};
    if (!arg_sizes(strategy, 1, SIZE_MAX_TEXT, &sizes, err)) {
        return false;
    }
    struct value alphabet = strategy->args[0];
    if (alphabet.type != VALUE_NONE) {
        if (alphabet.type != VALUE_STRING && !join_characters(arena, alphabet, &alphabet)) {
            return arg_wrong(strategy, 0, "a string or a list of characters", err);
        }
        spec->alphabet = alphabet.as.string;
        if (spec->alphabet->size == 0) {
            sizes.max = 0; /* less than min_size, so that no text fits */
        }
    }
    spec->min_size = sizes.min;
    spec->max_size = sizes.max;
    strategy->empty = sizes.max < sizes.min;
    return true;
}

static enum draw_result draw_texts(const struct draw *draw)
{
    const struct text_bounds *spec = draw->strategy->spec;
    struct drawer *drawer = draw->drawer;
    const struct string *proposal = NULL;
    if (draw->wanted) {
        if (draw->wanted->type != VALUE_STRING) {
            return DRAW_REJECTED;
        }
        proposal = draw->wanted->as.string;
    } else if (draw_is_fresh(drawer)) {
        proposal = propose_text(drawer, spec, &kind_text);
    }
    const struct string *text = draw_text(drawer, spec, proposal);
    *draw->out = value_string(drawer->caller->arena, text->data, text->size);
    return draw_matched(draw);
}

const struct strategy_kind kind_text = {
    .name = "text",
    .params = {{"alphabet", PARAM_OPTIONAL, false},
               {"min_size", PARAM_OPTIONAL, false},
               {"max_size", PARAM_OPTIONAL, false}},
    .repeats = REPEATS_KIND,
    .make = make_text,
    .draw = draw_texts,
};

/* binary(min_size=0, max_size=None) */

static bool make_binary(struct arena *arena, struct strategy *strategy, struct error *err)
{
    struct sizes *spec = ARENA_NEW(arena, struct sizes);
    strategy->spec = spec;
    spec->max = SIZE_USUAL_MAX;
    bool ok = arg_sizes(strategy, 0, SIZE_MAX_TEXT, spec, err);
    strategy->empty = ok && spec->max < spec->min;
    return ok;
}

static enum draw_result draw_binary(const struct draw *draw)
{
    const struct sizes *spec = draw->strategy->spec;
    struct drawer *drawer = draw->drawer;
    const struct bytes *proposal = NULL;
    if (draw->wanted) {
        if (draw->wanted->type != VALUE_BYTES) {
            return DRAW_REJECTED;
        }
        proposal = draw->wanted->as.bytes;
    } else if (draw_is_fresh(drawer)) {
        proposal = propose_bytes(drawer, spec->min, spec->max);
    }
    const struct bytes *bytes = draw_bytes(drawer, spec->min, spec->max, proposal);
    *draw->out = value_bytes(drawer->caller->arena, bytes->data, bytes->size);
    return draw_matched(draw);
}

const struct strategy_kind kind_binary = {
    .name = "binary",
    .params = {{"min_size", PARAM_OPTIONAL, false}, {"max_size", PARAM_OPTIONAL, false}},
    .repeats = REPEATS_KIND,
    .make = make_binary,
    .draw = draw_binary,
};

/* uuids(version=None, allow_nil=False): 16 bytes as PostgreSQL prints them. RFC 4122: the version
 * is the first half of byte 6, the variant the first two bits of byte 8. */

enum { UUID_SIZE = 16, UUID_DIGITS = 32, UUID_TEXT = 36, VERSION_MAX = 8 };

struct uuids {
    int64_t version; /* 0: any bits */
    bool nil;
};

static bool make_uuids(struct arena *arena, struct strategy *strategy, struct error *err)
{
    struct uuids *spec = ARENA_NEW(arena, struct uuids);
    strategy->spec = spec;
    if (!arg_int64(strategy, 0, &spec->version, err) || !arg_bool(strategy, 1, &spec->nil, err)) {
        return false;
    }
    bool given = strategy->args[0].type != VALUE_NONE;
    if (given && (spec->version < 1 || spec->version > VERSION_MAX)) {
        return error_set(err, ERROR_MACHINE, "uuids() version must be 1 to %d, not %lld",
                         VERSION_MAX, (long long)spec->version);
    }
    return true;
}

/* Reads a text such as 00000000-0000-0000-0000-000000000001. */
static bool read_uuid(const struct string *text, unsigned char out[UUID_SIZE])
{
    size_t digits = 0;
    memset(out, 0, UUID_SIZE);
    for (size_t i = 0; i < text->size; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        int digit = hex_digit(text->data[i]);
        if (text->size != UUID_TEXT || (dash ? text->data[i] != '-' : digit < 0)) {
            return false;
        }
        if (!dash) {
            out[digits / 2] = (unsigned char)(out[digits / 2] << 4 | digit);
            digits++;
        }
    }
    return digits == UUID_DIGITS;
}

static const struct bytes *propose_uuid(struct drawer *drawer)
{
    struct rng *rng = drawer->rng;
    struct bytes *bytes = arena_zalloc(drawer->arena, sizeof *bytes + UUID_SIZE);
    bytes->size = UUID_SIZE;
    uint64_t roll = rng_below(rng, 8);
    const struct string *pooled = roll == 0 ? propose_pooled(drawer) : NULL;
    if (pooled && read_uuid(pooled, bytes->data)) {
        return bytes;
    }
    if (roll == 1) { /* few digits other than 0 */
        bytes->data[rng_below(rng, UUID_SIZE)] = (unsigned char)rng_below(rng, 256);
        bytes->data[UUID_SIZE - 1] = (unsigned char)rng_below(rng, 16);
        return bytes;
    }
    if (roll == 2 && rng_one_in(rng, 2)) {
        memset(bytes->data, 0xff, UUID_SIZE);
        return bytes;
    }
    for (size_t i = 0; i < UUID_SIZE; i++) {
        bytes->data[i] = (unsigned char)rng_below(rng, 256);
    }
    return bytes;
}

static struct value uuid_text(struct arena *arena, const unsigned char uuid[UUID_SIZE])
{
    char text[UUID_TEXT + 1];
    size_t at = 0;
    for (size_t i = 0; i < UUID_SIZE; i++) {
        static const char hex[] = "0123456789abcdef";
        if (i == 4 || i == 6 || i == 8 || i == 10) {
            text[at++] = '-';
        }
        text[at++] = hex[uuid[i] >> 4];
        text[at++] = hex[uuid[i] & 0x0f];
    }
    return value_string(arena, text, at);
}

static enum draw_result draw_uuids(const struct draw *draw)
{
    const struct uuids *spec = draw->strategy->spec;
    struct drawer *drawer = draw->drawer;
    struct bytes *wanted = arena_zalloc(drawer->arena, sizeof *wanted + UUID_SIZE);
    const struct bytes *proposal = wanted;
    wanted->size = UUID_SIZE;
    if (draw->wanted) {
        if (draw->wanted->type != VALUE_STRING ||
            !read_uuid(draw->wanted->as.string, wanted->data)) {
            return DRAW_REJECTED;
        }
    } else if (draw_is_fresh(drawer)) {
        proposal = propose_uuid(drawer);
    }
    static const unsigned char nil[UUID_SIZE];
    unsigned char uuid[UUID_SIZE];
    memcpy(uuid, draw_bytes(drawer, UUID_SIZE, UUID_SIZE, proposal)->data, UUID_SIZE);
    if (spec->version) {
        uuid[6] = (unsigned char)((uuid[6] & 0x0f) | spec->version << 4);
        uuid[8] = (unsigned char)((uuid[8] & 0x3f) | 0x80);
    } else if (!spec->nil && memcmp(uuid, nil, UUID_SIZE) == 0) {
        uuid[UUID_SIZE - 1] = 1;
    }
    *draw->out = uuid_text(drawer->caller->arena, uuid);
    return draw_matched(draw);
}

const struct strategy_kind kind_uuids = {
    .name = "uuids",
    .params = {{"version", PARAM_OPTIONAL, false}, {"allow_nil", PARAM_OPTIONAL, false}},
    .repeats = REPEATS_KIND,
    .make = make_uuids,
    .draw = draw_uuids,
};
