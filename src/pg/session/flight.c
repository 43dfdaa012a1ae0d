#include "pg/session/flight.h"

#include <assert.h>
#include <stdlib.h>

enum { SLOTS_MIN = 64 };

static struct slot *at(const struct flight *flight, backend_ticket ticket)
{
    assert(flight->capacity > 0 && (flight->capacity & (flight->capacity - 1)) == 0);
    return &flight->slots[ticket & (flight->capacity - 1)];
}

static void grow(struct flight *flight)
{
    struct flight old = *flight;
    flight->capacity = old.capacity ? old.capacity * 2 : SLOTS_MIN;
    flight->slots = memory_alloc(flight->capacity * sizeof *flight->slots);
    for (backend_ticket i = old.first; i < old.next; i++) {
        *at(flight, i) = *at(&old, i);
    }
    free(old.slots);
}

struct slot *flight_add(struct flight *flight, backend_ticket *ticket)
{
    if (flight->next - flight->first == flight->capacity) {
        grow(flight);
    }
    *ticket = flight->next++;
    struct slot *slot = at(flight, *ticket);
    *slot = (struct slot){.state = SLOT_WAITING};
    return slot;
}

struct slot *flight_slot(struct flight *flight, backend_ticket ticket)
{
    if (ticket < flight->first || ticket >= flight->next) {
        return NULL;
    }
    struct slot *slot = at(flight, ticket);
    return slot->state == SLOT_TAKEN ? NULL : slot;
}

void flight_hold(struct flight *flight, struct slot *slot, PGresult *result)
{
    assert(slot->result == NULL);
    slot->result = result;
    flight->held += PQresultMemorySize(result);
}

void flight_note(struct slot *slot, PGnotify *note)
{
    enum { NOTES_MIN = 8 };
    size_t count = slot->note_count;
    if (count == 0 || (count >= NOTES_MIN && (count & (count - 1)) == 0)) {
        size_t room = count ? 2 * count : NOTES_MIN;
        slot->notes = memory_realloc(slot->notes, room * sizeof(PGnotify *));
    }
    slot->notes[slot->note_count++] = note;
}

static void empty(struct flight *flight, struct slot *slot)
{
    assert(flight->held >= PQresultMemorySize(slot->result));
    flight->held -= PQresultMemorySize(slot->result);
    PQclear(slot->result);
    for (size_t i = 0; i < slot->note_count; i++) {
        PQfreemem(slot->notes[i]);
    }
    free(slot->notes);
    free(slot->widths);
    free(slot->context);
    *slot = (struct slot){.state = SLOT_TAKEN};
}

void flight_take(struct flight *flight, backend_ticket ticket)
{
    assert(flight_slot(flight, ticket) != NULL);
    flight->taken += at(flight, ticket)->guard != READING_GUARD;
    empty(flight, at(flight, ticket));
    while (flight->first < flight->next && at(flight, flight->first)->state == SLOT_TAKEN) {
        flight->first++;
    }
}

void flight_clear(struct flight *flight)
{
    while (flight->first < flight->next) {
        empty(flight, at(flight, flight->first++));
    }
}

void flight_free(struct flight *flight)
{
    flight_clear(flight);
    free(flight->slots);
    *flight = (struct flight){0};
}
