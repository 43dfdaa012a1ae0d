#include "init/init.h"

#include "api/errors.h"
#include "api/given.h"
#include "api/hold.h"
#include "api/machine.h"
#include "api/session.h"
#include "base/file.h"
#include "base/path.h"
#include "layout/layout.h"
#include "value/json/json.h"

#include <stdlib.h>
#include <string.h>

#include <pgfsm/draft.h>

/* The machine that the schema is looked at with. */
static struct pgfsm_machine *looking_machine(const struct pgfsm_draft_options *options,
                                             struct arena *arena, struct pgfsm_errors *errors)
{
    /* Nobody waits for an answer: a large schema, or a busy machine, may take its time, and whoever
     * does not want to wait ends the program. */
    static const char head[] = "machine: init\nrules: {look: {sql: SELECT 1}}\n"
                               "settings: {statement_timeout: 0}\n";
    struct strbuf text = {0};
    struct pgfsm_machine *machine = NULL;
    strbuf_adds(&text, head);
    for (size_t i = 0; i < options->schema_count; i++) {
        strbuf_addf(&text, "%s%s", i ? ", " : "schema: [",
                    value_repr_text(arena, value_text(arena, options->schema[i])));
    }
    strbuf_adds(&text, options->schema_count ? "]\n" : "");
    (void)pgfsm_machine_read(&machine, "init.yaml", strbuf_text(&text), text.size, NULL, errors);
    strbuf_free(&text);
    return machine;
}

/* A pattern is looked at by the machine. */
static bool is_pattern(const char *path) { return path[strcspn(path, "*?[")] != '\0'; }

/* A folder that the machine knows how to read. */
static bool is_layout(const char *path)
{
    struct arena arena = {0};
    struct layout_files files = {0};
    struct error ignored;
    bool is =
        folder_exists(path) && layout_read_folder(path, &arena, &files, &ignored) && files.layout;
    arena_free(&arena);
    return is;
}

/* That the files can be read is said of them, and not of the machine that looks at them. */
static bool check_files(const struct pgfsm_draft_options *options, struct pgfsm_errors *errors)
{
    for (size_t i = 0; i < options->schema_count; i++) {
        struct error err = {0};
        const char *path = options->schema[i];
        bool several = is_pattern(path) || is_layout(path);
        FILE *file = several ? NULL : file_open(path, &err);
        if (err.code != ERROR_NONE) {
            if (folder_exists(path)) {
                (void)error_hint(&err, "to load the files in it, write a pattern: '%s%s%s'", path,
                                 path_ends_in(path, "/") ? "" : "/", folder_sql_pattern(path));
            }
            return errors_add_usage(errors, &err);
        }
        if (file) {
            (void)fclose(file);
        }
    }
    return true;
}

/* The folder that the machine will stand in; NULL with `errors` if it does not exist. */
static const char *folder_of(struct arena *arena, const char *path, struct pgfsm_errors *errors)
{
    const char *folder = path_folder(arena, path);
    const char *absolute = path_absolute(arena, folder);
    if (!absolute) {
        struct error err = {0};
        (void)error_system(&err, "can't write to the folder", folder);
        (void)errors_add_usage(errors, &err);
    }
    return absolute;
}

/* The path as a machine in the folder is to name it: of a pattern, only what stands before it leads
 * to a file. */
static const char *path_from(struct arena *arena, const char *folder, const char *path)
{
    size_t fixed = strcspn(path, "*?[");
    while (is_pattern(path) && fixed > 0 && path[fixed - 1] != '/') {
        fixed--;
    }
    const char *start = fixed > 0 ? arena_strndup(arena, path, fixed) : ".";
    const char *absolute = path_absolute(arena, start);
    const char *relative = absolute ? path_relative(arena, folder, absolute) : start;
    return path[fixed] ? arena_printf(arena, "%s/%s", relative, path + fixed) : relative;
}

/* Paths of the schema as the machine is to name them. */
static const char *const *schema_paths(const struct pgfsm_draft_options *options,
                                       struct arena *arena, struct pgfsm_errors *errors)
{
    const char **paths = ARENA_ARRAY(arena, const char *, options->schema_count + 1);
    const char *folder = folder_of(arena, options->path ? options->path : "", errors);
    for (size_t i = 0; folder && i < options->schema_count; i++) {
        paths[i] = path_from(arena, folder, options->schema[i]);
    }
    return folder ? paths : NULL;
}

/* A name for the machine, of what it is about. */
static const char *machine_name(const struct pgfsm_draft_options *options, struct arena *arena)
{
    enum { NAME_MAX_SIZE = 63 };
    const char *path = options->path           ? options->path
                       : options->schema_count ? options->schema[options->schema_count - 1]
                                               : "first";
    const char *slash = strrchr(path, '/');
    const char *start = slash ? slash + 1 : path;
    size_t size = strcspn(start, ".");
    char *name = arena_strndup(arena, start, size < NAME_MAX_SIZE ? size : NAME_MAX_SIZE);
    for (char *c = name; *c; c++) {
        bool fits = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                    (*c >= '0' && *c <= '9') || *c == '-';
        *c = fits ? *c : '_';
    }
    return *name ? name : "first";
}

