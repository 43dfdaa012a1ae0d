/* Why the model expects what it does: the line of the machine that the database contradicts, and
 * the values that it reads. */
#include "report/text/block.h"

#include "account/account.h"
#include "base/utf8.h"

#include <string.h>

enum {
    INDENT = 7,
    LINES = 2,       /* of a value */
    ROOM_LEAST = 20, /* for it, however narrow the terminal is */
};

/* What is expected, if that is short. */
static const char *expected_text(const struct block *block)
{
    const struct failure *failure = block->failure;
    struct arena *arena = &block->text->scratch;
    if (failure->differences.count == 1 && failure->column_count == 1 &&
        failure->differences.items[0].kind == DIFFERENCE_CHANGED) {
        return show_value(arena, &block->names, failure->differences.items[0].expected->value,
                          BLOCK_VALUE_WIDTH);
    }
    return failure->expected ? show_text(arena, &block->names, failure->expected, BLOCK_VALUE_WIDTH)
                             : "it to hold";
}

static size_t widest_name(const struct account_source *source)
{
    size_t widest = 0;
    for (size_t i = 0; i < source->names.items.count; i++) {
        const char *name = source->names.items.items[i].name;
        size_t width = utf8_length(name, strlen(name));
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* In at most LINES lines, unless everything is shown. */
static const char *fitted_value(struct block *block, const char *value, size_t indent)
{
    size_t width = text_width(block->text);
    size_t most = width > indent + ROOM_LEAST ? LINES * (width - indent) - 2 : ROOM_LEAST;
    size_t size = strlen(value);
    return block->text->options->whole || utf8_length(value, size) <= most
               ? value
               : arena_printf(&block->text->scratch, "%.*s…",
                              (int)utf8_offset(value, size, most - 1), value);
}

bool block_why(struct block *block)
{
    const struct account *account = block->failure->account;
    const struct account_source *source = account ? &account->source : NULL;
    struct text *text = block->text;
    size_t start = text->out->size;
    if (!source || !source->file || !source->names.items.count) {
        return false;
    }
    if (block->failure->check) {
        strbuf_adds(text->out, "\n     what the check reads\n");
    } else {
        text_addf(text, "\n     why the model expects %s\n", expected_text(block));
    }
    text_addf(text, "%*s%s:%zu   %s\n", INDENT, "", source->file, source->line,
              source->text ? source->text : "");
    text_fold(text, start, INDENT + 2);
    size_t widest = widest_name(source);
    size_t indent = INDENT + widest + 3;
    start = text->out->size;
    for (size_t i = 0; i < source->names.items.count; i++) {
        const struct account_pair *pair = &source->names.items.items[i];
        size_t width = utf8_length(pair->name, strlen(pair->name));
        text_addf(text, "%*s%s%*s   %s\n", INDENT, "", pair->name, (int)(widest - width), "",
                  fitted_value(block, pair->value, indent));
    }
    text_fold(text, start, indent);
    return true;
}
