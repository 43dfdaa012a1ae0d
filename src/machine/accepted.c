/* `mutants`: mutants that may survive `pgfsm mutate`. `differences`: what `pgfsm diff` may find. */
#include "base/names.h"
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

enum difference_key {
    DIFFERENCE_ON,
    DIFFERENCE_KIND,
    DIFFERENCE_FROM,
    DIFFERENCE_TO,
    DIFFERENCE_REASON,
    DIFFERENCE_KEYS
};

static const struct key difference_key_items[] = {
    [DIFFERENCE_ON] = {"on", SHAPE_TEXT, KEY_REQUIRED, NULL,
                       "Where: a rule or invariant, `table public.orders`, or one of its columns, "
                       "`table public.orders.total`; * stands for anything."},
    [DIFFERENCE_KIND] = {"kind", SHAPE_DIFFERENCE, 0, NULL,
                         "What differs; without it, anything does."},
    [DIFFERENCE_FROM] = {"from", SHAPE_TEXT, 0, NULL,
                         "What it is before, as the report shows it, or its SQLSTATE."},
    [DIFFERENCE_TO] = {"to", SHAPE_TEXT, 0, NULL, "The same after."},
    [DIFFERENCE_REASON] = {"reason", SHAPE_TEXT, KEY_REQUIRED, NULL, "Why it may differ."},
};
static const struct other_word difference_words[] = {
    {"after", "to"}, {"before", "from"}, {"because", "reason"}, {"object", "on"},
    {"place", "on"}, {"rule", "on"},     {"table", "on"},       {"type", "kind"},
    {"where", "on"}, {"why", "reason"},  {NULL, NULL}};
const struct keys difference_keys = {.of = "a difference",
                                     .where = "under `differences`",
                                     .items = difference_key_items,
                                     .count = DIFFERENCE_KEYS,
                                     .words = difference_words};

/* As divergence_kind_name() gives them. */
static const char *const difference_kinds[] = {"error",  "rows",   "order",   "count",
                                               "column", "notify", "missing", "migrate"};
enum { KINDS = sizeof difference_kinds / sizeof *difference_kinds };

static void check_kind(struct loader *loader, const struct node *kind)
{
    if (kind && !name_is_in(kind->text, NAMES_IN(difference_kinds))) {
        error_hint(report(loader, kind, "'%s' is no kind of difference%s", kind->text,
                          did_you_mean_of(loader, kind->text, difference_kinds, KINDS,
                                          sizeof *difference_kinds)),
                   "the kinds are error, rows, order, count, column, notify, missing and migrate");
    }
}

/* A report names the rule "rule add". */
static const char *without_kind(const char *on)
{
    static const char *const prefixes[] = {"rule ", "invariant "};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t size = strlen(prefixes[i]);
        on += strncmp(on, prefixes[i], size) == 0 ? size : 0;
    }
    return on;
}

static void read_difference(struct loader *loader, const struct node *node)
{
    const struct node *values[DIFFERENCE_KEYS];
    const char *texts[DIFFERENCE_KEYS];
    if (node->kind != NODE_MAP) {
        error_hint(
            report(loader, node, "a difference must be a mapping, not %s", node_kind_name(node)),
            "write where and why: `- {on: list_orders, reason: \"totals are rounded\"}`");
        return;
    }
    keys_check(loader, &difference_keys, node, 0, values);
    for (size_t i = 0; i < DIFFERENCE_KEYS; i++) {
        texts[i] = values[i] ? values[i]->text : NULL;
        if (values[i] && values[i]->size == 0) {
            (void)report(loader, values[i], "%s must not be empty", difference_key_items[i].name);
        }
    }
    check_kind(loader, values[DIFFERENCE_KIND]);
    *VEC_PUSH(loader->arena, &loader->machine->differences.items) = (struct accepted_difference){
        .on = texts[DIFFERENCE_ON] ? without_kind(texts[DIFFERENCE_ON]) : "",
        .kind = texts[DIFFERENCE_KIND],
        .from = texts[DIFFERENCE_FROM],
        .to = texts[DIFFERENCE_TO],
        .reason = texts[DIFFERENCE_REASON],
        .pos = node_pos(loader->source, node)};
}

void read_differences(struct loader *loader, void *into, const struct node *list)
{
    (void)into;
    for (size_t i = 0; i < list->entries.count; i++) {
        read_difference(loader, list->entries.items[i].value);
    }
}
