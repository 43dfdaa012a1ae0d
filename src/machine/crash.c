/* `crash`: a rule whose client may die. */
#include "machine/loader.h"

#include <stddef.h>

enum crash_key { CRASH_THEN, CRASH_MODEL, CRASH_KEYS };

static const struct key crash_key_items[] = {
    [CRASH_THEN] = {"then", SHAPE_THEN, KEY_REQUIRED, NULL,
                    "again: the client connects again and sends the step again; another: another "
                    "session sends it; nothing: nobody does."},
    [CRASH_MODEL] =
        {"model", SHAPE_STATEMENTS, 0, NULL,
         "Of a rule with `transaction: none`: how the model changes if the session ends "
         "in the middle. `commits` is how many transactions had been committed."},
};
const struct keys crash_keys = {
    .of = "crash", .where = "under `crash`", .items = crash_key_items, .count = CRASH_KEYS};

enum crash_then crash_read(struct loader *loader, const struct node *value,
                           const struct node **model)
{
    static const struct {
        const char *word;
        enum crash_then then;
    } words[] = {{"again", CRASH_AGAIN}, {"another", CRASH_ANOTHER}, {"nothing", CRASH_NOTHING}};
    const struct node *values[CRASH_KEYS] = {0};
    keys_check(loader, &crash_keys, value, 0, values);
    const struct node *then = values[CRASH_THEN];
    *model = values[CRASH_MODEL];
    for (size_t i = 0; then && i < sizeof words / sizeof *words; i++) {
        if (node_is(then, words[i].word)) {
            return words[i].then;
        }
    }
    if (then) {
        (void)report(loader, then, "then must be again, another or nothing, not '%s'", then->text);
    }
    return CRASH_NEVER;
}
