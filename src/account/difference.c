#include "account/words.h"
#include "example/divergence.h"

static struct account_columns columns_of(const struct words *words, const struct failure *failure)
{
    const char **names = ARENA_ARRAY(words->arena, const char *, failure->column_count);
    for (size_t i = 0; i < failure->column_count; i++) {
        names[i] = words_name(words, failure->columns[i]);
    }
    return (struct account_columns){names, failure->column_count};
}

static void add_rows(const struct words *words, const struct failure *failure,
                     struct account_difference *out)
{
    out->columns = columns_of(words, failure);
    out->row_count = failure->difference_count;
    for (size_t i = 0; i < failure->differences.count; i++) {
        const struct difference *row = &failure->differences.items[i];
        *VEC_PUSH(words->arena, &out->rows) = (struct account_row_difference){
            .kind = row->kind,
            .place = row->place,
            .expected = words_cells(words, row->expected, failure->column_count),
            .actual = words_cells(words, row->actual, failure->column_count),
        };
    }
}

static void add_pairs(const struct words *words, const struct failure *failure,
                      struct account_difference *out)
{
    for (size_t i = 0; i < failure->fors.count; i++) {
        const struct shown_arg *arg = &failure->fors.items[i];
        words_pair(words, &out->fors, arg->name,
                   arg->reference ? words_name(words, arg->reference)
                                  : words_value(words, arg->value));
    }
    for (size_t i = 0; i < failure->settings.count; i++) {
        const struct shown_setting *setting = &failure->settings.items[i];
        words_pair(words, &out->settings, setting->name,
                   words_text(words, setting->value, ACCOUNT_VALUE));
    }
}

static void add_divergence(const struct words *words, const struct failure *failure,
                           struct account_difference *out)
{
    const struct divergence *divergence = failure->divergence;
    if (!divergence) {
        return;
    }
    out->differs = divergence_kind_name(divergence->kind);
    out->place = failure->at_end ? words_name(words, divergence->place) : NULL;
    if (divergence->error_before) {
        out->error_before = words_error(words, divergence->error_before);
    }
    if (divergence->error_after) {
        out->error_after = words_error(words, divergence->error_after);
    }
}

struct account_difference account_difference(struct arena *arena, const struct show_names *names,
                                             const struct failure *failure)
{
    const struct words words = {arena, names};
    struct account_difference out = {
        .kind = failure->kind,
        .invariant = words_name(&words, failure->invariant ? failure->invariant->name : NULL),
        .rule = words_name(&words, failure->rule ? failure->rule->name : NULL),
        .step = failure->step,
        .sql = failure->sql ? show_sql(arena, failure->sql, 0, ACCOUNT_LINES) : NULL,
        .context = words_text(&words, failure->context, ACCOUNT_VALUE),
        .expected = words_text(&words, failure->expected, ACCOUNT_TEXT),
        .actual = words_text(&words, failure->actual, ACCOUNT_TEXT),
        .check = words_text(&words, failure->check, ACCOUNT_TEXT),
        .left = words_text(&words, failure->sides.left, ACCOUNT_TEXT),
        .right = words_text(&words, failure->sides.right, ACCOUNT_TEXT),
        .returned = words_text(&words, failure->returned, ACCOUNT_TEXT),
        .hint = words_text(&words, failure->hint, ACCOUNT_TEXT),
        .error = words_error(&words, &failure->error),
    };
    add_divergence(&words, failure, &out);
    add_pairs(&words, failure, &out);
    add_rows(&words, failure, &out);
    return out;
}
