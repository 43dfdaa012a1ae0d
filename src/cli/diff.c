#include "base/file.h"
#include "base/path.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/made_machine.h"
#include "cli/revision.h"
#include "cli/run.h"
#include "cli/schema_words.h"
#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pgfsm/diff.h>

/* Both sides of one command line. */
struct sides {
    struct options options; /* as the machines run */
    struct pgfsm_diff_options after;
    struct pgfsm_database *second; /* NULL: not open, or the first server */
    bool opened;
    struct revision base;
    struct texts old_files;
    struct texts new_files;
    struct texts apply_files;
    struct texts down_files;
    struct texts ways_down; /* of these, the files that run */
    struct texts temporary; /* files that are removed at the end */
    const char *later;      /* of schema_leave_out; NULL: none */
};

static bool has(const struct texts *texts) { return texts->items.count > 0; }

/* Options that don't go together. */
static bool is_contradictory(const struct options *options)
{
    bool named = pgfsm_database_is_named(&options->database);
    const struct {
        bool given;
        const char *why;
    } rows[] = {
        {has(&options->schema) && options->schema_command,
         "--schema and --schema-command exclude each other; leave one of them out"},
        {has(&options->new_schema) && options->new_schema_command,
         "--new-schema and --new-schema-command exclude each other; leave one of them out"},
        {options->no_schema && (has(&options->schema) || has(&options->new_schema)),
         "--no-schema excludes --schema and --new-schema; leave it out"},
        {options->base && (has(&options->new_schema) || options->new_schema_command),
         "--base compares with the schema files of today, and --new-schema with others; leave one "
         "of them out"},
        {options->base && (options->schema_command || options->no_schema),
         "--base reads schema files from git: name them by a machine or --schema"},
        {options->new_dbname && options->new_bindir,
         "--new-dbname and --new-pg-bindir exclude each other; leave one of them out"},
        {options->new_dbname && !named,
         "--new-dbname names a second server; name the first one with -d"},
        {options->new_bindir && named,
         "--new-pg-bindir is for two embedded servers; add --embedded, or name a second server "
         "with --new-dbname"},
        {has(&options->down) && !has(&options->apply),
         "--down undoes a migration; name that with --apply"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].given) {
            terminal_complain("diff: %s", rows[i].why);
            return true;
        }
    }
    return false;
}

/* Files of SQL where machines are expected. */
static bool names_sql(const struct options *options)
{
    for (size_t i = 0; i < options->operands.items.count; i++) {
        const char *path = options->operands.items.items[i];
        if (path_ends_in(path, ".sql")) {
            terminal_complain("diff: %s is SQL, not a machine; to compare two schemas, write "
                              "--schema OLD.sql --new-schema NEW.sql, or for a migration "
                              "--schema SCHEMA.sql --apply MIGRATION.sql",
                              path);
            return true;
        }
    }
    return false;
}

static bool is_usable(const struct options *options)
{
    if (names_sql(options)) {
        return false;
    }
    bool machines = has(&options->operands);
    bool schema = has(&options->schema) || options->schema_command;
    bool both_named = options->new_dbname && pgfsm_database_is_named(&options->database);
    if (!options->base && !has(&options->new_schema) && !options->new_schema_command &&
        !has(&options->apply) && !options->new_dbname && !options->new_bindir) {
        terminal_complain("diff: only one side is given; name the other one with --new-schema, "
                          "--apply, --base, --new-dbname or --new-pg-bindir");
        return false;
    }
    if (!machines && !schema && !both_named) {
        terminal_complain("diff: no schema given; write --schema FILE, or name machines: "
                          "%s diff [OPTION...] FILE...",
                          program_name);
        return false;
    }
    return !is_contradictory(options) && run_options_usable("diff", options);
}

/* Files of the options' words; false: `errors`. */
static bool read_words(struct sides *sides, struct pgfsm_errors *errors)
{
    struct options *options = &sides->options;
    const struct {
        const char *name;
        const struct texts *words;
        struct texts *files;
    } rows[] = {{"--schema", &options->schema, &sides->old_files},
                {"--new-schema", &options->new_schema, &sides->new_files},
                {"--apply", &options->apply, &sides->apply_files},
                {"--down", &options->down, &sides->down_files}};
    bool read = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        read &= !has(rows[i].words) || schema_words_read(rows[i].name, rows[i].words,
                                                         &options->arena, rows[i].files, errors);
    }
    return read;
}

/* The files of a migration, up and down, are none of the schema's. */
static bool leave_out_migration(struct sides *sides, struct texts *files)
{
    struct arena *arena = &sides->options.arena;
    const char *ignored = NULL;
    bool down = schema_leave_out(files, &sides->down_files, arena, &ignored);
    return schema_leave_out(files, &sides->apply_files, arena, &sides->later) || down;
}

