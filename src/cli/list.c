#include "base/json.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"

#include <string.h>

#include <pgfsm/machine.h>

/* A list of names of a machine, as text and in JSON. */
static const struct {
    const char *one;
    const char *all;
    size_t (*count)(const struct pgfsm_machine *machine);
    const char *(*name)(const struct pgfsm_machine *machine, size_t index);
} lists[] = {
    {"rule", "rules", pgfsm_machine_rule_count, pgfsm_machine_rule_name},
    {"invariant", "invariants", pgfsm_machine_invariant_count, pgfsm_machine_invariant_name},
};
enum { LISTS = sizeof lists / sizeof *lists };

static void add_text(const struct pgfsm_machine *machine, struct strbuf *out)
{
    strbuf_addf(out, "%s  %s\n", pgfsm_machine_name(machine), pgfsm_machine_path(machine));
    for (size_t i = 0; i < LISTS; i++) {
        for (size_t j = 0; j < lists[i].count(machine); j++) {
            strbuf_addf(out, "  %-9s  %s\n", lists[i].one, lists[i].name(machine, j));
        }
    }
}

static void add_place(struct json *json, const char *file, size_t line, size_t column)
{
    json_text(json, "file", file);
    if (line) {
        json_count(json, "line", line);
        json_count(json, "column", column);
    }
}

static void add_properties(struct json *json, const struct pgfsm_machine *machine)
{
    const struct pgfsm_property *property;
    json_open(json, "properties", '[');
    for (size_t i = 0; (property = pgfsm_machine_property(machine, i)); i++) {
        json_open(json, NULL, '{');
        json_text(json, "kind", property->kind);
        json_text(json, "name", property->name);
        add_place(json, property->file, property->line, property->column);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_file(void *host, const char *path) { json_text(host, NULL, path); }

/* A line for each machine; docs/COMMAND-LINE.md describes it. */
static void add_json(const struct pgfsm_machine *machine, struct strbuf *out)
{
    struct json json = {out, false};
    json_open(&json, NULL, '{');
    json_text(&json, "machine", pgfsm_machine_name(machine));
    json_text(&json, "path", pgfsm_machine_path(machine));
    json_text(&json, "description", pgfsm_machine_description(machine));
    for (size_t i = 0; i < LISTS; i++) {
        json_open(&json, lists[i].all, '[');
        for (size_t j = 0; j < lists[i].count(machine); j++) {
            json_text(&json, NULL, lists[i].name(machine, j));
        }
        json_close(&json, ']');
    }
    add_properties(&json, machine);
    json_open(&json, "files", '[');
    pgfsm_machine_files(machine, add_file, &json);
    json_close(&json, ']');
    json_close(&json, '}');
    strbuf_addc(out, '\n');
}

/* A line for a file that is no machine. */
static void add_mistakes(const char *path, const struct pgfsm_errors *errors, struct strbuf *out)
{
    struct json json = {out, false};
    json_open(&json, NULL, '{');
    json_text(&json, "path", path);
    json_open(&json, "errors", '[');
    for (size_t i = 0; i < pgfsm_errors_count(errors); i++) {
        const struct pgfsm_error *error = pgfsm_errors_at(errors, i);
        json_open(&json, NULL, '{');
        add_place(&json, *error->file ? error->file : path, error->line, error->column);
        json_text(&json, "message", error->message);
        json_text(&json, "text", error->text);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
    strbuf_addc(out, '\n');
}

static enum status list_file(const struct options *options, const char *path)
{
    bool as_json = options->format && strcmp(options->format, "json") == 0;
    struct pgfsm_errors *errors = pgfsm_errors_new();
    struct pgfsm_machine *machine = NULL;
    struct strbuf text = {0};
    bool loaded = pgfsm_machine_load(&machine, path, NULL, errors);
    if (loaded) {
        (as_json ? add_json : add_text)(machine, &text);
    } else if (as_json) {
        add_mistakes(path, errors, &text);
    } else {
        terminal_errors(errors);
    }
    terminal_print_foreign(strbuf_text(&text), text.size);
    strbuf_free(&text);
    pgfsm_machine_free(machine);
    pgfsm_errors_free(errors);
    return loaded ? STATUS_OK : STATUS_USAGE;
}

static enum status list(const struct options *options)
{
    enum status status = STATUS_OK;
    if (options->operands.items.count == 0) {
        terminal_complain("list: no files given; write %s list FILE...", program_name);
        return STATUS_USAGE;
    }
    for (size_t i = 0; i < options->operands.items.count && !interrupt_asked(); i++) {
        status = status_worst(status, list_file(options, options->operands.items.items[i]));
    }
    return interrupt_asked() ? STATUS_INTERRUPTED : status;
}

const struct command command_list = {
    .name = "list",
    .bit = FOR_LIST,
    .operands = "FILE...",
    .summary = "list machines with their rules and invariants",
    .description = "Lists the machines in the files and folders, with their rules and invariants.",
    .examples = "pgfsm list machines/\n"
                "pgfsm list --format json machines/ | jq -r .machine",
    .run = list,
};
