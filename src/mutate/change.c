#include "mutate/change.h"

#include "base/strbuf.h"
#include "base/vec.h"
#include "sql/lex.h"

#include <string.h>
#include <strings.h>

/* A text as tokens. */
struct tokens {
    const char *text;
    VEC(struct sql_token) items;
};

/* Adds the tokens between two places. False: not all of it can be read as SQL. */
static bool read_tokens(struct tokens *tokens, size_t start, size_t end, struct arena *arena)
{
    struct sql_lexer lexer = {.text = tokens->text, .size = end, .at = start};
    struct sql_token token;
    while ((token = sql_lex(&lexer)).kind != SQL_TOKEN_END && token.kind != SQL_TOKEN_BAD) {
        *VEC_PUSH(arena, &tokens->items) = token;
    }
    return token.kind == SQL_TOKEN_END;
}

/* A body between dollars, which the token just added is, as tokens of its own. */
static void open_body(struct tokens *tokens, struct arena *arena)
{
    size_t count = tokens->items.count;
    struct sql_token whole = tokens->items.items[count - 1];
    tokens->items.items[count - 1].end = whole.inner_start;
    if (read_tokens(tokens, whole.inner_start, whole.inner_end, arena)) {
        *VEC_PUSH(arena, &tokens->items) = (struct sql_token){
            .kind = SQL_TOKEN_DOLLAR, .start = whole.inner_end, .end = whole.end};
    } else {
        tokens->items.count = count;
        tokens->items.items[count - 1] = whole;
    }
}

static struct tokens tokens_of(const char *text, size_t size, struct arena *arena)
{
    struct tokens tokens = {.text = text};
    struct sql_lexer lexer = {.text = text, .size = size};
    struct sql_token token;
    while ((token = sql_lex(&lexer)).kind != SQL_TOKEN_END && token.kind != SQL_TOKEN_BAD) {
        *VEC_PUSH(arena, &tokens.items) = token;
        if (token.kind == SQL_TOKEN_DOLLAR) {
            open_body(&tokens, arena);
        }
    }
    return tokens;
}

/* Upper case is lower case, but in what has quotes. */
static bool is_equal(const struct tokens *a, size_t i, const struct tokens *b, size_t j)
{
    const struct sql_token *x = &a->items.items[i];
    const struct sql_token *y = &b->items.items[j];
    size_t size = x->end - x->start;
    if (size != y->end - y->start) {
        return false;
    }
    return x->kind == SQL_TOKEN_WORD
               ? strncasecmp(a->text + x->start, b->text + y->start, size) == 0
               : memcmp(a->text + x->start, b->text + y->start, size) == 0;
}

/* How many tokens before these places are equal, up to so many. */
static size_t equal_before(const struct tokens *a, size_t i, const struct tokens *b, size_t j)
{
    size_t count = 0;
    while (count < i && count < j && is_equal(a, i - count - 1, b, j - count - 1)) {
        count++;
    }
    return count;
}

static size_t equal_from(const struct tokens *a, size_t i, const struct tokens *b, size_t j)
{
    size_t count = 0;
    while (i + count < a->items.count && j + count < b->items.count &&
           is_equal(a, i + count, b, j + count)) {
        count++;
    }
    return count;
}

/* Where a token begins; behind the last one: where that ends. */
static size_t start_of(const struct tokens *tokens, size_t index)
{
    size_t count = tokens->items.count;
    return index < count ? tokens->items.items[index].start
           : count       ? tokens->items.items[count - 1].end
                         : 0;
}

static size_t end_before(const struct tokens *tokens, size_t index)
{
    return index ? tokens->items.items[index - 1].end : 0;
}

/* Tokens [first, last) of a text. */
struct range {
    size_t first, last;
};

static size_t range_start(const struct tokens *tokens, struct range range)
{
    return range.first < range.last ? start_of(tokens, range.first)
                                    : end_before(tokens, range.first);
}

static size_t range_end(const struct tokens *tokens, struct range range)
{
    return range.first < range.last ? end_before(tokens, range.last)
                                    : end_before(tokens, range.first);
}

struct change change_between(const char *was, const char *becomes, struct arena *arena)
{
    struct tokens old = tokens_of(was, strlen(was), arena);
    struct tokens new = tokens_of(becomes, strlen(becomes), arena);
    size_t same = equal_from(&old, 0, &new, 0);
    struct range of_old = {same, old.items.count};
    struct range of_new = {same, new.items.count};
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
static void drop_casts(struct tokens *tokens)
{
    size_t kept = 0;
    for (size_t i = 0; i < tokens->items.count; i++) {
        const struct sql_token *token = &tokens->items.items[i];
        if (token->end - token->start == 2 && memcmp(tokens->text + token->start, "::", 2) == 0) {
            i++;
        } else {
            tokens->items.items[kept++] = *token;
        }
    }
    tokens->items.count = kept;
}

/* Which tokens a range of bytes has. */
static struct range tokens_in(const struct tokens *tokens, size_t start, size_t end)
{
    struct range range = {0, 0};
    while (range.first < tokens->items.count && tokens->items.items[range.first].end <= start) {
        range.first++;
    }
    range.last = range.first;
    while (range.last < tokens->items.count && tokens->items.items[range.last].start < end) {
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
static bool find_place(const struct tokens *old, struct range gone, const struct tokens *text,
                       size_t earlier, struct place *best)
{
    size_t size = gone.last - gone.first;
    size_t most = old->items.count - size;
    *best = (struct place){0};
    for (size_t i = 0; i + size <= text->items.count; i++) {
        if (equal_from(old, gone.first, text, i) < size) {
            continue;
        }
        size_t before = equal_before(old, gone.first, text, i);
        size_t around =
            before +
            (gone.last < old->items.count ? equal_from(old, gone.last, text, i + size) : 0);
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
static bool is_there(const struct tokens *old, struct range gone, const struct place *place)
{
    size_t most = old->items.count - (gone.last - gone.first);
    bool beside = (gone.first == 0 || place->before > 0) &&
                  (gone.last == old->items.count || place->around > place->before);
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
    struct tokens old = tokens_of(between->text, between->size, &arena);
    struct tokens new = tokens_of(text, size, &arena);
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

static bool is_char(const struct tokens *tokens, size_t index, char c)
{
    const struct sql_token *token = &tokens->items.items[index];
    return token->end - token->start == 1 && tokens->text[token->start] == c;
}

void change_tidy(struct change *change)
{
    struct arena arena = {0};
    struct tokens tokens = tokens_of(change->text, change->size, &arena);
    struct range gone = tokens_in(&tokens, change->at, change->at + change->removed);
    struct sql_lexer lexer = {.text = change->text, .size = change->size};
    if (gone.first > 1 && sql_token_is(&lexer, &tokens.items.items[gone.first - 2], "CONSTRAINT")) {
        gone.first -= 2;
    }
    bool ends = gone.last < tokens.items.count &&
                (is_char(&tokens, gone.last, ',') || is_char(&tokens, gone.last, ')'));
    if (ends && gone.first > 0 && is_char(&tokens, gone.first - 1, ',')) {
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
