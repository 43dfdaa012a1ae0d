/* Since when rows that differ are there, or gone: by what the invariant was answered after each
 * step. */
#include "report/text/block.h"

#include "account/account.h"

#include <string.h>

/* What the failure's invariant was answered after a step; NULL: not all of it is known. */
static const struct account_answer *answer_after(const struct account_step *step, bool *held)
{
    for (size_t i = 0; i < step->checks.count; i++) {
        const struct account_check *check = &step->checks.items[i];
        size_t count = check->statements.items.count;
        if (check->wanted && count) {
            const struct account_answer *answer = &check->statements.items.items[count - 1].answer;
            *held = check->differences.count == 0;
            return answer->given && answer->rows.count == answer->row_count ? answer : NULL;
        }
    }
    return NULL;
}

static bool is_row(const struct account_cell *row, const struct account_cell *other, size_t count)
{
    bool same = true;
    for (size_t i = 0; i < count && same; i++) {
        const char *a = row[i].text ? row[i].text : "";
        const char *b = other[i].text ? other[i].text : "";
        same = strcmp(a, b) == 0;
    }
    return same;
}

/* How often the answer has the row. */
static size_t count_in(const struct account_answer *answer, const struct account_cell *row,
                       size_t columns)
{
    size_t count = 0;
    for (size_t i = 0; answer->columns.count == columns && i < answer->rows.count; i++) {
        count += is_row(answer->rows.items[i], row, columns);
    }
    return count;
}

/* How often the row was there after each step that is known; the last is the one that failed. */
struct presence {
    size_t *counts;
    size_t *steps;
    size_t count;
    bool held; /* the invariant, after the last step but one */
};

static struct presence presence_of(struct arena *arena, const struct account *account,
                                   const struct account_cell *row, size_t columns)
{
    size_t all = account->steps.count;
    struct presence out = {.counts = ARENA_ARRAY(arena, size_t, all + 1),
                           .steps = ARENA_ARRAY(arena, size_t, all + 1)};
    bool held = false;
    for (size_t i = 0; i < all; i++) {
        const struct account_step *step = &account->steps.items[i];
        out.held = held;
        const struct account_answer *answer = answer_after(step, &held);
        if (!answer) {
            out.count = 0; /* what was before a gap says nothing */
            continue;
        }
        out.counts[out.count] = count_in(answer, row, columns);
        out.steps[out.count++] = step->number;
    }
    return out;
}

/* "came with step 2, ", "there from the start, ": the first of the known steps from which on the
 * row was always there, up to the one at `last`. Empty: it may have been there before them. */
static const char *since(struct arena *arena, const struct presence *presence, const char *words,
                         size_t last, const char *then)
{
    while (last > 0 && presence->counts[last - 1] > 0) {
        last--;
    }
    size_t step = presence->steps[last];
    if (step && last == 0) {
        return "";
    }
    return step ? arena_printf(arena, "%s step %zu%s", words, step, then)
                : arena_printf(arena, "there from the start%s", then);
}

static const char *missing_text(struct arena *arena, const struct presence *presence)
{
    size_t last = presence->count - 1;
    if (presence->counts[last] >= presence->counts[last - 1]) {
        return NULL;
    }
    return arena_printf(arena, "%sgone since step %zu",
                        since(arena, presence, "came with", last - 1, ", "), presence->steps[last]);
}

static const char *unexpected_text(struct arena *arena, const struct presence *presence)
{
    size_t last = presence->count - 1;
    if (presence->counts[last] > presence->counts[last - 1]) {
        return arena_printf(arena, "came with step %zu", presence->steps[last]);
    }
    if (!presence->counts[last] || presence->counts[last] < presence->counts[last - 1]) {
        return NULL;
    }
    const char *start = since(arena, presence, "there since", last, presence->held ? "; " : "");
    return presence->held
               ? arena_printf(arena, "%sstep %zu should remove it", start, presence->steps[last])
           : *start ? start
                    : NULL;
}

static const char *changed_text(struct arena *arena, const struct presence *presence)
{
    size_t last = presence->count - 1;
    return presence->counts[last] && presence->counts[last] == presence->counts[last - 1] &&
                   presence->held
               ? arena_printf(arena, "step %zu did not change it", presence->steps[last])
               : NULL;
}

/* The differences of the failure's check, as the account tells them. */
static const struct account_difference *told(const struct failure *failure)
{
    const struct account *account = failure->account;
    const struct account_step *last =
        account && account->steps.count ? &account->steps.items[account->steps.count - 1] : NULL;
    for (size_t i = 0; last && i < last->checks.count; i++) {
        const struct account_check *check = &last->checks.items[i];
        if (check->wanted && check->differences.count) {
            return &check->differences.items[0];
        }
    }
    return NULL;
}

const char *block_since(struct block *block, size_t index)
{
    static const char *(*const texts[])(struct arena *, const struct presence *) = {
        [DIFFERENCE_MISSING] = missing_text,
        [DIFFERENCE_UNEXPECTED] = unexpected_text,
        [DIFFERENCE_CHANGED] = changed_text,
    };
    const struct failure *failure = block->failure;
    const struct account_difference *difference = told(failure);
    struct arena *arena = &block->text->scratch;
    if (failure->divergence || !difference || index >= difference->rows.count ||
        difference->rows.count != failure->differences.count ||
        difference->columns.count != failure->column_count) {
        return NULL;
    }
    const struct account_row_difference *row = &difference->rows.items[index];
    const struct account_cell *cells = row->actual ? row->actual : row->expected;
    bool by_place = row->kind == DIFFERENCE_CHANGED && row->place;
    if (row->kind != failure->differences.items[index].kind || !cells || by_place) {
        return NULL;
    }
    struct presence presence = presence_of(arena, failure->account, cells, failure->column_count);
    return presence.count < 2 ? NULL : texts[row->kind](arena, &presence);
}
