#include "cli/options.h"

#include "base/error.h"
#include "base/timespan.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "base/words.h"
#include "cli/failure.h"
#include "cli/other_words.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The words of a command line as they are used up. */
struct reader {
    struct options *options;
    unsigned command;
    const char *const *words;
    struct strbuf *problem;
};

static bool refuse(struct strbuf *problem, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a line to the problem; always false. */
static bool refuse(struct strbuf *problem, const char *format, ...)
{
    struct strbuf line = {0};
    va_list args;
    va_start(args, format);
    strbuf_vaddf(&line, format, args);
    va_end(args);
    visible_add(problem, VISIBLE_LINE, strbuf_text(&line), line.size);
    strbuf_addc(problem, '\n');
    strbuf_free(&line);
    return false;
}

static bool number_parse(const char *text, int64_t *out)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || errno || *end) {
        return false;
    }
    *out = number;
    return true;
}

/* "2/5", "auto" */
static bool shard_parse(const char *text, struct shard *out)
{
    char index[24];
    if (strcmp(text, "auto") == 0) {
        *out = (struct shard){.count = SHARD_AUTO};
        return true;
    }
    const char *slash = strchr(text, '/');
    size_t size = slash ? (size_t)(slash - text) : sizeof index;
    if (size >= sizeof index) {
        return false;
    }
    memcpy(index, text, size);
    index[size] = '\0';
    return number_parse(index, &out->index) && number_parse(slash + 1, &out->count) &&
           out->index >= 1 && out->index <= out->count;
}

static bool when_parse(const char *text, enum when *out)
{
    static const char *const words[] = {
        [WHEN_AUTO] = "auto", [WHEN_ALWAYS] = "always", [WHEN_NEVER] = "never"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(text, words[i]) == 0) {
            *out = (enum when)i;
            return true;
        }
    }
    return false;
}

static void add_text(struct options *options, struct texts *texts, const char *value)
{
    texts->items.count = texts->inherited ? 0 : texts->items.count;
    texts->inherited = false;
    *VEC_PUSH(&options->arena, &texts->items) = value;
}

/* The texts of a variable, with commas between them. */
static void inherit_texts(struct options *options, struct texts *texts, const char *value)
{
    while (*value) {
        size_t size = strcspn(value, ",");
        if (size) {
            add_text(options, texts, arena_strndup(&options->arena, value, size));
        }
        value += size + (value[size] == ',');
    }
    texts->inherited = true;
}

/* Puts a value (NULL where the option takes none) into its place; `named` is how the user named the
 * option. */
static bool set_value(struct options *options, const struct option *option, const char *named,
                      const char *value, struct strbuf *problem)
{
    void *place = (char *)options + option->offset;
    struct error err = {0};
    value = value ? value : "";
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)place = true;
        return true;
    case OPTION_LEVEL:
        ++*(int *)place;
        return true;
    case OPTION_TEXT:
        *(const char **)place = value;
        return true;
    case OPTION_TEXTS:
        add_text(options, place, value);
        return true;
    case OPTION_NUMBER:
        if (!number_parse(value, place) || *(int64_t *)place < option->min) {
            return refuse(problem, "%s must be a whole number from %" PRId64 " up, not '%s'", named,
                          option->min, value);
        }
        return true;
    case OPTION_SEED:
        if (strcmp(value, "auto") == 0) {
            *(int64_t *)place = SEED_AUTO;
            return true;
        }
        return number_parse(value, place) ||
               refuse(problem, "%s must be a whole number from 0 up, or auto, not '%s'", named,
                      value);
    case OPTION_DURATION:
        return timespan_parse(value, place, &err) ||
               refuse(problem, "%s: %s; %s", named, err.message, err.hint);
    case OPTION_SHARD:
        return shard_parse(value, place) ||
               refuse(problem, "%s must be I/N, from 1/4 to 4/4 for example, or auto, not '%s'",
                      named, value);
    case OPTION_CHOICE:
        *(const char **)place = value;
        return word_is_in(value, option->argument) ||
               refuse(problem, "%s must be %s, not '%s'", named, option->argument, value);
    case OPTION_WHEN:
        return when_parse(value, place) ||
               refuse(problem, "%s must be auto, always or never, not '%s'", named, value);
    }
    return false;
}

static const struct option *find_name(unsigned command, const char *name, size_t size)
{
    for (const struct option *option = option_table; option->name; option++) {
        if (option->commands & command && strlen(option->name) == size &&
            memcmp(option->name, name, size) == 0) {
            return option;
        }
    }
    return NULL;
}

static const struct option *find_letter(unsigned command, char letter)
{
    for (const struct option *option = option_table; option->name; option++) {
        if (option->commands & command && option->letter && *option->letter == letter) {
            return option;
        }
    }
    return NULL;
}

/* The next word as the option's value; NULL with a problem if there is none. */
static const char *next_value(struct reader *reader, const struct option *option, const char *named)
{
    if (!*reader->words) {
        (void)refuse(reader->problem, "%s needs a value: %s %s", named, named, option->argument);
        return NULL;
    }
    return *reader->words++;
}

