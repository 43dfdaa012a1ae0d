/* `mutants`: mutants that may survive `pgfsm mutate`. */
#include "machine/loader.h"

#include <string.h>

enum { ID_DIGITS = 8 };

/* The id at the start of a text, followed by a space or the end; NULL if there is none. */
static const char *first_id(struct arena *arena, const char *text)
{
    bool is_id = strspn(text, "0123456789abcdef") == ID_DIGITS &&
                 (text[ID_DIGITS] == ' ' || !text[ID_DIGITS]);
    return is_id ? arena_strndup(arena, text, ID_DIGITS) : NULL;
}

static void add_accepted(struct loader *loader, const struct entries *entry, const char *id,
                         const char *operator, const char * object)
{
    *VEC_PUSH(loader->arena, &loader->machine->mutants) = (struct accepted_mutant){
        id, operator, object, entry->value->text, node_pos(loader->source, entry->key)};
}

/* Reads ids, or an operator and an object, separated by spaces. */
static void read_which(struct loader *loader, const struct entries *entry)
{
    const char *rest = entry->name;
    const char *id = first_id(loader->arena, rest);
    const char *space = strchr(rest, ' ');
    if (!id && space && space > rest && space[1]) {
        add_accepted(loader, entry, NULL,
                     arena_strndup(loader->arena, rest, (size_t)(space - rest)), space + 1);
        return;
    }
    while (id) {
        add_accepted(loader, entry, id, NULL, NULL);
        rest += ID_DIGITS;
        rest += strspn(rest, " ");
        id = first_id(loader->arena, rest);
    }
    if (*rest) {
        error_hint(
            report(loader, entry->key, "'%s' is neither an id nor an operator and an object", rest),
            "write ids with spaces between them, `3f2a91bc 4bc50d5d`, or an operator and an "
            "object, `drop-check account.*`");
    }
}

void read_mutants(struct loader *loader, void *into, const struct node *map)
{
    (void)into;
    struct entries entry = {.map = map, .spelling = SPELL_ANY, .what = "a mutant"};
    while (entries_next(loader, &entry)) {
        if (entry.value->kind != NODE_SCALAR || !entry.value->size) {
            error_hint(report(loader, entry.value, "mutant %s needs a reason", entry.name),
                       "say why it may survive: `%s: \"the index is for speed only\"`", entry.name);
        } else {
            read_which(loader, &entry);
        }
    }
}
