#include "shrink/order.h"

#include "base/hash.h"
#include "base/utf8.h"
#include "shrink/shrink.h"

#include <math.h>
#include <string.h>

static int compare_u64(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static uint64_t distance(int64_t a, int64_t b)
{
    return a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
}

static int compare_integers(const struct choice *a, const struct choice *b)
{
    int order = compare_u64(distance(a->as.integer.value, a->as.integer.toward),
                            distance(b->as.integer.value, b->as.integer.toward));
    if (order != 0) {
        return order;
    }
    /* at the same distance, the larger one is simpler: 1 before -1 */
    return compare_u64(a->as.integer.value < a->as.integer.toward,
                       b->as.integer.value < b->as.integer.toward);
}

/* 0: zero, 1: a whole number, 2: finite, 3: infinite, 4: NaN. */
static unsigned float_class(double x)
{
    if (isnan(x)) {
        return 4;
    }
    if (isinf(x)) {
        return 3;
    }
    if (x == 0) {
        return 0;
    }
    return x == floor(x) ? 1 : 2;
}

static int compare_floats(double a, double b)
{
    int order = compare_u64(float_class(a), float_class(b));
    if (order != 0 || isnan(a)) {
        return order;
    }
    if (fabs(a) != fabs(b)) {
        return fabs(a) < fabs(b) ? -1 : 1;
    }
    return compare_u64(signbit(a) != 0, signbit(b) != 0);
}

static int compare_texts(const struct choice *a, const struct choice *b)
{
    const struct string *left = a->as.text.value;
    const struct string *right = b->as.text.value;
    int order = compare_u64(left->length, right->length);
    size_t i = 0;
    size_t j = 0;
    while (order == 0 && i < left->size && j < right->size) {
        uint32_t c = 0;
        uint32_t d = 0;
        size_t m = utf8_decode(left->data + i, left->size - i, &c);
        size_t n = utf8_decode(right->data + j, right->size - j, &d);
        if (m == 0 || n == 0) {
            break;
        }
        order = compare_u64(choice_char_rank(a->as.text.alphabet, c),
                            choice_char_rank(b->as.text.alphabet, d));
        i += m;
        j += n;
    }
    return order;
}

static int compare_bytes(const struct bytes *a, const struct bytes *b)
{
    int order = compare_u64(a->size, b->size);
    return order != 0 || a->size == 0 ? order : memcmp(a->data, b->data, a->size);
}

int choice_compare_simplicity(const struct choice *a, const struct choice *b)
{
    if (a->kind != b->kind) {
        return compare_u64(a->kind, b->kind);
    }
    switch (a->kind) {
    case CHOICE_INTEGER:
        return compare_integers(a, b);
    case CHOICE_FLOAT:
        return compare_floats(a->as.real.value, b->as.real.value);
    case CHOICE_TEXT:
        return compare_texts(a, b);
    case CHOICE_BYTES:
        return compare_bytes(a->as.bytes.value, b->as.bytes.value);
    case CHOICE_REFERENCE:
        return compare_u64(a->as.reference.position, b->as.reference.position);
    }
    return 0;
}

int step_compare_simplicity(const struct trace_step *a, const struct trace_step *b)
{
    int order = compare_u64(a->choices.items.count, b->choices.items.count);
    for (size_t i = 0; order == 0 && i < a->choices.items.count; i++) {
        order = choice_compare_simplicity(&a->choices.items.items[i], &b->choices.items.items[i]);
    }
    return order;
}

/* The number of steps in sessions. */
static size_t in_sessions(const struct trace *trace)
{
    size_t count = 0;
    for (size_t i = 0; i < trace->steps.count; i++) {
        count += trace->steps.items[i].session > 0;
    }
    return count;
}

static size_t gates_used(const struct trace *trace)
{
    size_t count = 0;
    for (size_t i = 0; i < trace->schedule.switches.count; i++) {
        const struct trace_switch *to = &trace->schedule.switches.items[i];
        count += (size_t)trace_is_inside(to) + (to->nth > 0);
    }
    return count;
}

/* Steps before the sessions are simpler than steps in them. Then come fewer sessions, fewer
 * switches, fewer of them within statements, and sessions in ascending order. */
static int compare_schedules(const struct trace *a, const struct trace *b)
{
    const struct trace_schedule *x = &a->schedule;
    const struct trace_schedule *y = &b->schedule;
    const size_t sides[][2] = {{in_sessions(a), in_sessions(b)},
                               {trace_sessions(a), trace_sessions(b)},
                               {x->switches.count, y->switches.count},
                               {gates_used(a), gates_used(b)},
                               {x->order[0] != 0, y->order[0] != 0}};
    int order = 0;
    for (size_t i = 0; order == 0 && i < sizeof sides / sizeof *sides; i++) {
        order = compare_u64(sides[i][0], sides[i][1]);
    }
    return order;
}

/* Fewer deaths are simpler, then a step that did nothing, and then one that did little. */
static size_t deaths_of(const struct trace *trace)
{
    enum { GATES = 256 };
    size_t weight = 0;
    for (size_t i = 0; i < trace->steps.count; i++) {
        const struct trace_step *step = &trace->steps.items[i];
        uint32_t gate = step->gate < GATES ? step->gate : GATES - 1;
        weight += step->death ? trace->steps.count * DEATHS * GATES : 0;
        weight += step->death * GATES + gate;
    }
    return weight;
}

int shrink_compare(const struct trace *a, const struct trace *b)
{
    int order = compare_u64(trace_length(a), trace_length(b));
    if (order == 0) {
        order = compare_u64(a->steps.count, b->steps.count);
    }
    if (order == 0) {
        order = compare_u64(deaths_of(a), deaths_of(b));
    }
    if (order == 0) {
        order = compare_schedules(a, b);
    }
    for (size_t i = 0; order == 0 && i < a->steps.count; i++) {
        order = compare_u64(a->steps.items[i].rule, b->steps.items[i].rule);
    }
    for (size_t i = 0; order == 0 && i < a->steps.count; i++) {
        order = step_compare_simplicity(&a->steps.items[i], &b->steps.items[i]);
    }
    return order;
}

static void hash_u64(uint64_t *hash, uint64_t value)
{
    *hash = hash_bytes(*hash, &value, sizeof value);
}

/* The index of the step with this id; the number of steps if there is none. */
static size_t step_position(const struct trace *trace, uint32_t id)
{
    size_t i = 0;
    while (i < trace->steps.count && trace->steps.items[i].id != id) {
        i++;
    }
    return i;
}

static void hash_reference(uint64_t *hash, const struct trace *trace,
                           const struct reference *reference)
{
    if (reference->step == REFERENCE_BY_POSITION) {
        hash_u64(hash, UINT64_MAX);
        hash_u64(hash, reference->position);
        hash_u64(hash, reference_item_hash(reference));
        return;
    }
    hash_u64(hash, step_position(trace, reference->step));
    hash_u64(hash, reference->output);
}

static void hash_choice(uint64_t *hash, const struct trace *trace, const struct choice *choice)
{
    hash_u64(hash, choice->kind);
    switch (choice->kind) {
    case CHOICE_INTEGER:
        hash_u64(hash, (uint64_t)choice->as.integer.value);
        break;
    case CHOICE_FLOAT:
        *hash = hash_bytes(*hash, &choice->as.real.value, sizeof choice->as.real.value);
        break;
    case CHOICE_TEXT:
        hash_u64(hash, choice->as.text.value->size);
        *hash = hash_bytes(*hash, choice->as.text.value->data, choice->as.text.value->size);
        break;
    case CHOICE_BYTES:
        hash_u64(hash, choice->as.bytes.value->size);
        *hash = hash_bytes(*hash, choice->as.bytes.value->data, choice->as.bytes.value->size);
        break;
    case CHOICE_REFERENCE:
        hash_reference(hash, trace, &choice->as.reference);
        break;
    }
}

static void hash_schedule(uint64_t *hash, const struct trace *trace)
{
    const struct trace_schedule *schedule = &trace->schedule;
    for (size_t i = 0; i < TRACE_SESSIONS_MAX; i++) {
        hash_u64(hash, schedule->order[i]);
    }
    for (size_t i = 0; i < trace->steps.count; i++) {
        hash_u64(hash, trace->steps.items[i].session);
    }
    for (size_t i = 0; i < schedule->switches.count; i++) {
        const struct trace_switch *to = &schedule->switches.items[i];
        hash_u64(hash, step_position(trace, to->step));
        hash_u64(hash, to->call);
        hash_u64(hash, to->crossing);
        hash_u64(hash, to->nth);
        hash_u64(hash, to->gate);
        hash_u64(hash, to->act);
    }
}

uint64_t trace_fingerprint(const struct trace *trace)
{
    uint64_t hash = HASH_START;
    for (size_t i = 0; i < trace->steps.count; i++) {
        const struct trace_step *step = &trace->steps.items[i];
        hash_u64(&hash, step->rule * 2 + step->initialize);
        hash_u64(&hash, step->choices.items.count);
        hash_u64(&hash, step->death);
        hash_u64(&hash, step->gate);
        hash_u64(&hash, step->again ? 1 + step_position(trace, step->again - 1) : 0);
        for (size_t k = 0; k < step->choices.items.count; k++) {
            hash_choice(&hash, trace, &step->choices.items.items[k]);
        }
    }
    if (trace_sessions(trace)) {
        hash_schedule(&hash, trace);
    }
    return hash;
}
