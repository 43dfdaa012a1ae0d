/*
 * Writes JSON: objects and lists, member by member.
 *
 * struct json json = {&out, false};
 *     json_open(&json, NULL, '{');
 *     json_text(&json, "name", name);
 *     json_close(&json, '}');
 *
 * A key is NULL inside a list. Text may hold any bytes: those that are not UTF-8 become U+FFFD. The
 * characters of visible_hides (base/visible.h) are escaped, so that a terminal can show the JSON
 * safely. `<` is escaped, too, so that text can't end a script or begin a comment in an HTML page.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/strbuf.h"

struct json {
    struct strbuf *out;
    bool comma; /* the next member needs a comma before it */
};

/* `bracket`: '{' or '['. */
void json_open(struct json *json, const char *key, char bracket);
/* `bracket`: '}' or ']'. */
void json_close(struct json *json, char bracket);
void json_text(struct json *json, const char *key, const char *text);
/* The same, unless the text is NULL. */
void json_optional(struct json *json, const char *key, const char *text);
/* A value that is JSON already. */
void json_raw(struct json *json, const char *key, const char *value);
void json_count(struct json *json, const char *key, uint64_t count);
void json_flag(struct json *json, const char *key, bool flag);

#endif
