/* A stored trace. A trace that can be read is written, and reads back unchanged. */
#include "trace/text.h"

#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct rule rules[] = {{.name = "push"}, {.name = "pop"}};
static struct rule first_steps[] = {{.name = "initialize 1", .initialize = true}};
static const struct machine machine = {.rules = {.items = rules, .count = 2},
                                       .initialize = {.items = first_steps, .count = 1}};

static bool read(const char *text, size_t size, struct arena *arena, struct trace *trace)
{
    const struct source source = {.name = "trace", .text = text, .size = size};
    struct error err;
    return trace_read(&machine, &source, 0, TRACE_AS_FAR, arena, trace, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct strbuf once = {0};
    struct strbuf twice = {0};
    struct trace trace = {0};
    struct trace again = {0};
    if (read(fuzz_text(&arena, data, size), size, &arena, &trace)) {
        trace_write(&machine, &trace, &once);
        if (!read(strbuf_text(&once), once.size, &arena, &again)) {
            (void)fprintf(stderr, "refused:\n%s", strbuf_text(&once));
            abort();
        }
        trace_write(&machine, &again, &twice);
        if (strcmp(strbuf_text(&once), strbuf_text(&twice)) != 0) {
            (void)fprintf(stderr, "%s---\n%s", strbuf_text(&once), strbuf_text(&twice));
            abort();
        }
    }
    strbuf_free(&once);
    strbuf_free(&twice);
    arena_free(&arena);
    return 0;
}
