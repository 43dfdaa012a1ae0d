#include "init/adjust.h"

#include "base/visible.h"

#include <stdio.h>
#include <string.h>

/* Places in the text, as bytes. */
struct block {
    size_t start; /* of the line with the name, whose number is `line`, from 1 */
    size_t line;
    size_t end;
    size_t name, name_size;
    const char *noun; /* "rule" */
};

static size_t line_end(const struct strbuf *text, size_t at)
{
    const char *end = memchr(text->data + at, '\n', text->size - at);
    return end ? (size_t)(end - text->data) + 1 : text->size;
}

static size_t indentation(const struct strbuf *text, size_t at)
{
    size_t size = 0;
    while (at + size < text->size && text->data[at + size] == ' ') {
        size++;
    }
    return size;
}

static bool line_begins(const struct strbuf *text, size_t at, const char *with)
{
    size_t size = strlen(with);
    return text->size - at >= size && memcmp(text->data + at, with, size) == 0;
}

/* The noun for blocks of the section that a line begins; NULL if it begins none. */
static const char *section(const struct strbuf *text, size_t at)
{
    return line_begins(text, at, "rules:")        ? "rule"
           : line_begins(text, at, "invariants:") ? "invariant"
                                                  : NULL;
}

/* Finds the rule or invariant that contains the line; its name is indented by two. False if there
 * is none. */
static bool find_block(const struct strbuf *text, size_t line, struct block *out)
{
    enum { OF_NAME = 2 };
    const char *noun = NULL;
    size_t number = 1;
    struct block block = {0};
    for (size_t at = 0; at < text->size; at = line_end(text, at), number++) {
        size_t deep = indentation(text, at);
        if (deep > OF_NAME) {
            continue;
        }
        if (block.noun && number > line) {
            block.end = at;
            break;
        }
        noun = deep == 0 ? section(text, at) : noun;
        block = (struct block){.start = at, .line = number, .end = text->size, .name = at + deep};
        block.noun = deep == OF_NAME && text->data[at + deep] != '#' ? noun : NULL;
        block.name_size = strcspn(text->data + block.name, ":\n");
        if (!block.noun && number >= line) {
            break;
        }
    }
    *out = block;
    return block.noun && line < number;
}

/* Replaces bytes of the text. */
static void splice(struct strbuf *text, size_t start, size_t end, const struct strbuf *with)
{
    struct strbuf out = {0};
    strbuf_add(&out, text->data, start);
    strbuf_add(&out, with->data ? with->data : "", with->size);
    strbuf_add(&out, text->data + end, text->size - end);
    strbuf_free(text);
    *text = out;
}

/* Appends a comment on one line, even if a server's message has several: "Weakened: rule insert_a
 * …: why." */
static void add_comment(struct strbuf *out, const char *head, const char *what, const char *why)
{
    strbuf_adds(out, head);
    visible_adds(out, VISIBLE_LINE, what);
    strbuf_adds(out, *why ? ": " : "");
    visible_adds(out, VISIBLE_LINE, why);
    strbuf_adds(out, ".\n");
}

static void add_weakened(struct strbuf *out, const struct strbuf *text, const struct block *block,
                         const char *how, const char *why)
{
    struct strbuf what = {0};
    strbuf_addf(&what, "%s %.*s %s", block->noun, (int)block->name_size, text->data + block->name,
                how);
    add_comment(out, "    # Weakened: ", strbuf_text(&what), why);
    strbuf_free(&what);
}

static void leave_out_block(struct strbuf *text, const struct block *block, const char *why)
{
    struct strbuf what = {0};
    struct strbuf comment = {0};
    strbuf_addf(&what, "%s %.*s", block->noun, (int)block->name_size, text->data + block->name);
    add_comment(&comment, "  # Left out: ", strbuf_text(&what), why);
    splice(text, block->start, block->end, &comment);
    strbuf_free(&what);
    strbuf_free(&comment);
}

/* The line of a key of the block; SIZE_MAX if it does not have the key. */
static size_t find_key(const struct strbuf *text, const struct block *block, const char *key)
{
    for (size_t at = block->start; at < block->end; at = line_end(text, at)) {
        if (line_begins(text, at, key)) {
            return at;
        }
    }
    return SIZE_MAX;
}

/* Appends an item to the list of possible errors. False if that is impossible, or if the item is
 * there already and did not help. */
static bool widen(struct strbuf *text, const struct block *block, const char *item,
                  const struct strbuf *comment)
{
    static const char key[] = "    raises: '";
    size_t at = find_key(text, block, key);
    bool there = at != SIZE_MAX;
    size_t end = there ? line_end(text, at) : line_end(text, block->start);
    size_t size = strlen(item);
    struct strbuf line = {0};
    if (there && (memcmp(text->data + end - 2, "'\n", 2) != 0 ||
                  memmem(text->data + at, end - at, item, size))) {
        return false;
    }
    strbuf_add(&line, comment->data, comment->size);
    if (there) {
        strbuf_add(&line, text->data + at, end - 2 - at);
        strbuf_addf(&line, " + [%s]'\n", item);
    } else {
        strbuf_addf(&line, "%s[None, %s]'\n", key, item);
    }
    splice(text, there ? at : end, end, &line);
    strbuf_free(&line);
    return true;
}

/* Allows one more error, or none. */
static bool expect_more(struct strbuf *text, const struct block *block,
                        const struct adjustment *adjustment)
{
    struct strbuf how = {0};
    struct strbuf comment = {0};
    char item[16] = "None";
    if (*adjustment->sqlstate) {
        (void)snprintf(item, sizeof item, "\"%s\"", adjustment->sqlstate);
        strbuf_addf(&how, "may raise %s", adjustment->sqlstate);
    } else {
        strbuf_adds(&how, "may succeed where the model foretells an error");
    }
    add_weakened(&comment, text, block, strbuf_text(&how), adjustment->why);
    bool done = widen(text, block, item, &comment);
    strbuf_free(&how);
    strbuf_free(&comment);
    return done;
}

/* Removes the line of one of the keys. */
static bool drop_line(struct strbuf *text, const struct block *block,
                      const struct adjustment *adjustment)
{
    static const char *const keys[] = {"    affects: ", "    check: "};
    struct strbuf comment = {0};
    size_t at = 0;
    for (size_t number = 1; number < adjustment->line; number++) {
        at = line_end(text, at);
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (line_begins(text, at, keys[i])) {
            add_weakened(&comment, text, block, "is not compared", adjustment->why);
            splice(text, at, line_end(text, at), &comment);
            strbuf_free(&comment);
            return true;
        }
    }
    return false;
}

/* Weakens a rule that fails. False if it can't be weakened. */
static bool weaken(struct strbuf *text, const struct block *block,
                   const struct adjustment *adjustment)
{
    if (strcmp(block->noun, "rule") != 0 || adjustment->mistake) {
        return false;
    }
    return *adjustment->sqlstate
               ? expect_more(text, block, adjustment)
               : drop_line(text, block, adjustment) || expect_more(text, block, adjustment);
}

size_t adjust_text(struct strbuf *text, const struct adjustment *adjustment)
{
    struct block block = {0};
    if (!find_block(text, adjustment->line, &block)) {
        return 0;
    }
    if (!weaken(text, &block, adjustment)) {
        leave_out_block(text, &block, adjustment->why);
    }
    return block.line;
}
