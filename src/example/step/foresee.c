#include "example/step/foresee.h"

#include "base/hash.h"
#include "example/engine.h"
#include "example/step/advance.h"
#include "value/walk.h"

static bool look_at(struct example *example, const struct step *step, const struct lang_code *code,
                    struct value *out)
{
    return lang_eval(&example->state, code, step->locals, out, example->novelty.ignored);
}

static bool must_raise(struct example *example, const struct step *step)
{
    struct prediction raises;
    struct value value;
    return step->rule->raises && !step->rule->outside &&
           look_at(example, step, step->rule->raises, &value) &&
           prediction_read(&example->trying, value, &raises, example->novelty.ignored) &&
           !raises.may_succeed;
}

static struct foreseen predict_now(struct example *example, struct step *step)
{
    const struct rule *rule = step->rule;
    const struct lang_code *answer = rule->affects ? rule->affects : rule->expect;
    struct foreseen out = {0};
    struct value value;
    if (!now_advance(example, step, example->novelty.ignored)) {
        return out;
    }
    for (size_t i = 0; i < rule->lets.count; i++) {
        const struct named_code *let = &rule->lets.items[i];
        if (!look_at(example, step, let->code, &step->locals[let->slot])) {
            return out;
        }
    }
    if (must_raise(example, step)) {
        return (struct foreseen){.raises = true, .refused = true};
    }
    if (answer && look_at(example, step, answer, &value)) {
        out.refused = !value_truth(value);
        out.answer = hash_mix(1 ^ value_hash_deep(&(struct walk){0}, value));
    }
    return out;
}

struct foreseen foresee_step(struct example *example, struct step *step)
{
    int64_t now_us = example->now_us;
    struct foreseen out = predict_now(example, step);
    now_put_back(example, now_us);
    return out;
}

struct foreseen foresee_before_sessions(struct example *example, struct step *step)
{
    struct value *globals = example->state.globals;
    example->state.globals = example->fork;
    struct foreseen out = foresee_step(example, step);
    example->state.globals = globals;
    return out;
}
