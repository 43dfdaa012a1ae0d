/* Passes that move whole spans of choices, so that composite values (documents, lists, trees) move
 * unchanged. */
#include "shrink/passes/passes.h"

#include <string.h>

enum {
    LEAVES_MAX = 8, /* choices of a value that a single one may replace */
    ALTERNATIVES_MAX = 8,
    DESCENTS_MAX = 64,      /* attempts per choice of an alternative */
    HAND_UP_MAX_STEPS = 12, /* 66 pairs of steps */
};

/* Replaces a range of a step's choices, and removes step `removed`, which is after it (NO_STEP:
 * none). */
static bool try_put(struct shrinker *shrinker, size_t step, struct edit_range range,
                    const struct choice *choices, size_t count, size_t removed)
{
    struct trace candidate = shrinker_copy(shrinker);
    edit_replace(&shrinker->scratch, &candidate, step, range, choices, count);
    if (removed != NO_STEP) {
        candidate = edit_remove(&shrinker->scratch, &candidate, removed, removed + 1);
    }
    return shrinker_try(shrinker, &candidate);
}

/* Finds the choices of a one_of's alternative: a number, directly followed by a span. False if the
 * choice is not such a number. */
static bool alternative_at(const struct choices *choices, size_t index, struct edit_range *out)
{
    const struct choice *choice = &choices->items.items[index];
    if (choice->kind != CHOICE_INTEGER || choice->as.integer.min != 0) {
        return false;
    }
    for (size_t i = 0; i < choices->spans.count; i++) {
        const struct choice_span *span = &choices->spans.items[i];
        if (span->kind == SPAN_OTHER && span->start == index + 1) {
            *out = (struct edit_range){index, span->end};
            return true;
        }
    }
    return false;
}

/* Replaces a value by one of the values inside it, the smallest first. */
static bool descend_into(struct shrinker *shrinker, size_t step, struct edit_range outer)
{
    unsigned tried = 0;
    for (size_t i = outer.to; i > outer.from + 1 && tried < DESCENTS_MAX && !shrinker->stopped;
         i--) {
        struct edit_range inner;
        if (alternative_at(shrinker_choices(shrinker, step), i - 1, &inner)) {
            const struct choice *value = &shrinker_choices(shrinker, step)->items.items[inner.from];
            tried++;
            if (try_put(shrinker, step, outer, value, inner.to - inner.from, NO_STEP)) {
                return true;
            }
        }
    }
    return false;
}

/* Replaces the span by another alternative with one choice of the former or none. A replay would
 * read more of them as the next value. */
static bool try_alternative(struct shrinker *shrinker, size_t step, struct edit_range outer,
                            int64_t which, const struct choice *leaf)
{
    struct choice put[2];
    put[0] = shrinker_choices(shrinker, step)->items.items[outer.from];
    put[0].as.integer.value = which;
    if (leaf) {
        put[1] = *leaf;
    }
    return try_put(shrinker, step, outer, put, leaf ? 2 : 1, NO_STEP);
}

/* Replaces a value by another alternative that makes no choice or a single one, such as a key or an
 * item. */
static bool take_other(struct shrinker *shrinker, size_t step, struct edit_range outer)
{
    const struct choice *choice = &shrinker_choices(shrinker, step)->items.items[outer.from];
    int64_t which = choice->as.integer.value;
    if (outer.to - outer.from > LEAVES_MAX || which > ALTERNATIVES_MAX) {
        return false;
    }
    int64_t end = which + (outer.to - outer.from > 2);
    for (which = 0; which < end; which++) {
        for (size_t i = outer.from; i < outer.to && !shrinker->stopped; i++) {
            const struct choice *leaf = &shrinker_choices(shrinker, step)->items.items[i];
            if (try_alternative(shrinker, step, outer, which, i > outer.from ? leaf : NULL)) {
                return true;
            }
        }
    }
    return false;
}

/* Replaces a list or dict by a part of it: [[], {"a": [0]}] becomes [0]. */
void pass_descend(struct shrinker *shrinker)
{
    for (size_t step = shrinker_first(shrinker); step < shrinker_steps(shrinker); step++) {
        size_t i = 0;
        while (step < shrinker_steps(shrinker) && !shrinker->stopped &&
               i < shrinker_choices(shrinker, step)->items.count) {
            struct edit_range outer;
            bool moved = alternative_at(shrinker_choices(shrinker, step), i, &outer) &&
                         (take_other(shrinker, step, outer) || descend_into(shrinker, step, outer));
            i += !moved; /* the new value may hold others */
        }
    }
}

/* The choices of the step's argument number `argument`; false if it has none. */
static bool argument_at(const struct choices *choices, size_t argument, struct edit_range *out)
{
    for (size_t i = 0; i < choices->spans.count; i++) {
        const struct choice_span *span = &choices->spans.items[i];
        if (span->kind == SPAN_ARGUMENT && argument-- == 0) {
            *out = (struct edit_range){span->start, span->end};
            return span->end > span->start;
        }
    }
    return false;
}

static size_t arguments(const struct choices *choices)
{
    size_t count = 0;
    for (size_t i = 0; i < choices->spans.count; i++) {
        count += choices->spans.items[i].kind == SPAN_ARGUMENT;
    }
    return count;
}

/* True if two arguments are probably of one strategy: their first choices have the same kind and,
 * for numbers, the same bounds. */
static bool arguments_alike(const struct choice *a, const struct choice *b)
{
    return a->kind == b->kind && a->kind != CHOICE_REFERENCE &&
           (a->kind != CHOICE_INTEGER ||
            (a->as.integer.min == b->as.integer.min && a->as.integer.max == b->as.integer.max));
}

/* Removes step `source`, and adds its choices `given` as an item to a list of an earlier step, at
 * the 0 that ends the list. */
