/* A machine file. */
#include "machine/machine.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct diagnostics diagnostics = {.arena = &arena};
    struct strbuf out = {0};
    const struct machine *machine;
    const char *text = fuzz_text(&arena, data, size);
    (void)machine_read("m.yaml", text, size, NULL, &arena, &machine, &diagnostics);
    for (size_t i = 0; i < diagnostics.errors.count; i++) {
        error_format(&diagnostics.errors.items[i], &out);
    }
    strbuf_free(&out);
    arena_free(&arena);
    return 0;
}