/* Whether the command has the option: "--rule GLOB", "-v". */
static bool has_option(unsigned command, const char *usage)
{
    return usage[1] == '-' ? find_name(command, usage + 2, strcspn(usage + 2, " =")) != NULL
                           : find_letter(command, usage[1]) != NULL;
}

/* Refuses an option that another tool has, and says what it is here. */
static bool refuse_other(const struct reader *reader, const char *named, const char *here)
{
    bool option = here[0] == '-';
    bool elsewhere = option && !has_option(reader->command, here);
    return refuse(reader->problem, "there is no option %s; %s%s%s", named,
                  option ? "pgfsm calls it " : "", here,
                  elsewhere ? ", which another command has" : "");
}

static bool refuse_unknown(const struct reader *reader, const char *name, size_t size)
{
    const char *names[64];
    size_t count = 0;
    for (const struct option *option = option_table; option->name; option++) {
        if (option->commands & reader->command && count < sizeof names / sizeof *names) {
            names[count++] = option->name;
        }
    }
    char *word = arena_strndup(&reader->options->arena, name, size);
    const char *here = other_option(name, size);
    const char *close = closest_name(word, names, count);
    if (here) {
        return refuse_other(reader, arena_printf(&reader->options->arena, "--%s", word), here);
    }
    if (close) {
        return refuse(reader->problem, "there is no option --%s; did you mean --%s?", word, close);
    }
    if (find_name(FOR_ALL, name, size)) {
        const char *why = missing_option(reader->command, word);
        return refuse(reader->problem, "this command has no option --%s%s%s", word, why ? ": " : "",
                      why ? why : "");
    }
    return refuse(reader->problem, "there is no option --%s", word);
}

/* Sets an option that the command line gives. */
static bool give_value(struct reader *reader, const struct option *option, const char *named,
                       const char *value)
{
    if (option->flags & OPTION_TRACES && !reader->options->for_traces) {
        reader->options->for_traces = option->name;
    }
    return set_value(reader->options, option, named, value, reader->problem);
}

/* "--name=value", "--name value", "--name". */
static bool read_long(struct reader *reader, const char *word)
{
    size_t size = strcspn(word + 2, "=");
    const char *value = word[2 + size] == '=' ? word + 3 + size : NULL;
    const struct option *option = find_name(reader->command, word + 2, size);
    if (!option) {
        return refuse_unknown(reader, word + 2, size);
    }
    char *named = arena_strndup(&reader->options->arena, word, size + 2);
    if (!option->argument && value) {
        return refuse(reader->problem, "%s takes no value", named);
    }
    if (option->argument && !value && !(value = next_value(reader, option, named))) {
        return false;
    }
    return give_value(reader, option, named, value);
}

/* A letter that is no option, or all letters of the word from there on: the name of a long one. */
static bool refuse_letter(const struct reader *reader, const char *word, const char *letter)
{
    struct arena *arena = &reader->options->arena;
    size_t size = strcspn(letter, "=");
    bool whole = letter == word + 1 && size > 1;
    const char *here = whole ? other_option(letter, size) : NULL;
    if (whole && find_name(reader->command, letter, size)) {
        return refuse(reader->problem, "there is no option -%.*s; did you mean --%.*s?", (int)size,
                      letter, (int)size, letter);
    }
    size = here ? size : utf8_offset(letter, strlen(letter), 1);
    here = here ? here : other_option(letter, size);
    const char *named = arena_printf(arena, "-%.*s", (int)size, letter);
    return here ? refuse_other(reader, named, here)
                : refuse(reader->problem, "there is no option %s", named);
}

/* "-vq", "-d name", "-dname". */
static bool read_short(struct reader *reader, const char *word)
{
    for (const char *letter = word + 1; *letter; letter++) {
        const struct option *option = find_letter(reader->command, *letter);
        if (!option) {
            return refuse_letter(reader, word, letter);
        }
        char named[] = {'-', *letter, '\0'};
        const char *value = NULL;
        if (option->argument) {
            value = letter[1] ? letter + 1 : next_value(reader, option, named);
            if (!value) {
                return false;
            }
        }
        if (!give_value(reader, option, named, value)) {
            return false;
        }
        if (value) {
            break;
        }
    }
    return true;
}

/* -h without a host: who forgets that it is psql's wants help. */
static bool asks_for_help(const struct reader *reader, const char *word)
{
    return strcmp(word, "-h") == 0 && (!*reader->words || !find_letter(reader->command, 'h'));
}

static bool read_words(struct reader *reader)
{
    bool only_operands = false;
    while (*reader->words) {
        const char *word = *reader->words++;
        if (only_operands || word[0] != '-' || word[1] == '\0') {
            *VEC_PUSH(&reader->options->arena, &reader->options->operands.items) = word;
        } else if (strcmp(word, "--") == 0) {
            only_operands = true;
        } else if (asks_for_help(reader, word)) {
            reader->options->help = true;
        } else if (!(word[1] == '-' ? read_long(reader, word) : read_short(reader, word))) {
            return false;
        }
    }
    return true;
}

