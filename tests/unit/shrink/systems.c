/* The systems: each the model of a known bug, with the length of its shortest sequence. */
#include "sim.h"

#include <string.h>

#define INT4                                                                                       \
    {                                                                                              \
        .kind = SIM_INTEGER, .min = -2147483648LL, .max = 2147483647LL                             \
    }
#define UPTO(most)                                                                                 \
    {                                                                                              \
        .kind = SIM_INTEGER, .min = 0, .max = (most)                                               \
    }
#define REF(n)                                                                                     \
    {                                                                                              \
        .kind = SIM_REFERENCE, .collection = (n)                                                   \
    }

/* --- binary heaps in arrays --- */

enum { HEAP_SIZE = 512, HEAPS = 64 };

struct heap {
    int64_t items[HEAP_SIZE]; /* what the system holds */
    int64_t model[HEAP_SIZE]; /* the same values, in any order */
    size_t count;
};

static void sift_up(struct heap *heap, size_t index)
{
    while (index > 0 && heap->items[(index - 1) / 2] > heap->items[index]) {
        size_t parent = (index - 1) / 2;
        int64_t item = heap->items[parent];
        heap->items[parent] = heap->items[index];
        heap->items[index] = item;
        index = parent;
    }
}

static void heap_push(struct heap *heap, int64_t value)
{
    heap->model[heap->count] = value;
    heap->items[heap->count] = value;
    sift_up(heap, heap->count++);
}

static size_t least_in_model(const struct heap *heap)
{
    size_t least = 0;
    for (size_t i = 1; i < heap->count; i++) {
        if (heap->model[i] < heap->model[least]) {
            least = i;
        }
    }
    return least;
}

/* Takes the first item; `rebalance`: the right way. False where it was not the smallest. */
static bool heap_pop(struct heap *heap, bool rebalance)
{
    size_t least = least_in_model(heap);
    bool right = heap->items[0] == heap->model[least];
    heap->model[least] = heap->model[--heap->count];
    if (!rebalance) {
        memmove(heap->items, heap->items + 1, heap->count * sizeof *heap->items);
        return right;
    }
    heap->items[0] = heap->items[heap->count];
    size_t at = 0;
    for (;;) {
        size_t child = at * 2 + 1;
        if (child + 1 < heap->count && heap->items[child + 1] < heap->items[child]) {
            child++;
        }
        if (child >= heap->count || heap->items[at] <= heap->items[child]) {
            return right;
        }
        int64_t item = heap->items[at];
        heap->items[at] = heap->items[child];
        heap->items[child] = item;
        at = child;
    }
}

static void begin_nothing(void *state) { (void)state; }

static enum sim_verdict heap_step(void *state, size_t rule, const int64_t *values, int64_t *output)
{
    struct heap *heap = state;
    (void)output;
    if (rule == 0) {
        if (heap->count == HEAP_SIZE) {
            return SIM_REFUSED;
        }
        heap_push(heap, values[0]);
        return SIM_OK;
    }
    if (heap->count == 0) {
        return SIM_REFUSED;
    }
    return heap_pop(heap, false) ? SIM_OK : SIM_FAILED;
}

static const struct sim_rule heap_rules[] = {{"push", {INT4}, -1}, {"pop", {{0}}, -1}};
static const struct sim_system heap_system = {"heap",        heap_rules, 2, 5, sizeof(struct heap),
                                              begin_nothing, heap_step};

struct heaps {
    struct heap heaps[HEAPS];
    size_t count;
    size_t begun; /* from nothing */
};

/* Concatenated in the order of the arrays, as sorted((x, y)) gives. */
static void merge_sorted(struct heap *to, const struct heap *x, const struct heap *y)
{
    size_t n = x->count < y->count ? x->count : y->count;
    size_t i = 0;
    while (i < n && x->items[i] == y->items[i]) {
        i++;
    }
    bool swapped = i < n ? x->items[i] > y->items[i] : x->count > y->count;
    const struct heap *first = swapped ? y : x;
    const struct heap *second = swapped ? x : y;
    memcpy(to->items, first->items, first->count * sizeof *to->items);
    memcpy(to->items + first->count, second->items, second->count * sizeof *to->items);
}

/* Smaller of the two fronts first, as a merge of sorted lists would. */
static void merge_interleaved(struct heap *to, const struct heap *x, const struct heap *y)
{
    size_t i = 0;
    size_t j = 0;
    while (i < x->count && j < y->count) {
        to->items[i + j] = x->items[i] <= y->items[j] ? x->items[i] : y->items[j];
        if (x->items[i] <= y->items[j]) {
            i++;
        } else {
            j++;
        }
    }
    for (; i < x->count; i++) {
        to->items[i + j] = x->items[i];
    }
    for (; j < y->count; j++) {
        to->items[i + j] = y->items[j];
    }
}

