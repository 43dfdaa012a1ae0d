/* `settings` and `profiles` of a machine file. */
#include "machine/loader.h"

static const struct key shrink_key_items[] = {
    {"executions", SHAPE_NUMBER, 0, NULL, "How many candidates may be run; default 2000."},
    {"time", SHAPE_DURATION, 0, NULL, "How long shrinking may take; default 60s."},
};
const struct keys shrink_keys = {.of = "shrink",
                                 .where = "under `shrink`, within `settings`",
                                 .items = shrink_key_items,
                                 .count = sizeof shrink_key_items / sizeof shrink_key_items[0]};

static const struct key settings_key_items[] = {
    {"examples", SHAPE_NUMBER, 0, NULL, "Number of sequences to try; default 100."},
    {"steps", SHAPE_NUMBER, 0, NULL, "Maximum number of steps in a sequence; default 50."},
    {"seed", SHAPE_NUMBER, 0, NULL,
     "The same seed gives the same run; default: drawn, and printed."},
    {"statement_timeout", SHAPE_DURATION, 0, NULL, "How long a statement may take; default 5s."},
    {"deadline", SHAPE_DURATION, 0, NULL, "How long a step may take; default none."},
    {"max_time", SHAPE_DURATION, 0, NULL,
     "How long the machine may run; then it stops cleanly and reports how far it got; default "
     "none."},
    {"shrink", SHAPE_SHRINK, 0, NULL,
     "Limits of shrinking; at either one, pgfsm reports the best sequence so far."},
    {"check_deferred", SHAPE_CHECK_DEFERRED, 0, NULL,
     "When deferred constraints are checked, as a commit would check them; default step."},
    {"errors", SHAPE_ERRORS, 0, NULL,
     "predicted: an error of a rule that `raises` does not predict is a failure; any: it is not, "
     "and the step is rolled back; default predicted."},
    {"transactions", SHAPE_TRANSACTIONS, 0, NULL,
     "savepoint: an example is rolled back; commit: each step is a transaction that is committed, "
     "in a scratch database; default savepoint."},
    {"isolation", SHAPE_ISOLATION, 0, NULL,
     "Isolation level of steps that are committed; default: that of the database. With one "
     "session, "
     "it has an effect only on SQL that asks for the level."},
    {"sessions", SHAPE_NUMBER, 0, NULL,
     "Number of sessions that run steps side by side, up to 4; steps are then committed; default "
     "1."},
    {"retry", SHAPE_NUMBER, 0, NULL,
     "How often a session runs a step again that ended with a serialization failure or a deadlock; "
     "default 0."},
    {"accept", SHAPE_ACCEPT, 0, NULL,
     "What some serial order of the sessions' steps must explain: every answer (serial, the "
     "default), or only the invariants at the end (invariants)."},
    {"gates", SHAPE_BOOLEAN, 0, NULL,
     "Whether pgfsm stops sessions within statements, too, by triggers on all tables; default "
     "true."},
    {"prepared", SHAPE_BOOLEAN, 0, NULL,
     "Whether the application keeps the statements of rules prepared, so that a change of the "
     "schema may break them; default false."},
    {"jobs", SHAPE_NUMBER, 0, NULL,
     "Number of parallel connections, each with a copy of the scratch database; default 1."},
};
enum { SETTINGS_KEYS = sizeof settings_key_items / sizeof settings_key_items[0] };
const struct keys settings_keys = {.of = "settings",
                                   .where = "under `settings`",
                                   .items = settings_key_items,
                                   .count = SETTINGS_KEYS};

void needs_commit(struct loader *loader, const char *profile, const struct node *node,
                  const char *what)
{
    *VEC_PUSH(loader->arena, &loader->machine->commit_needs) =
        (struct commit_need){what, profile, node_pos(loader->source, node)};
}

/* The destination of values. */
struct settings_target {
    struct settings *settings;
    const char *profile; /* NULL: none */
};

static void read_values(struct loader *loader, const struct settings_target *into,
                        const struct keys *keys, const char *prefix, const struct node *map)
{
    const struct node *values[SETTINGS_KEYS];
    keys_check(loader, keys, map, 0, values);
    for (size_t i = 0; i < keys->count; i++) {
        struct error err = {0};
        const struct key *key = &keys->items[i];
        if (!values[i]) {
            continue;
        }
        if (key->shape == SHAPE_SHRINK) {
            read_values(loader, into, &shrink_keys, "shrink.", values[i]);
        } else if (loader->machine->clock && key->shape == SHAPE_TRANSACTIONS &&
                   !node_is(values[i], "commit")) {
            error_hint(report(loader, values[i], "a machine with a clock commits each step"),
                       "leave out `transactions`, or `clock`");
        } else if (!settings_set(into->settings,
                                 arena_printf(loader->arena, "%s%s", prefix, key->name),
                                 values[i]->text, &err)) {
            struct error *reported = report(loader, values[i], "%s", err.message);
            error_hint(reported, "%s", err.hint);
        } else if (key->shape == SHAPE_ISOLATION) {
            needs_commit(loader, into->profile, values[i], "an isolation level");
        }
    }
}

void read_settings(struct loader *loader, void *into, const struct node *map)
{
    (void)into;
    const struct settings_target target = {.settings = &loader->machine->settings};
    read_values(loader, &target, &settings_keys, "", map);
}

void read_profiles(struct loader *loader, void *into, const struct node *map)
{
    (void)into;
    struct entries entry = {.map = map, .spelling = SPELL_NAME, .what = "a profile"};
    while (entries_next(loader, &entry)) {
        struct profile *profile = VEC_PUSH(loader->arena, &loader->machine->profiles);
        *profile = (struct profile){.name = entry.name, .settings = loader->machine->settings};
        if (shape_check(loader, SHAPE_SETTINGS, entry.name, entry.value)) {
            const struct settings_target target = {&profile->settings, profile->name};
            read_values(loader, &target, &settings_keys, "", entry.value);
        }
    }
}