static bool try_added(struct shrinker *shrinker, size_t source, struct edit_range given,
                      size_t taker, size_t end_of_list)
{
    const struct choice *flag = &shrinker_choices(shrinker, taker)->items.items[end_of_list];
    if (flag->kind != CHOICE_INTEGER || flag->as.integer.max != 1 || flag->as.integer.value != 0) {
        return false;
    }
    size_t count = given.to - given.from;
    struct choice *put = ARENA_ARRAY(&shrinker->scratch, struct choice, count + 2);
    put[0] = *flag;
    put[0].as.integer.value = 1;
    memcpy(put + 1, shrinker_choices(shrinker, source)->items.items + given.from,
           count * sizeof *put);
    put[count + 1] = *flag;
    return try_put(shrinker, taker, (struct edit_range){end_of_list, end_of_list + 1}, put,
                   count + 2, source);
}

/* The same at each end of a list in the argument. If an alternative of an alternative was drawn,
 * the list's items may be alternatives of the inner kind. */
static bool add_as_item(struct shrinker *shrinker, size_t source, struct edit_range given,
                        size_t taker, struct edit_range own)
{
    struct edit_range inner = {given.from + 1, given.to};
    bool nested = inner.from < given.to &&
                  alternative_at(shrinker_choices(shrinker, source), inner.from, &inner) &&
                  inner.to == given.to;
    for (size_t i = own.from; i < own.to && own.to - own.from <= LEAVES_MAX; i++) {
        if (try_added(shrinker, source, given, taker, i) ||
            (nested && try_added(shrinker, source, inner, taker, i))) {
            return true;
        }
    }
    return false;
}

/* Removes step `source`, and moves one of its arguments to an earlier step. */
static bool hand_up(struct shrinker *shrinker, size_t source, size_t taker)
{
    size_t mine = arguments(shrinker_choices(shrinker, source));
    size_t pairs = mine * arguments(shrinker_choices(shrinker, taker));
    for (size_t pair = 0; pair < pairs && !shrinker->stopped; pair++) {
        const struct choices *from = shrinker_choices(shrinker, source);
        const struct choices *to = shrinker_choices(shrinker, taker);
        struct edit_range given;
        struct edit_range own;
        if (!argument_at(from, pair % mine, &given) || !argument_at(to, pair / mine, &own) ||
            !arguments_alike(&from->items.items[given.from], &to->items.items[own.from])) {
            continue;
        }
        const struct choice *value = &from->items.items[given.from];
        if (try_put(shrinker, taker, own, value, given.to - given.from, source) ||
            add_as_item(shrinker, source, given, taker, own)) {
            return true;
        }
    }
    return false;
}

/* Removes step `source`, and puts one of its choices into `own` of an earlier step: alone, or as
 * the choice of the alternative `which`. */
static bool try_leaf(struct shrinker *shrinker, size_t source, const struct choice *leaf,
                     size_t taker, struct edit_range own, int64_t which)
{
    struct choice put[2] = {shrinker_choices(shrinker, taker)->items.items[own.from], *leaf};
    bool alone = which < 0;
    if (alone && !edit_assign(&shrinker->scratch, &put[0], leaf)) {
        return false;
    }
    if (!alone) {
        put[0].as.integer.value = which;
    }
    return try_put(shrinker, taker, own, put, alone ? 1 : 2, source);
}

/* The same at each place where the earlier step makes such a choice, or might with another
 * alternative. */
static bool hand_leaf(struct shrinker *shrinker, size_t source, const struct choice *leaf,
                      size_t taker)
{
    const struct choices *to = shrinker_choices(shrinker, taker);
    for (size_t i = 0; i < to->items.count && !shrinker->stopped; i++) {
        const struct choice *choice = &to->items.items[i];
        struct edit_range own = {i, i + 1};
        if (choice->kind == leaf->kind && !edit_same(choice, leaf) &&
            try_leaf(shrinker, source, leaf, taker, own, -1)) {
            return true;
        }
        int64_t end = alternative_at(to, i, &own) && own.to - own.from <= LEAVES_MAX &&
                              choice->as.integer.max < ALTERNATIVES_MAX
                          ? choice->as.integer.max + 1
                          : 0;
        for (int64_t which = 0; which < end; which++) {
            if (try_leaf(shrinker, source, leaf, taker, own, which)) {
                return true;
            }
        }
    }
    return false;
}

/* Moves texts one by one, too, because a character may be all that matters of a step. */
static bool hand_texts(struct shrinker *shrinker, size_t source, size_t taker)
{
    const struct choices *from = shrinker_choices(shrinker, source);
    for (size_t i = 0; i < from->items.count && !shrinker->stopped; i++) {
        const struct choice *choice = &from->items.items[i];
        bool text = choice->kind == CHOICE_TEXT || choice->kind == CHOICE_BYTES;
        if (text && !choice_is_simplest(choice) && hand_leaf(shrinker, source, choice, taker)) {
            return true;
        }
    }
    return false;
}

/* Moves values to the earlier step whose value was overwritten: store(x), set(y) becomes store(y),
 * and store([]), append(x) becomes store([x]). */
void pass_hand_up(struct shrinker *shrinker)
{
    size_t first = shrinker_first(shrinker);
    if (shrinker_steps(shrinker) - first > HAND_UP_MAX_STEPS) {
        return;
    }
    for (size_t source = shrinker_steps(shrinker); source > first + 1 && !shrinker->stopped;
         source--) {
        for (size_t taker = first; taker + 1 < source; taker++) {
            if (hand_up(shrinker, source - 1, taker) || hand_texts(shrinker, source - 1, taker)) {
                return; /* after the cheap passes */
            }
        }
    }
}