static bool find_table(void *host, const char *name, const struct table_facts **out,
                       struct error *err)
{
    struct backend *backend = host;
    return backend->ops->table(backend, name, out, err);
}

/* What is known of the schema, in the arena. */
struct known {
    struct value facts;
    struct value free; /* of a machine without a model; else None */
};

typedef bool describe_function(struct backend *backend, const char *const *tables, size_t count,
                               struct arena *arena, const char **json, struct error *err);

static bool ask(struct backend *backend, const struct pgfsm_draft_options *options,
                describe_function *describe, struct arena *arena, struct value *out,
                struct error *err)
{
    const char *json = NULL;
    return describe(backend, options->tables, options->table_count, arena, &json, err) &&
           json_decode(arena, json, strlen(json), out, err);
}

static bool describe(struct backend *backend, const struct pgfsm_draft_options *options,
                     struct arena *arena, struct known *known, struct error *err)
{
    const struct draw_catalog tables = {.host = backend, .find = find_table};
    if (!options->free) {
        return ask(backend, options, pg_describe, arena, &known->facts, err) &&
               init_study(known->facts, &tables, arena, err);
    }
    return ask(backend, options, pg_describe_tables, arena, &known->facts, err) &&
           ask(backend, options, pg_describe_free, arena, &known->free, err) &&
           init_study_free(known->facts, &tables, arena, err);
}

/* Whether the machine loads. */
static bool loads(const struct strbuf *text, const struct pgfsm_draft_options *options)
{
    const char *name = options->path ? options->path : "machine.yaml"; /* patterns start there */
    struct arena arena = {0};
    struct diagnostics mistakes = {.arena = &arena};
    const struct machine *machine = NULL;
    bool loaded = machine_read(name, text->data, text->size, NULL, &arena, &machine, &mistakes);
    arena_free(&arena);
    return loaded;
}

/* Replaces the text by its short form, unless that does not load. */
static void shorten(struct value facts, const struct pgfsm_draft_options *options,
                    struct strbuf *text)
{
    struct strbuf brief = {0};
    init_shorten(facts, text, &brief);
    if (loads(&brief, options)) {
        const struct strbuf whole = *text;
        *text = brief;
        brief = whole;
    }
    strbuf_free(&brief);
}

/* What the database has, by a machine that only looks at it. */
static bool look(const struct pgfsm_machine *machine, struct pgfsm_database *database,
                 const struct pgfsm_draft_options *options, const struct pgfsm_callbacks *callbacks,
                 struct arena *arena, struct known *known, struct pgfsm_errors *errors)
{
    struct run_session session;
    struct error err = {0};
    if (!run_session_begin(&session, machine, database, NULL, callbacks, errors)) {
        return false;
    }
    struct backend *backend = session_open(&session);
    bool looked =
        backend && (describe(backend, options, arena, known, &err) || errors_add(errors, &err));
    if (backend) {
        backend->ops->close(backend);
    }
    database_end(database);
    return looked;
}

bool pgfsm_draft(char **out, struct pgfsm_database *database,
                 const struct pgfsm_draft_options *options, const struct pgfsm_callbacks *callbacks,
                 struct pgfsm_errors *errors)
{
    struct arena arena = {0};
    struct strbuf text = {0};
    struct error err = {0};
    struct known known = {.free = value_none()};
    bool written = false;
    struct pgfsm_draft_options taken = PGFSM_DRAFT_OPTIONS_INIT;
    *out = NULL;
    if (!GIVEN_TAKE(&taken, options, errors, pgfsm_draft_options)) {
        return false;
    }
    options = &taken;
    const char *const *schema =
        check_files(options, errors) ? schema_paths(options, &arena, errors) : NULL;
    struct pgfsm_machine *machine = schema ? looking_machine(options, &arena, errors) : NULL;
    if (machine) {
        written = look(machine, database, options, callbacks, &arena, &known, errors);
    }
    pgfsm_machine_free(machine);
    const struct init_options init = {.name = machine_name(options, &arena),
                                      .schema = schema,
                                      .schema_count = options->schema_count};
    if (written && options->free) {
        written = init_write_free(known.facts, known.free, &init, &text, &err) ||
                  errors_add(errors, &err);
    }
    if (written && !options->free) {
        init_write(known.facts, &init, &text);
        /* Not in a database that was named: nothing but a run that is asked for writes there. */
        written =
            options->schema_count == 0 || hold_machine(&text, database, options, callbacks, errors);
        if (written && !options->full) {
            shorten(known.facts, options, &text);
        }
    }
    arena_free(&arena);
    *out = written ? text.data : NULL;
    if (!written) {
        strbuf_free(&text);
    }
    return written;
}
