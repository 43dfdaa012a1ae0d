#include "account/table.h"

#include "account/statement.h"

static void add_row(const struct words *words, const struct example *example,
                    const struct table_change *change, const struct table_row *row,
                    struct account_table *out)
{
    size_t count = change->column_count;
    *VEC_PUSH(words->arena, &out->rows) = (struct account_table_row){
        .before = statement_cells(words, example, change->columns, row->before, count),
        .after = statement_cells(words, example, change->columns, row->after, count),
        .since = row->since,
    };
}

void account_add_tables(const struct words *words, const struct example *example,
                        const struct table_changes *changes, struct account_tables *out)
{
    for (size_t i = 0; i < changes->tables.count; i++) {
        const struct table_change *change = &changes->tables.items[i];
        struct account_table *table = VEC_PUSH(words->arena, &out->items);
        table->name = show_name(words->arena, change->name);
        table->columns = words_columns(words, change->columns, change->column_count);
        table->why_not = words_text(words, change->why_not, ACCOUNT_VALUE);
        table->more = change->more;
        for (size_t j = 0; j < change->key_count; j++) {
            *VEC_PUSH(words->arena, &table->key) = change->key[j];
        }
        for (size_t j = 0; j < change->row_count && j < ACCOUNT_ROWS; j++) {
            add_row(words, example, change, &change->rows[j], table);
        }
        table->more += change->row_count - table->rows.count;
    }
}
