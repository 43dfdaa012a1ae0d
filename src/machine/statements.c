/* `sql`: splits texts into templates, each with its context, and binds their parameters to slots.
 */
#include "machine/loader.h"

#include <string.h>

/* Names that may be parameters: those known before the statement runs. */
struct known_names {
    const struct lang_locals *locals;
    const struct lang_module *module;
};

static bool find_name(const struct known_names *names, const char *name, struct sql_piece *piece)
{
    if (names->locals && lang_locals_find(names->locals, name, &piece->slot)) {
        piece->global = false;
        return true;
    }
    piece->global = lang_module_find_global(names->module, name, &piece->slot);
    return piece->global;
}

static bool is_known(const void *context, const char *text, size_t size)
{
    char name[64];
    struct sql_piece piece;
    if (size >= sizeof name) {
        return false;
    }
    memcpy(name, text, size);
    name[size] = '\0';
    return find_name(context, name, &piece);
}

static void unknown_parameter(struct loader *loader, const struct scope *scope,
                              const struct known_names *names, const struct sql_template *template,
                              const struct sql_piece *piece)
{
    VEC(const char *) known = {0};
    for (size_t i = 0; names->locals && i < names->locals->names.count; i++) {
        *VEC_PUSH(loader->arena, &known) = names->locals->names.items[i];
    }
    for (size_t i = 0; i < lang_module_global_count(names->module); i++) {
        *VEC_PUSH(loader->arena, &known) = lang_module_global_name(names->module, i);
    }
    struct error *err =
        diagnostics_at(loader->diagnostics, snippet_pos(&template->snippet, piece->offset),
                       "nothing defines the parameter '%s'%s", piece->text,
                       did_you_mean(loader, piece->text, known));
    err->missing = true;
    bool later = scope->rule && statements_name(scope->sql, piece->text);
    error_hint(err, "%s",
               later ? "a later statement defines this name: write that statement first"
                     : "a parameter is an argument, a `let` or `for` name, or a variable of the "
                       "model; if this is not a parameter, write a space after the colon");
}

static const struct statement_name *name_at(const struct scope *scope, size_t slot)
{
    for (size_t i = 0; i < scope->names.count; i++) {
        if (scope->names.items[i].slot == slot) {
            return &scope->names.items[i];
        }
    }
    return NULL;
}

static bool reads_answer(const struct scope *scope, const struct lang_code *code)
{
    bool reads = false;
    for (size_t i = 0; code && i < scope->names.count; i++) {
        const struct statement_name *name = &scope->names.items[i];
        reads = reads || (name->answers && lang_reads_local(code, name->slot));
    }
    return reads;
}

static bool context_reads_answer(const struct scope *scope, const struct context *context)
{
    bool reads = context && (reads_answer(scope, context->role_code) ||
                             reads_answer(scope, context->session_user_code) ||
                             reads_answer(scope, context->claims));
    for (size_t i = 0; context && i < context->settings.count; i++) {
        reads = reads || reads_answer(scope, context->settings.items[i].code);
    }
    return reads;
}

/* Length of the name at the start of the text, as the model language spells names. */
static size_t name_size(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size && lang_is_name(text, at + 1)) {
        at++;
    }
    return at;
}

