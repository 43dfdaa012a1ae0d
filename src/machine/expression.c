/* Expressions and statements: lang compiles them, and errors caused by YAML's syntax get a hint. */
#include "machine/conditions.h"
#include "machine/loader.h"

#include <stdio.h>
#include <string.h>

const char *unknown_name(struct loader *loader, const struct error *err)
{
    static const char prefix[] = "unknown name '";
    if (strncmp(err->message, prefix, sizeof prefix - 1) != 0) {
        return NULL;
    }
    const char *name = err->message + sizeof prefix - 1;
    return arena_strndup(loader->arena, name, strcspn(name, "'"));
}

/* True if YAML read ` #…` after a plain scalar as a comment. */
static bool comment_follows(const struct loader *loader, const struct node *node)
{
    const char *text = loader->source->text;
    size_t at = node->end + strspn(text + node->end, " \t");
    return node->style == STYLE_PLAIN && at > node->end && text[at] == '#';
}

void hint_at_comment(const struct loader *loader, const struct node *node, struct error *err)
{
    if (!err->hint[0] && node->kind == NODE_SCALAR && comment_follows(loader, node)) {
        error_hint(err, "YAML reads ` #` and what follows as a comment; put the whole text in "
                        "quotes, or write it after | on a line of its own");
    }
}

/* True if the text looks like prose rather than code: `ok`, `no rows!`. */
static bool looks_like_text(const struct node *node)
{
    bool quoted = node->style == STYLE_SINGLE_QUOTED || node->style == STYLE_DOUBLE_QUOTED;
    return node->kind == NODE_SCALAR && node->size && quoted &&
           !strpbrk(node->text, "\"'()[]{}=<>+*/%|&:");
}

static const char suggestion[] = ", did you mean '";

/* True if the text calls an unknown name, as in `integer(1, 6)`, and a similar name exists. */
static bool calls_similar(const struct node *node, const char *name, const struct error *err)
{
    const char *at = node->kind == NODE_SCALAR ? strstr(node->text, name) : NULL;
    return at && at[strlen(name)] == '(' && strstr(err->message, suggestion);
}

/* Drops the suggestion of a similar builtin, because there is a better explanation. */
static void drop_suggestion(const struct loader *loader, struct error *err)
{
    char *at = strstr(err->message, suggestion);
    const char *end = at ? strrchr(at, '\'') : NULL;
    if (end) {
        const char *name = at + sizeof suggestion - 1;
        const char *word = arena_strndup(loader->arena, name, (size_t)(end - name));
        if (lang_module_is_builtin(loader->machine->module, word)) {
            *at = '\0';
        }
    }
}

/* Suggests a condition that the name is another word for, rather than a similar name. */
static bool suggest_condition(const char *name, struct error *err)
{
    const char *condition = condition_meant(name);
    char *at = strstr(err->message, suggestion);
    size_t size = at ? (size_t)(at - err->message) : strlen(err->message);
    if (condition) {
        (void)snprintf(err->message + size, sizeof err->message - size, "%s%s'?", suggestion,
                       condition);
    }
    return condition != NULL;
}

/* True if `--`, an SQL comment, precedes the error. */
static bool behind_dashes(const struct error *err)
{
    const char *text = err->pos.source ? err->pos.source->text : NULL;
    size_t at = err->pos.offset;
    while (text && at > 0 && text[at - 1] == ' ') {
        at--;
    }
    return text && at >= 2 && text[at - 1] == '-' && text[at - 2] == '-';
}

