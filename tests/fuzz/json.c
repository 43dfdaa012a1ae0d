/* JSON from a server: a value that can be read is written, and reads back unchanged. */
#include "value/json/json.h"

#include "fuzz/fuzz.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct strbuf text = {0};
    struct error err;
    struct value value;
    struct value again;
    if (json_decode(&arena, (const char *)data, size, &value, &err) &&
        json_encode(value, &text, &err) &&
        (!json_decode(&arena, strbuf_text(&text), text.size, &again, &err) ||
         !value_equal(value, again))) {
        abort();
    }
    strbuf_free(&text);
    arena_free(&arena);
    return 0;
}
