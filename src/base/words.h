/* Lists of words as one text, "select|insert|update". */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stdbool.h>
#include <string.h>

/* Returns true if the `size` bytes are a word of the list. */
static inline bool words_hold(const char *list, const char *text, size_t size)
{
    for (const char *at = list; at; at = strchr(at, '|')) {
        at += *at == '|';
        if (strcspn(at, "|") == size && memcmp(at, text, size) == 0) {
            return true;
        }
    }
    return false;
}

static inline bool word_is_in(const char *word, const char *list)
{
    return words_hold(list, word, strlen(word));
}

#endif
