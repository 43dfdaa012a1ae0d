/*
 * from_regex(pattern, fullmatch=False): texts that match, or that have a matching part, like
 * PostgreSQL's ~.
 *
 * A character is a choice in its class. A repetition is a row of choices for one more, as in lists.
 * An alternative is a choice, the shortest first. The text around the match is drawn last, when it
 * is known if ^ and $ were passed.
 *
 * Inverting is matching with backtracking.
 */
#include "gen/args.h"
#include "gen/invert.h"
#include "gen/propose/propose.h"
#include "gen/regex/regex.h"
#include "gen/strategies/strategies.h"

#include "base/utf8.h"

enum { AROUND_MAX = 256, AROUND_USUAL = 8, REPEATS_USUAL = 4 };

struct from_regex {
    const struct regex *regex;
    bool full;
};

static bool make_from_regex(struct arena *arena, struct strategy *strategy, struct error *err)
{
    struct from_regex *spec = ARENA_NEW(arena, struct from_regex);
    strategy->spec = spec;
    if (strategy->args[0].type != VALUE_STRING) {
        return arg_wrong(strategy, 0, "a string", err);
    }
    if (!arg_bool(strategy, 1, &spec->full, err)) {
        return false;
    }
    return regex_parse(arena, strategy->args[0].as.string, &spec->regex, err) ||
           error_context(err, "from_regex() pattern");
}

/* Drawing. */

struct drawing {
    struct drawer *drawer;
    struct error *err;
    struct strbuf text;
    bool start, end; /* ^ or $ was passed, so there is no text on that side */
};

static enum draw_result draw_node(struct drawing *drawing, const struct regex *node);

static void draw_character(struct drawing *drawing, const struct regex_class *set)
{
    enum { FEW = 256 };
    struct drawer *drawer = drawing->drawer;
    int64_t proposal = 0;
    if (draw_is_fresh(drawer)) {
        bool plain = set->plain > 0 && set->count > FEW && !rng_one_in(drawer->rng, 8);
        proposal = (int64_t)rng_below(drawer->rng, plain ? set->plain : set->count);
    }
    int64_t place = draw_integer(drawer, int_range(0, set->count - 1), proposal);
    char bytes[UTF8_MAX];
    size_t size =
        utf8_encode(char_range_at(set->ranges.items, set->ranges.count, (uint32_t)place), bytes);
    strbuf_add(&drawing->text, bytes, size);
}

/* The repetition being drawn. */
struct repeating {
    const struct regex *node;
    size_t count, target;
    bool targeted; /* target is set */
};

static void record_more(struct drawer *drawer, const struct regex *node, size_t count, bool more)
{
    bool forced = count < node->min;
    struct choice choice = {.kind = CHOICE_INTEGER,
                            .as.integer = {more || forced, forced, 1, forced}};
    if (node->min < node->max) {
        draw_record(drawer, &choice);
    }
}

/* Draws if there is one more, unless the bounds are equal. */
static bool draw_more(struct drawer *drawer, struct repeating *repeating)
{
    enum { SIMPLE_COUNTS = 3 };
    const struct regex *node = repeating->node;
    const struct choice *replayed = NULL;
    if (node->min == node->max) {
        return repeating->count < node->min;
    }
    enum draw_source source = draw_take(drawer, CHOICE_INTEGER, &replayed);
    if (source != SOURCE_REPLAY && !repeating->targeted) {
        size_t counts = node->max - node->min + 1;
        counts = counts < SIMPLE_COUNTS ? counts : SIMPLE_COUNTS;
        repeating->target = source == SOURCE_FRESH
                                ? propose_size(drawer, node->min, node->max, REPEATS_USUAL)
                                : node->min + draw_nudged(drawer, counts);
        repeating->targeted = true;
    }
    bool more = source == SOURCE_REPLAY ? replayed->as.integer.value > 0
                                        : repeating->count < repeating->target;
    record_more(drawer, node, repeating->count, more);
    return more || repeating->count < node->min;
}

