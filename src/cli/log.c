#include "cli/log.h"

#include "base/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool log_is_obeyed(void)
{
    static const char *const runners[] = {"GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"};
    bool obeyed = false;
    for (size_t i = 0; i < sizeof runners / sizeof *runners; i++) {
        const char *value = getenv(runners[i]);
        obeyed = obeyed || (value && *value);
    }
    return obeyed;
}

/* The blanks of Unicode, which GitHub's runner passes over at the start of a line (.NET's
 * TrimStart). */
static bool is_blank(uint32_t code)
{
    static const uint32_t blanks[] = {'\t',   '\v',   '\f',   ' ',    0x85,   0xA0,
                                      0x1680, 0x202F, 0x205F, 0x3000, 0x2028, 0x2029};
    bool blank = code >= 0x2000 && code <= 0x200A;
    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++) {
        blank = blank || code == blanks[i];
    }
    return blank;
}

static size_t blanks_at(const char *text, size_t size)
{
    size_t done = 0;
    uint32_t code;
    size_t bytes;
    while ((bytes = utf8_decode(text + done, size - done, &code)) && is_blank(code)) {
        done += bytes;
    }
    return done;
}

/* "::name::", which GitHub obeys at the start of a line. */
static bool begins_command(const char *line, size_t size)
{
    bool second = false;
    for (size_t i = 2; i + 1 < size && !second; i++) {
        second = line[i] == ':' && line[i + 1] == ':';
    }
    return second && line[0] == ':' && line[1] == ':';
}

/* "##[", "##vso[": the word may be any. */
static bool is_bracketed(const char *text, size_t size)
{
    size_t at = 2;
    if (size < 3 || text[0] != '#' || text[1] != '#') {
        return false;
    }
    while (at < size && text[at] >= 'a' && text[at] <= 'z') {
        at++;
    }
    return at < size && text[at] == '[';
}

static void add_line(struct strbuf *out, const char *line, size_t size)
{
    size_t blanks = blanks_at(line, size);
    bool begins = begins_command(line + blanks, size - blanks);
    for (size_t i = 0; i < size; i++) {
        if ((begins && i == blanks) || is_bracketed(line + i, size - i)) {
            strbuf_addf(out, "\\u%04x", (unsigned)line[i]);
        } else {
            strbuf_addc(out, line[i]);
        }
    }
}

void log_add(struct strbuf *out, const char *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        size_t line = 0;
        while (i + line < size && text[i + line] != '\n' && text[i + line] != '\r') {
            line++;
        }
        add_line(out, text + i, line);
        i += line;
        if (i < size) {
            strbuf_addc(out, text[i++]);
        }
    }
}
