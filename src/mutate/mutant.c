#include "mutate/mutant.h"

#include "base/hash.h"
#include "base/names.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool mutant_fits(const char *operator, const char * patterns)
{
    char pattern[64];
    while (*(patterns += strspn(patterns, " "))) {
        size_t size = strcspn(patterns, " ");
        (void)snprintf(pattern, sizeof pattern, "%.*s", (int)size, patterns);
        if (fnmatch(pattern, operator, 0) == 0) {
            return true;
        }
        patterns += size;
    }
    return false;
}

const char *const verdict_names[VERDICTS] = {
    [VERDICT_NONE] = "not run",          [VERDICT_KILLED] = "killed",
    [VERDICT_SURVIVED] = "survived",     [VERDICT_TIMED_OUT] = "timed out",
    [VERDICT_STILLBORN] = "stillborn",   [VERDICT_BROKE] = "broke",
    [VERDICT_EQUIVALENT] = "equivalent", [VERDICT_ACCEPTED] = "accepted",
};

size_t mutation_graded(const struct mutation *mutation)
{
    return mutation->counts[VERDICT_KILLED] + mutation->counts[VERDICT_SURVIVED];
}

double mutation_score(const struct mutation *mutation)
{
    size_t graded = mutation_graded(mutation);
    return graded ? 100.0 * (double)mutation->counts[VERDICT_KILLED] / (double)graded : -1;
}

void mutant_write(struct json *json, const struct mutant *mutant)
{
    json_count(json, "number", mutant->number);
    json_text(json, "id", mutant->id);
    json_text(json, "verdict", verdict_names[mutant->verdict]);
    json_optional(json, "by", mutant->by);
    json_optional(json, "killer", mutant->killer);
    json_count(json, "example", mutant->example);
    json_count(json, "time_us", mutant->time_us);
}

/* White space is not what a definition says. */
static uint64_t hash_definition(uint64_t hash, const char *text)
{
    static const char spaces[] = " \t\n\r\f\v";
    while (*(text += strspn(text, spaces))) {
        size_t size = strcspn(text, spaces);
        hash = hash_bytes(hash, text, size);
        hash = hash_bytes(hash, " ", 1);
        text += size;
    }
    return hash_bytes(hash, "", 1);
}

static uint64_t hash_mutant(const struct mutant *mutant, uint64_t turn)
{
    uint64_t hash = hash_definition(HASH_START, mutant->operator);
    hash = hash_definition(hash, mutant->object);
    hash = hash_definition(hash, mutant->was);
    hash = hash_definition(hash, mutant->becomes);
    return hash_mix(turn ? hash_bytes(hash, &turn, sizeof turn) : hash);
}

void mutants_identify(struct mutant *mutants, size_t count, struct arena *arena)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t turn = 0;
        do {
            mutants[i].id =
                arena_printf(arena, "%08" PRIx32, (uint32_t)hash_mutant(&mutants[i], turn++));
        } while (
            name_is_in(mutants[i].id, mutants, i, sizeof *mutants, offsetof(struct mutant, id)));
    }
}