static enum draw_result draw_repeat(struct drawing *drawing, const struct regex *node)
{
    struct drawer *drawer = drawing->drawer;
    struct repeating repeating = {.node = node};
    enum draw_result result = DRAW_OK;
    while (repeating.count < node->max && result == DRAW_OK) {
        size_t span = draw_span_begin(drawer, SPAN_ITEM);
        if (!draw_more(drawer, &repeating)) {
            drawer->record->spans.count = span;
            break;
        }
        result = draw_node(drawing, node->parts.items[0]);
        draw_span_end(drawer, span);
        repeating.count++;
    }
    return result;
}

static enum draw_result draw_alternation(struct drawing *drawing, const struct regex *node)
{
    struct drawer *drawer = drawing->drawer;
    int64_t chosen = draw_place(drawer, node->parts.count, DRAW_ANY);
    size_t span = draw_span_begin(drawer, SPAN_OTHER);
    enum draw_result result = draw_node(drawing, node->parts.items[chosen]);
    draw_span_end(drawer, span);
    return result;
}

static enum draw_result draw_node(struct drawing *drawing, const struct regex *node)
{
    enum draw_result result = DRAW_OK;
    if (drawing->drawer->own.spent > DRAW_SPENT_MAX) {
        error_set(drawing->err, ERROR_LIMIT, "one argument draws more than %d values",
                  DRAW_SPENT_MAX);
        error_hint(drawing->err, "the pattern of from_regex() repeats repetitions");
        return DRAW_ERROR;
    }
    switch (node->kind) {
    case REGEX_CLASS:
        draw_character(drawing, node->set);
        break;
    case REGEX_SEQUENCE:
        for (size_t i = 0; i < node->parts.count && result == DRAW_OK; i++) {
            result = draw_node(drawing, node->parts.items[i]);
        }
        break;
    case REGEX_ALTERNATION:
        return draw_alternation(drawing, node);
    case REGEX_REPEAT:
        return draw_repeat(drawing, node);
    case REGEX_START:
        drawing->start = true;
        break;
    case REGEX_END:
        drawing->end = true;
        break;
    }
    return result;
}

/* Draws the text before or after the match, which is empty half of the time. */
static const struct string *draw_around(struct drawer *drawer)
{
    struct text_bounds bounds = {.max_size = AROUND_MAX};
    struct text_bounds usual = {.max_size = AROUND_USUAL};
    const struct string *proposal = NULL;
    if (draw_is_fresh(drawer)) {
        usual.max_size = rng_one_in(drawer->rng, 2) ? 0 : usual.max_size;
        proposal = propose_text(drawer, &usual, &kind_text);
        if (proposal->length > usual.max_size) {
            proposal = value_string(drawer->arena, "", 0).as.string;
        }
    }
    return draw_text(drawer, &bounds, proposal);
}

static enum draw_result draw_match(struct drawing *drawing, const struct from_regex *spec,
                                   struct value *out)
{
    struct drawer *drawer = drawing->drawer;
    enum draw_result result = draw_node(drawing, spec->regex);
    if (result != DRAW_OK) {
        return result;
    }
    const struct string *before = drawing->start || spec->full ? NULL : draw_around(drawer);
    const struct string *behind = drawing->end || spec->full ? NULL : draw_around(drawer);
    struct strbuf whole = {0};
    strbuf_add(&whole, before ? before->data : "", before ? before->size : 0);
    strbuf_add(&whole, strbuf_text(&drawing->text), drawing->text.size);
    strbuf_add(&whole, behind ? behind->data : "", behind ? behind->size : 0);
    *out = value_string(drawer->caller->arena, strbuf_text(&whole), whole.size);
    strbuf_free(&whole);
    return DRAW_OK;
}

/* Inverting. */

enum { MATCH_STEPS = 100000, MATCH_SIZE_MAX = 1000 };

struct matching {
    struct drawer *drawer;
    const char *text;
    size_t size;
    size_t begin; /* of the match */
    bool full, start, end;
    size_t steps;
};

