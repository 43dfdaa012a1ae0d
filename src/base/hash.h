/* Hashes that are the same in every run and on every machine. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/), from HASH_START on. */
#define HASH_START UINT64_C(0xCBF29CE484222325)
static inline uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001B3);
    }
    return hash;
}

/* The same in steps of eight bytes, for much data. */
static inline uint64_t hash_words(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t), bytes += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, bytes, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x100000001B3);
        hash ^= hash >> 32U;
    }
    return hash_bytes(hash, bytes, size);
}

static inline uint64_t hash_text(const char *text)
{
    return hash_bytes(HASH_START, text, strlen(text));
}

/* FNV-1a, 32 bits. */
static inline uint32_t hash_bytes_32(const void *data, size_t size)
{
    const unsigned char *bytes = data;
    uint32_t hash = 0x811C9DC5U;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * 0x01000193U;
    }
    return hash;
}

/* Spreads the bits of a number over all 64. */
static inline uint64_t hash_mix(uint64_t x)
{
    x ^= x >> 32U;
    x *= 0xD6E8FEB86659FD93U;
    x ^= x >> 32U;
    x *= 0xD6E8FEB86659FD93U;
    return x ^ x >> 32U;
}

#endif