static void hint_at_traps(const struct loader *loader, const struct compile_job *job,
                          const char *unknown, struct error *err)
{
    const struct node *node = job->node;
    const char *explained = unknown && job->explain ? job->explain(job->with, unknown) : NULL;
    if (node->kind == NODE_SCALAR && condition_is_sqlstate(node->text)) {
        error_hint(err, "YAML removes the outer quotes; write '\"%s\"'", node->text);
    }
    hint_at_comment(loader, node, err);
    if (err->hint[0] || (unknown && job->raises && suggest_condition(unknown, err))) {
        return;
    }
    if (unknown && behind_dashes(err)) {
        drop_suggestion(loader, err);
        error_hint(err, "a comment begins with #, not with --");
        return;
    }
    if (looks_like_text(node) && node->size < 100 && job->mode == LANG_EXPRESSION && !job->named) {
        error_hint(err, "YAML removed the quotes; write '\"%s\"' for the text", node->text);
    } else if (explained && !calls_similar(node, unknown, err)) {
        drop_suggestion(loader, err);
        error_hint(err, "%s", explained);
    }
}

/* The limit that the code would exceed with this text of `size` bytes; NULL if there is none. */
static const char *beyond_limits(const struct loader *loader, size_t size)
{
    return size > CODE_MAX ? "more than 1 MiB in one text of code or SQL"
           : loader->code_bytes > CODE_TOTAL_MAX
               ? "more than 32 MiB of code, counting aliases and contexts each time that they are "
                 "used"
           : arena_used(loader->arena) > MEMORY_MAX
               ? "up to here, the machine takes more than 512 MiB of memory"
               : NULL;
}

struct snippet *take_code(struct loader *loader, const struct node *node)
{
    size_t size = node->kind == NODE_SCALAR ? node->size : node->end - node->start;
    if (loader->diagnostics->errors.count > DIAGNOSTICS_MAX) {
        return NULL;
    }
    loader->code_bytes += size;
    const char *too_much = beyond_limits(loader, size);
    if (too_much) {
        (void)report(loader, node, "%s", too_much);
        return NULL;
    }
    struct snippet *snippet = ARENA_NEW(loader->arena, struct snippet);
    *snippet = node_snippet(loader->source, node, loader->arena);
    return snippet;
}

/* Records the tables and columns that strategies name. A database checks later that they exist. */
static void note_catalog_names(struct loader *loader, const struct lang_code *code)
{
    size_t count;
    const struct lang_text_call *calls = lang_text_calls(code, &count);
    for (size_t i = 0; i < count; i++) {
        bool column = strcmp(calls[i].function, "column") == 0;
        if (column || strcmp(calls[i].function, "row") == 0) {
            *VEC_PUSH(loader->arena, &loader->machine->catalog_names) =
                (struct catalog_name){calls[i].text, column, calls[i].pos};
        }
    }
}

/* The error for the same unknown name at the same place for another user of a context. */
static struct error *found_for_other(const struct loader *loader, const struct error *mistake)
{
    size_t size = strlen(mistake->message);
    for (size_t i = 0; i < loader->diagnostics->errors.count; i++) {
        struct error *err = &loader->diagnostics->errors.items[i];
        size_t whole = strlen(err->message);
        if (err->missing && err->pos.source == mistake->pos.source &&
            err->pos.offset == mistake->pos.offset && whole >= size &&
            strcmp(err->message + whole - size, mistake->message) == 0) {
            return err;
        }
    }
    return NULL;
}

/* A context is compiled for each rule that uses it; a name that several rules lack is reported
 * once. */
static void report_of_user(struct loader *loader, const struct compile_job *job,
                           struct error *mistake)
{
    enum { USERS_SHOWN = 300 }; /* bytes */
    struct error *found = found_for_other(loader, mistake);
    if (!found) {
        (void)error_context(mistake, "%s", job->context);
        (void)report_error(loader, mistake);
    } else if (strlen(found->detail) < USERS_SHOWN) {
        error_detail(found, "the same for %s", job->context);
    } else if (!strstr(found->detail, "and more")) {
        error_detail(found, "and more");
    }
}

