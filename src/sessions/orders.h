/*
 * The serial orders of what several sessions did at the same time: all that keep the order of each
 * session's own steps, and in which no step comes before one that had ended when it began
 * (strict serialisability: Papadimitriou, "The Serializability of Concurrent Database Updates",
 * 1979).
 */
#ifndef SESSIONS_ORDERS_H
#define SESSIONS_ORDERS_H

#include "sessions/record.h"

/* Whoever is asked about orders. */
struct order_judge {
    void *host;
    /* How many of its steps an order explains. `count`: it explains everything. A smaller number:
     * that step's answer contradicts it. ORDER_AT_END: the end does. False: it could not be told.
     */
    bool (*judge)(void *host, struct recorded_step *const *order, size_t count, size_t *explained,
                  struct error *err);
};
#define ORDER_AT_END SIZE_MAX

/* Asks about orders of the steps of `sessions` until one explains everything (*found). It skips
 * orders whose beginning was contradicted already, and leaves out steps that are `undone`. */
bool orders_search(const struct record *sessions, size_t count, const struct order_judge *judge,
                   struct arena *arena, bool *found, struct error *err);

#endif
