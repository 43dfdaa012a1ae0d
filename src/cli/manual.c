/* The hidden command `manual`: the page pgfsm(1), from the tables that the help shows. The build
 * runs it. */
#include "cli/command.h"

#include <string.h>

#include <pgfsm/version.h>

/* Appends a line of text in roff's notation: `code` in bold. */
static void add_line(struct strbuf *out, const char *text, size_t size)
{
    bool bold = false;
    strbuf_adds(out, size && (*text == '.' || *text == '\'') ? "\\&" : "");
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '`') {
            bold = !bold;
            strbuf_adds(out, bold ? "\\fB" : "\\fR");
        } else if (text[i] == '\\') {
            strbuf_adds(out, "\\e");
        } else if (text[i] == '-') {
            strbuf_adds(out, "\\-");
        } else if (text[i] == '\'') {
            strbuf_adds(out, "\\(aq");
        } else {
            strbuf_addc(out, text[i]);
        }
    }
    strbuf_addc(out, '\n');
}

static void add_words(struct strbuf *out, const char *text) { add_line(out, text, strlen(text)); }

/* Appends lines; `blank` stands for one that is empty. */
static void add_lines(struct strbuf *out, const char *text, const char *blank)
{
    while (*text) {
        size_t size = strcspn(text, "\n");
        if (size) {
            add_line(out, text, size);
        } else {
            strbuf_adds(out, blank);
        }
        text += size + (text[size] == '\n');
    }
}

static void add_synopsis(const struct command *const *table, struct strbuf *out)
{
    const char *between = "";
    for (const struct command *const *row = table; *row; row++) {
        const struct command *command = *row;
        if (command->summary) {
            strbuf_addf(out, "%s\\fBpgfsm %s\\fR%s%s%s", between, command->name,
                        command->bit != FOR_HELP ? " [\\fIOPTION\\fR...]" : "",
                        *command->operands ? " " : "", command->operands);
            between = "\n.br\n";
        }
    }
    strbuf_addc(out, '\n');
}

static void add_commands(const struct command *const *table, struct strbuf *out)
{
    for (const struct command *const *row = table; *row; row++) {
        const struct command *command = *row;
        if (!command->summary) {
            continue;
        }
        strbuf_addf(out, ".SS pgfsm %s\n", command->name);
        add_lines(out, command->description, ".PP\n");
        if (command->examples) {
            strbuf_adds(out, ".PP\n.nf\n.RS 4\n");
            add_lines(out, command->examples, "\n");
            strbuf_adds(out, ".RE\n.fi\n");
        }
    }
}

/* Appends " [run, check]". */
static void add_commands_of(const struct command *const *table, unsigned commands,
                            struct strbuf *out)
{
    const char *before = " [";
    for (const struct command *const *row = table; *row; row++) {
        if ((*row)->bit & commands && (*row)->summary) {
            strbuf_addf(out, "%s%s", before, (*row)->name);
            before = ", ";
        }
    }
    strbuf_addc(out, ']');
}

static void add_option(const struct command *const *table, const struct option *option,
                       struct strbuf *out)
{
    struct strbuf line = {0};
    if (option->letter) {
        strbuf_addf(&line, "`-%s`, ", option->letter);
    }
    strbuf_addf(&line, "`--%s`", option->name);
    strbuf_adds(out, ".TP\n");
    add_words(out, strbuf_text(&line));
    if (option->argument) {
        strbuf_truncate(out, out->size - 1);
        strbuf_addf(out, " \\fI%s\\fR\n", option->argument);
    }
    strbuf_clear(&line);
    strbuf_adds(&line, option->help);
    if (option->commands != FOR_ALL) {
        add_commands_of(table, option->commands, &line);
    }
    add_words(out, strbuf_text(&line));
    strbuf_free(&line);
}

static void add_options(const struct command *const *table, struct strbuf *out)
{
    const char *group = NULL;
    for (const struct option *option = option_table; option->name; option++) {
        if (option->group != group) {
            group = option->group;
            strbuf_addf(out, ".SS %s\n", group);
        }
        add_option(table, option, out);
    }
}

static void add_statuses(const struct command *const *table, struct strbuf *out)
{
    for (const struct status_meaning *row = status_meanings; row->meaning; row++) {
        struct strbuf line = {0};
        strbuf_adds(&line, row->meaning);
        add_commands_of(table, row->commands, &line);
        strbuf_addf(out, ".TP\n\\fB%d\\fR\n", row->status);
        add_words(out, strbuf_text(&line));
        strbuf_free(&line);
    }
}

void manual_page(const struct command *const *table, struct strbuf *out)
{
    strbuf_addf(out, ".TH PGFSM 1 \"\" \"pgfsm %s\" \"User Commands\"\n.SH NAME\n",
                pgfsm_version());
    strbuf_adds(out, "pgfsm \\- test a PostgreSQL schema as a state machine\n.SH SYNOPSIS\n");
    add_synopsis(table, out);
    strbuf_adds(out, ".SH COMMANDS\n");
    add_commands(table, out);
    strbuf_adds(out, ".SH OPTIONS\nEach option names the commands that have it.\n");
    add_options(table, out);
    strbuf_adds(out, ".SH ENVIRONMENT\n");
    add_lines(out, help_environment, ".PP\n");
    strbuf_adds(out, ".SH EXIT STATUS\n");
    add_statuses(table, out);
    strbuf_adds(out, ".SH SEE ALSO\n.BR pgfsm\\-machine (5),\n.BR psql (1)\n");
}
