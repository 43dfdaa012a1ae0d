#include "replay/predicate/term.h"

#include "replay/quote.h"

#include <inttypes.h>
#include <string.h>

/* Places in the answer. */

static bool is_attr_of_result(const struct residual *residual, const char *name)
{
    return residual->kind == RESIDUAL_ATTR && strcmp(residual->name, name) == 0 &&
           residual->parts[0]->kind == RESIDUAL_LOCAL;
}

static bool small_int(const struct residual *residual, int64_t *out)
{
    bool is = residual->kind == RESIDUAL_VALUE && residual->value.type == VALUE_INT &&
              !(residual->value.flags & VALUE_BIG);
    *out = is ? residual->value.as.integer : 0;
    return is;
}

static const struct residual *each_around(const struct predicate *to, const char *name,
                                          size_t *index)
{
    for (*index = 0; to->each && *index < to->each->name_count; (*index)++) {
        if (strcmp(to->each->names[*index], name) == 0) {
            return to->each;
        }
    }
    return NULL;
}

/* Whether it is a row, and which. */
bool answer_find_row(const struct predicate *to, const struct residual *residual, struct cell *cell)
{
    size_t index;
    if (is_attr_of_result(residual, "row")) {
        cell->row = ROW_ONLY;
        return true;
    }
    if (residual->kind == RESIDUAL_INDEX && is_attr_of_result(residual->parts[0], "rows")) {
        cell->row = ROW_AT;
        return small_int(residual->parts[1], &cell->at);
    }
    cell->row = ROW_AT_HAND;
    return residual->kind == RESIDUAL_VARIABLE && each_around(to, residual->name, &index) &&
           !to->each->unpacks;
}

static bool find_name(const struct predicate *to, const char *name, size_t *out)
{
    size_t found = 0;
    for (size_t i = 0; i < to->statement->columns.count; i++) {
        if (strcmp(to->statement->columns.items[i].name, name) == 0) {
            *out = i;
            found++;
        }
    }
    return found == 1;
}

/* row[0], row["name"] */
static bool find_index(const struct predicate *to, const struct residual *index, size_t *out)
{
    int64_t at;
    int64_t count = (int64_t)to->statement->columns.count;
    if (small_int(index, &at)) {
        *out = (size_t)(at < 0 ? at + count : at);
        return at >= -count && at < count;
    }
    return index->kind == RESIDUAL_VALUE && index->value.type == VALUE_STRING &&
           find_name(to, value_cstr(index->value), out);
}

bool answer_find_cell(const struct predicate *to, const struct residual *residual,
                      struct cell *cell)
{
    size_t count = to->statement->columns.count;
    if (is_attr_of_result(residual, "value")) {
        *cell = (struct cell){.row = ROW_ONLY};
        return count == 1;
    }
    if (residual->kind == RESIDUAL_VARIABLE && to->each && to->each->unpacks) {
        cell->row = ROW_AT_HAND;
        return to->each->name_count == count && each_around(to, residual->name, &cell->column);
    }
    if (residual->kind == RESIDUAL_ATTR) {
        return answer_find_row(to, residual->parts[0], cell) &&
               find_name(to, residual->name, &cell->column);
    }
    return residual->kind == RESIDUAL_INDEX && answer_find_row(to, residual->parts[0], cell) &&
           find_index(to, residual->parts[1], &cell->column);
}

bool answer_is_rows(const struct residual *residual) { return is_attr_of_result(residual, "rows"); }

/* result.count, len(result.rows) */
static bool is_count(const struct residual *residual)
{
    return is_attr_of_result(residual, "count") ||
           (residual->kind == RESIDUAL_CALL && strcmp(residual->name, "len") == 0 &&
            residual->count == 1 && answer_is_rows(residual->parts[0]));
}

/* Writing places. */

void answer_write_from(const struct predicate *to, struct strbuf *out)
{
    strbuf_adds(out, " FROM ");
    quote_identifier(out, to->answer);
}

void count_write(struct predicate *to, struct strbuf *out)
{
    to->counts = true;
    if (to->statement->columns.count == 0) {
        strbuf_adds(out, ":affected");
    } else if (to->form == PREDICATE_COUNT && !to->each) {
        strbuf_adds(out, "count(*)");
    } else {
        strbuf_adds(out, "(SELECT count(*)");
        answer_write_from(to, out);
        strbuf_addc(out, ')');
    }
}

