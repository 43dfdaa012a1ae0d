/*
 * Arena: memory that is freed all at once.
 *
 * Arenas are named by how long they live: machine (load to exit), example (reset for each example),
 * scratch (reset for each step). An allocation never fails: if the system runs out of memory, the
 * process ends (see memory_exhausted). The model's interpreter bounds a model's memory by
 * arena_used(); the arena has no limit.
 *
 * Invariants: every pointer is aligned to 16 bytes; it is valid until the arena is reset or freed.
 * `{0}` is a valid, empty arena. A reset keeps the blocks and uses them again. Under
 * AddressSanitizer it poisons the memory, so that the use of a stale pointer is reported.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_block;
struct arena_deferred;

struct arena {
    struct arena_block *first;       /* owned; a reset keeps them */
    struct arena_block *current;     /* the one being filled */
    size_t used;                     /* bytes handed out since the last reset, padding included */
    struct arena_deferred *deferred; /* the latest of arena_defer */
};

/* A position to roll back to, which frees everything allocated after it. */
struct arena_mark {
    struct arena_block *block;
    size_t block_used;
    size_t used;
    struct arena_deferred *deferred;
};

/* Returns `size` uninitialised bytes; never NULL, not even for 0. */
void *arena_alloc(struct arena *arena, size_t size);
/* The same, filled with zeros. */
void *arena_zalloc(struct arena *arena, size_t size);
/* Returns `count` times `size` zeroed bytes; ends the process if the product overflows. */
void *arena_calloc(struct arena *arena, size_t count, size_t size);
/* Returns a copy of `size` bytes, followed by a NUL. */
char *arena_strndup(struct arena *arena, const char *text, size_t size);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A copy of `size` bytes. */
void *arena_memdup(struct arena *arena, const void *data, size_t size);

/* Calls `run` just before the memory allocated so far is freed, the latest first. Use it to release
 * what this memory owns elsewhere. */
void arena_defer(struct arena *arena, void (*run)(void *data), void *data);

size_t arena_used(const struct arena *arena);
struct arena_mark arena_mark(const struct arena *arena);
void arena_rewind(struct arena *arena, struct arena_mark mark);
/* Frees all allocations, but keeps the blocks. */
void arena_reset(struct arena *arena);
/* Frees the blocks, too. */
void arena_free(struct arena *arena);

/* malloc and realloc that never return NULL. Free the result with free(). */
void *memory_alloc(size_t size);
void *memory_realloc(void *old, size_t size);
/* Calls the handler. If there is none or it returns, writes a message to stderr and aborts. */
_Noreturn void memory_exhausted(void);
/* Sets the handler for the whole process, before memory can run out. NULL: no handler. */
void memory_on_exhausted(void (*handler)(void));

#define ARENA_NEW(arena, type) ((type *)arena_zalloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_calloc((arena), (count), sizeof(type)))

#endif