/* The words of --schema are today's side, and their files at the revision the other. */
static enum status take_base(struct sides *sides, struct pgfsm_errors *errors)
{
    struct options *options = &sides->options;
    struct strbuf text = {0};
    struct pgfsm_machine *machine = NULL;
    sides->new_files = sides->old_files;
    sides->old_files = (struct texts){0};
    schema_words_machine(&options->schema, &text);
    bool read = revision_open(&sides->base, options, sides->new_files.items.items[0]) &&
                pgfsm_machine_read(&machine, "--schema", text.data, text.size, NULL, errors) &&
                revision_schema(&sides->base, machine, &text, &sides->old_files, errors);
    pgfsm_machine_free(machine);
    strbuf_free(&text);
    if (read && !has(&sides->old_files)) {
        terminal_complain("diff: --base: %s has none of the files of --schema", options->base);
        read = false;
    }
    return read ? STATUS_OK : STATUS_USAGE;
}

/* Where the way down of a file is kept: where replay scripts find it, or else for this run. */
static const char *way_down_path(struct sides *sides, const char *file, struct error *err)
{
    struct arena *arena = &sides->options.arena;
    const char *folder = getenv("TMPDIR");
    char *path = sides->options.no_save ? arena_printf(arena, "%s/pgfsm-down.XXXXXX.sql",
                                                       folder && *folder ? folder : "/tmp")
                                        : arena_printf(arena, "down-%s", file);
    if (!sides->options.no_save) {
        for (char *c = path; *c; c++) {
            *c = *c == '/' ? '-' : *c;
        }
        return folder_make(".pgfsm", 0777, err) ? arena_printf(arena, ".pgfsm/%s", path) : NULL;
    }
    int temporary = mkstemps(path, (int)strlen(".sql"));
    if (temporary < 0) {
        (void)error_system(err, "can't create", path);
        return NULL;
    }
    close(temporary);
    *VEC_PUSH(arena, &sides->temporary.items) = path;
    return path;
}

/* Of a file with both ways, such as dbmate's, --down means the way down. */
static bool take_ways_down(struct sides *sides, struct pgfsm_errors *errors)
{
    bool taken = true;
    for (size_t i = 0; i < sides->down_files.items.count && taken; i++) {
        const char *path = sides->down_files.items.items[i];
        struct strbuf text = {0};
        struct error err = {0};
        char *down = NULL;
        taken = pgfsm_migration_down(&down, path, errors);
        if (down) {
            path = way_down_path(sides, path, &err);
            strbuf_adds(&text, down);
            taken = path && file_replace(path, &text, &err);
        }
        *VEC_PUSH(&sides->options.arena, &sides->ways_down.items) = path;
        if (!taken && err.code != ERROR_NONE) {
            terminal_complain("diff: --down: %s", err.message);
        }
        strbuf_free(&text);
        free(down);
    }
    return taken;
}

/* Sets what the options decide for all machines. */
static enum status begin(struct sides *sides, struct pgfsm_errors *errors)
{
    struct options *options = &sides->options;
    if (!read_words(sides, errors)) {
        return STATUS_USAGE;
    }
    if (leave_out_migration(sides, &sides->old_files) && !has(&sides->old_files)) {
        terminal_complain("diff: --schema names nothing but files of the migration");
        return STATUS_USAGE;
    }
    (void)leave_out_migration(sides, &sides->new_files);
    if (!take_ways_down(sides, errors)) {
        return STATUS_USAGE;
    }
    if (options->base && has(&options->schema) && take_base(sides, errors) != STATUS_OK) {
        return STATUS_USAGE;
    }
    sides->after = options->diff;
    if (has(&sides->old_files)) {
        options->run.schema = sides->old_files.items.items;
        options->run.schema_count = sides->old_files.items.count;
    }
    if (has(&sides->new_files)) {
        sides->after.schema = sides->new_files.items.items;
        sides->after.schema_count = sides->new_files.items.count;
    }
    sides->after.apply = sides->apply_files.items.items;
    sides->after.apply_count = sides->apply_files.items.count;
    sides->after.down = sides->ways_down.items.items;
    sides->after.down_count = sides->ways_down.items.count;
    options->run.apply = NULL;
    options->run.apply_count = 0;
    return STATUS_OK;
}

