#include "account/source.h"

#include "base/utf8.h"
#include "base/visible.h"
#include "example/step/step.h"

#include <string.h>

enum { NAMES_MAX = 8 };

/* The names that an expression may read beside the model's, and their values. */
struct scope {
    const struct lang_locals *names;
    const struct value *values;
    int result; /* the answer itself, which is told elsewhere */
};

static bool stands_at(const struct lang_code *code, struct source_pos pos)
{
    struct source_pos own = code ? code_pos(code) : (struct source_pos){0};
    return code && own.source == pos.source && own.offset == pos.offset;
}

/* The expression of the rule or invariant that stands there; NULL: none does. */
static const struct lang_code *code_at(const struct asker *asker, struct source_pos pos)
{
    const struct invariant *invariant = asker->check ? asker->check->invariant : NULL;
    const struct rule *rule = !invariant && asker->step ? asker->step->rule : NULL;
    const struct lang_code *const codes[] = {
        invariant ? invariant->expect : NULL,
        rule ? rule->expect : NULL,
        rule ? rule->affects : NULL,
        rule ? rule->raises : NULL,
    };
    const struct code_list *checks = invariant ? &invariant->checks : rule ? &rule->checks : NULL;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        if (stands_at(codes[i], pos)) {
            return codes[i];
        }
    }
    for (size_t i = 0; checks && i < checks->count; i++) {
        if (stands_at(checks->items[i], pos)) {
            return checks->items[i];
        }
    }
    return NULL;
}

static struct scope scope_of(const struct asker *asker)
{
    const struct invariant_check *check = asker->check;
    return check ? (struct scope){&check->invariant->locals, check->locals,
                                  check->invariant->result_slot}
                 : (struct scope){&asker->step->rule->locals, asker->step->locals,
                                  asker->step->rule->result_slot};
}

/* What the step drew out of a bundle is known by its name there. */
static const char *shown_value(const struct words *words, const struct asker *asker, size_t slot,
                               struct value value)
{
    const struct step *step = asker->check ? NULL : asker->step;
    for (size_t i = 0; step && i < step->rule->args.count; i++) {
        if (step->rule->args.items[i].slot == slot && step->drawn[i].reference) {
            return show_named_value(words->arena, words->names, value, step->drawn[i].reference,
                                    ACCOUNT_VALUE);
        }
    }
    return words_value(words, value);
}

static void add_locals(const struct words *words, const struct asker *asker,
                       const struct lang_code *code, struct account_source *out)
{
    const struct scope scope = scope_of(asker);
    for (size_t i = 0; i < scope.names->names.count && out->names.items.count < NAMES_MAX; i++) {
        if ((int)i != scope.result && lang_reads_local(code, i) &&
            !lang_is_unset(scope.values[i])) {
            words_pair(words, &out->names, scope.names->names.items[i],
                       shown_value(words, asker, i, scope.values[i]));
        }
    }
}

/* Functions of the model are no values to look at. */
static void add_globals(const struct words *words, const struct example *example,
                        const struct lang_code *code, struct account_source *out)
{
    const struct lang_module *module = example->state.module;
    for (size_t i = 0; i < lang_module_global_count(module); i++) {
        struct value value;
        bool shown = lang_reads_global(code, i) && lang_get_global(&example->state, i, &value) &&
                     (value.type != VALUE_OBJECT || value.as.object->type->shown);
        if (shown && out->names.items.count < NAMES_MAX) {
            words_pair(words, &out->names, lang_module_global_name(module, i),
                       words_value(words, value));
        }
    }
}

struct account_source account_source(const struct words *words, const struct asker *asker,
                                     const struct example *example, const struct failure *failure)
{
    struct account_source out = {0};
    if (!failure->pos.source) {
        return out;
    }
    const struct source_place place = source_place(failure->pos);
    const char *line = place.line_text + strspn(place.line_text, " \t-");
    size_t blank = (size_t)(line - place.line_text);
    const struct lang_code *code =
        asker->check || asker->step ? code_at(asker, failure->pos) : NULL;
    out.file = words_name(words, failure->pos.source->name);
    out.line = place.line;
    out.text =
        blank < place.line_size
            ? show_text(words->arena, NULL,
                        arena_strndup(words->arena, line, place.line_size - blank), ACCOUNT_VALUE)
            : NULL;
    if (code) {
        add_locals(words, asker, code, &out);
        add_globals(words, example, code, &out);
    }
    return out;
}
