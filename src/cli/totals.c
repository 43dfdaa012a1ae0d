#include "cli/totals.h"

void totals_add(struct totals *totals, const char *path, enum status status)
{
    if (totals) {
        totals->count++;
        totals->status = status_worst(totals->status, status);
        if (status != STATUS_OK) {
            *VEC_PUSH(&totals->arena, &totals->failed.items) = arena_strdup(&totals->arena, path);
        }
    }
}

void totals_end(struct totals *totals)
{
    arena_free(&totals->arena);
    *totals = (struct totals){0};
}

const char *totals_word(const struct totals *totals)
{
    static const struct {
        enum status status;
        const char *word;
    } words[] = {{STATUS_OK, "ok"},
                 {STATUS_FAILED, "FAIL"},
                 {STATUS_UNMET, "unmet"},
                 {STATUS_NOTHING, "none"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (words[i].status == totals->status) {
            return totals->status == STATUS_FAILED && totals->differs ? "DIFFERS" : words[i].word;
        }
    }
    return "stop";
}