void cell_write(struct predicate *to, const struct cell *cell, struct strbuf *out)
{
    bool bare = cell->row == ROW_AT_HAND ||
                (cell->row == ROW_ONLY && to->form == PREDICATE_ROW && !to->each);
    to->only = to->only || cell->row == ROW_ONLY;
    to->others = to->others || cell->row != ROW_ONLY || to->each;
    to->nullable = to->nullable || cell->row != ROW_AT_HAND;
    strbuf_adds(out, bare ? "" : "(SELECT ");
    quote_identifier(out, to->columns[cell->column]);
    if (bare) {
        return;
    }
    answer_write_from(to, out);
    if (cell->row == ROW_AT && cell->at < 0) {
        strbuf_adds(out, " OFFSET (SELECT count(*)");
        answer_write_from(to, out);
        strbuf_addf(out, ") - %" PRId64, -cell->at);
    } else if (cell->row == ROW_AT && cell->at > 0) {
        strbuf_addf(out, " OFFSET %" PRId64, cell->at);
    }
    strbuf_adds(out, cell->row == ROW_AT ? " LIMIT 1)" : ")");
}

static bool is_character(const struct recorded_column *column)
{
    return strncmp(column->type, "character", 9) == 0 &&
           strncmp(column->type, "character v", 11) != 0;
}

static enum term_class class_of(const struct recorded_column *column)
{
    switch (column->class) {
    case COLUMN_NUMBER:
        return strcmp(column->type, "boolean") == 0 ? TERM_BOOL : TERM_NUMBER;
    case COLUMN_FLOAT:
        return TERM_NUMBER;
    case COLUMN_TEXT:
        return TERM_TEXT;
    case COLUMN_OTHER:
        return TERM_OTHER;
    case COLUMN_JSON:
    case COLUMN_BYTES:
    case COLUMN_CONTAINER:
    default:
        return TERM_OPAQUE;
    }
}

static bool write_cell(struct predicate *to, const struct cell *cell, struct term *term,
                       struct strbuf *out)
{
    const struct recorded_column *column = &to->statement->columns.items[cell->column];
    *term = (struct term){.class = class_of(column), .column = column};
    cell_write(to, cell, out);
    /* The model has its text. Of char(n) that would have lost its blanks. */
    if (term->class == TERM_OTHER && !is_character(column)) {
        strbuf_adds(out, "::text");
    }
    return true;
}

/* Constants. */

bool constant_write(struct predicate *to, struct value value, struct term *term, struct strbuf *out)
{
    struct strbuf text = {0};
    const char *variable = variable_of(to->script, value_origin(value));
    bool number = value.type == VALUE_INT || value.type == VALUE_NUMERIC;
    *term = (struct term){.filled = true, .literal = true};
    if (!number && value.type != VALUE_FLOAT && value.type != VALUE_STRING) {
        return false;
    }
    term->class = value.type == VALUE_STRING ? TERM_TEXT : TERM_NUMBER;
    value_str(value, &text);
    if (variable) {
        strbuf_addf(out, ":%s", variable);
    } else if (number && strspn(strbuf_text(&text), "-.0123456789") == text.size) {
        strbuf_add(out, strbuf_text(&text), text.size);
    } else {
        quote_literal(out, strbuf_text(&text), text.size);
    }
    strbuf_free(&text);
    return true;
}

/* Part of a sum. A variable or a constant in quotes has no type by itself. */
static bool write_operand(struct predicate *to, const struct residual *residual, struct term *term,
                          struct strbuf *out)
{
    bool nested = residual->kind == RESIDUAL_BINARY;
    size_t start = out->size + nested;
    strbuf_adds(out, nested ? "(" : "");
    if (!term_write(to, residual, term, out) || term->class != TERM_NUMBER) {
        return false;
    }
    bool untyped = out->data[start] == ':' || out->data[start] == '\'';
    strbuf_adds(out, nested ? ")" : term->literal && untyped ? "::numeric" : "");
    return true;
}

/* Terms. */

