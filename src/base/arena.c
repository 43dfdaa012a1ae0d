#include "base/arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_POISONED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_POISONED 1
#endif
#endif
#ifdef ARENA_POISONED
#include <sanitizer/asan_interface.h>
#define POISON(address, size) ASAN_POISON_MEMORY_REGION((address), (size))
#define UNPOISON(address, size) ASAN_UNPOISON_MEMORY_REGION((address), (size))
#else
#define POISON(address, size) ((void)(address), (void)(size))
#define UNPOISON(address, size) ((void)(address), (void)(size))
#endif

enum { ARENA_ALIGN = 16, ARENA_BLOCK = 64 * 1024 };

struct arena_block {
    struct arena_block *next;
    size_t size; /* of data, in bytes */
    size_t used;
    _Alignas(ARENA_ALIGN) unsigned char data[];
};

static void (*on_exhausted)(void);

void memory_on_exhausted(void (*handler)(void)) { on_exhausted = handler; }

void memory_exhausted(void)
{
    static const char message[] = "pgfsm: out of memory\n";
    if (on_exhausted) {
        on_exhausted();
    }
    (void)fwrite(message, 1, sizeof message - 1, stderr);
    abort();
}

void *memory_alloc(size_t size)
{
    void *data = malloc(size ? size : 1);
    if (!data) {
        memory_exhausted();
    }
    return data;
}

void *memory_realloc(void *old, size_t size)
{
    void *data = realloc(old, size ? size : 1);
    if (!data) {
        memory_exhausted();
    }
    return data;
}

static struct arena_block *block_new(size_t size)
{
    if (size > SIZE_MAX - sizeof(struct arena_block)) {
        memory_exhausted();
    }
    struct arena_block *block = memory_alloc(sizeof *block + size);
    *block = (struct arena_block){.size = size};
    POISON(block->data, size);
    return block;
}

/* The next block with room for `size` bytes: one kept by the last reset, or a new one behind the
 * current one. A kept block that is too small is skipped until the next reset. */
static struct arena_block *next_block(struct arena *arena, size_t size)
{
    struct arena_block *after = arena->current;
    struct arena_block **link = after ? &after->next : &arena->first;
    while (*link && (*link)->size < size) {
        (*link)->used = (*link)->size;
        link = &(*link)->next;
    }
    if (!*link) {
        *link = block_new(size > ARENA_BLOCK ? size : ARENA_BLOCK);
    }
    (*link)->used = 0;
    arena->current = *link;
    return *link;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    assert(arena != NULL);
    if (size > SIZE_MAX - ARENA_ALIGN) {
        memory_exhausted();
    }
    size_t padded = (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
    if (padded == 0) {
        padded = ARENA_ALIGN;
    }
    struct arena_block *block = arena->current;
    if (!block || block->size - block->used < padded) {
        block = next_block(arena, padded);
    }
    void *data = block->data + block->used;
    block->used += padded;
    arena->used += padded;
    UNPOISON(data, size);
    return data;
}

void *arena_zalloc(struct arena *arena, size_t size)
{
    return memset(arena_alloc(arena, size), 0, size);
}

void *arena_calloc(struct arena *arena, size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        memory_exhausted();
    }
    return arena_zalloc(arena, total);
}

void *arena_memdup(struct arena *arena, const void *data, size_t size)
{
    assert(data != NULL || size == 0);
    void *copy = arena_alloc(arena, size);
    if (size) {
        memcpy(copy, data, size);
    }
    return copy;
}

char *arena_strndup(struct arena *arena, const char *text, size_t size)
{
    assert(text != NULL || size == 0);
    char *copy = arena_alloc(arena, size + 1);
    if (size) {
        memcpy(copy, text, size);
    }
    copy[size] = '\0';
    return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
    assert(text != NULL);
    return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): a false report over several files */
    int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = arena_alloc(arena, (size_t)(size < 0 ? 0 : size) + 1);
    text[0] = '\0';
    if (size > 0) {
        va_start(args, format);
        /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
        (void)vsnprintf(text, (size_t)size + 1, format, args);
        va_end(args);
    }
    return text;
}

struct arena_deferred {
    struct arena_deferred *before;
    void (*run)(void *data);
    void *data;
};

void arena_defer(struct arena *arena, void (*run)(void *data), void *data)
{
    struct arena_deferred *deferred = arena_alloc(arena, sizeof *deferred);
    *deferred = (struct arena_deferred){arena->deferred, run, data};
    arena->deferred = deferred;
}

static void run_deferred(struct arena *arena, const struct arena_deferred *until)
{
    while (arena->deferred != until) {
        const struct arena_deferred *deferred = arena->deferred;
        arena->deferred = deferred->before;
        deferred->run(deferred->data);
    }
}

size_t arena_used(const struct arena *arena) { return arena->used; }

struct arena_mark arena_mark(const struct arena *arena)
{
    return (struct arena_mark){.block = arena->current,
                               .block_used = arena->current ? arena->current->used : 0,
                               .used = arena->used,
                               .deferred = arena->deferred};
}

void arena_rewind(struct arena *arena, struct arena_mark mark)
{
    assert(mark.used <= arena->used);
    assert(!mark.block || mark.block_used <= mark.block->used);
    run_deferred(arena, mark.deferred);
    struct arena_block *block = mark.block ? mark.block->next : arena->first;
    for (; block; block = block->next) {
        POISON(block->data, block->size);
        block->used = 0;
    }
    if (mark.block) {
        POISON(mark.block->data + mark.block_used, mark.block->size - mark.block_used);
        mark.block->used = mark.block_used;
    }
    arena->current = mark.block;
    arena->used = mark.used;
}

void arena_reset(struct arena *arena) { arena_rewind(arena, (struct arena_mark){0}); }

void arena_free(struct arena *arena)
{
    run_deferred(arena, NULL);
    struct arena_block *block = arena->first;
    while (block) {
        struct arena_block *next = block->next;
        UNPOISON(block->data, block->size);
        free(block);
        block = next;
    }
    *arena = (struct arena){0};
}
