#include "base/visible.h"

#include "base/utf8.h"

#include <string.h>

struct range {
    uint32_t first, last;
};

/* Unicode characters that show nothing and change what is around them (Unicode 15, General_Category
 * Cc, Zl, Zp, and the Bidi_Control property), and the byte order mark. */
static const struct range hidden[] = {
    {0x00, 0x1F},     {0x7F, 0x9F},     {0x061C, 0x061C}, {0x200E, 0x200F},
    {0x2028, 0x202E}, {0x2066, 0x2069}, {0xFEFF, 0xFEFF},
};

bool visible_hides(uint32_t code)
{
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        if (code >= hidden[i].first && code <= hidden[i].last) {
            return true;
        }
    }
    return false;
}

static void add_escape(struct strbuf *out, uint32_t code)
{
    static const char meanings[] = "\n\t\r";
    const char *letter = code && code < 0x80 ? strchr(meanings, (int)code) : NULL;
    if (letter) {
        strbuf_addf(out, "\\%c", "ntr"[letter - meanings]);
    } else {
        strbuf_addf(out, code < 0x80 ? "\\x%02x" : "\\u%04x", (unsigned)code);
    }
}

static bool stays(enum visible_mode mode, uint32_t code)
{
    return !visible_hides(code) || (mode == VISIBLE_BLOCK && (code == '\n' || code == '\t'));
}

void visible_add(struct strbuf *out, enum visible_mode mode, const char *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        uint32_t code = 0;
        size_t bytes = utf8_decode(text + i, size - i, &code);
        if (bytes == 0) {
            strbuf_addf(out, "\\x%02x", (unsigned)(unsigned char)text[i]);
            bytes = 1;
        } else if (mode == VISIBLE_BLOCK && code == '\r' && i + 1 < size && text[i + 1] == '\n') {
            bytes = 1;
        } else if (stays(mode, code)) {
            strbuf_add(out, text + i, bytes);
        } else {
            add_escape(out, code);
        }
        i += bytes;
    }
}

void visible_adds(struct strbuf *out, enum visible_mode mode, const char *text)
{
    visible_add(out, mode, text, strlen(text));
}