static bool write_sum(struct predicate *to, const struct residual *residual, struct term *term,
                      struct strbuf *out)
{
    struct term left;
    struct term right;
    const char *op = residual->op == BINARY_ADD   ? " + "
                     : residual->op == BINARY_SUB ? " - "
                     : residual->op == BINARY_MUL ? " * "
                                                  : NULL;
    if (!op || !write_operand(to, residual->parts[0], &left, out)) {
        return false;
    }
    strbuf_adds(out, op);
    bool written = write_operand(to, residual->parts[1], &right, out);
    *term = (struct term){.class = TERM_NUMBER, .filled = written && left.filled && right.filled};
    return written;
}

bool filters_write(struct predicate *to, const struct residual *each, struct strbuf *out)
{
    for (size_t i = 2; i < each->count; i++) {
        bool several = each->parts[i]->kind == RESIDUAL_OR;
        strbuf_adds(out, i == 2 ? " WHERE " : " AND ");
        strbuf_adds(out, several ? "(" : "");
        if (!to->condition(to, each->parts[i], false, out)) {
            return false;
        }
        strbuf_adds(out, several ? ")" : "");
    }
    return true;
}

/* sum(row.n for row in result.rows), len([…]), min, max */
static bool write_aggregate(struct predicate *to, const struct residual *residual,
                            struct term *term, struct strbuf *out)
{
    const struct residual *each = residual->parts[0];
    bool sum = strcmp(residual->name, "sum") == 0;
    bool count = strcmp(residual->name, "len") == 0;
    if (each->kind != RESIDUAL_EACH || !answer_is_rows(each->parts[1]) || to->each) {
        return false;
    }
    to->others = true;
    to->each = each;
    strbuf_adds(out, sum ? "(SELECT coalesce(" : "(SELECT ");
    strbuf_addf(out, "%s(", count ? "count" : residual->name);
    struct term item = {.class = TERM_NUMBER};
    bool written = count || term_write(to, each->parts[0], &item, out);
    strbuf_adds(out, count ? "*)" : sum ? "), 0)" : ")");
    answer_write_from(to, out);
    written = written && item.class == TERM_NUMBER && filters_write(to, each, out);
    strbuf_addc(out, ')');
    to->each = NULL;
    to->nullable = to->nullable || !(sum || count);
    *term = (struct term){.class = TERM_NUMBER, .filled = sum || count};
    return written;
}

static bool write_call(struct predicate *to, const struct residual *residual, struct term *term,
                       struct strbuf *out)
{
    static const struct {
        const char *name;
        enum term_class class;
        const char *sql;
    } functions[] = {{"len", TERM_TEXT, "char_length"}, {"abs", TERM_NUMBER, "abs"}};
    static const char *const aggregates[] = {"sum", "len", "min", "max"};
    if (residual->count != 1) {
        return false;
    }
    for (size_t i = 0; i < sizeof aggregates / sizeof *aggregates; i++) {
        if (residual->parts[0]->kind == RESIDUAL_EACH &&
            strcmp(aggregates[i], residual->name) == 0) {
            return write_aggregate(to, residual, term, out);
        }
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].name, residual->name) == 0) {
            strbuf_addf(out, "%s(", functions[i].sql);
            bool written = term_write(to, residual->parts[0], term, out) &&
                           term->class == functions[i].class && !term->literal;
            strbuf_addc(out, ')');
            *term = (struct term){.class = TERM_NUMBER};
            return written;
        }
    }
    return false;
}

bool term_write(struct predicate *to, const struct residual *residual, struct term *term,
                struct strbuf *out)
{
    struct cell cell;
    if (is_count(residual)) {
        *term = (struct term){.class = TERM_NUMBER, .filled = true};
        count_write(to, out);
        return true;
    }
    if (answer_find_cell(to, residual, &cell)) {
        return write_cell(to, &cell, term, out);
    }
    switch (residual->kind) {
    case RESIDUAL_VALUE:
        return constant_write(to, residual->value, term, out);
    case RESIDUAL_MINUS:
        strbuf_adds(out, "-");
        return write_operand(to, residual->parts[0], term, out);
    case RESIDUAL_BINARY:
        return write_sum(to, residual, term, out);
    case RESIDUAL_CALL:
        return write_call(to, residual, term, out);
    case RESIDUAL_LOCAL:
    case RESIDUAL_VARIABLE:
    case RESIDUAL_ATTR:
    case RESIDUAL_INDEX:
    case RESIDUAL_NOT:
    case RESIDUAL_AND:
    case RESIDUAL_OR:
    case RESIDUAL_METHOD:
    case RESIDUAL_EACH:
    default:
        return false;
    }
}
