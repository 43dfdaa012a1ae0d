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

static void unknown_parameter(struct loader *loader, const struct known_names *names,
                              const struct sql_template *template, const struct sql_piece *piece)
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
    error_hint(err, "a parameter is an argument, a `let` or `for` name, or a variable of the "
                    "model; if this is not a parameter, write a space after the colon");
}

static void bind(struct loader *loader, const struct known_names *names,
                 struct sql_template *template)
{
    for (size_t i = 0; i < template->pieces.count; i++) {
        struct sql_piece *piece = &template->pieces.items[i];
        bool found = piece->kind == SQL_TEXT || find_name(names, piece->text, piece);
        if (!found && !loader->names_incomplete &&
            loader->diagnostics->errors.count <= DIAGNOSTICS_MAX) {
            unknown_parameter(loader, names, template, piece);
        }
    }
}

/* Reads a text of one or more statements. */
static void read_sql_text(struct loader *loader, struct scope *scope, const struct node *as,
                          const struct node *text, struct statement_list *out)
{
    struct known_names names = {scope->locals, loader->machine->module};
    struct sql_templates templates = {0};
    const struct snippet *snippet = take_code(loader, text);
    const struct context *context = context_for(loader, scope, as);
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
        bind(loader, &names, template);
        template->id = loader->machine->templates.count;
        *VEC_PUSH(loader->arena, &loader->machine->templates) = template;
        *VEC_PUSH(loader->arena, out) =
            (struct machine_statement){.sql = template, .context = context};
    }
}

enum { STATEMENT_AS, STATEMENT_SQL };

static const struct key statement_key_items[] = {
    [STATEMENT_AS] = {"as", SHAPE_CONTEXT, 0, NULL, "The user that this statement runs as."},
    [STATEMENT_SQL] = {"sql", SHAPE_TEXT, KEY_REQUIRED, NULL, "One or more SQL statements."},
};
const struct keys statement_keys = {.of = "a statement",
                                    .items = statement_key_items,
                                    .count =
                                        sizeof statement_key_items / sizeof statement_key_items[0]};

static void read_item(struct loader *loader, struct scope *scope, const struct node *item,
                      struct statement_list *out)
{
    const struct node *values[2];
    if (item->kind == NODE_MAP) {
        keys_check(loader, &statement_keys, item, 0, values);
        if (values[STATEMENT_SQL]) {
            read_sql_text(loader, scope, values[STATEMENT_AS] ? values[STATEMENT_AS] : scope->as,
                          values[STATEMENT_SQL], out);
        }
    } else if (item->kind == NODE_SCALAR) {
        read_sql_text(loader, scope, scope->as, item, out);
    } else {
        (void)report(loader, item, "a statement must be SQL or {as, sql}, not a list");
    }
}

void read_statements(struct loader *loader, struct scope *scope, const struct node *sql,
                     struct statement_list *out)
{
    if (sql->kind == NODE_SCALAR) {
        read_sql_text(loader, scope, scope->as, sql, out);
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
