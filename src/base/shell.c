#include "base/shell.h"

#include "base/visible.h"

#include <string.h>

static bool is_shown_raw(const char *word, size_t size)
{
    struct strbuf safe = {0};
    visible_add(&safe, VISIBLE_LINE, word, size);
    bool raw = safe.size == size;
    strbuf_free(&safe);
    return raw;
}

/* $'…' of POSIX.1-2024, bash, ksh and zsh: bytes that a terminal would not show as they are. */
static void quote_bytes(struct strbuf *out, const char *word)
{
    strbuf_adds(out, "$'");
    for (; *word; word++) {
        unsigned char byte = (unsigned char)*word;
        if (byte < 0x20U || byte >= 0x7FU) {
            strbuf_addf(out, "\\%03o", (unsigned)byte);
        } else {
            strbuf_adds(out, byte == '\'' || byte == '\\' ? "\\" : "");
            strbuf_addc(out, *word);
        }
    }
    strbuf_addc(out, '\'');
}

void shell_quote(struct strbuf *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:=@%+,-";
    if (*word && word[strspn(word, plain)] == '\0') {
        strbuf_adds(out, word);
        return;
    }
    if (!is_shown_raw(word, strlen(word))) {
        quote_bytes(out, word);
        return;
    }
    strbuf_addc(out, '\'');
    for (; *word; word++) {
        if (*word == '\'') {
            strbuf_adds(out, "'\\''");
        } else {
            strbuf_addc(out, *word);
        }
    }
    strbuf_addc(out, '\'');
}
