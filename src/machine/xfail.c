/* `xfail`: marks a rule, an invariant or a pinned example that is known to fail. */
#include "machine/loader.h"

enum xfail_key { XFAIL_REASON, XFAIL_STRICT, XFAIL_KEYS };

static const struct key xfail_key_items[] = {
    [XFAIL_REASON] = {"reason", SHAPE_TEXT, KEY_REQUIRED, NULL,
                      "Why it fails, or where the bug is tracked."},
    [XFAIL_STRICT] = {"strict", SHAPE_BOOLEAN, 0, NULL,
                      "Whether the run fails if it holds; default true."},
};
const struct keys xfail_keys = {
    .of = "xfail", .where = "under `xfail`", .items = xfail_key_items, .count = XFAIL_KEYS};

const struct known_failure *read_xfail(struct loader *loader, const struct node *value)
{
    const struct node *values[XFAIL_KEYS] = {value};
    if (value->kind == NODE_MAP) {
        keys_check(loader, &xfail_keys, value, 0, values);
    }
    const struct node *reason = values[XFAIL_REASON];
    const struct node *strict = values[XFAIL_STRICT];
    if (reason && (reason->size == 0 || node_is(reason, "true") || node_is(reason, "false"))) {
        error_hint(report(loader, reason, "xfail needs a reason, not '%s'", reason->text),
                   "say why it fails: `xfail: \"issue 12: policies lag behind\"`");
    }
    if (strict && !node_is(strict, "true") && !node_is(strict, "false")) {
        (void)report(loader, strict, "strict must be true or false, not '%s'", strict->text);
    }
    struct known_failure *known = ARENA_NEW(loader->arena, struct known_failure);
    *known = (struct known_failure){.reason = reason ? reason->text : "",
                                    .strict = !strict || node_is(strict, "true"),
                                    .pos = node_pos(loader->source, value)};
    return known;
}
