#include "machine/sql/sql.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum mark { MARK_NONE, MARK_UP, MARK_DOWN, MARK_NO_TRANSACTION, MARK_STATEMENT_END };

/* The words of comments, separated by one space. Of node-pg-migrate, the comment may be indented,
 * and begin with more dashes. */
static const struct {
    const char *words;
    enum mark mark;
    bool loose;
} marks[] = {
    {"migrate:up", MARK_UP, false},
    {"migrate:down", MARK_DOWN, false},
    {"+goose up", MARK_UP, false},
    {"+goose down", MARK_DOWN, false},
    {"+migrate up", MARK_UP, false},
    {"+migrate down", MARK_DOWN, false},
    {"up migration", MARK_UP, true},
    {"down migration", MARK_DOWN, true},
    {"+goose no transaction", MARK_NO_TRANSACTION, false},
    {"+goose statementend", MARK_STATEMENT_END, false},
    {"+migrate statementend", MARK_STATEMENT_END, false},
};

/* Options of a mark of a way up: dbmate's, sql-migrate's. */
static const char *const no_transaction[] = {"transaction:false", "notransaction"};

struct line {
    const char *at;
    const char *end;
};

static void skip_blanks(struct line *line)
{
    while (line->at < line->end && isspace((unsigned char)*line->at)) {
        line->at++;
    }
}

/* Skips the words, if they are there. */
static bool take_words(struct line *line, const char *words)
{
    struct line rest = *line;
    while (*words) {
        size_t size = strcspn(words, " ");
        if ((size_t)(rest.end - rest.at) < size || strncasecmp(rest.at, words, size) != 0) {
            return false;
        }
        rest.at += size;
        if (rest.at < rest.end && !isspace((unsigned char)*rest.at)) {
            return false;
        }
        skip_blanks(&rest);
        words += size + (words[size] == ' ');
    }
    *line = rest;
    return true;
}

/* Skips what begins a comment; false if the line is none. */
static bool take_dashes(struct line *line, bool loose)
{
    if (loose) {
        skip_blanks(line);
    }
    if (line->end - line->at < 2 || memcmp(line->at, "--", 2) != 0) {
        return false;
    }
    line->at += 2;
    skip_blanks(line);
    while (loose && line->at < line->end && *line->at == '-') {
        line->at++;
        skip_blanks(line);
    }
    return true;
}

/* Reads the line's mark; `line` becomes the text after it. */
static enum mark read_mark(struct line *line)
{
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        struct line rest = *line;
        if (take_dashes(&rest, marks[i].loose) && take_words(&rest, marks[i].words)) {
            *line = rest;
            return marks[i].mark;
        }
    }
    return MARK_NONE;
}

static bool wants_no_transaction(struct line *line)
{
    for (size_t i = 0; i < sizeof no_transaction / sizeof *no_transaction; i++) {
        if (take_words(line, no_transaction[i])) {
            return true;
        }
    }
    return false;
}

static bool has_sql(struct line line)
{
    skip_blanks(&line);
    return line.at < line.end && (line.end - line.at < 2 || memcmp(line.at, "--", 2) != 0);
}

static bool next_file_line(const char *text, size_t size, size_t *at, struct line *out)
{
    if (*at >= size) {
        return false;
    }
    const char *end = memchr(text + *at, '\n', size - *at);
    *out = (struct line){text + *at, end ? end : text + size};
    *at = (size_t)(out->end - text) + 1;
    return true;
}

static bool has_mark(const char *text, size_t size, enum mark mark)
{
    struct line line;
    for (size_t at = 0; next_file_line(text, size, &at, &line);) {
        if (read_mark(&line) == mark) {
            return true;
        }
    }
    return false;
}

void sql_migration_up(char *text, size_t size, struct sql_migration *out)
{
    struct line line;
    enum mark way = MARK_NONE;
    *out = (struct sql_migration){.is = has_mark(text, size, MARK_UP)};
    for (size_t at = 0; out->is && next_file_line(text, size, &at, &line);) {
        struct line rest = line;
        enum mark mark = read_mark(&rest);
        if (mark == MARK_UP || mark == MARK_DOWN) {
            way = mark;
        } else if (way == MARK_NONE && !out->has_outside && has_sql(line)) {
            out->has_outside = true;
            out->outside = (size_t)(line.at - text);
        }
        out->no_transaction |=
            mark == MARK_NO_TRANSACTION || (mark == MARK_UP && wants_no_transaction(&rest));
        if (way == MARK_DOWN || mark == MARK_STATEMENT_END) {
            memset(text + (line.at - text), ' ', (size_t)(line.end - line.at));
        }
        if (way != MARK_DOWN && mark == MARK_STATEMENT_END) {
            text[line.at - text] = ';'; /* the statement may lack one */
        }
    }
}

bool sql_migration_down(char *text, size_t size)
{
    static const char up[] = "-- migrate:up"; /* no mark of a way down is shorter */
    struct line line;
    bool down = false;
    if (!has_mark(text, size, MARK_UP) || !has_mark(text, size, MARK_DOWN)) {
        return false;
    }
    for (size_t at = 0; next_file_line(text, size, &at, &line);) {
        struct line rest = line;
        char *start = text + (line.at - text);
        enum mark mark = read_mark(&rest);
        down = mark == MARK_DOWN || (down && mark != MARK_UP);
        if (mark == MARK_DOWN) {
            memset(start, ' ', (size_t)(rest.at - line.at));
            memcpy(start, up, sizeof up - 1); /* NOLINT(bugprone-not-null-terminated-result) */
        } else if (!down && mark != MARK_NO_TRANSACTION) {
            memset(start, ' ', (size_t)(line.end - line.at));
        }
    }
    return true;
}
