/* A fuzz target: libFuzzer calls it with one input after another, and keeps inputs that reach new
 * code. It must neither crash nor hang. Always returns 0. */
#ifndef FUZZ_H
#define FUZZ_H

#include "base/arena.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The input as the text of a source: with a NUL behind it. In the arena. */
static inline const char *fuzz_text(struct arena *arena, const uint8_t *data, size_t size)
{
    char *text = arena_alloc(arena, size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
