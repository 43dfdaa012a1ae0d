#include "example/step/advance.h"

#include "example/engine.h"
#include "value/time/moment.h"

static struct moment moment_of(int64_t now_us)
{
    return (struct moment){.kind = MOMENT_TIMESTAMPTZ, .number = now_us};
}

static void set_now(struct example *example, int64_t now_us)
{
    const struct machine_clock *clock = example->engine->machine->clock;
    example->now_us = now_us;
    lang_set_global(&example->state, clock->now, moment_value(&example->arena, moment_of(now_us)));
}

void now_begin(struct example *example)
{
    if (example->engine->machine->clock) {
        set_now(example, example->engine->machine->clock->start_us);
    }
}

static bool read_interval(struct value value, struct interval *out, struct error *err)
{
    if (value.type == VALUE_STRING &&
        interval_read(value.as.string->data, value.as.string->size, out)) {
        return true;
    }
    struct strbuf text = {0};
    value_repr(value, &text);
    error_set(err, ERROR_MACHINE, "advance must give an interval, not %s", strbuf_text(&text));
    strbuf_free(&text);
    return error_hint(err, "an interval is a text such as \"90 min\", or interval(mins=90)");
}

static bool add_interval(int64_t now_us, struct interval by, int64_t *out, struct error *err)
{
    struct moment sum;
    if (!moment_add(moment_of(now_us), by, &sum, err)) {
        return false;
    }
    *out = sum.number;
    return sum.number >= now_us ||
           error_set(err, ERROR_MACHINE, "advance can't set the clock back");
}

bool now_advance(struct example *example, struct step *step, struct error *err)
{
    const struct rule *rule = step->rule;
    struct interval by = rule->advance_by;
    struct value value;
    if (!rule->advances) {
        return true;
    }
    if (rule->advance &&
        (!lang_look(&example->state, rule->advance, step->locals, &example->flying, &value, err) ||
         !located(read_interval(value, &by, err), rule->advance_pos, err))) {
        return false;
    }
    if (!located(add_interval(example->now_us, by, &step->now_us, err), rule->advance_pos, err)) {
        return false;
    }
    step->advanced = true;
    set_now(example, step->now_us);
    return true;
}

void now_put_back(struct example *example, int64_t now_us)
{
    if (example->engine->machine->clock && example->now_us != now_us) {
        set_now(example, now_us);
    }
}

const char *now_text(struct arena *arena, int64_t now_us)
{
    const struct string *text = moment_value(arena, moment_of(now_us)).as.string;
    return arena_strndup(arena, text->data, text->size);
}
