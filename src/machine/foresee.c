/* Finds values that a run would refuse. Code that reads nothing has the same value at any time, so
 * it can be evaluated before a run. Calls of strategies are recognised by their form. */
#include "gen/kinds.h"
#include "gen/strategy.h"
#include "machine/conditions.h"
#include "machine/loader.h"
#include "schema/schema.h"
#include "value/number/numeric.h"
#include "value/time/interval.h"
#include "value/time/moment.h"

#include <float.h>
#include <string.h>

static bool accept_any(struct value value)
{
    (void)value;
    return true;
}

static bool no_strategy(struct value value) { return !value_is_strategy(value); }

static bool is_sent(struct value value)
{
    bool function = value.type == VALUE_OBJECT && value.as.object->type->call;
    return no_strategy(value) && !function;
}

static bool is_weight(struct value value)
{
    double number = value_is_number(value) ? number_to_double(value) : -1;
    return number >= 0 && number <= DBL_MAX;
}

static bool is_count(struct value value)
{
    int64_t count;
    return value.type == VALUE_INT && int_fits(value, &count) && count >= 0;
}

static bool is_text_or_none(struct value value)
{
    return value.type == VALUE_STRING || value.type == VALUE_NONE;
}

static bool is_dict(struct value value) { return value.type == VALUE_DICT; }

static bool is_interval(struct value value)
{
    static const struct interval none = {0};
    struct interval by;
    return value.type == VALUE_STRING &&
           interval_read(value.as.string->data, value.as.string->size, &by) &&
           interval_compare(by, none) >= 0;
}

static bool is_list(struct value value)
{
    return value.type == VALUE_LIST || value.type == VALUE_TUPLE || value.type == VALUE_SET ||
           value.type == VALUE_BAG;
}

/* True if the value or, for a list, each of its items passes. */
static bool each_passes(struct value value, bool (*passes)(struct value))
{
    struct arena arena = {0};
    struct value_iter iter;
    struct value item;
    struct error err = {0};
    bool ok = true;
    if (!is_list(value)) {
        return passes(value);
    }
    if (value_iter_begin(&iter, value, &arena, &err)) {
        while (ok && value_iter_next(&iter, &item)) {
            ok = passes(item);
        }
        value_iter_end(&iter);
    }
    arena_free(&arena);
    return ok;
}

static bool is_prediction(struct value value)
{
    const char *text = value.type == VALUE_STRING ? value_cstr(value) : NULL;
    return value.type == VALUE_NONE || value.type == VALUE_ERROR ||
           (text && (condition_is_name(text) || condition_is_sqlstate(text)));
}

static bool is_cell(struct value value) { return is_sent(value) && value.type != VALUE_ERROR; }

static bool is_raised(struct value value) { return each_passes(value, is_prediction); }

static bool is_result(struct value value) { return each_passes(value, is_cell); }

static bool has_items(struct value value) { return value_has_items(value); }

static const struct {
    bool (*accepts)(struct value value);
    const char *must;
    bool shows; /* show the value, not only its type */
} uses[] = {
    [USE_ANY] = {accept_any, NULL, false},
    [USE_VALUE] = {no_strategy, "this must be a value", false},
    [USE_LOOP] = {has_items, "`for` must be given a bundle, or a collection", false},
    [USE_WEIGHT] = {is_weight, "weight must give a number from 0 up", true},
    [USE_COUNT] = {is_count, "affects must give a number of rows", true},
    [USE_LABEL] = {is_text_or_none, "label must give a string or None", false},
    [USE_RAISES] = {is_raised, "raises must give conditions or SQLSTATEs", true},
    [USE_EXPECT] = {is_result, "expect must give what a query can return", true},
    [USE_ADVANCE] = {is_interval, "advance must give an interval from 0 up", true},
    [USE_CLAIMS] = {is_dict, "claims must be a dict", false},
    [USE_SETTING] = {is_sent, "a setting must be a value", false},
};

static const char draws_nothing[] =
    "values are drawn only under `args`; an expression elsewhere can read the argument";

static bool gives_strategy(const struct lang_code *code)
{
    const char *called = lang_called(code);
    return called &&
           (native_find(strategy_functions, called) || native_find(schema_functions, called));
}

static void refuse_value(struct loader *loader, struct source_pos pos, enum use use,
                         struct value value)
{
    struct strbuf shown = {0};
    if (uses[use].shows) {
        value_repr(value, &shown);
    } else {
        strbuf_addf(&shown, "a value of type %s", value_type_name(value));
    }
    struct error *err = report_at(loader, pos, "%s, not %s", uses[use].must, strbuf_text(&shown));
    if (value_is_strategy(value)) {
        error_hint(err, "%s", draws_nothing);
    }
    strbuf_free(&shown);
}

bool evaluate_fixed(struct loader *loader, const struct lang_code *code, struct lang_state *state,
                    struct arena *arena, struct value *out)
{
    enum { STEPS_MAX = 10000, BYTES_MAX = 1 << 20 };
    struct error err = {0};
    lang_state_begin(state, loader->machine->module, arena, NULL);
    state->limits.steps = STEPS_MAX;
    state->limits.bytes = BYTES_MAX;
    if (lang_eval(state, code, NULL, out, &err)) {
        return true;
    }
    if (err.code != ERROR_LIMIT) {
        (void)report_error(loader, &err);
    }
    return false;
}

void foresee(struct loader *loader, const struct lang_code *code, enum use use)
{
    struct arena arena = {0};
    struct lang_state state;
    struct value value;
    struct source_pos pos = code ? snippet_pos(lang_snippet(code), 0) : (struct source_pos){0};
    if (!code) {
        return;
    }
    if (lang_is_fixed(code)) {
        if (evaluate_fixed(loader, code, &state, &arena, &value) && !uses[use].accepts(value)) {
            refuse_value(loader, pos, use, value);
        }
    } else if (use != USE_ANY && gives_strategy(code)) {
        error_hint(report_at(loader, pos, "%s, not a strategy", uses[use].must), "%s",
                   draws_nothing);
    }
    arena_free(&arena);
}

static bool reads_bundles(const struct machine *machine)
{
    for (size_t i = 0; i < machine->bundles.count; i++) {
        if (lang_reads_global(machine->model, machine->bundles.items[i].global)) {
            return true;
        }
    }
    return false;
}

/* The host's functions can't run yet. */
void foresee_model(struct loader *loader)
{
    enum { STEPS_MAX = 100000, BYTES_MAX = 16 << 20 };
    const struct machine *machine = loader->machine;
    struct arena arena = {0};
    struct lang_state state;
    struct error err = {0};
    if (!machine->model || loader->hosted || reads_bundles(machine)) {
        return;
    }
    lang_state_begin(&state, machine->module, &arena, NULL);
    state.limits.steps = STEPS_MAX;
    state.limits.bytes = BYTES_MAX;
    if (machine->clock) {
        struct moment now = {.kind = MOMENT_TIMESTAMPTZ, .number = machine->clock->start_us};
        lang_set_global(&state, machine->clock->now, moment_value(&arena, now));
    }
    migration_begin(machine, &state);
    if (!lang_exec(&state, machine->model, NULL, &err) && err.code != ERROR_LIMIT) {
        (void)report_error(loader, &err);
    }
    arena_free(&arena);
}