typedef void merge_fn(struct heap *to, const struct heap *x, const struct heap *y);

static enum sim_verdict heaps_merge(struct heaps *heaps, const int64_t *values, merge_fn *merge,
                                    int64_t *output)
{
    struct heap *x = &heaps->heaps[values[0]];
    struct heap *y = &heaps->heaps[values[1]];
    if (heaps->count == HEAPS || x->count + y->count > HEAP_SIZE) {
        return SIM_REFUSED;
    }
    struct heap *to = &heaps->heaps[heaps->count];
    merge(to, x, y);
    memcpy(to->model, x->model, x->count * sizeof *x->model);
    memcpy(to->model + x->count, y->model, y->count * sizeof *y->model);
    to->count = x->count + y->count;
    *output = (int64_t)heaps->count++;
    return SIM_OK;
}

static enum sim_verdict heaps_step(struct heaps *heaps, size_t rule, const int64_t *values,
                                   merge_fn *merge, int64_t *output)
{
    switch (rule) {
    case 0:
        if (heaps->count == HEAPS) {
            return SIM_REFUSED;
        }
        *output = (int64_t)heaps->count++;
        return SIM_OK;
    case 1:
        if (heaps->heaps[values[0]].count == HEAP_SIZE) {
            return SIM_REFUSED;
        }
        heap_push(&heaps->heaps[values[0]], values[1]);
        return SIM_OK;
    case 2:
        if (heaps->heaps[values[0]].count == 0) {
            return SIM_REFUSED;
        }
        return heap_pop(&heaps->heaps[values[0]], true) ? SIM_OK : SIM_FAILED;
    default:
        return heaps_merge(heaps, values, merge, output);
    }
}

static enum sim_verdict heaps_sorted_step(void *state, size_t rule, const int64_t *values,
                                          int64_t *output)
{
    return heaps_step(state, rule, values, merge_sorted, output);
}

static enum sim_verdict heaps_interleaved_step(void *state, size_t rule, const int64_t *values,
                                               int64_t *output)
{
    return heaps_step(state, rule, values, merge_interleaved, output);
}

/* No more than two heaps from nothing in an example, as the limit of a rule says. */
static enum sim_verdict heaps_limited_step(void *state, size_t rule, const int64_t *values,
                                           int64_t *output)
{
    struct heaps *heaps = state;
    if (rule == 0 && heaps->begun++ == 2) {
        heaps->begun = 2;
        return SIM_REFUSED;
    }
    return heaps_interleaved_step(state, rule, values, output);
}

static const struct sim_rule heaps_rules[] = {{"new", {{0}}, 0},
                                              {"push", {REF(0), INT4}, -1},
                                              {"pop", {REF(0)}, -1},
                                              {"merge", {REF(0), REF(0)}, 0}};
static const struct sim_system heaps_sorted = {"heaps, sorted concatenation",
                                               heaps_rules,
                                               4,
                                               7,
                                               sizeof(struct heaps),
                                               begin_nothing,
                                               heaps_sorted_step};
static const struct sim_system heaps_interleaved = {
    "heaps, interleaved", heaps_rules,           4, 9, sizeof(struct heaps),
    begin_nothing,        heaps_interleaved_step};
static const struct sim_system heaps_limited = {"heaps, interleaved, limited",
                                                heaps_rules,
                                                4,
                                                9,
                                                sizeof(struct heaps),
                                                begin_nothing,
                                                heaps_limited_step};

/* --- bank: a transfer to oneself makes money --- */

struct bank {
    int64_t balances[HEAP_SIZE];
    int64_t model[HEAP_SIZE];
    int64_t count;
};

static enum sim_verdict bank_step(void *state, size_t rule, const int64_t *values, int64_t *output)
{
    struct bank *bank = state;
    if (rule == 0) {
        *output = bank->count;
        return bank->count++ < HEAP_SIZE - 1 ? SIM_OK : SIM_REFUSED;
    }
    if (rule == 1) {
        bank->balances[values[0]] += values[1];
        bank->model[values[0]] += values[1];
        return SIM_OK;
    }
    if (bank->model[values[0]] < values[2]) {
        return SIM_REFUSED;
    }
    int64_t to = bank->balances[values[1]] + values[2];
    bank->balances[values[0]] -= values[2];
    bank->balances[values[1]] = to;
    bank->model[values[0]] -= values[2];
    bank->model[values[1]] += values[2];
    return bank->balances[values[1]] == bank->model[values[1]] ? SIM_OK : SIM_FAILED;
}

