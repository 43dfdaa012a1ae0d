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
    for (size_t i = 0; rule && i < rule->statements.count; i++) {
        const struct machine_statement *statement = &rule->statements.items[i];
        if (stands_at(statement->expect, pos) || stands_at(statement->affects, pos)) {
            return stands_at(statement->expect, pos) ? statement->expect : statement->affects;
        }
    }
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

/* For an error this is `raises`, although the failure's position is that of the statement. */
static const struct lang_code *code_of(const struct asker *asker, const struct failure *failure)
{
    const struct lang_code *code = code_at(asker, failure->pos);
    bool raised = failure->kind == FAILURE_UNEXPECTED_ERROR ||
                  failure->kind == FAILURE_DIFFERENT_ERROR ||
                  failure->kind == FAILURE_MISSING_ERROR;
    return code || asker->check || !raised ? code : asker->step->rule->raises;
}

/* The text on one line: a space replaces each line end and the blanks around it. */
static const char *one_line(struct arena *arena, const struct snippet *snippet)
{
    struct strbuf out = {0};
    for (size_t i = 0; i < snippet->size; i++) {
        char c = snippet->text[i] == '\n' ? ' ' : snippet->text[i];
        if (c != ' ' || (out.size && out.data[out.size - 1] != ' ')) {
            strbuf_addc(&out, c);
        }
    }
    if (out.size && out.data[out.size - 1] == ' ') {
        strbuf_truncate(&out, out.size - 1);
    }
    return strbuf_take(&out, arena);
}

/* The line as it is written, with its key. */
static const char *line_of(struct arena *arena, const struct source_place *place)
{
    size_t blank = strspn(place->line_text, " \t-");
    return blank < place->line_size
               ? show_text(arena, NULL,
                           arena_strndup(arena, place->line_text + blank, place->line_size - blank),
                           ACCOUNT_VALUE)
               : NULL;
}

static struct scope scope_of(const struct asker *asker)
{
    const struct invariant_check *check = asker->check;
    return check ? (struct scope){&check->invariant->locals, check->locals,
                                  check->invariant->result_slot}
                 : (struct scope){&asker->step->rule->locals, asker->step->locals,
                                  asker->step->rule->result_slot};
}

/* A value that the step drew from a bundle appears with its name. */
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
    const struct lang_code *code = asker->check || asker->step ? code_of(asker, failure) : NULL;
    if (!code) {
        return out;
    }
    const struct snippet *text = lang_snippet(code);
    const struct source_place place = source_place(code_pos(code));
    out.file = words_name(words, code_pos(code).source->name);
    out.line = place.line;
    out.text = memchr(text->text, '\n', text->size)
                   ? show_text(words->arena, NULL, one_line(words->arena, text), ACCOUNT_VALUE)
                   : line_of(words->arena, &place);
    add_locals(words, asker, code, &out);
    add_globals(words, example, code, &out);
    return out;
}