/* The remaining match after a node. */
struct after {
    const struct regex *node; /* the parent */
    size_t done;              /* parts of a sequence, or repetitions */
    size_t begin;             /* of the repetition */
    size_t span;
    const struct after *next;
};

static bool match_node(struct matching *matching, const struct regex *node, size_t at,
                       const struct after *after);

static bool invert_around(struct matching *matching, size_t from, size_t to)
{
    struct text_bounds bounds = {.max_size = AROUND_MAX};
    struct value text = value_string(matching->drawer->arena, matching->text + from, to - from);
    return text.as.string->length <= AROUND_MAX &&
           draw_text(matching->drawer, &bounds, text.as.string) != NULL;
}

static bool match_end(struct matching *matching, size_t at)
{
    if (matching->full) {
        return at == matching->size;
    }
    return (matching->start || invert_around(matching, 0, matching->begin)) &&
           (matching->end || invert_around(matching, at, matching->size));
}

static bool match_part(struct matching *matching, const struct regex *node, size_t part, size_t at,
                       const struct after *after);
static bool match_repeat(struct matching *matching, const struct regex *node, size_t done,
                         size_t at, const struct after *after);

static bool go_on(struct matching *matching, size_t at, const struct after *after)
{
    if (!after) {
        return match_end(matching, at);
    }
    if (after->node->kind == REGEX_SEQUENCE) {
        return match_part(matching, after->node, after->done, at, after->next);
    }
    draw_span_end(matching->drawer, after->span);
    if (after->node->kind == REGEX_ALTERNATION) {
        return go_on(matching, at, after->next);
    }
    /* an optional empty repetition would never end */
    return (at > after->begin || after->done <= after->node->min) &&
           match_repeat(matching, after->node, after->done, at, after->next);
}

static bool match_part(struct matching *matching, const struct regex *node, size_t part, size_t at,
                       const struct after *after)
{
    if (part == node->parts.count) {
        return go_on(matching, at, after);
    }
    struct after rest = {.node = node, .done = part + 1, .next = after};
    return match_node(matching, node->parts.items[part], at, &rest);
}

static bool match_repeat(struct matching *matching, const struct regex *node, size_t done,
                         size_t at, const struct after *after)
{
    struct drawer *drawer = matching->drawer;
    struct draw_mark mark = draw_mark(drawer);
    if (done < node->max) {
        struct after rest = {node, done + 1, at, draw_span_begin(drawer, SPAN_ITEM), after};
        record_more(drawer, node, done, true);
        if (match_node(matching, node->parts.items[0], at, &rest)) {
            return true;
        }
        draw_rewind(drawer, mark);
    }
    if (done < node->min) {
        return false;
    }
    if (done < node->max) {
        record_more(drawer, node, done, false);
    }
    return go_on(matching, at, after);
}

static bool match_alternation(struct matching *matching, const struct regex *node, size_t at,
                              const struct after *after)
{
    struct drawer *drawer = matching->drawer;
    struct draw_mark mark = draw_mark(drawer);
    for (size_t i = 0; i < node->parts.count; i++) {
        (void)draw_place(drawer, node->parts.count, (int64_t)i);
        struct after rest = {.node = node, .next = after};
        rest.span = draw_span_begin(drawer, SPAN_OTHER);
        if (match_node(matching, node->parts.items[i], at, &rest)) {
            return true;
        }
        draw_rewind(drawer, mark);
    }
    return false;
}

static bool match_character(struct matching *matching, const struct regex_class *set, size_t at,
                            const struct after *after)
{
    uint32_t code;
    size_t size = utf8_decode(matching->text + at, matching->size - at, &code);
    uint32_t place =
        size ? char_range_rank(set->ranges.items, set->ranges.count, code) : UINT32_MAX;
    if (place == UINT32_MAX) {
        return false;
    }
    (void)draw_place(matching->drawer, set->count, place);
    return go_on(matching, at + size, after);
}

/* Matches ^ and $; `passed` is set while the rest is matched. */
static bool match_anchor(struct matching *matching, bool *passed, size_t at,
                         const struct after *after)
{
    bool before = *passed;
    *passed = true;
    if (go_on(matching, at, after)) {
        return true;
    }
    *passed = before;
    return false;
}

