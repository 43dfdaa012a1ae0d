/* `require`: minimum shares of rules and labels. */
#include "base/names.h"
#include "machine/loader.h"

#include <stdlib.h>
#include <string.h>

static const char label_prefix[] = "label ";

/* "5%", "0.5 %" */
static bool read_share(const struct node *node, double *share)
{
    if (node->kind != NODE_SCALAR || !node->size || !strchr("0123456789", node->text[0])) {
        return false;
    }
    size_t digits = strspn(node->text, "0123456789.");
    const char *rest = node->text + digits + (node->text[digits] == ' ');
    char *end;
    *share = strtod(node->text, &end) / 100;
    return end == node->text + digits && !strcmp(rest, "%") && *share <= 1;
}

static bool has_labels(const struct loader *loader)
{
    for (size_t i = 0; i < loader->rules.count; i++) {
        if (loader->rules.items[i].values[RULE_LABEL]) {
            return true;
        }
    }
    return false;
}

static void unknown_rule(struct loader *loader, const struct entries *entry)
{
    error_hint(report(loader, entry->key, "there is no rule '%s'%s", entry->name,
                      did_you_mean(loader, entry->name, loader->rules)),
               "for a label write `label word: 1%%`");
}

void read_require(struct loader *loader, void *into, const struct node *map)
{
    (void)into;
    struct entries entry = {.map = map, .spelling = SPELL_ANY, .what = "a requirement"};
    while (entries_next(loader, &entry)) {
        struct requirement *wanted = VEC_PUSH(loader->arena, &loader->machine->requirements);
        bool label = !strncmp(entry.name, label_prefix, sizeof label_prefix - 1);
        size_t rule = SIZE_MAX;
        bool known =
            label || map_get_text(&loader->rule_names, entry.name, strlen(entry.name), &rule);
        *wanted = (struct requirement){.name = entry.name + (label ? sizeof label_prefix - 1 : 0),
                                       .rule = rule,
                                       .wanted = entry.value->text};
        if (label && !has_labels(loader)) {
            error_hint(report(loader, entry.key, "no rule has a label"),
                       "a rule's `label` is an expression that gives a text");
        } else if (!known) {
            unknown_rule(loader, &entry);
        }
        if (!read_share(entry.value, &wanted->share)) {
            (void)report(loader, entry.value,
                         "expected a share of all steps from 0%% to 100%%, such as 5%%");
        }
    }
}

const char *requirement_title(const struct requirement *wanted, struct arena *arena)
{
    return arena_printf(arena, "%s%s", wanted->rule == SIZE_MAX ? label_prefix : "", wanted->name);
}