/* The machine as it is in the current folder, with its schema's files at the revision. */
static enum status take_machine_base(struct sides *sides, const struct pgfsm_machine *machine,
                                     struct pgfsm_run_options *run, struct pgfsm_errors *errors)
{
    enum { MACHINE_SIZE_MAX = 1 << 26 };
    struct options *options = &sides->options;
    const char *path = pgfsm_machine_path(machine);
    struct strbuf text = {0};
    struct error err = {0};
    sides->old_files = sides->new_files = (struct texts){0};
    schema_files(machine, &options->arena, &sides->new_files);
    if (!has(&sides->new_files)) {
        terminal_complain("diff: --base: %s has no schema; name its files under `schema:`", path);
        return STATUS_USAGE;
    }
    if (!file_load(path, MACHINE_SIZE_MAX, &text, &err)) {
        terminal_complain("diff: %s", err.message);
        return STATUS_USAGE;
    }
    bool read = revision_open(&sides->base, options, path) &&
                revision_schema(&sides->base, machine, &text, &sides->old_files, errors);
    strbuf_free(&text);
    if (!read) {
        return STATUS_USAGE;
    }
    if (!has(&sides->old_files)) {
        terminal_complain("diff: %s is left out: %s has none of its schema's files", path,
                          options->base);
        return STATUS_NOTHING;
    }
    if (!options->quiet) {
        size_t count = sides->old_files.items.count;
        terminal_complain("diff: %s: %zu schema file%s of %s (%.12s) and %zu of today", path, count,
                          plural(count), options->base, sides->base.git.commit,
                          sides->new_files.items.count);
    }
    run->schema = sides->old_files.items.items;
    run->schema_count = sides->old_files.items.count;
    sides->after.schema = sides->new_files.items.items;
    sides->after.schema_count = sides->new_files.items.count;
    return STATUS_OK;
}

/* The machine's schema without the migration, if the migration is a part of it. */
static void take_machine(struct sides *sides, const struct pgfsm_machine *machine,
                         struct pgfsm_run_options *run)
{
    struct texts files = {0};
    schema_files(machine, &sides->options.arena, &files);
    if (!run->schema && leave_out_migration(sides, &files)) {
        sides->old_files = files;
        run->schema = sides->old_files.items.items;
        run->schema_count = sides->old_files.items.count;
    }
}

static enum status prepare(void *host, struct work *work, const struct pgfsm_machine *machine,
                           struct pgfsm_run_options *run)
{
    struct sides *sides = host;
    const struct options *options = &sides->options;
    run->diff = &sides->after;
    run->sessions = 1;
    if (!sides->opened && !work_open_second(work, &sides->second)) {
        return status_of_errors(work->errors);
    }
    sides->opened = true;
    sides->after.database = sides->second;
    take_machine(sides, machine, run);
    return options->base && !has(&options->schema)
               ? take_machine_base(sides, machine, run, work->errors)
               : STATUS_OK;
}

static bool make(void *host, struct work *work, const char *path, struct pgfsm_machine **out)
{
    (void)host;
    return made_machine(work, path, out);
}

static enum status run_sides(struct sides *sides)
{
    struct pgfsm_errors *errors = pgfsm_errors_new();
    struct run_command command = {
        .name = "diff", .bit = FOR_DIFF, .host = sides, .prepare = prepare};
    enum status status = begin(sides, errors);
    terminal_errors(errors);
    pgfsm_errors_free(errors);
    if (status == STATUS_OK && !has(&sides->options.operands)) {
        command.make = make;
        status = made_machine_name(&sides->options) ? STATUS_OK : STATUS_USAGE;
    }
    if (status == STATUS_OK) {
        status = run_machines(&sides->options, &command);
        schema_tell_later("diff", status == STATUS_USAGE ? sides->later : NULL);
    }
    return interrupt_asked() ? STATUS_INTERRUPTED : status;
}

static enum status diff(const struct options *options)
{
    struct sides sides = {.options = *options};
    if (!is_usable(options)) {
        return STATUS_USAGE;
    }
    enum status status = run_sides(&sides);
    for (size_t i = 0; i < sides.temporary.items.count; i++) {
        (void)unlink(sides.temporary.items.items[i]);
    }
    pgfsm_database_free(sides.second);
    revision_close(&sides.base);
    return status;
}

const struct command command_diff = {
    .name = "diff",
    .bit = FOR_DIFF,
    .operands = "[FILE...]",
    .summary = "compare two schemas by what they answer",
    .description =
        "Sends the same generated requests to two databases, and reports the shortest sequence\n"
        "found that they answer differently. The first database has the schema of the machines,\n"
        "or of --schema; options say what the second one has. Machines say which requests there\n"
        "are; what they predict does not count. Without a machine, pgfsm makes one for the first\n"
        "schema: requests for all of its tables and functions.\n"
        "\n"
        "Both databases are scratch databases, or those that -d and --new-dbname name: there,\n"
        "nothing is committed.",
    .examples = "pgfsm diff --schema old.sql --new-schema new.sql\n"
                "pgfsm diff --schema 'migrations/*.sql' --apply 0042.sql\n"
                "pgfsm diff --schema schema.sql --apply 0042.sql --down 0042-down.sql\n"
                "pgfsm diff --base origin/main machines/*.yaml\n"
                "pgfsm diff --schema schema.sql --new-pg-bindir /usr/lib/postgresql/18/bin\n"
                "pgfsm diff -d postgres://db1.example.com/app "
                "--new-dbname postgres://db2.example.com/app",
    .run = diff,
};
