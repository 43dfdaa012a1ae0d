/*
 * Arena: memory that is freed all at once.
 *
 * Arenas are named by how long they live: machine (load to exit), example (reset for each example),
 * scratch (reset for each step). An allocation never fails: when the system has no memory left the
 * process ends (see memory_exhausted). A bound on what a model may use is checked by
 * its interpreter against arena_used(), not here.
 *
 * Invariants: every pointer is aligned to 16 bytes; it is valid until the arena is reset or freed.
 * `{0}` is a valid, empty arena. After a reset the blocks are kept and used again; under
 * AddressSanitizer the memory is poisoned, so that a stale pointer is found.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
    struct arena_block *first;   /* owned; kept over a reset */
    struct arena_block *current; /* the one being filled */
    size_t used;                 /* bytes handed out since the last reset, padding included */
};

/* A position to come back to: everything allocated after it is given back at once. */
struct arena_mark {
    struct arena_block *block;
    size_t block_used;
    size_t used;
};

/* `size` bytes, not initialised; never NULL, also for 0. */
void *arena_alloc(struct arena *arena, size_t size);
/* The same, filled with zeros. */
void *arena_zalloc(struct arena *arena, size_t size);
/* `count` times `size` zeroed bytes; ends the process where the product overflows. */
void *arena_calloc(struct arena *arena, size_t count, size_t size);
/* A copy of `size` bytes, and a NUL behind them. */
char *arena_strndup(struct arena *arena, const char *text, size_t size);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A copy of `size` bytes. */
void *arena_memdup(struct arena *arena, const void *data, size_t size);

size_t arena_used(const struct arena *arena);
struct arena_mark arena_mark(const struct arena *arena);
void arena_rewind(struct arena *arena, struct arena_mark mark);
/* Gives everything back to the arena; the blocks stay. */
void arena_reset(struct arena *arena);
/* Gives everything back to the system. */
void arena_free(struct arena *arena);

/* malloc and realloc that do not return NULL; the result is freed with free(). */
void *memory_alloc(size_t size);
void *memory_realloc(void *old, size_t size);
/* Calls the handler; without one, or where it returns, says so on stderr and aborts. */
_Noreturn void memory_exhausted(void);
/* Set by the program, once for the process, before memory can run out; NULL: none. */
void memory_on_exhausted(void (*handler)(void));

#define ARENA_NEW(arena, type) ((type *)arena_zalloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_calloc((arena), (count), sizeof(type)))

#endif
