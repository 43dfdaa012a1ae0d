/*
 * Observers are told what an example does while it runs: a recorder, a narrator. The plan names
 * one. None has a say in what the example does.
 */
#ifndef EXAMPLE_OBSERVER_H
#define EXAMPLE_OBSERVER_H

#include "example/backend.h"

struct example;
struct failure;
struct invariant_check;
struct received;
struct step;
struct table_changes;

/* The first member of every observer. */
struct observer {
    const struct observer_ops *ops;
};

/* What is to be told, in the order in which it happens; any may be NULL. False is an error, which
 * ends the example. */
struct observer_ops {
    /* The set-up is done: what was told so far belongs to every example that follows. */
    void (*ready)(struct observer *observer, const struct example *example);
    void (*begin)(struct observer *observer, const struct example *example);
    /* Of an example with sessions: the steps that are told next are those of this one, as if they
     * had run one after the other; 0: what is told next came behind all of them. An observer
     * without it is told nothing of such examples. */
    void (*session)(struct observer *observer, unsigned session);

    /* What is sent next belongs to this: a row of the dataset, a step (predicted), an invariant for
     * one combination of its values, or deferred constraints alone. */
    void (*row)(struct observer *observer, const struct dataset_row *row);
    void (*step)(struct observer *observer, const struct step *step);
    void (*check)(struct observer *observer, const struct invariant_check *check);
    void (*deferred)(struct observer *observer, const struct example *example);

    /* A statement was queued; call->types are filled in. */
    bool (*call)(struct observer *observer, struct example *example,
                 const struct backend_call *call, struct error *err);
    bool (*deferred_call)(struct observer *observer, const struct backend_context *context,
                          struct error *err);
    /* Statement `index` of them was answered; what replaces the rows goes to `arena`. */
    void (*answer)(struct observer *observer, struct example *example, size_t index,
                   struct arena *arena, struct answer *answer);
    void (*deferred_answer)(struct observer *observer, struct example *example,
                            const struct answer *answer);
    /* All that an invariant's statements gave. */
    void (*received)(struct observer *observer, const struct invariant_check *check,
                     const struct received *received);

    /* Something does not hold: the rows of `answer`, that of statement `index`, should have been
     * these, it should have had or changed so many, an expression is not true. `locals` (`count` of
     * them): those that it was evaluated with; `result`: the slot of the answer among them, or
     * SLOT_NONE. */
    bool (*expected)(struct observer *observer, size_t index, struct value expected,
                     const struct answer *answer, struct error *err);
    void (*affected)(struct observer *observer, size_t index, int64_t count);
    void (*untrue)(struct observer *observer, struct example *example, const struct lang_code *code,
                   const struct value *locals, size_t count, int result);

    /* An invariant does not hold, which ends nothing (SCOPE_EACH). */
    void (*parted)(struct observer *observer, struct example *example,
                   const struct failure *failure);

    /* What changed in the tables (the plan's `tables`): what is there before the first step, once
     * the model is told, then what each step wrote, before it is done. */
    void (*tables)(struct observer *observer, struct example *example,
                   const struct table_changes *changes);

    /* What was told since belongs to this, and nothing more comes of it. */
    void (*step_done)(struct observer *observer, struct example *example, const struct step *step);
    void (*check_done)(struct observer *observer, struct example *example,
                       const struct invariant *invariant);
    /* The model has moved on to where it is after step `example->number`. */
    void (*model)(struct observer *observer, const struct example *example);
    void (*end)(struct observer *observer, struct example *example);
};

/* Tells an observer (or NULL); OBSERVE_OK is true where that worked. */
#define OBSERVE(observer, what, ...)                                                               \
    ((observer) && (observer)->ops->what ? (observer)->ops->what((observer), __VA_ARGS__) : (void)0)
#define OBSERVE_OK(observer, what, ...)                                                            \
    (!(observer) || !(observer)->ops->what || (observer)->ops->what((observer), __VA_ARGS__))

#endif