/* `:read.balance` is a value that is computed from the answer `read`, as if it were under `let`. */
static void bind_part(struct loader *loader, struct scope *scope, struct sql_template *template,
                      size_t index, struct machine_statement *statement)
{
    struct sql_piece *piece = &template->pieces.items[index];
    struct sql_piece *rest = index + 1 < template->pieces.count ? piece + 1 : NULL;
    bool dot = piece->kind == SQL_VALUE && rest && rest->kind == SQL_TEXT && rest->size > 1 &&
               *rest->text == '.';
    size_t size = dot ? name_size(rest->text + 1, rest->size - 1) : 0;
    if (!size) {
        error_hint(report_at(loader, snippet_pos(&template->snippet, piece->offset),
                             "'%s' is an answer, not a value", piece->text),
                   piece->kind == SQL_VALUE
                       ? "name a part of it: a column as in :%s.balance, or :%s.value"
                       : "give a part of it a name under `let`: `%s.balance` or `%s.value`",
                   piece->text, piece->text);
        return;
    }
    size_t end = rest->offset + 1 + size;
    struct named_code part = {
        .name = arena_printf(loader->arena, "%s.%.*s", piece->text, (int)size, rest->text + 1)};
    struct snippet *snippet = ARENA_NEW(loader->arena, struct snippet);
    *snippet = snippet_slice(&template->snippet, piece->offset + 1, end);
    snippet->text = part.name;
    struct error err = {0};
    if (!lang_compile(loader->machine->module, loader->arena, scope->locals, LANG_EXPRESSION,
                      snippet, &part.code, &err)) {
        (void)report_error(loader, &err);
    }
    part.slot = lang_locals_add(scope->locals, loader->arena, part.name);
    *VEC_PUSH(loader->arena, &statement->lets) = part;
    piece->text = part.name;
    piece->slot = part.slot;
    rest->text += 1 + size;
    rest->size -= 1 + size;
    rest->offset = end;
    statement->waits = true;
}

static void bind(struct loader *loader, struct scope *scope, struct sql_template *template,
                 struct machine_statement *statement)
{
    const struct known_names names = {scope->locals, loader->machine->module};
    for (size_t i = 0; i < template->pieces.count; i++) {
        struct sql_piece *piece = &template->pieces.items[i];
        bool found = piece->kind == SQL_TEXT || find_name(&names, piece->text, piece);
        const struct statement_name *name =
            found && piece->kind != SQL_TEXT && !piece->global ? name_at(scope, piece->slot) : NULL;
        if (name && name->result) {
            bind_part(loader, scope, template, i, statement);
        } else if (name) {
            statement->waits = statement->waits || name->answers;
        } else if (!found && !loader->names_incomplete &&
                   loader->diagnostics->errors.count <= DIAGNOSTICS_MAX) {
            unknown_parameter(loader, scope, &names, template, piece);
        }
    }
}

/* A text of one or more statements. */
struct sql_text {
    const struct node *as;
    const struct node *text;
    struct machine_statement first; /* what is known of the first one */
};

static void read_sql_text(struct loader *loader, struct scope *scope, const struct sql_text *sql,
                          struct statement_list *out)
{
    const struct node *text = sql->text;
    struct known_names names = {scope->locals, loader->machine->module};
    struct sql_templates templates = {0};
    const struct snippet *snippet = take_code(loader, text);
    const struct context *context = context_for(loader, scope, sql->as);
    if (!snippet) {
        return;
    }
    size_t before = loader->diagnostics->errors.count;
    templates.outside = scope->outside;
    if (!sql_scan(snippet, is_known, &names, loader->arena, &templates, loader->diagnostics)) {
        for (size_t i = before; i < loader->diagnostics->errors.count; i++) {
            hint_at_comment(loader, text, &loader->diagnostics->errors.items[i]);
        }
        return;
    }
    if (!templates.items.count) {
        (void)report(loader, text, "there is no statement in this SQL");
    }
    for (size_t i = 0; i < templates.items.count; i++) {
        struct sql_template *template = templates.items.items[i];
        struct machine_statement statement = {0};
        if (i == 0) {
            statement = sql->first;
        }
        statement.sql = template;
        statement.context = context;
        statement.result_slot = SLOT_NONE;
        statement.waits = statement.waits || context_reads_answer(scope, context);
        bind(loader, scope, template, &statement);
        template->id = loader->machine->templates.count;
        *VEC_PUSH(loader->arena, &loader->machine->templates) = template;
        *VEC_PUSH(loader->arena, out) = statement;
    }
}

/* In the order in which they are evaluated. */
enum {
    STATEMENT_LET,
    STATEMENT_AS,
    STATEMENT_SQL,
    STATEMENT_EXPECT,
    STATEMENT_AFFECTS,
    STATEMENT_RESULT,
    STATEMENT_KEYS,
};