static bool match_node(struct matching *matching, const struct regex *node, size_t at,
                       const struct after *after)
{
    if (++matching->steps > MATCH_STEPS) {
        return false;
    }
    switch (node->kind) {
    case REGEX_CLASS:
        return match_character(matching, node->set, at, after);
    case REGEX_SEQUENCE:
        return match_part(matching, node, 0, at, after);
    case REGEX_ALTERNATION:
        return match_alternation(matching, node, at, after);
    case REGEX_REPEAT:
        return match_repeat(matching, node, 0, at, after);
    case REGEX_START:
        return at == 0 && match_anchor(matching, &matching->start, at, after);
    case REGEX_END:
        return at == matching->size && match_anchor(matching, &matching->end, at, after);
    }
    return false;
}

/* The leftmost match, and the choices that make it. */
static bool match_anywhere(struct matching *matching, const struct regex *regex)
{
    struct draw_mark mark = draw_mark(matching->drawer);
    while (matching->begin <= matching->size && matching->steps <= MATCH_STEPS) {
        if (match_node(matching, regex, matching->begin, NULL)) {
            return true;
        }
        draw_rewind(matching->drawer, mark);
        if (matching->full || matching->begin == matching->size) {
            return false;
        }
        uint32_t code;
        matching->begin +=
            utf8_decode(matching->text + matching->begin, matching->size - matching->begin, &code);
    }
    return false;
}

static struct matching matching_of(const struct draw *draw, const struct string *text)
{
    const struct from_regex *spec = draw->strategy->spec;
    return (struct matching){
        .drawer = draw->drawer, .text = text->data, .size = text->size, .full = spec->full};
}

static enum draw_result invert_from_regex(const struct draw *draw)
{
    const struct from_regex *spec = draw->strategy->spec;
    *draw->out = *draw->wanted;
    if (draw->wanted->type != VALUE_STRING) {
        return DRAW_REJECTED;
    }
    const struct string *string = draw->wanted->as.string;
    struct matching matching = matching_of(draw, string);
    if (string->length <= MATCH_SIZE_MAX) {
        if (match_anywhere(&matching, spec->regex)) {
            return DRAW_OK;
        }
        if (matching.steps <= MATCH_STEPS) {
            return DRAW_REJECTED;
        }
    }
    draw->drawer->own.on_trust = true; /* too long or too complex to match */
    return DRAW_OK;
}

/* Draws a string of the schema that matches, if there is one. */
static bool draw_pooled(const struct draw *draw)
{
    const struct from_regex *spec = draw->strategy->spec;
    struct drawer *drawer = draw->drawer;
    const struct string *pooled =
        draw_is_fresh(drawer) && rng_one_in(drawer->rng, 8) ? propose_pooled(drawer) : NULL;
    if (!pooled || pooled->length > MATCH_SIZE_MAX) {
        return false;
    }
    struct matching matching = matching_of(draw, pooled);
    drawer->own.inverting = true;
    bool matches = match_anywhere(&matching, spec->regex);
    drawer->own.inverting = false;
    *draw->out = value_string(drawer->caller->arena, pooled->data, pooled->size);
    return matches;
}

static enum draw_result draw_from_regex(const struct draw *draw)
{
    if (draw->wanted) {
        return invert_from_regex(draw);
    }
    if (draw_pooled(draw)) {
        return DRAW_OK;
    }
    struct drawing drawing = {.drawer = draw->drawer, .err = draw->err};
    enum draw_result result = draw_match(&drawing, draw->strategy->spec, draw->out);
    strbuf_free(&drawing.text);
    return result;
}

const struct strategy_kind kind_from_regex = {
    .name = "from_regex",
    .params = {{"regex", PARAM_REQUIRED, false}, {"fullmatch", PARAM_OPTIONAL, false}},
    .repeats = REPEATS_ALIKE,
    .make = make_from_regex,
    .draw = draw_from_regex,
};
