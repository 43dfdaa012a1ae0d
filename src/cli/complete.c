#include "cli/command.h"
#include "cli/failure.h"

#include <string.h>

#include <pgfsm/report.h>
#include <pgfsm/trace.h>

static void add_word(struct strbuf *out, const char *before, const char *word, const char *meaning)
{
    strbuf_addf(out, "%s%s%s%s\n", before, word, meaning ? "\t" : "", meaning ? meaning : "");
}

static void add_commands(const struct command *const *table, struct strbuf *out)
{
    for (; *table; table++) {
        if ((*table)->summary) {
            add_word(out, "", (*table)->name, (*table)->summary);
        }
    }
}

static void add_options(const struct command *command, struct strbuf *out)
{
    for (const struct option *option = option_table; option->name; option++) {
        if (option->commands & command->bit) {
            add_word(out, "--", option->name, option->help);
        }
    }
}

static void add_formats(struct strbuf *out, const char *before)
{
    const char *name;
    for (size_t i = 0; (name = pgfsm_report_format(i)); i++) {
        add_word(out, before, name, NULL);
    }
}

static void add_failure(void *out, const char *name) { add_word(out, "", name, NULL); }

static void add_failures(const struct command *command, struct strbuf *out)
{
    if (strstr(command->operands, "NAME")) {
        pgfsm_trace_names(FAILURE_STORE, add_failure, out);
    }
}

/* What the option's value may be, each behind `before`. */
static void add_values(const struct option *option, const char *before, struct strbuf *out)
{
    if (strstr(option->argument, "FORMAT")) {
        add_formats(out, before);
    } else if (strstr(option->argument, "FILE")) {
        strbuf_adds(out, ":file\n");
    } else if (strstr(option->argument, "DIR")) {
        strbuf_adds(out, ":folder\n");
    } else if (option->kind == OPTION_CHOICE) {
        for (const char *word = option->argument; *word; word += strspn(word, "|")) {
            size_t size = strcspn(word, "|");
            strbuf_addf(out, "%s%.*s\n", before, (int)size, word);
            word += size;
        }
    } else if (option->kind == OPTION_WHEN) {
        add_word(out, before, "auto", NULL);
        add_word(out, before, "always", NULL);
        add_word(out, before, "never", NULL);
    }
}

/* The command's option that takes a value and is spelt "-o", "--option" or "--option=…". */
static const struct option *find_option(const struct command *command, const char *word)
{
    for (const struct option *option = option_table; option->name; option++) {
        bool is_long = strncmp(word, "--", 2) == 0;
        const char *name = is_long ? option->name : option->letter;
        size_t size = is_long ? strcspn(word + 2, "=") : strlen(word) - 1;
        if (name && option->argument && option->commands & command->bit && strlen(name) == size &&
            strncmp(word + 1 + is_long, name, size) == 0) {
            return option;
        }
    }
    return NULL;
}

/* The option whose value the last word is, or begins; NULL: it is no value. bash makes three words
 * of
 * "--option=value". */
static const struct option *option_of_value(const struct command *command, const char *const *words,
                                            size_t count)
{
    const char *last = words[count - 1];
    const char *before = words[count - 2];
    if (count > 2 && strcmp(before, "=") == 0) {
        before = words[count - 3];
    }
    if (*last == '-' && strchr(last, '=')) {
        return find_option(command, last);
    }
    return *before == '-' && !strchr(before, '=') ? find_option(command, before) : NULL;
}

static void add_for_command(const struct command *const *table, const struct command *command,
                            const char *const *words, size_t count, struct strbuf *out)
{
    const char *last = words[count - 1];
    const struct option *option = option_of_value(command, words, count);
    if (option) {
        struct strbuf before = {0};
        strbuf_add(&before, last, *last == '-' ? strcspn(last, "=") + 1 : 0);
        add_values(option, strbuf_text(&before), out);
        strbuf_free(&before);
    } else if (*last == '-') {
        add_options(command, out);
    } else if (strstr(command->operands, "NAME") || strstr(command->operands, "FILE")) {
        add_failures(command, out);
        strbuf_adds(out, strstr(command->operands, "FILE") ? ":file\n" : "");
    } else if (strstr(command->operands, "COMMAND")) {
        add_commands(table, out);
    }
}

void complete_words(const struct command *const *table, const char *const *words, size_t count,
                    struct strbuf *out)
{
    if (count < 2) {
        add_commands(table, out);
        return;
    }
    for (const struct command *const *row = table; *row; row++) {
        if (strcmp((*row)->name, words[0]) == 0) {
            add_for_command(table, *row, words, count, out);
        }
    }
}
