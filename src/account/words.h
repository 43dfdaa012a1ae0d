/* Parts of an account: values and texts as they are shown. */
#ifndef ACCOUNT_WORDS_H
#define ACCOUNT_WORDS_H

#include "account/account.h"

/* Where texts go, and the names that ids are shown by. */
struct words {
    struct arena *arena;
    const struct show_names *names;
};

/* NULL of NULL. */
const char *words_text(const struct words *words, const char *text, size_t limit);
const char *words_name(const struct words *words, const char *name);
const char *words_value(const struct words *words, struct value value);
void words_pair(const struct words *words, struct account_pairs *pairs, const char *name,
                const char *value);
struct account_error words_error(const struct words *words, const struct server_error *error);
struct account_columns words_columns(const struct words *words, const struct answer_column *columns,
                                     size_t count);
/* NULL of NULL. */
const struct account_cell *words_cells(const struct words *words, const struct shown_cell *cells,
                                       size_t count);

#endif
