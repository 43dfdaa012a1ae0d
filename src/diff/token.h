/* What stands inside texts and differs from server to server: uuids, and times. */
#ifndef DIFF_TOKEN_H
#define DIFF_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UUID_SIZE = 36 };

/* A text being read; `begin` tells what stands before `at`. */
struct token_text {
    const char *begin;
    const char *at;
    const char *end;
};

/* Returns true if a uuid begins at that place, and ends as a word. */
bool token_is_uuid(const struct token_text *text);
/* Returns true if the whole text is one. */
bool token_is_whole_uuid(const char *text, size_t size);
/* Returns true if it looks like a value that a server has made: a uuid, or at least ten letters and
 * digits. */
bool token_is_made(const char *text, size_t size);
/* The first uuid of a text, or NULL. */
const char *token_first_uuid(const char *text, size_t size);

/* A day, or a day with a time, as the server and its JSON write them; without the zone. */
struct token_time {
    size_t size;
    bool day; /* it has no time */
    char separator;
    int64_t us; /* since 2000-01-01, as it is written */
};
bool token_is_time(const struct token_text *text, struct token_time *out);
/* The time as it stands in pairs, of the same size: without the T of JSON. */
enum { TIME_SIZE = 26 };
void token_time_text(const char *at, const struct token_time *time, char out[TIME_SIZE]);

#endif
