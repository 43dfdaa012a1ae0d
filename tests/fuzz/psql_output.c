/* What psql says when a schema does not load. */
#include "pg/psql_output.h"

#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    (void)psql_failure_read(fuzz_text(&arena, data, size), &arena);
    arena_free(&arena);
    return 0;
}
