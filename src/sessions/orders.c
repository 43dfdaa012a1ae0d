#include "sessions/orders.h"

struct search {
    const struct record *sessions;
    size_t count;
    const struct order_judge *judge;
    size_t *taken; /* of each session, how many of its steps the order has */
    struct recorded_step **order;
    size_t length;
    size_t total;
    bool found;
    struct error *err;
};

static struct recorded_step *next_of(const struct search *search, size_t session)
{
    const struct record *record = &search->sessions[session];
    size_t skipped = 0;
    for (size_t i = 0; i < record->steps.count; i++) {
        if (!record->steps.items[i]->undone && skipped++ == search->taken[session]) {
            return record->steps.items[i];
        }
    }
    return NULL;
}

/* Whether no step that is still to come had ended when this one began. */
static bool may_be_next(const struct search *search, const struct recorded_step *step)
{
    for (size_t i = 0; i < search->count; i++) {
        const struct recorded_step *other = next_of(search, i);
        if (other && other != step && other->ended < step->began) {
            return false;
        }
    }
    return true;
}

/* Asks about the order. `*at`: the step that contradicts it; everything that begins like it up to
 * there does, too. */
static bool ask_order(struct search *search, size_t *at)
{
    size_t explained = 0;
    if (!search->judge->judge(search->judge->host, search->order, search->total, &explained,
                              search->err)) {
        return false;
    }
    search->found = explained == search->total;
    *at = explained;
    return true;
}

static bool explore(struct search *search, size_t *at)
{
    if (search->length == search->total) {
        return ask_order(search, at);
    }
    size_t depth = search->length;
    for (size_t i = 0; i < search->count; i++) {
        struct recorded_step *step = next_of(search, i);
        if (!step || !may_be_next(search, step)) {
            continue;
        }
        search->order[search->length++] = step;
        search->taken[i]++;
        bool asked = explore(search, at);
        search->taken[i]--;
        search->length--;
        if (!asked || search->found || *at < depth) {
            return asked;
        }
    }
    *at = depth; /* no order with this beginning explains it, but one with another may */
    return true;
}

bool orders_search(const struct record *sessions, size_t count, const struct order_judge *judge,
                   struct arena *arena, bool *found, struct error *err)
{
    struct search search = {.sessions = sessions,
                            .count = count,
                            .judge = judge,
                            .taken = ARENA_ARRAY(arena, size_t, count),
                            .err = err};
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < sessions[i].steps.count; k++) {
            search.total += !sessions[i].steps.items[k]->undone;
        }
    }
    search.order = ARENA_ARRAY(arena, struct recorded_step *, search.total);
    size_t at;
    bool asked = explore(&search, &at);
    *found = search.found;
    return asked;
}
