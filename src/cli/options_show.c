/* Options as the help lists them, and as a command line repeats them. */
#include "cli/options.h"

#include "base/shell.h"

#include <inttypes.h>
#include <string.h>

enum { HELP_COLUMN = 26, HELP_WIDTH = 100 };

/* Words of `text` in lines that begin at HELP_COLUMN. */
static void add_wrapped(struct strbuf *out, const char *text)
{
    size_t column = HELP_COLUMN;
    while (*text) {
        size_t size = strcspn(text, " ");
        if (column > HELP_COLUMN && column + 1 + size > HELP_WIDTH) {
            strbuf_addc(out, '\n');
            strbuf_fill(out, ' ', HELP_COLUMN);
            column = HELP_COLUMN;
        }
        strbuf_adds(out, column > HELP_COLUMN ? " " : "");
        strbuf_add(out, text, size);
        column += size + 1;
        text += size + (text[size] == ' ');
    }
    strbuf_addc(out, '\n');
}

static void add_option(struct strbuf *out, const struct option *option)
{
    size_t start = out->size;
    if (option->letter) {
        strbuf_addf(out, "  -%s, ", option->letter);
    } else {
        strbuf_adds(out, "      ");
    }
    strbuf_addf(out, "--%s%s%s", option->name, option->argument ? " " : "",
                option->argument ? option->argument : "");
    size_t column = out->size - start;
    if (column + 2 > HELP_COLUMN) {
        strbuf_addc(out, '\n');
        column = 0;
    }
    strbuf_fill(out, ' ', HELP_COLUMN - column);
    add_wrapped(out, option->help);
}

void options_help(unsigned command, struct strbuf *out)
{
    const char *group = NULL;
    for (const struct option *option = option_table; option->name; option++) {
        if (!(option->commands & command) || !option->help ||
            option->offset == offsetof(struct options, help)) {
            continue;
        }
        if (option->group != group) {
            group = option->group;
            strbuf_addf(out, "\n%s\n", group);
        }
        add_option(out, option);
    }
}

/* The parameters of a URI (from its '?') without password=… and what may be that in other letters
 * (p%61ssword); the first of them keeps the '?'. */
static void add_parameters(struct strbuf *out, const char *text)
{
    char separator = '?';
    while (*text) {
        text++;
        size_t size = strcspn(text, "&");
        size_t name = strcspn(text, "=&");
        if (!memmem(text, name, "password", 8) && !memchr(text, '%', name)) {
            strbuf_addc(out, separator);
            strbuf_add(out, text, size);
            separator = '&';
        }
        text += size;
    }
}

/* "postgres://ann:secret@host/app" without ":secret". */
static void add_uri(struct strbuf *out, const char *uri)
{
    const char *user = strstr(uri, "://") + 3;
    size_t authority = strcspn(user, "/?");
    const char *at = memchr(user, '@', authority);
    const char *colon = at ? memchr(user, ':', (size_t)(at - user)) : NULL;
    const char *rest = colon ? at : user;
    strbuf_add(out, uri, (size_t)((colon ? colon : user) - uri));
    strbuf_add(out, rest, strcspn(rest, "?"));
    add_parameters(out, rest + strcspn(rest, "?"));
}

/* Bytes of a conninfo value: up to a space, or in quotes with backslashes. */
static size_t value_size(const char *value)
{
    size_t size = 0;
    bool quoted = value[0] == '\'';
    for (size = quoted; value[size]; size++) {
        if (value[size] == '\\' && value[size + 1]) {
            size++;
        } else if (quoted ? value[size] == '\'' : value[size] == ' ') {
            break;
        }
    }
    return size + (quoted && value[size] == '\'');
}

/* "host=db password=secret" without the password; also sslpassword. */
static void add_conninfo(struct strbuf *out, const char *conninfo)
{
    while (*conninfo) {
        size_t name = strcspn(conninfo, "=");
        if (conninfo[name] == '\0') {
            strbuf_adds(out, conninfo);
            return;
        }
        size_t size = name + 1;
        size += strspn(conninfo + size, " ");
        size += value_size(conninfo + size);
        if (!memmem(conninfo, name, "password", 8)) {
            strbuf_add(out, conninfo, size);
        }
        conninfo += size;
    }
}

static void add_without_password(struct strbuf *out, const char *text)
{
    if (strncmp(text, "postgres://", 11) == 0 || strncmp(text, "postgresql://", 13) == 0) {
        add_uri(out, text);
    } else if (strchr(text, '=')) {
        add_conninfo(out, text);
    } else {
        strbuf_adds(out, text);
    }
}

static void add_text(struct strbuf *out, const struct option *option, const char *value)
{
    struct strbuf text = {0};
    if (option->flags & OPTION_SECRET) {
        add_without_password(&text, value);
    } else {
        strbuf_adds(&text, value);
    }
    if (option->letter) {
        strbuf_addf(out, " -%s ", option->letter);
    } else {
        strbuf_addf(out, " --%s ", option->name);
    }
    shell_quote(out, strbuf_text(&text));
    strbuf_free(&text);
}

static void add_again(struct strbuf *out, const struct option *option, const void *place)
{
    if (option->kind == OPTION_FLAG && *(const bool *)place) {
        strbuf_addf(out, " --%s", option->name);
    } else if (option->kind == OPTION_NUMBER && *(const int64_t *)place >= 0) {
        strbuf_addf(out, " --%s %" PRId64, option->name, *(const int64_t *)place);
    } else if (option->kind == OPTION_DURATION && *(const int64_t *)place >= 0) {
        int64_t ms = *(const int64_t *)place;
        bool whole = ms % 1000 == 0;
        strbuf_addf(out, " --%s %" PRId64 "%s", option->name, whole ? ms / 1000 : ms,
                    whole ? "s" : "ms");
    } else if (option->kind == OPTION_TEXT && *(const char *const *)place) {
        add_text(out, option, *(const char *const *)place);
    } else if (option->kind == OPTION_TEXTS) {
        const struct texts *texts = place;
        for (size_t i = 0; i < texts->items.count; i++) {
            add_text(out, option, texts->items.items[i]);
        }
    }
}

/* Adds the options with the one flag and without the other. */
static void add_flagged(const struct options *options, unsigned command, unsigned flag,
                        unsigned without, struct strbuf *out)
{
    for (const struct option *option = option_table; option->name; option++) {
        if (option->flags & flag && !(option->flags & without) && option->commands & command) {
            add_again(out, option, (const char *)options + option->offset);
        }
    }
}

void options_again(const struct options *options, unsigned command, struct strbuf *out)
{
    add_flagged(options, command, OPTION_AGAIN, 0, out);
}

void options_of_run(const struct options *options, unsigned command, struct strbuf *out)
{
    add_flagged(options, command, OPTION_AGAIN, OPTION_LOCAL, out);
}

static bool has_option(unsigned command, const char *name)
{
    const struct option *option = option_table;
    while (option->name && (!(option->commands & command) || strcmp(option->name, name) != 0)) {
        option++;
    }
    return option->name != NULL;
}

void options_beyond(const struct options *options, unsigned command, unsigned other,
                    struct strbuf *out)
{
    for (const struct option *option = option_table; option->name; option++) {
        if (option->commands & command && option->flags & OPTION_AGAIN &&
            !(option->flags & OPTION_ENV) && !has_option(other, option->name)) {
            add_again(out, option, (const char *)options + option->offset);
        }
    }
}

void options_psql(const struct options *options, struct strbuf *out)
{
    add_flagged(options, FOR_ALL, OPTION_PSQL, 0, out);
}
