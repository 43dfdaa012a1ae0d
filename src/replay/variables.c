/* Finds the cells that need variables: those that the script uses. */
#include "base/names.h"
#include "base/words.h"
#include "replay/script.h"

#include <stdlib.h>
#include <string.h>

/* Names that the script's own commands use. */
static const char taken[] = "ok|raised|missing|unexpected|affected|actual|message|defer_again|"
                            "after|failed|lines|names|shown|told_error";

static const struct recorded_statement *statement_at(const struct script *script,
                                                     struct recorded_cell from)
{
    return &script->recording->steps.items[from.step].statements.items[from.statement];
}

static void use_cell(struct script *script, unsigned cell)
{
    if (!cell || variable_of(script, cell)) {
        return;
    }
    struct recorded_cell from = recording_cell(script->recording, cell);
    if (from.step != SIZE_MAX && !script->recording->steps.items[from.step].session &&
        statement_can_catch(statement_at(script, from))) {
        *VEC_PUSH(&script->arena, &script->variables) =
            (struct variable){.cell = cell, .from = from};
    }
}

static void use_value(struct script *script, const struct recorded_value *value)
{
    for (size_t i = 0; i < value->parts.count; i++) {
        use_cell(script, value->parts.items[i].cell);
    }
    for (size_t i = 0; i < value->computed.count; i++) {
        use_cell(script, value->computed.items[i].cell);
    }
}

static void use_context(struct script *script, const struct recorded_context *context)
{
    for (size_t i = 0; context && i < context->settings.count; i++) {
        use_value(script, &context->settings.items[i].value);
    }
}

static void use_rows(struct script *script, const struct recorded_rows *rows)
{
    for (size_t i = 0; rows && i < rows->cells.count; i++) {
        use_value(script, &rows->cells.items[i]);
    }
}

static void use_step(struct script *script, const struct recorded_step *step)
{
    for (size_t i = 0; i < step->statements.count; i++) {
        const struct recorded_statement *statement = &step->statements.items[i];
        for (size_t j = 0; j < statement->values.count; j++) {
            use_value(script, &statement->values.items[j]);
        }
        use_context(script, statement->context);
        use_rows(script, statement->answer);
    }
    use_context(script, step->deferred_context);
}

/* True if the cell is in the compared answer. Its query runs within the comparison, so its results
 * can't be caught earlier. */
static bool is_compared(const struct script *script, unsigned cell)
{
    const struct recorded_cell from = recording_cell(script->recording, cell);
    const size_t last = script->recording->steps.count - 1;
    return from.step == last &&
           from.statement + 1 == script->recording->steps.items[last].statements.count;
}

/* Marks a value that is compared with the last answer. */
static void use_compared(struct script *script, const struct recorded_value *value)
{
    for (size_t i = 0; i < value->parts.count; i++) {
        if (!is_compared(script, value->parts.items[i].cell)) {
            use_cell(script, value->parts.items[i].cell);
        }
    }
}

static void use_question(struct script *script)
{
    const struct recorded_rows *rows = script->recording->expected;
    const struct recorded_check *check = script->recording->check;
    for (size_t i = 0; rows && i < rows->cells.count; i++) {
        use_compared(script, &rows->cells.items[i]);
    }
    if (check && check->comparison) {
        use_compared(script, &check->comparison->value);
    }
}

/* Names. */

static const struct recorded_name *recorded_name(const struct script *script, unsigned cell)
{
    for (size_t i = 0; i < script->recording->names.count; i++) {
        if (script->recording->names.items[i].cell == cell) {
            return &script->recording->names.items[i];
        }
    }
    return NULL;
}

/* Appends letters, digits and _ in lower case, because psql's own variables are in upper case. */
static void add_name_word(struct strbuf *out, const char *text)
{
    for (; *text; text++) {
        char c = *text;
        bool upper = c >= 'A' && c <= 'Z';
        bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        strbuf_addc(out, upper ? (char)(c - 'A' + 'a') : plain ? c : '_');
    }
}

static void add_variable_name(const struct script *script, const struct variable *variable,
                              struct strbuf *out)
{
    const struct recorded_name *name = recorded_name(script, variable->cell);
    const struct recorded_statement *statement = statement_at(script, variable->from);
    const struct rule *rule = script->recording->steps.items[variable->from.step].rule;
    add_name_word(out, name ? name->name : rule->name);
    if (!name || name->part) {
        strbuf_addc(out, '_');
        add_name_word(out, statement->columns.items[variable->from.column].name);
    }
}

/* True if psql would read something in the SQL text of a statement as the variable. */
static bool is_mentioned(const struct script *script, const char *name)
{
    struct strbuf wanted = {0};
    bool found = false;
    strbuf_addf(&wanted, ":%s", name);
    for (size_t i = 0; i < script->machine->templates.count && !found; i++) {
        const struct sql_template *sql = script->machine->templates.items[i];
        for (size_t j = 0; j < sql->pieces.count && !found; j++) {
            const struct sql_piece *piece = &sql->pieces.items[j];
            found = piece->kind == SQL_TEXT &&
                    memmem(piece->text, piece->size, wanted.data, wanted.size);
        }
    }
    strbuf_free(&wanted);
    return found;
}

static bool is_name_taken(const struct script *script, const char *name, size_t named)
{
    const struct variable *variables = script->variables.items;
    return name_is_in(name, variables, named, sizeof *variables, offsetof(struct variable, name)) ||
           word_is_in(name, taken) || is_mentioned(script, name);
}

static const char *choose_name(struct script *script, size_t index)
{
    struct strbuf base = {0};
    struct strbuf name = {0};
    add_variable_name(script, &script->variables.items[index], &base);
    strbuf_adds(&name, strbuf_text(&base));
    for (size_t i = 2; is_name_taken(script, strbuf_text(&name), index); i++) {
        strbuf_clear(&name);
        strbuf_addf(&name, "%s_%zu", strbuf_text(&base), i);
    }
    const char *chosen = strbuf_copy(&name, &script->arena);
    strbuf_free(&base);
    strbuf_free(&name);
    return chosen;
}

static int by_cell(const void *a, const void *b)
{
    const struct variable *x = a;
    const struct variable *y = b;
    return (x->cell > y->cell) - (x->cell < y->cell);
}

void variables_collect(struct script *script)
{
    for (size_t i = 0; i < script->recording->steps.count; i++) {
        use_step(script, &script->recording->steps.items[i]);
    }
    use_question(script);
    if (script->variables.count) {
        qsort(script->variables.items, script->variables.count, sizeof *script->variables.items,
              by_cell);
    }
    for (size_t i = 0; i < script->variables.count; i++) {
        script->variables.items[i].name = choose_name(script, i);
    }
}

const struct variable *variables_of(const struct script *script, size_t step, size_t statement,
                                    size_t *count)
{
    const struct variable *first = NULL;
    *count = 0;
    for (size_t i = 0; i < script->variables.count; i++) {
        const struct variable *variable = &script->variables.items[i];
        if (variable->from.step == step && variable->from.statement == statement) {
            first = first ? first : variable;
            ++*count;
        }
    }
    return first;
}
