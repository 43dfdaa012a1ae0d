#include "report/locks/locks.h"

#include <string.h>

enum { STATEMENT_WIDTH = 100 };

bool locks_report(const struct blocking *blocking, const char *format, const char *files,
                  struct strbuf *out)
{
    static const struct {
        const char *name;
        void (*write)(const struct blocking *blocking, const char *files, struct strbuf *out);
    } formats[] = {{"text", locks_text},
                   {"json", locks_json},
                   {"html", locks_html},
                   {"markdown", locks_markdown}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(formats[i].name, format) == 0) {
            formats[i].write(blocking, files, out);
            return true;
        }
    }
    return false;
}

void locks_text(const struct blocking *blocking, const char *files, struct strbuf *out)
{
    struct arena arena = {0};
    size_t findings = blocking_findings(blocking);
    strbuf_addf(out, "%s  %s  %s\n", findings ? "BLOCKS" : "ok", locks_words(files, 1000, &arena),
                locks_summary(blocking, &arena));
    for (size_t i = 0; i < blocking->statements.count; i++) {
        const struct blocking_statement *statement = &blocking->statements.items[i];
        const struct locks_lines lines = locks_lines(blocking, i, &arena);
        if (lines.items.count == 0) {
            continue;
        }
        strbuf_addf(out, "\n  %s  %s\n", locks_words(statement->place, 1000, &arena),
                    locks_words(statement->text, STATEMENT_WIDTH, &arena));
        for (size_t j = 0; j < lines.items.count; j++) {
            const struct locks_line *line = &lines.items.items[j];
            strbuf_addf(out, "  %c %-6s %s\n", line->finding ? '!' : ' ', line->head, line->text);
        }
    }
    const char *untried = locks_untried(blocking, &arena);
    if (untried) {
        strbuf_addf(
            out,
            "\n    untried  %s: no example ran them, or what they sent fails when sent again\n",
            untried);
    }
    for (size_t i = 0; i < blocking->invalid.items.count; i++) {
        strbuf_addf(out, "\n  ! left behind  %s\n",
                    locks_invalid(blocking->invalid.items.items[i], &arena));
    }
    if (findings) {
        strbuf_addf(out, "\n%zu finding%s, marked !\n", findings, plural(findings));
    }
    arena_free(&arena);
}