#define VARIABLES "PGFSM_"

/* "PGFSM_MAX_TIME" for "max-time". */
static void variable_name(const char *name, char *out, size_t size)
{
    (void)snprintf(out, size, VARIABLES "%s", name);
    for (char *c = out; *c; c++) {
        *c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
    }
}

static bool is_no(const char *value)
{
    static const char *const words[] = {"", "0", "no", "off", "false"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(value, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* The variables come first: the command line overwrites what they said. An empty one says nothing.
 */
static bool read_environment(struct options *options, unsigned command, struct strbuf *problem)
{
    for (const struct option *option = option_table; option->name; option++) {
        char variable[64];
        variable_name(option->name, variable, sizeof variable);
        const char *value =
            option->flags & OPTION_ENV && option->commands & command ? getenv(variable) : NULL;
        if (!value || !*value || (!option->argument && is_no(value))) {
            continue;
        }
        if (option->kind == OPTION_TEXTS) {
            inherit_texts(options, (struct texts *)((char *)options + option->offset), value);
        } else if (!set_value(options, option, variable, value, problem)) {
            return false;
        }
    }
    return true;
}

/* Notes a variable that no option of any command reads but whose name is close to one that is read.
 * Others may be somebody else's. */
static void note_unknown(struct options *options, const char *variable)
{
    const char *names[64] = {"run-id", "shards"}; /* which are no options */
    size_t count = 2;
    char known[64];
    if (strcmp(variable, VARIABLE_SHARDS) == 0 || strcmp(variable, VARIABLE_RUN_ID) == 0) {
        return;
    }
    char *word = arena_strdup(&options->arena, variable + strlen(VARIABLES));
    for (char *c = word; *c; c++) {
        *c = *c == '_' ? '-' : (char)tolower((unsigned char)*c);
    }
    for (const struct option *option = option_table; option->name; option++) {
        variable_name(option->name, known, sizeof known);
        if (strcmp(known, variable) == 0) {
            return;
        }
        if (option->flags & OPTION_ENV && count < sizeof names / sizeof *names) {
            names[count++] = option->name;
        }
    }
    const char *close = closest_name(word, names, count);
    if (close) {
        variable_name(close, known, sizeof known);
        *VEC_PUSH(&options->arena, &options->warnings.items) =
            arena_printf(&options->arena, "%s is ignored; did you mean %s?", variable, known);
    }
}

static void check_environment(struct options *options)
{
    for (char *const *entry = environ; *entry; entry++) {
        if (strncmp(*entry, VARIABLES, strlen(VARIABLES)) == 0) {
            note_unknown(options, arena_strndup(&options->arena, *entry, strcspn(*entry, "=")));
        }
    }
}

bool report_is(const char *report, const char *format)
{
    size_t size = strcspn(report, "=");
    return strlen(format) == size && memcmp(report, format, size) == 0;
}

/* Whether a report shows all that can be measured. */
static bool wants_page(const struct options *options)
{
    bool wants = false;
    for (size_t i = 0; i < options->reports.items.count; i++) {
        wants = wants || report_is(options->reports.items.items[i], "html");
    }
    return wants;
}

/* Sets the members of `run` that several options decide, or a list. */
static void complete(struct options *options)
{
    struct pgfsm_run_options *run = &options->run;
    if (options->no_schema) {
        static const char *const no_files[] = {NULL};
        run->schema = no_files;
    }
    run->apply = options->apply.items.items;
    run->apply_count = options->apply.items.count;
    run->rules = options->rules.items.items;
    run->rule_count = options->rules.items.count;
    run->invariants = options->invariants.items.items;
    run->invariant_count = options->invariants.items.count;
    if (options->shard.count > 0) {
        run->shard = options->shard.index - 1;
        run->shard_count = options->shard.count;
    }
    run->measure = options->stats || wants_page(options);
    run->shared = run->shared && *run->shared ? run->shared : NULL;
    if (!options->no_save) {
        run->store = FAILURE_STORE;
        run->out = options->out ? options->out : FAILURE_SCRIPTS;
    }
}

bool options_read(struct options *options, unsigned command, const char *const *words,
                  struct strbuf *problem)
{
    *options = (struct options){.run = PGFSM_RUN_OPTIONS_INIT,
                                .database = PGFSM_DATABASE_OPTIONS_INIT,
                                .diff = PGFSM_DIFF_OPTIONS_INIT,
                                .mutate = PGFSM_MUTATE_OPTIONS_INIT,
                                .mutate.prove = -1,
                                .min_score = -1};
    struct reader reader = {options, command, words, problem};
    check_environment(options);
    if (!read_environment(options, command, problem) || !read_words(&reader)) {
        return false;
    }
    complete(options);
    return true;
}

void options_free(struct options *options) { arena_free(&options->arena); }