#define AMOUNT                                                                                     \
    {                                                                                              \
        .kind = SIM_INTEGER, .min = 1, .max = 10000                                                \
    }
static const struct sim_rule bank_rules[] = {{"open", {{0}}, 0},
                                             {"deposit", {REF(0), AMOUNT}, -1},
                                             {"transfer", {REF(0), REF(0), AMOUNT}, -1}};
static const struct sim_system bank_system = {"bank, self-transfer", bank_rules,    3,        3,
                                              sizeof(struct bank),   begin_nothing, bank_step};

/* --- key-value store: deleting forgets nothing --- */

struct store {
    bool real[HEAP_SIZE][HEAP_SIZE];
    bool model[HEAP_SIZE][HEAP_SIZE];
    int64_t keys, values;
};

static enum sim_verdict store_step(void *state, size_t rule, const int64_t *values, int64_t *output)
{
    struct store *store = state;
    switch (rule) {
    case 0:
        *output = store->keys;
        return store->keys++ < HEAP_SIZE - 1 ? SIM_OK : SIM_REFUSED;
    case 1:
        *output = store->values;
        return store->values++ < HEAP_SIZE - 1 ? SIM_OK : SIM_REFUSED;
    case 2:
        store->real[values[0]][values[1]] = store->model[values[0]][values[1]] = true;
        return SIM_OK;
    case 3:
        store->model[values[0]][values[1]] = false;
        return SIM_OK;
    default:
        return memcmp(store->real[values[0]], store->model[values[0]],
                      sizeof store->real[values[0]]) == 0
                   ? SIM_OK
                   : SIM_FAILED;
    }
}

static const struct sim_rule store_rules[] = {{"key", {INT4}, 0},
                                              {"value", {INT4}, 1},
                                              {"save", {REF(0), REF(1)}, -1},
                                              {"delete", {REF(0), REF(1)}, -1},
                                              {"agree", {REF(0)}, -1}};
static const struct sim_system store_system = {"key-value store",    store_rules,   5,         5,
                                               sizeof(struct store), begin_nothing, store_step};

/* --- Die Hard: four litres from jugs of three and five --- */

struct jugs {
    int64_t small, big;
};

static void pour(int64_t *from, int64_t *to, int64_t size)
{
    int64_t moved = *from < size - *to ? *from : size - *to;
    *from -= moved;
    *to += moved;
}

static enum sim_verdict jugs_step(void *state, size_t rule, const int64_t *values, int64_t *output)
{
    struct jugs *jugs = state;
    (void)values;
    (void)output;
    switch (rule) {
    case 0:
        jugs->small = 3;
        break;
    case 1:
        jugs->big = 5;
        break;
    case 2:
        jugs->small = 0;
        break;
    case 3:
        jugs->big = 0;
        break;
    case 4:
        pour(&jugs->small, &jugs->big, 5);
        break;
    default:
        pour(&jugs->big, &jugs->small, 3);
        break;
    }
    return jugs->big == 4 ? SIM_FAILED : SIM_OK;
}

static const struct sim_rule jugs_rules[] = {
    {"fill_small", {{0}}, -1},          {"fill_big", {{0}}, -1},
    {"empty_small", {{0}}, -1},         {"empty_big", {{0}}, -1},
    {"pour_small_into_big", {{0}}, -1}, {"pour_big_into_small", {{0}}, -1}};
static const struct sim_system jugs_system = {"Die Hard jugs",     jugs_rules,    6,        6,
                                              sizeof(struct jugs), begin_nothing, jugs_step};

/* --- membership: upsert(project, role), remove(project) --- */

struct membership {
    int role[4];    /* the truth: -1 none, 0 viewer, 1 editor */
    bool seen[4];   /* joined once */
    bool editor[4]; /* of the shadow table */
    int last[4];    /* the last four operations: 4 * project + (0 viewer, 1 editor, 2 remove) */
};

static void begin_membership(void *state)
{
    struct membership *m = state;
    for (int i = 0; i < 4; i++) {
        m->role[i] = -1;
        m->last[i] = -1;
    }
}

static void membership_apply(struct membership *m, size_t rule, const int64_t *values)
{
    int64_t p = values[0];
    memmove(m->last, m->last + 1, 3 * sizeof m->last[0]);
    m->last[3] = (int)(4 * p + (rule == 0 ? values[1] : 2));
    m->role[p] = rule == 0 ? (int)values[1] : -1;
    m->editor[p] = rule == 0 && (m->editor[p] || values[1] == 1);
}

