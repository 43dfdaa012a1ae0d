#include "mutate/change.h"

#include "base/strbuf.h"
#include "sql/tokens.h"

#include <string.h>

static void add_end(struct sql_list *list, size_t start, size_t end)
{
    *VEC_PUSH(list->arena, &list->tokens) =
        (struct sql_listed){.kind = SQL_TOKEN_DOLLAR, .start = start, .end = end, .word = ""};
}

/* A body between dollars becomes tokens of its own, if all of it can be read as SQL. */
static void add_token(struct sql_list *list, const struct sql_listed *token)
{
    size_t from = token->inner_start;
    struct sql_list body = {
        .text = list->text + from, .size = token->inner_end - from, .arena = list->arena};
    if (token->kind != SQL_TOKEN_DOLLAR || !sql_list_read(&body)) {
        *VEC_PUSH(list->arena, &list->tokens) = *token;
        return;
    }
    add_end(list, token->start, from);
    for (size_t i = 0; i < body.tokens.count; i++) {
        struct sql_listed *inner = VEC_PUSH(list->arena, &list->tokens);
        *inner = body.tokens.items[i];
        inner->start += from;
        inner->end += from;
    }
    add_end(list, token->inner_end, token->end);
}

static struct sql_list tokens_of(const char *text, size_t size, struct arena *arena)
{
    struct sql_list whole = {.text = text, .size = size, .arena = arena};
    struct sql_list list = whole;
    (void)sql_list_read(&whole);
    for (size_t i = 0; i < whole.tokens.count; i++) {
        add_token(&list, &whole.tokens.items[i]);
    }
    return list;
}

/* Upper case is lower case, but in what has quotes. */
static bool is_equal(const struct sql_list *a, size_t i, const struct sql_list *b, size_t j)
{
    const struct sql_listed *x = &a->tokens.items[i];
    const struct sql_listed *y = &b->tokens.items[j];
    size_t size = x->end - x->start;
    return *x->word ? strcmp(x->word, y->word) == 0
                    : size == y->end - y->start &&
                          memcmp(a->text + x->start, b->text + y->start, size) == 0;
}

/* How many tokens before these places are equal, up to so many. */
static size_t equal_before(const struct sql_list *a, size_t i, const struct sql_list *b, size_t j)
{
    size_t count = 0;
    while (count < i && count < j && is_equal(a, i - count - 1, b, j - count - 1)) {
        count++;
    }
    return count;
}

static size_t equal_from(const struct sql_list *a, size_t i, const struct sql_list *b, size_t j)
{
    size_t count = 0;
    while (i + count < a->tokens.count && j + count < b->tokens.count &&
           is_equal(a, i + count, b, j + count)) {
        count++;
    }
    return count;
}

/* Where a token begins; behind the last one: where that ends. */
static size_t start_of(const struct sql_list *tokens, size_t index)
{
    size_t count = tokens->tokens.count;
    return index < count ? tokens->tokens.items[index].start
           : count       ? tokens->tokens.items[count - 1].end
                         : 0;
}

static size_t end_before(const struct sql_list *tokens, size_t index)
{
    return index ? tokens->tokens.items[index - 1].end : 0;
}

/* Tokens [first, last) of a text. */
struct range {
    size_t first, last;
};

static size_t range_start(const struct sql_list *tokens, struct range range)
{
    return range.first < range.last ? start_of(tokens, range.first)
                                    : end_before(tokens, range.first);
}

static size_t range_end(const struct sql_list *tokens, struct range range)
{
    return range.first < range.last ? end_before(tokens, range.last)
                                    : end_before(tokens, range.first);
}

struct change change_between(const char *was, const char *becomes, struct arena *arena)
{
    struct sql_list old = tokens_of(was, strlen(was), arena);
    struct sql_list new = tokens_of(becomes, strlen(becomes), arena);
    size_t same = equal_from(&old, 0, &new, 0);
    struct range of_old = {same, old.tokens.count};
    struct range of_new = {same, new.tokens.count};
    while (of_old.last > same && of_new.last > same &&
           is_equal(&old, of_old.last - 1, &new, of_new.last - 1)) {
        of_old.last--;
        of_new.last--;
    }
    size_t start = range_start(&new, of_new);
    size_t at = range_start(&old, of_old);
    return (struct change){
        .text = was,
        .size = strlen(was),
        .at = at,
        .removed = range_end(&old, of_old) - at,
        .added = arena_strndup(arena, becomes + start, range_end(&new, of_new) - start),
    };
}

/* Leaves out casts, `::text`, which the catalog adds to what people write. */
static void drop_casts(struct sql_list *tokens)
{
    size_t kept = 0;
    for (size_t i = 0; i < tokens->tokens.count; i++) {
        if (sql_is(tokens, i, "::")) {
            i++;
        } else {
            tokens->tokens.items[kept++] = tokens->tokens.items[i];
        }
    }
    tokens->tokens.count = kept;
}

/* Which tokens a range of bytes has. */
static struct range tokens_in(const struct sql_list *tokens, size_t start, size_t end)
{
    struct range range = {0, 0};
    while (range.first < tokens->tokens.count && tokens->tokens.items[range.first].end <= start) {
        range.first++;
    }
    range.last = range.first;
    while (range.last < tokens->tokens.count && tokens->tokens.items[range.last].start < end) {
        range.last++;
    }
    return range;
}

