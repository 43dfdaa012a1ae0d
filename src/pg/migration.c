#include "pg/migration.h"

#include "base/file.h"
#include "base/path.h"
#include "base/utf8.h"
#include "pg/pg.h"

#include <string.h>

enum { FILE_MAX = 256 << 20, DEPTH_MAX = 16 };

struct reading {
    struct arena *arena;
    struct migration *out;
    struct sql_inside_place place;
    int depth;
};

struct command {
    const char *text; /* after the backslash */
    size_t size;
    size_t at; /* the backslash */
};

/* A file's commands of psql, in order. */
struct commands {
    struct arena *arena;
    const struct source *source;
    VEC(struct command) items;
};

const char *migration_place(struct source_pos pos, struct arena *arena)
{
    struct source_place place = source_place(pos);
    return arena_printf(arena, "%s:%zu:%zu", pos.source->name, place.line, place.column);
}

static void refuse(struct reading *reading, struct source_pos pos, const char *what)
{
    if (!reading->out->refused) {
        reading->out->refused =
            arena_printf(reading->arena, "%s: %s can't run in the transaction of an example",
                         migration_place(pos, reading->arena), what);
    }
}

/* It can't run elsewhere either, unless psql runs it. */
static void refuse_psql(struct reading *reading, struct source_pos pos, const char *what)
{
    refuse(reading, pos, what);
    if (!reading->out->psql) {
        reading->out->psql = arena_printf(reading->arena, "%s: only psql can run %s",
                                          migration_place(pos, reading->arena), what);
    }
}

static struct migration_part *add_part(struct reading *reading, enum sql_inside_kind kind,
                                       struct source_pos pos)
{
    struct migration_part *part = VEC_PUSH(reading->arena, &reading->out->parts);
    *part = (struct migration_part){.kind = kind, .pos = pos};
    return part;
}

/* The statement's text; CONCURRENTLY becomes blanks, so that places stay. */
static const char *text_of(const struct reading *reading, const struct source *source,
                           const struct sql_file_statement *statement,
                           const struct sql_inside *inside)
{
    static const size_t word_size = sizeof "CONCURRENTLY" - 1;
    char *text = arena_strndup(reading->arena, source->text + statement->start,
                               statement->end - statement->start);
    if (inside->kind == SQL_INSIDE_PLAIN) {
        memset(text + (inside->word - statement->start), ' ', word_size);
    }
    return text;
}

static void note_otherwise(struct reading *reading, const struct sql_inside *inside,
                           struct source_pos pos)
{
    bool left_out = inside->kind == SQL_INSIDE_NOTHING && strncmp(inside->command, "SET", 3) != 0;
    if (reading->out->otherwise || (inside->kind != SQL_INSIDE_PLAIN && !left_out)) {
        return;
    }
    reading->out->otherwise =
        arena_printf(reading->arena, "%s: in the middle of an example, the migration runs %s %s",
                     migration_place(pos, reading->arena), left_out ? "and leaves out" : "without",
                     inside->command);
}

static void add_statement(struct reading *reading, const struct source *source,
                          const struct sql_file_statement *statement)
{
    struct sql_inside inside = sql_inside(source, statement, reading->place);
    struct source_pos pos = {source, statement->start};
    if (inside.kind == SQL_INSIDE_REFUSED) {
        refuse(reading, pos, inside.command);
    }
    if (inside.shared && !reading->out->shared) {
        reading->out->shared =
            arena_printf(reading->arena, "%s: this changes what all databases of a server share",
                         migration_place(pos, reading->arena));
    }
    if (inside.kind == SQL_INSIDE_BEGIN || inside.kind == SQL_INSIDE_COMMIT) {
        reading->place.own = inside.kind == SQL_INSIDE_BEGIN;
    }
    note_otherwise(reading, &inside, pos);
    bool sent = inside.kind == SQL_INSIDE_RUN || inside.kind == SQL_INSIDE_PLAIN;
    struct migration_part *part = add_part(reading, inside.kind, pos);
    part->size = statement->end - statement->start;
    part->sql = sent ? text_of(reading, source, statement, &inside) : NULL;
}

static bool keep_command(void *context, const char *command, size_t size)
{
    struct commands *commands = context;
    *VEC_PUSH(commands->arena, &commands->items) =
        (struct command){command, size, (size_t)(command - commands->source->text) - 1};
    return true;
}

static bool read_included(struct reading *reading, const char *path, struct error *err);

