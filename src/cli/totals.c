#include "cli/tally.h"

void tally_count(struct tally *tally, const char *path, enum status status)
{
    if (tally) {
        tally->count++;
        tally->status = status_worst(tally->status, status);
        if (status != STATUS_OK) {
            *VEC_PUSH(&tally->arena, &tally->failed.items) = arena_strdup(&tally->arena, path);
        }
    }
}

void tally_end(struct tally *tally)
{
    arena_free(&tally->arena);
    *tally = (struct tally){0};
}

const char *tally_word(enum status status)
{
    static const struct {
        enum status status;
        const char *word;
    } words[] = {{STATUS_OK, "ok"},
                 {STATUS_FAILED, "FAIL"},
                 {STATUS_UNMET, "unmet"},
                 {STATUS_NOTHING, "none"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (words[i].status == status) {
            return words[i].word;
        }
    }
    return "stop";
}
