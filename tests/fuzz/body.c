/* The body of a function or policy, of the kind that its first byte says: each edit lies inside it,
 * and can be made. */
#include "mutate/body.h"

#include "base/arena.h"
#include "fuzz/fuzz.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct body_edits edits = {0};
    if (size == 0) {
        return 0;
    }
    const char *text = (const char *)data + 1;
    size--;
    body_edits((enum body_kind)(data[0] % BODY_KINDS), text, size, "t.a b\n.p q\n", &arena, &edits);
    for (size_t i = 0; i < edits.items.count; i++) {
        const struct body_edit *edit = &edits.items.items[i];
        if (edit->start > edit->end || edit->end > size) {
            abort();
        }
        (void)body_edited(text, size, edit, &arena);
    }
    arena_free(&arena);
    return 0;
}