static const struct key statement_key_items[] = {
    [STATEMENT_LET] = {"let", SHAPE_BINDINGS, 0, NULL,
                       "Names for what the client computes before it sends this statement, also "
                       "from answers of earlier ones."},
    [STATEMENT_AS] = {"as", SHAPE_CONTEXT, 0, NULL, "The user that this statement runs as."},
    [STATEMENT_SQL] = {"sql", SHAPE_TEXT, KEY_REQUIRED, NULL, "One or more SQL statements."},
    [STATEMENT_EXPECT] = {"expect", SHAPE_EXPRESSION, 0, NULL,
                          "What this statement must return; its shape says how rows are compared."},
    [STATEMENT_AFFECTS] = {"affects", SHAPE_EXPRESSION, 0, NULL,
                           "How many rows this statement must return or change."},
    [STATEMENT_RESULT] = {"result", SHAPE_TEXT, 0, NULL,
                          "The name of this statement's answer, for later statements, check, model "
                          "and returns."},
};
static const struct other_word statement_words[] = {{"context", "as"},  {"into", "result"},
                                                    {"name", "result"}, {"query", "sql"},
                                                    {"role", "as"},     {NULL, NULL}};
const struct keys statement_keys = {.of = "a statement",
                                    .items = statement_key_items,
                                    .words = statement_words,
                                    .count = STATEMENT_KEYS};

bool statements_name(const struct node *sql, const char *name)
{
    bool found = false;
    for (size_t i = 0; sql && i < sql->entries.count && !found; i++) {
        const struct node *item = sql->entries.items[i].value;
        for (size_t j = 0; item->kind == NODE_MAP && j < item->entries.count; j++) {
            const struct node_entry *entry = &item->entries.items[j];
            found = found || (node_is(entry->key, "result") && node_is(entry->value, name));
            for (size_t k = 0; node_is(entry->key, "let") && k < entry->value->entries.count; k++) {
                found = found || node_is(entry->value->entries.items[k].key, name);
            }
        }
    }
    return found;
}

static void set_names(struct scope *scope, bool shown)
{
    for (size_t i = 0; i < scope->names.count; i++) {
        const struct statement_name *name = &scope->names.items[i];
        scope->locals->names.items[name->slot] = shown ? name->name : "";
    }
}

void statement_names_hide(struct scope *scope) { set_names(scope, false); }

void statement_names_show(struct scope *scope) { set_names(scope, true); }

static void read_lets(struct loader *loader, struct scope *scope, const struct node *map,
                      struct machine_statement *statement)
{
    read_bindings(loader, scope, "a let", map, USE_VALUE, &statement->lets);
    for (size_t i = 0; i < statement->lets.count; i++) {
        const struct named_code *let = &statement->lets.items[i];
        bool answers = reads_answer(scope, let->code);
        *VEC_PUSH(loader->arena, &scope->names) =
            (struct statement_name){.slot = let->slot, .name = let->name, .answers = answers};
        statement->waits = statement->waits || answers;
    }
}

static struct lang_code *read_prediction(struct loader *loader, struct scope *scope,
                                         const struct node *value, enum use use,
                                         struct machine_statement *statement)
{
    struct lang_code *code = value ? scope_expression(loader, scope, value, use) : NULL;
    statement->waits = statement->waits || reads_answer(scope, code);
    return code;
}

static void read_result(struct loader *loader, struct scope *scope, const struct node *value,
                        struct machine_statement *statement)
{
    size_t slot;
    const char *name = read_name(loader, SPELL_IDENTIFIER, "an answer", value);
    if (!name) {
        return;
    }
    if (strcmp(name, "result") == 0) {
        error_hint(report(loader, value, "'result' is what the last statement returned"),
                   "give the answer another name");
    } else if (lang_locals_find(scope->locals, name, &slot)) {
        (void)report(loader, value, "there is already a value '%s' in this rule", name);
    } else if (lang_module_find_global(loader->machine->module, name, &slot)) {
        error_hint(report(loader, value, "'%s' is a variable of the model", name),
                   "give the answer another name");
    } else {
        slot = lang_locals_add(scope->locals, loader->arena, name);
        statement->result_slot = (int)slot;
        *VEC_PUSH(loader->arena, &scope->names) =
            (struct statement_name){.slot = slot, .name = name, .result = true, .answers = true};
    }
}

