#include "toys.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* --- the toys --- */

#define NUMBER(min, max)                                                                           \
    {                                                                                              \
        TOY_NUMBER, (min), (max)                                                                   \
    }
#define LENGTH(max)                                                                                \
    {                                                                                              \
        TOY_LENGTH, 0, (max)                                                                       \
    }
#define SUM(max)                                                                                   \
    {                                                                                              \
        TOY_SUM, 0, (max)                                                                          \
    }
#define VALUE(bundle)                                                                              \
    {                                                                                              \
        TOY_VALUE, (bundle), 0                                                                     \
    }

/* Makes a value of the next number, which has the cell of that number, as long as there are any. */
static void make(int64_t *cells, int64_t with, int64_t *made)
{
    if (cells[0] + 1 < TOY_CELLS) {
        *made = ++cells[0];
        cells[*made] = with;
    }
}

/* Two rules change a label, and the simpler one needs a box, which needs a shelf. */
static bool labels_step(int64_t *cells, size_t rule, const int64_t *drawn, int64_t *made)
{
    (void)drawn;
    if (rule < 3) {
        make(cells, 0, made);
        cells[TOY_CELLS - 1] += rule == 2;
        return false;
    }
    return cells[TOY_CELLS - 1] >= 2;
}

/* An order is placed with many boxes, or gets one after the other. */
static bool orders_step(int64_t *cells, size_t rule, const int64_t *drawn, int64_t *made)
{
    if (rule == 0) {
        make(cells, drawn[0], made);
        return false;
    }
    cells[drawn[0]] += rule == 1;
    return rule == 2 && cells[drawn[0]] > 3;
}

/* A stamp needs a desk and a desk a login; by mail it needs neither. No step refers to another. */
static bool desk_step(int64_t *cells, size_t rule, const int64_t *drawn, int64_t *made)
{
    (void)drawn;
    (void)made;
    cells[0] |= rule == 0;
    cells[1] |= rule == 1 && cells[0];
    cells[2] |= (rule == 2 && cells[1]) || rule == 3;
    return rule == 4 && cells[2];
}

/* The water is warmed little by little, or set to a temperature; too hot it is not wrong. */
static bool boiler_step(int64_t *cells, size_t rule, const int64_t *drawn, int64_t *made)
{
    (void)made;
    cells[0] = rule == 0 ? cells[0] + drawn[0] : rule == 1 ? drawn[0] : cells[0];
    return rule == 2 && cells[0] >= 30 && cells[0] <= 40;
}

/* Staff is promoted rank by rank, or hired with one, by another rule. */
static bool ranks_step(int64_t *cells, size_t rule, const int64_t *drawn, int64_t *made)
{
    if (rule < 2) {
        make(cells, rule == 0 ? 0 : drawn[0], made);
        return false;
    }
    cells[drawn[0]] += rule == 2;
    return rule == 3 && cells[drawn[0]] >= 3;
}

/* A text is written, or gets letter by letter. */
static bool notes_step(int64_t *cells, size_t rule, const int64_t *drawn, int64_t *made)
{
    if (rule == 0) {
        make(cells, drawn[0], made);
        return false;
    }
    cells[drawn[0]] += rule == 1;
    return rule == 2 && cells[drawn[0]] >= 4;
}

/* A basket is empty at first, or has a list of things. */
static bool baskets_step(int64_t *cells, size_t rule, const int64_t *drawn, int64_t *made)
{
    if (rule < 2) {
        make(cells, rule == 0 ? 0 : drawn[0], made);
        return false;
    }
    cells[drawn[0]] += rule == 2 ? drawn[1] : 0;
    return rule == 3 && cells[drawn[0]] > 6;
}

/* A ticket is a paid reservation, or bought at the door; the bug needs two of them. */
static bool tickets_step(int64_t *cells, size_t rule, const int64_t *drawn, int64_t *made)
{
    if (rule == 3) {
        cells[TOY_CELLS - 1] += cells[drawn[0]];
        cells[drawn[0]] = 0;
        return cells[TOY_CELLS - 1] == 2;
    }
    if (rule != 1 || cells[drawn[0]] == 1) {
        cells[rule == 1 ? drawn[0] : 0] -= rule == 1 ? 1 : 0; /* a reservation is paid once */
        make(cells, 1, made);
    }
    return false;
}

/* Only one time is wrong: the clock gets there in one jump, or by ticks. */
static bool alarm_step(int64_t *cells, size_t rule, const int64_t *drawn, int64_t *made)
{
    (void)made;
    cells[0] = rule == 0 ? cells[0] + drawn[0] : rule == 1 ? drawn[0] : cells[0];
    return rule == 2 && cells[0] == 7;
}

/* A user has the level that a grant gives, or that of a group, which has to be made, joined and
 * raised twice. */
static bool groups_step(int64_t *cells, size_t rule, const int64_t *drawn, int64_t *made)
{
    switch (rule) {
    case 0:
    case 1:
        make(cells, 0, made);
        return false;
    case 2:
        cells[drawn[0]] += 1;
        return false;
    case 3: /* a user in a group points to it */
        cells[drawn[0]] = -drawn[1];
        return false;
    case 4:
        cells[drawn[0]] = drawn[1];
        return false;
    default:
        return (cells[drawn[0]] < 0 ? cells[-cells[drawn[0]]] : cells[drawn[0]]) >= 2;
    }
}

