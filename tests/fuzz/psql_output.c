/* psql's output when a schema does not load. */
#include "pg/psql_output.h"

#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    const char *text = fuzz_text(&arena, data, size);
    const struct psql_failure failure = psql_failure_read(text, &arena);
    (void)psql_failure_line(&failure, text);
    arena_free(&arena);
    return 0;
}
