#include "support/literal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The statement with its parameters written out. */
/* The size of a parameter's name, `n` or `read.a`, but not `d` in `d.items()`. */
static size_t parameter_size(const char *name)
{
    static const char chars[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    size_t size = strspn(name, chars);
    size_t part = name[size] == '.' ? strspn(name + size + 1, chars) : 0;
    return part && name[size + 1 + part] != '(' ? size + 1 + part : size;
}

static const char *written_out(struct fake *fake, const struct fake_call *call)
{
    struct strbuf text = {0};
    size_t next = 0;
    for (const char *at = call->sql; *at; at++) {
        if (*at == ':' && (isalpha((unsigned char)at[1]) || at[1] == '_')) {
            value_repr(call->values[next++], &text);
            at += parameter_size(at + 1);
        } else {
            strbuf_addc(&text, *at);
        }
    }
    const char *copy = strbuf_copy(&text, &fake->arena);
    strbuf_free(&text);
    return copy;
}

static void answer_rows(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    const char *text = written_out(fake, call) + strlen("ROWS ");
    const char *rows = strstr(text, " = ");
    if (!rows) {
        (void)fprintf(stderr, "no ` = ` in: %s\n", call->sql);
        abort();
    }
    fake_rows(reply, arena_strndup(&fake->arena, text, (size_t)(rows - text)), rows + 3);
}

static void answer_count(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    fake_count(reply, strtol(written_out(fake, call) + strlen("COUNT "), NULL, 10));
}

/* The next word, or NULL for `-`. */
static const char *word(struct fake *fake, const char **text)
{
    *text += strspn(*text, " ");
    size_t size = strcspn(*text, " ");
    const char *start = *text;
    *text += size;
    return size == 0 || (size == 1 && *start == '-') ? NULL
                                                     : arena_strndup(&fake->arena, start, size);
}

static void answer_error(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    const char *text = written_out(fake, call) + strlen("FAIL ");
    const char *sqlstate = word(fake, &text);
    const char *constraint = word(fake, &text);
    const char *table = word(fake, &text);
    const char *position = strchr(sqlstate, '@');
    fake_error(reply, sqlstate, *text ? text + 1 : "an error", constraint, table);
    reply->answer.error.position = position ? (int)strtol(position + 1, NULL, 10) : 0;
}

const struct fake_script literal_script[] = {
    {"ROWS *", answer_rows}, {"COUNT *", answer_count}, {"FAIL *", answer_error}, {NULL, NULL}};