struct lang_code *compile(struct loader *loader, const struct compile_job *job)
{
    const struct snippet *snippet = take_code(loader, job->node);
    struct lang_code *code = NULL;
    struct error err = {0};
    if (!snippet) {
        return NULL;
    }
    if (lang_compile(loader->machine->module, loader->arena, job->locals, job->mode, snippet, &code,
                     &err)) {
        note_catalog_names(loader, code);
        return code;
    }
    const char *name = unknown_name(loader, &err);
    if (name && loader->names_incomplete) {
        return NULL; /* it may be one of the missing names */
    }
    hint_at_traps(loader, job, name, &err);
    if (name && job->context) {
        report_of_user(loader, job, &err);
    } else {
        (void)report_error(loader, &err);
    }
    return NULL;
}

struct lang_code *scope_expression(struct loader *loader, const struct scope *scope,
                                   const struct node *node, enum use use)
{
    struct compile_job job = {.locals = scope->locals,
                              .mode = LANG_EXPRESSION,
                              .node = node,
                              .explain = scope->explain,
                              .with = scope->with};
    struct lang_code *code = compile(loader, &job);
    foresee(loader, code, use);
    return code;
}

bool binding_next(struct loader *loader, const struct lang_locals *locals, struct entries *entry)
{
    while (entries_next(loader, entry)) {
        if (locals->names.count >= NAMES_MAX) {
            (void)report(loader, entry->key, "more than 250 names in one place");
            return false;
        }
        size_t at = entry->next - 1;
        size_t slot;
        size_t behind = split_text(loader, entry->map, at);
        if (behind > at) {
            entry->next = behind;
            entry->value = NULL;
            return true;
        }
        if (!strcmp(entry->name, "result")) {
            error_hint(report(loader, entry->key, "'result' is what the last statement returned"),
                       "give %s another name", entry->what);
        } else if (lang_locals_find(locals, entry->name, &slot)) {
            (void)report(loader, entry->key, "there is already an argument '%s'", entry->name);
        } else {
            return true;
        }
    }
    return false;
}

void read_bindings(struct loader *loader, const struct scope *scope, const char *what,
                   const struct node *map, enum use use, struct named_codes *out)
{
    struct entries entry = {.map = map, .spelling = SPELL_IDENTIFIER, .what = what};
    while (binding_next(loader, scope->locals, &entry)) {
        struct named_code named = {.name = entry.name};
        if (entry.value && shape_check(loader, SHAPE_EXPRESSION, entry.name, entry.value)) {
            named.code = scope_expression(loader, scope, entry.value, use);
        }
        named.slot = lang_locals_add(scope->locals, loader->arena, entry.name);
        *VEC_PUSH(loader->arena, out) = named;
    }
}

void read_checks(struct loader *loader, const struct scope *scope, const struct node *value,
                 struct code_list *out)
{
    if (value->kind == NODE_SCALAR) {
        *VEC_PUSH(loader->arena, out) = scope_expression(loader, scope, value, USE_ANY);
    }
    for (size_t i = 0; i < value->entries.count; i++) {
        const struct node *item = value->entries.items[i].value;
        size_t behind = split_text(loader, value, i);
        if (behind > i) {
            i = behind - 1;
        } else if (shape_check(loader, SHAPE_EXPRESSION, "check", item)) {
            *VEC_PUSH(loader->arena, out) = scope_expression(loader, scope, item, USE_ANY);
        }
    }
    if (value->kind == NODE_LIST && !value->entries.count) {
        (void)report(loader, value, "check has no expression");
    }
}

const char *closest_variable(struct loader *loader, const char *name)
{
    const struct lang_module *module = loader->machine->module;
    VEC(const char *) names = {0};
    for (size_t i = 0; i < lang_module_global_count(module); i++) {
        if (lang_module_global_kind(module, i) == LANG_VARIABLE) {
            *VEC_PUSH(loader->arena, &names) = lang_module_global_name(module, i);
        }
    }
    const char *close = closest_name(name, names.items, names.count);
    size_t size = strlen(name);
    bool plural = close && !strncmp(close, name, size) && !strcmp(close + size, "s");
    return plural ? NULL : close;
}