/* An invariant asks one question; a step of initialize that is the same in every example keeps one
 * answer. */
static void refuse_outside_rules(struct loader *loader, const struct scope *scope,
                                 const struct node **values)
{
    bool initialize = scope->rule && scope->rule->initialize;
    for (size_t i = 0; i < STATEMENT_KEYS; i++) {
        bool predicts = i == STATEMENT_EXPECT || i == STATEMENT_AFFECTS;
        bool refused =
            initialize ? i == STATEMENT_LET || i == STATEMENT_RESULT
                       : !scope->rule && (predicts || i == STATEMENT_LET || i == STATEMENT_RESULT);
        if (refused && values[i]) {
            error_hint(report(loader, values[i], "`%s` has no meaning for a statement of %s",
                              statement_key_items[i].name,
                              initialize ? "initialize" : "an invariant"),
                       "%s",
                       initialize ? "write a step for each answer, and keep what it gives: "
                                    "`model: rate = result.value`"
                                  : "an invariant has one `expect` or `check`, of its last "
                                    "statement");
            values[i] = NULL;
        }
    }
}

static void read_map(struct loader *loader, struct scope *scope, const struct node *item,
                     struct statement_list *out)
{
    const struct node *values[STATEMENT_KEYS];
    struct machine_statement first = {0};
    size_t count = out->count;
    keys_check(loader, &statement_keys, item, 0, values);
    refuse_outside_rules(loader, scope, values);
    if (values[STATEMENT_LET]) {
        read_lets(loader, scope, values[STATEMENT_LET], &first);
    }
    if (values[STATEMENT_SQL]) {
        const struct sql_text sql = {values[STATEMENT_AS] ? values[STATEMENT_AS] : scope->as,
                                     values[STATEMENT_SQL], first};
        read_sql_text(loader, scope, &sql, out);
    }
    struct machine_statement none = {0};
    struct machine_statement *last = out->count > count ? &out->items[out->count - 1] : &none;
    last->expect = read_prediction(loader, scope, values[STATEMENT_EXPECT], USE_EXPECT, last);
    last->affects = read_prediction(loader, scope, values[STATEMENT_AFFECTS], USE_COUNT, last);
    if (values[STATEMENT_RESULT]) {
        read_result(loader, scope, values[STATEMENT_RESULT], last);
    }
}

static void read_item(struct loader *loader, struct scope *scope, const struct node *item,
                      struct statement_list *out)
{
    if (item->kind == NODE_MAP) {
        read_map(loader, scope, item, out);
    } else if (item->kind == NODE_SCALAR) {
        read_sql_text(loader, scope, &(struct sql_text){.as = scope->as, .text = item}, out);
    } else {
        (void)report(loader, item, "a statement must be SQL or a mapping with `sql`, not a list");
    }
}

void read_statements(struct loader *loader, struct scope *scope, const struct node *sql,
                     struct statement_list *out)
{
    scope->sql = sql;
    if (sql->kind == NODE_SCALAR) {
        read_sql_text(loader, scope, &(struct sql_text){.as = scope->as, .text = sql}, out);
    }
    for (size_t i = 0; i < sql->entries.count; i++) {
        if (loader->machine->templates.count > STATEMENTS_TOTAL_MAX) {
            error_hint(report(loader, sql, "the machine has more than 50,000 statements"),
                       "put set-up into files of `schema`");
            return;
        }
        read_item(loader, scope, sql->entries.items[i].value, out);
    }
    if (sql->kind == NODE_LIST && !sql->entries.count) {
        (void)report(loader, sql, "there is no statement in this SQL");
    }
}
