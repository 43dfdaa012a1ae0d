/* A pattern of from_regex(). */
#include "gen/regex/regex.h"

#include "fuzz/fuzz.h"
#include "value/value.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    const char *text = fuzz_text(&arena, data, size);
    const struct regex *regex;
    struct error err;
    (void)regex_parse(&arena, value_text(&arena, text).as.string, &regex, &err);
    arena_free(&arena);
    return 0;
}