const struct toy toys[] = {
    {"labels",
     {{"add_shelf", 1, {{0}}},
      {"add_box", 2, {VALUE(1)}},
      {"add_label", 3, {{0}}},
      {"point_at_box", 0, {VALUE(3), VALUE(2)}},
      {"rename", 0, {VALUE(3), NUMBER(0, 1)}}},
     labels_step},
    {"orders",
     {{"place", 1, {NUMBER(1, 6)}}, {"add_box", 0, {VALUE(1)}}, {"pay", 0, {VALUE(1)}}},
     orders_step},
    {"desk",
     {{"log_in", 0, {{0}}},
      {"open_desk", 0, {{0}}},
      {"stamp", 0, {{0}}},
      {"stamp_by_mail", 0, {{0}}},
      {"file", 0, {{0}}}},
     desk_step},
    {"boiler",
     {{"warm", 0, {NUMBER(1, 9)}}, {"set_to", 0, {NUMBER(0, 50)}}, {"read", 0, {{0}}}},
     boiler_step},
    {"ranks",
     {{"hire", 1, {{0}}},
      {"hire_as", 1, {NUMBER(0, 4)}},
      {"promote", 0, {VALUE(1)}},
      {"sign", 0, {VALUE(1)}}},
     ranks_step},
    {"notes",
     {{"write", 1, {LENGTH(6)}}, {"add_letter", 0, {VALUE(1)}}, {"print", 0, {VALUE(1)}}},
     notes_step},
    {"baskets",
     {{"start", 1, {{0}}},
      {"start_with", 1, {SUM(3)}},
      {"put", 0, {VALUE(1), NUMBER(1, 3)}},
      {"check_out", 0, {VALUE(1)}}},
     baskets_step},
    {"tickets",
     {{"reserve", 1, {{0}}},
      {"pay", 2, {VALUE(1)}},
      {"walk_in", 2, {{0}}},
      {"enter", 0, {VALUE(2)}}},
     tickets_step},
    {"alarm",
     {{"tick", 0, {NUMBER(1, 4)}}, {"jump", 0, {NUMBER(0, 9)}}, {"ring", 0, {{0}}}},
     alarm_step},
    {"groups",
     {{"add_user", 1, {{0}}},
      {"add_group", 2, {{0}}},
      {"lift", 0, {VALUE(2)}},
      {"join", 0, {VALUE(1), VALUE(2)}},
      {"grant", 0, {VALUE(1), NUMBER(0, 2)}},
      {"act", 0, {VALUE(1)}}},
     groups_step},
};
const size_t toy_count = sizeof toys / sizeof *toys;

/* --- breadth first --- */

enum { NODE_VALUES = 8, STEPS_MAX = 8 };

struct node {
    struct toy_state state;
    int64_t count[TOY_BUNDLES];
    int64_t values[TOY_BUNDLES][NODE_VALUES];
};

struct nodes {
    VEC(struct node) items;
};

struct breadth {
    const struct toy *toy;
    struct arena arena;
    struct map seen; /* by hash */
    struct nodes next;
    bool found;
};

/* How many alternatives a draw has, and what one of them gives. */
static int64_t alternatives(const struct node *node, const struct toy_draw *draw)
{
    switch (draw->kind) {
    case TOY_END:
        return 1;
    case TOY_VALUE:
        return node->count[draw->min - 1];
    case TOY_SUM:
        return 3 * draw->max + 1;
    case TOY_NUMBER:
    case TOY_LENGTH:
        break;
    }
    return draw->max - draw->min + 1;
}

static int64_t alternative(const struct node *node, const struct toy_draw *draw, int64_t index)
{
    return draw->kind == TOY_VALUE ? node->values[draw->min - 1][index] : draw->min + index;
}

static void visit(struct breadth *breadth, const struct node *from, size_t rule,
                  const int64_t *drawn)
{
    struct node node = *from;
    int64_t made = TOY_MADE_NOTHING;
    int bundle = breadth->toy->rules[rule].bundle - 1;
    if (breadth->toy->step(node.state.cells, rule, drawn, &made)) {
        breadth->found = true;
        return;
    }
    if (bundle >= 0 && made >= 0) {
        if (node.count[bundle] == NODE_VALUES) {
            return;
        }
        node.values[bundle][node.count[bundle]++] = made;
    }
    uint64_t hash = hash_bytes(HASH_START, &node, sizeof node);
    if (!map_find(&breadth->seen, hash)) {
        (void)map_add(&breadth->seen, hash);
        *VEC_PUSH(&breadth->arena, &breadth->next.items) = node;
    }
}

static void visit_rule(struct breadth *breadth, const struct node *from, size_t rule)
{
    const struct toy_draw *draws = breadth->toy->rules[rule].draws;
    for (int64_t i = 0; i < alternatives(from, &draws[0]); i++) {
        const struct toy_draw *second = draws[0].kind == TOY_END ? &draws[0] : &draws[1];
        for (int64_t k = 0; k < alternatives(from, second); k++) {
            const int64_t drawn[] = {alternative(from, &draws[0], i), alternative(from, second, k)};
            visit(breadth, from, rule, drawn);
        }
    }
}

size_t toy_shortest(const struct toy *toy)
{
    struct breadth breadth = {.toy = toy};
    size_t steps = 0;
    *VEC_PUSH(&breadth.arena, &breadth.next.items) = (struct node){0};
    for (; steps < STEPS_MAX && !breadth.found; steps++) {
        struct nodes level = breadth.next;
        breadth.next = (struct nodes){0};
        for (size_t i = 0; i < level.items.count; i++) {
            for (size_t rule = 0; toy->rules[rule].name; rule++) {
                visit_rule(&breadth, &level.items.items[i], rule);
            }
        }
    }
    map_free(&breadth.seen);
    arena_free(&breadth.arena);
    return breadth.found ? steps : 0;
}
