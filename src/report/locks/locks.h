/* What a migration blocks (example/blocking.h), as text in some format. */
#ifndef REPORT_LOCKS_H
#define REPORT_LOCKS_H

#include "base/strbuf.h"
#include "example/blocking.h"

/* "text", "json", "html" or "markdown"; false: there is no such format. `files`: what to call the
 * migration. */
bool locks_report(const struct blocking *blocking, const char *format, const char *files,
                  struct strbuf *out);

/* The formats alone. */
void locks_text(const struct blocking *blocking, const char *files, struct strbuf *out);
void locks_json(const struct blocking *blocking, const char *files, struct strbuf *out);
void locks_html(const struct blocking *blocking, const char *files, struct strbuf *out);
void locks_markdown(const struct blocking *blocking, const char *files, struct strbuf *out);

/* For them: a statement in a few words, and lines about it, safe to show, each without its
 * newline. `lines` are in the arena. */
struct locks_line {
    const char *head; /* "waits" */
    const char *text;
    bool finding;
};
struct locks_lines {
    VEC(struct locks_line) items;
};
struct locks_lines locks_lines(const struct blocking *blocking, size_t index, struct arena *arena);
/* "3 statements in 1 transaction; 7 rules tried" */
const char *locks_summary(const struct blocking *blocking, struct arena *arena);
/* What could not be told of rules, and why; NULL: nothing. */
const char *locks_untried(const struct blocking *blocking, struct arena *arena);
/* "index orders_code is invalid: …" */
const char *locks_invalid(const char *index, struct arena *arena);
/* The statement's text, cut to a width in characters; safe to show. */
const char *locks_words(const char *text, size_t width, struct arena *arena);

#endif