static enum sim_verdict b1_step(void *state, size_t rule, const int64_t *values, int64_t *output)
{
    struct membership *m = state;
    (void)output;
    membership_apply(m, rule, values);
    return m->editor[values[0]] == (m->role[values[0]] == 1) ? SIM_OK : SIM_FAILED;
}

static enum sim_verdict b2_step(void *state, size_t rule, const int64_t *values, int64_t *output)
{
    struct membership *m = state;
    (void)output;
    int members = 0;
    for (int i = 0; i < 4; i++) {
        members += m->role[i] >= 0;
    }
    bool there = m->role[values[0]] >= 0;
    membership_apply(m, rule, values);
    return rule == 1 && there && members >= 3 ? SIM_FAILED : SIM_OK;
}

static enum sim_verdict b3_step(void *state, size_t rule, const int64_t *values, int64_t *output)
{
    struct membership *m = state;
    (void)output;
    bool joins = rule == 0 && m->role[values[0]] < 0;
    bool again = joins && m->seen[values[0]];
    m->seen[values[0]] = m->seen[values[0]] || joins;
    membership_apply(m, rule, values);
    return again ? SIM_FAILED : SIM_OK;
}

static enum sim_verdict b5_step(void *state, size_t rule, const int64_t *values, int64_t *output)
{
    struct membership *m = state;
    (void)output;
    if (rule == 1 && m->role[values[0]] < 0) {
        return SIM_OK; /* nothing deleted: nothing logged */
    }
    membership_apply(m, rule, values);
    static const int path[] = {1, 0, 2, 1};
    for (int i = 0; i < 4; i++) {
        if (m->last[i] != 4 * (int)values[0] + path[i]) {
            return SIM_OK;
        }
    }
    return SIM_FAILED;
}

static const struct sim_rule membership_rules[] = {{"upsert", {UPTO(3), UPTO(1)}, -1},
                                                   {"remove", {UPTO(3)}, -1}};
#define MEMBERSHIP(bug, length)                                                                    \
    static const struct sim_system bug##_system = {                                                \
        "membership " #bug,        membership_rules, 2,         (length),                          \
        sizeof(struct membership), begin_membership, bug##_step}
MEMBERSHIP(b1, 2);
MEMBERSHIP(b2, 4);
MEMBERSHIP(b3, 3);
MEMBERSHIP(b5, 4);

/* --- pages by key, newest first: behind a deleted post one is skipped --- */

enum { POSTS_MAX = 64 };

struct pages {
    bool there[POSTS_MAX];
    int64_t count;
};

/* The last of so many posts with numbers below `before`; -1 where there is none. */
static int64_t page_end(const struct pages *pages, int64_t before, int64_t size)
{
    int64_t last = -1;
    for (int64_t post = before - 1; post >= 0 && size > 0; post--) {
        if (pages->there[post]) {
            last = post;
            size--;
        }
    }
    return last;
}

static enum sim_verdict pages_step(void *state, size_t rule, const int64_t *values, int64_t *output)
{
    struct pages *pages = state;
    switch (rule) {
    case 0:
        *output = pages->count;
        pages->there[pages->count++] = true;
        return SIM_OK;
    case 1:
        pages->there[values[0]] = false;
        return SIM_OK;
    case 2:
        *output = page_end(pages, pages->count, values[0]);
        return *output < 0 ? SIM_REFUSED : SIM_OK;
    default:
        *output = page_end(pages, values[0], values[1]);
        return *output < 0 ? SIM_REFUSED : pages->there[values[0]] ? SIM_OK : SIM_FAILED;
    }
}

static const struct sim_rule pages_rules[] = {{"create", {{0}}, 0},
                                              {"delete", {REF(0)}, -1},
                                              {"first_page", {{SIM_INTEGER, 1, 3, 0}}, 1},
                                              {"next_page", {REF(1), {SIM_INTEGER, 1, 3, 0}}, 1}};
static const struct sim_system pages_system = {"pages by key",       pages_rules,   4,         5,
                                               sizeof(struct pages), begin_nothing, pages_step};

const struct sim_system *const sim_systems[] = {
    &heap_system, &heaps_sorted, &heaps_interleaved, &heaps_limited, &bank_system, &store_system,
    &jugs_system, &b1_system,    &b2_system,         &b3_system,     &b5_system,   &pages_system,
    NULL};
