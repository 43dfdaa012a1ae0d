/* Tables of an account: what a step wrote to them. */
#ifndef ACCOUNT_TABLE_H
#define ACCOUNT_TABLE_H

#include "account/words.h"
#include "example/tables.h"

/* Adds what changed. */
void account_add_tables(const struct words *words, const struct example *example,
                        const struct table_changes *changes, struct account_tables *out);

#endif