static bool obey(struct reading *reading, const struct source *source,
                 const struct command *command, struct error *err)
{
    struct source_pos pos = {source, command->at};
    const char *name = NULL;
    if (command->size > 0 && *command->text == ';') {
        return true; /* \; separates statements */
    }
    switch (sql_psql_kind(command->text, command->size, reading->arena, &name)) {
    case SQL_PSQL_NOTHING:
        return true;
    case SQL_PSQL_SETS:
        reading->place.variables = true;
        return true;
    case SQL_PSQL_INCLUDES:
        return read_included(reading, name, err);
    case SQL_PSQL_INCLUDES_BESIDE:
        return read_included(reading, path_beside(reading->arena, source->name, name), err);
    case SQL_PSQL_REFUSED:
        break;
    }
    refuse_psql(reading, pos, "this command of psql");
    return true;
}

/* Obeys the commands before a place. */
static bool obey_until(struct reading *reading, const struct commands *commands, size_t *next,
                       size_t place, struct error *err)
{
    bool done = true;
    while (done && *next < commands->items.count && commands->items.items[*next].at < place) {
        done = obey(reading, commands->source, &commands->items.items[(*next)++], err);
    }
    return done;
}

static bool read_statements(struct reading *reading, const struct source *source, struct error *err)
{
    struct commands commands = {.arena = reading->arena, .source = source};
    struct sql_file file = {.source = source};
    struct sql_file_statement statement;
    size_t next = 0;
    (void)sql_file_commands(source, keep_command, &commands);
    reading->place.escapes = false;
    while (sql_file_next(&file, &statement)) {
        if (!obey_until(reading, &commands, &next, statement.start + 1, err)) {
            return false;
        }
        if (next < commands.items.count && commands.items.items[next].at < statement.end) {
            refuse_psql(reading, (struct source_pos){source, commands.items.items[next++].at},
                        "a command of psql in a statement");
        }
        if (statement.end > statement.start) {
            add_statement(reading, source, &statement);
        }
        reading->place.escapes = file.escapes;
    }
    return obey_until(reading, &commands, &next, source->size, err);
}

static void check_text(struct reading *reading, const struct source *source)
{
    if (utf8_invalid_at(source->text, source->size) != source->size ||
        strlen(source->text) != source->size) {
        refuse(reading, (struct source_pos){source, 0}, "a text that is not UTF-8");
    }
}

/* Of a file of a migration tool, the way up, which the tool runs in a transaction. */
static bool read_file(struct reading *reading, const char *path, struct error *err)
{
    struct sql_migration up = {0};
    struct strbuf text = {0};
    if (!file_load(path, FILE_MAX, &text, err)) {
        strbuf_free(&text);
        return false;
    }
    if (reading->depth == 0) {
        sql_migration_up(text.data, text.size, &up);
    }
    struct source *source = ARENA_NEW(reading->arena, struct source);
    *source = (struct source){.name = arena_strdup(reading->arena, path),
                              .text = strbuf_copy(&text, reading->arena),
                              .size = text.size};
    strbuf_free(&text);
    check_text(reading, source);
    if (up.has_outside) {
        refuse(reading, (struct source_pos){source, up.outside}, "SQL before the up part");
    }
    bool own = up.is && !up.no_transaction;
    if (own) {
        reading->place.own = true;
        (void)add_part(reading, SQL_INSIDE_BEGIN, (struct source_pos){source, 0});
    }
    if (!read_statements(reading, source, err)) {
        return false;
    }
    if (own) {
        (void)add_part(reading, SQL_INSIDE_COMMIT, (struct source_pos){source, source->size});
    }
    return true;
}

static bool read_included(struct reading *reading, const char *path, struct error *err)
{
    if (reading->depth == DEPTH_MAX) {
        return error_set(err, ERROR_MACHINE, "%s: files include each other too deeply", path);
    }
    reading->depth++;
    bool escapes = reading->place.escapes;
    bool done = read_file(reading, path, err);
    reading->place.escapes = escapes;
    reading->depth--;
    return done;
}

bool migration_read(const char *const *files, size_t count, struct arena *arena,
                    struct migration *out, struct error *err)
{
    struct reading reading = {.arena = arena, .out = out};
    *out = (struct migration){0};
    for (size_t i = 0; i < count; i++) {
        size_t first = out->parts.count;
        reading.place = (struct sql_inside_place){0};
        if (!read_file(&reading, files[i], err)) {
            return false;
        }
        if (reading.place.own && out->parts.items[out->parts.count - 1].kind != SQL_INSIDE_COMMIT) {
            refuse(&reading, out->parts.items[out->parts.count - 1].pos,
                   "a transaction that the file does not end");
        }
        if (out->parts.count > first) {
            out->parts.items[first].connects = true;
        }
    }
    return true;
}

bool pg_migration_refused(const struct pg_backend_options *options, struct arena *arena,
                          const char **why, struct error *err)
{
    struct migration migration;
    *why = NULL;
    if (!migration_read(options->migration, options->migration_count, arena, &migration, err)) {
        return false;
    }
    *why = options->commit ? migration.shared : migration.refused;
    return true;
}
