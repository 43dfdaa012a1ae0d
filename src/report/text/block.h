/* The block of one failure: shared by the files that write it. */
#ifndef REPORT_TEXT_BLOCK_H
#define REPORT_TEXT_BLOCK_H

#include "account/show.h"
#include "report/text/text.h"

enum { BLOCK_VALUE_WIDTH = 100 /* characters of a value, if not all is to be shown */ };

struct block {
    struct text *text;
    const struct failure *failure;
    struct show_names names;
};

/* The limit, or SHOW_ALL if the report shows everything. */
static inline size_t block_limit(const struct block *block, size_t limit)
{
    return block->text->options->whole ? (size_t)SHOW_ALL : limit;
}

/* What the two sides of a comparison are called. */
static inline const char *const *block_sides(const struct block *block)
{
    static const char *const model[] = {"expected", "actual"};
    static const char *const databases[] = {"before", "after"};
    return block->failure->divergence ? databases : model;
}

/* Writes the steps of `failure`, a line each; equal ones in a row share one. Returns whether all
 * was shown as it can be pasted. */
bool block_steps(struct block *block, const struct failure *failure);
/* Writes the statement that failed, the expected and the actual answer, or the server's error. */
void block_comparison(struct block *block);
/* Writes the rows that differ. */
void block_differences(struct block *block);
/* Since when the row is there, or gone, that is the difference at this index; NULL: it is not
 * known. In text->scratch. */
const char *block_since(struct block *block, size_t index);
/* Writes the line of the machine that the database contradicts, with the values of its names.
 * Returns false if these are not known, or there are none. */
bool block_why(struct block *block);
/* Writes the rows of tables that the last step wrote, if they are known. */
void block_wrote(struct block *block);

#endif
