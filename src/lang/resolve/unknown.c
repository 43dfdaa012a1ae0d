/* Errors of the resolver: messages for unknown names. */
#include "lang/builtins/methods.h"
#include "lang/builtins/native.h"
#include "lang/resolve/scope.h"
#include "lang/syntax/token.h"

#include <string.h>

bool resolver_fail(struct resolver *resolver, uint32_t pos, const char *format, ...)
{
    struct source_pos at = snippet_pos(resolver->scope->function->snippet, pos);
    va_list args;
    va_start(args, format);
    (void)error_vat(resolver->job->err, ERROR_MACHINE, at, format, args);
    va_end(args);
    return false;
}

/* The names of types with methods, for messages, and a name for a value in examples. */
static const struct {
    const char *plural, *stand_in;
} receivers[VALUE_TYPES] = {
    [VALUE_STRING] = {"strings", "s"}, [VALUE_BYTES] = {"bytes", "b"},
    [VALUE_LIST] = {"lists", "xs"},    [VALUE_DICT] = {"dicts", "d"},
    [VALUE_SET] = {"sets", "s"},
};

/* True for five capitals and digits, with at least one digit (PostgreSQL manual, appendix A). */
static bool looks_like_sqlstate(const char *word)
{
    return strlen(word) == 5 && strspn(word, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 5 &&
           strpbrk(word, "0123456789");
}

/* Appends the types that have the method: "lists, dicts and sets". *stand_in becomes the example
 * name of the first. */
static size_t list_receivers(const char *word, struct strbuf *out, const char **stand_in)
{
    size_t left = 0;
    size_t count = 0;
    for (size_t type = 0; type < VALUE_TYPES; type++) {
        left += native_find(method_tables[type], word) != NULL;
    }
    for (size_t type = 0; type < VALUE_TYPES; type++) {
        if (!native_find(method_tables[type], word)) {
            continue;
        }
        left--;
        strbuf_addf(out, "%s%s", count == 0 ? "" : left ? ", " : " and ", receivers[type].plural);
        *stand_in = count++ ? *stand_in : receivers[type].stand_in;
    }
    return count;
}

/* Suggests d.keys() for `keys(d)`; false if the word is not a method. */
static bool hint_at_method(const struct resolver *resolver, const char *word)
{
    struct error *err = resolver->job->err;
    const char *stand_in = NULL;
    struct strbuf types = {0};
    bool found = list_receivers(word, &types, &stand_in) > 0;
    if (strcmp(word, "join") == 0) {
        error_hint(err, "join is a method: write \", \".join(xs)");
    } else if (found) {
        error_hint(err, "%s is a method of %s: write %s.%s(%s)", word, strbuf_text(&types),
                   stand_in, word, resolver->call->arg_count > 1 ? "…" : "");
    }
    strbuf_free(&types);
    return found;
}

/* Suggests a replacement for a name of another language; false if none is known. */
static bool hint_at_foreign(const struct resolver *resolver, const char *word, enum role role)
{
    const char *hint = token_hint(FOREIGN_NAME, word);
    bool called = role == ROLE_CALLED;
    hint = hint || !called ? hint : token_hint(FOREIGN_FUNCTION, word);
    if (!hint && called && hint_at_method(resolver, word)) {
        return true;
    }
    hint = hint || !called ? hint : token_hint(FOREIGN_METHOD, word);
    if (hint) {
        error_hint(resolver->job->err, "%s", hint);
    } else if (looks_like_sqlstate(word)) {
        error_hint(resolver->job->err, "write a SQLSTATE in quotes: \"%s\"", word);
        return true;
    }
    return hint != NULL;
}

/* Suggests functions only if the name is called or passed on. */
static const char *closest_known(const struct resolver *resolver, const char *word, enum role role)
{
    const struct lang_module *module = resolver->job->module;
    struct arena *arena = resolver->job->arena;
    bool function = role == ROLE_CALLED || role == ROLE_PASSED;
    VEC(const char *) names = {0};
    for (const struct names_block *block = resolver->block; block; block = block->outer) {
        for (struct variable *v = block->variables; v; v = v->next) {
            *VEC_PUSH(arena, &names) = v->name;
        }
    }
    for (size_t i = 0; i < module->globals.count; i++) {
        *VEC_PUSH(arena, &names) = module->globals.items[i].name;
    }
    for (size_t i = 0; i < module->builtins.count; i++) {
        if (function || !native_function_of(module->builtins.items[i].value)) {
            *VEC_PUSH(arena, &names) = module->builtins.items[i].name;
        }
    }
    return closest_name(word, names.items, names.count);
}

bool scope_unknown(struct resolver *resolver, const struct expr *name, enum role role)
{
    const char *word = name->as.name.name;
    (void)resolver_fail(resolver, name->pos, "unknown name '%s'", word);
    const char *close =
        hint_at_foreign(resolver, word, role) ? NULL : closest_known(resolver, word, role);
    if (close) {
        (void)resolver_fail(resolver, name->pos, "unknown name '%s', did you mean '%s'?", word,
                            close);
    }
    if (resolver->job->err) {
        resolver->job->err->missing = true;
    }
    return false;
}