/* A place where the removed tokens stand, and how many tokens around it are the same, too. */
struct place {
    size_t token;
    size_t before;
    size_t around;
    size_t equals; /* places like it so far */
};

/* The best place; of several that are as good the one with that number, if they are so in full. */
static bool find_place(const struct sql_list *old, struct range gone, const struct sql_list *text,
                       size_t earlier, struct place *best)
{
    size_t size = gone.last - gone.first;
    size_t most = old->tokens.count - size;
    *best = (struct place){0};
    for (size_t i = 0; i + size <= text->tokens.count; i++) {
        if (equal_from(old, gone.first, text, i) < size) {
            continue;
        }
        size_t before = equal_before(old, gone.first, text, i);
        size_t around =
            before +
            (gone.last < old->tokens.count ? equal_from(old, gone.last, text, i + size) : 0);
        if (best->equals == 0 || around > best->around) {
            *best = (struct place){i, before, around, 1};
        } else if (around == best->around && best->equals++ == earlier && around == most) {
            best->token = i;
        }
    }
    return best->equals == 1 || (best->equals > earlier && best->around == most);
}

/* Whether it is the same thing that stands there: the words on both sides are the same, and around
 * what is added most of them. */
static bool is_there(const struct sql_list *old, struct range gone, const struct place *place)
{
    size_t most = old->tokens.count - (gone.last - gone.first);
    bool beside = (gone.first == 0 || place->before > 0) &&
                  (gone.last == old->tokens.count || place->around > place->before);
    bool adds = gone.last == gone.first;
    return place->around == most || (beside && (!adds || 2 * place->around > most));
}

enum casts { CASTS_KEPT, CASTS_DROPPED };

struct search {
    const struct change *between;
    size_t earlier;
    enum casts casts;
};

static bool find_change(const struct search *search, const char *text, size_t size,
                        struct change *out)
{
    const struct change *between = search->between;
    struct arena arena = {0};
    struct sql_list old = tokens_of(between->text, between->size, &arena);
    struct sql_list new = tokens_of(text, size, &arena);
    if (search->casts == CASTS_DROPPED) {
        drop_casts(&old);
        drop_casts(&new);
    }
    struct range gone = tokens_in(&old, between->at, between->at + between->removed);
    struct place place;
    if (between->removed == 0) {
        gone.last = gone.first;
    }
    bool found =
        find_place(&old, gone, &new, search->earlier, &place) && is_there(&old, gone, &place);
    if (found) {
        struct range range = {place.token, place.token + (gone.last - gone.first)};
        size_t at = range_start(&new, range);
        *out = (struct change){text, size, at, range_end(&new, range) - at, between->added};
    }
    arena_free(&arena);
    return found;
}

bool change_find(const struct change *between, const char *text, size_t size, size_t earlier,
                 struct change *out)
{
    return find_change(&(struct search){between, earlier, CASTS_KEPT}, text, size, out) ||
           find_change(&(struct search){between, earlier, CASTS_DROPPED}, text, size, out);
}

void change_tidy(struct change *change)
{
    struct arena arena = {0};
    struct sql_list tokens = tokens_of(change->text, change->size, &arena);
    struct range gone = tokens_in(&tokens, change->at, change->at + change->removed);
    if (gone.first > 1 && sql_is(&tokens, gone.first - 2, "CONSTRAINT")) {
        gone.first -= 2;
    }
    bool ends = sql_is(&tokens, gone.last, ",") || sql_is(&tokens, gone.last, ")");
    if (ends && gone.first > 0 && sql_is(&tokens, gone.first - 1, ",")) {
        gone.first--;
    }
    change->at = range_start(&tokens, gone);
    change->removed = range_end(&tokens, gone) - change->at;
    arena_free(&arena);
}

const char *change_after(const struct change *change, struct arena *arena)
{
    size_t end = change->at + change->removed;
    return arena_printf(arena, "%.*s%s%.*s", (int)change->at, change->text, change->added,
                        (int)(change->size - end), change->text + end);
}

enum { LINES = 3 /* of a statement that are shown before a change, and behind it */ };

static size_t count_lines(const char *text, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++) {
        count += text[i] == '\n';
    }
    return count;
}

/* Behind so many ends of lines. */
static size_t line_at(const char *text, size_t size, size_t number)
{
    size_t at = 0;
    while (at < size && number) {
        number -= text[at++] == '\n';
    }
    return at;
}

const char *change_head(const struct change *change, struct arena *arena)
{
    size_t lines = count_lines(change->text, change->at);
    if (lines <= LINES) {
        return arena_strndup(arena, change->text, change->at);
    }
    size_t from = line_at(change->text, change->at, lines - 1);
    return arena_printf(arena, "%.*s    …\n%.*s", (int)line_at(change->text, change->at, 1),
                        change->text, (int)(change->at - from), change->text + from);
}

const char *change_tail(const struct change *change, struct arena *arena)
{
    const char *text = change->text + change->at + change->removed;
    size_t size = change->size - change->at - change->removed;
    if (count_lines(text, size) <= LINES) {
        return arena_strndup(arena, text, size);
    }
    return arena_printf(arena, "%.*s    …", (int)line_at(text, size, LINES - 1), text);
}
