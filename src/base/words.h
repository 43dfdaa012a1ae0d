/* Lists of words as one text, "select|insert|update"; the words of a text. */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <ctype.h>
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

/* Iterates over the words of SQL or code, in lower case. */
enum { WORD_SIZE = 64 /* bytes of a word with its end; a name has at most 63 */ };
struct words {
    const char *text;
    size_t size;
    size_t at;
    char word[WORD_SIZE];
};

static inline bool words_part(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c > 127;
}

static inline bool next_word(struct words *words)
{
    size_t length = 0;
    while (words->at < words->size && !words_part(words->text[words->at])) {
        words->at++;
    }
    for (; words->at < words->size && words_part(words->text[words->at]); words->at++) {
        if (length < WORD_SIZE - 1) {
            words->word[length++] = (char)tolower((unsigned char)words->text[words->at]);
        }
    }
    words->word[length] = '\0';
    return length > 0;
}

/* Skips to the last part of a name: "app.users" counts as "users". */
static inline void skip_qualifiers(struct words *words)
{
    while (words->at + 1 < words->size && strchr(".\"", words->text[words->at])) {
        size_t dot = words->at + (words->text[words->at] == '"');
        if (words->text[dot] != '.' || !next_word(words)) {
            return;
        }
    }
}

#endif
