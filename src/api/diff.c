/* Implements pgfsm/diff.h: a run over two databases. */
#include "api/errors.h"
#include "api/session.h"
#include "base/file.h"
#include "base/names.h"
#include "diff/twin.h"
#include "machine/sql/sql.h"

#include <string.h>

#include <pgfsm/diff.h>

static struct backend *copy(struct backend *of, bool perturbed)
{
    struct backend *backend = pg_backend_clone(of);
    if (backend && perturbed) {
        pg_backend_perturb(backend);
    }
    return backend;
}

/* What can't be compared, and why. */
static bool check_options(const struct run_session *session)
{
    const struct pgfsm_run_options *options = &session->options;
    const struct {
        bool given;
        const char *why;
    } refused[] = {
        {session->settings.sessions > 1,
         "a diff runs steps one after the other: what several sessions are answered depends on "
         "their order, in each database on its own; leave --sessions out"},
        {options->mutate != NULL, "a diff compares two schemas, and plants no faults"},
        {options->ways != NULL, "a diff can't be used as a benchmark of ways"},
        {options->in_place, "a diff needs two databases, so it can't load a schema in place"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (refused[i].given) {
            return errors_addf(session->errors, ERROR_USAGE, "%s", refused[i].why);
        }
    }
    return true;
}

/* "migrate", unless the machine has a rule of that name. */
static const char *migration_name(struct arena *arena, const struct machine *machine)
{
    const char *name = "migrate";
    while (name_index(name, ROWS_OF(machine->rules, name)) < machine->rules.count) {
        name = arena_printf(arena, "%s_", name);
    }
    return name;
}

/* "0042.sql"; of more than two files the first and the last. */
static const char *file_names(struct arena *arena, const char *const *paths, size_t count)
{
    const char *text = "";
    for (size_t i = 0; i < count; i += i == 0 && count > 2 ? count - 1 : 1) {
        const char *slash = strrchr(paths[i], '/');
        text = arena_printf(arena, "%s%s%s", text,
                            i == 0      ? ""
                            : count > 2 ? " … "
                                        : ", ",
                            slash ? slash + 1 : paths[i]);
    }
    return text;
}

static const char *migration_files(struct arena *arena, const struct pgfsm_diff_options *diff)
{
    const char *up = file_names(arena, diff->apply, diff->apply_count);
    return diff->down_count ? arena_printf(arena, "%s, then %s", up,
                                           file_names(arena, diff->down, diff->down_count))
                            : up;
}

/* The machine with one more rule, which no example chooses: the migration. */
void session_add_migration(struct run_session *session)
{
    if (!session->options.diff || session->options.diff->apply_count == 0) {
        return;
    }
    struct arena *arena = &session->run->arena;
    const struct machine *machine = session->machine;
    struct machine *with = arena_memdup(arena, machine, sizeof *machine);
    with->rules.items = NULL;
    with->rules.count = with->rules.capacity = 0;
    for (size_t i = 0; i < machine->rules.count; i++) {
        *VEC_PUSH(arena, &with->rules) = machine->rules.items[i];
    }
    struct rule *rule = VEC_PUSH(arena, &with->rules);
    *rule = (struct rule){.from = -1,
                          .until = -1,
                          .name = migration_name(arena, machine),
                          .index = machine->rules.count,
                          .files = migration_files(arena, session->options.diff),
                          .weight = 1,
                          .limit = -1,
                          .result_slot = SLOT_NONE};
    session->machine = with;
    session->migration = rule;
}

/* What the machine accepts, and the file of the options. */
static bool read_accepted(struct run_session *session)
{
    const char *path = session->options.diff->differences;
    struct arena *arena = &session->run->arena;
    struct accepted_differences *of_file = ARENA_NEW(arena, struct accepted_differences);
    struct diagnostics mistakes = {.arena = arena};
    if (path && !machine_read_differences(path, arena, of_file, &mistakes)) {
        return errors_add_all(session->errors, &mistakes);
    }
    session->accepted = accepted_new(&session->machine->differences, of_file);
    return true;
}

bool session_diff(struct run_session *session)
{
    if (!session->options.diff) {
        return true;
    }
    if (!check_options(session) || !read_accepted(session)) {
        return false;
    }
    session->natures = natures_new();
    return true;
}

/* Lists of files. */
struct files {
    const char *const *items;
    size_t count;
};

/* One list behind the other, in the arena. */
static struct files join(struct arena *arena, struct files a, struct files b)
{
    const char **items = ARENA_ARRAY(arena, const char *, a.count + b.count);
    for (size_t i = 0; i < a.count + b.count; i++) {
        items[i] = i < a.count ? a.items[i] : b.items[i - a.count];
    }
    return (struct files){items, a.count + b.count};
}

/* The first database runs no migration, but a copy of it does, between two steps. */
static void before_options(const struct run_session *session, struct pg_backend_options *options)
{
    const struct pgfsm_diff_options *diff = session->options.diff;
    const struct files files =
        join(&session->run->arena, (struct files){diff->apply, diff->apply_count},
             (struct files){diff->down, diff->down_count});
    options->migration = files.items;
    options->migration_count = files.count;
}

static void after_options(const struct run_session *session, struct pg_backend_options *options)
{
    const struct pgfsm_diff_options *diff = session->options.diff;
    const struct files files =
        join(&session->run->arena, (struct files){options->apply, options->apply_count},
             (struct files){options->migration, options->migration_count});
    options->apply = files.items;
    options->apply_count = files.count;
    options->migration_count = 0;
    options->tolerant = true;
    if (diff->schema) {
        options->schema = diff->schema;
        options->schema_count = diff->schema_count;
    }
}

/* The most connections of one backend: that of its database, its own, one to confirm a failure, and
 * two to restore what steps committed. */
static size_t room_for_one(const struct pg_backend_options *options)
{
    return options->commit ? 5 : 3;
}

/* A migration that can't run in the middle of an example is none of its steps: all examples begin
 * with it, and the report says so. A file that can't be read is told of by open(). */
static void settle_migration(struct run_session *session, const struct pg_backend_options *options)
{
    struct arena *arena = &session->run->arena;
    struct error err = {0};
    const char *why = NULL;
    if (session->migration && pg_migration_refused(options, arena, &why, &err) && why) {
        session->migration = NULL;
        session_warn(
            session,
            arena_printf(arena, "%s, so the migration runs only before the first step%s", why,
                         options->commit ? "" : "; with --commit, it runs between steps, too"));
    }
}

/* Whether the second database begins with all files of the first. */
static bool begins_alike(const struct pg_backend_options *before,
                         const struct pg_backend_options *after)
{
    bool alike = before->schema_count == after->schema_count;
    for (size_t i = 0; i < before->schema_count && alike; i++) {
        alike = strcmp(before->schema[i], after->schema[i]) == 0;
    }
    return alike; /* what is applied to the first is applied to the second before the migration */
}

/* `before` has the migration. */
static struct backend *make_twin(struct run_session *session, struct pg_backend_options before)
{
    const struct pgfsm_diff_options *diff = session->options.diff;
    struct pgfsm_database *database = diff->database ? diff->database : session->database;
    struct twin_sides sides = {
        .migrates = session->migration != NULL,
        .copy = copy,
        .natures = session->natures,
        .messages = diff->messages,
        .accepted = session->accepted,
        .commits = before.commit,
    };
    struct pg_backend_options after = before;
    after_options(session, &after);
    size_t copies = twin_copies(&sides);
    before.shared = begins_alike(&before, &after);
    bool same_server = before.shared && database == session->database;
    before.clones = (before.clones + 1) * (copies + 1) - 1 + same_server;
    before.room = (1 + copies) * room_for_one(&before);
    after.room = copies * room_for_one(&before);
    sides.before = pg_backend_new(session->database->target, &before);
    after.from = same_server ? sides.before : NULL;
    after.loaded = before.shared ? before.schema_count + before.apply_count : 0;
    sides.after = pg_backend_new(database->target, &after);
    return twin_new(&sides);
}

struct backend *session_twin(struct run_session *session, const struct pg_backend_options *options)
{
    struct pg_backend_options before = *options;
    before_options(session, &before);
    settle_migration(session, &before);
    return make_twin(session, before);
}

/* psql runs the migration there. */
struct backend *session_open_committed(void *host)
{
    struct run_session *session = host;
    struct pg_backend_options options = settings_for_backend(session);
    struct arena arena = {0};
    struct diagnostics diagnostics = {.arena = &arena};
    struct error err = {0};
    const char *why = NULL;
    options.commit = true;
    before_options(session, &options);
    if (!pg_migration_refused(&options, &arena, &why, &err) || why) {
        arena_free(&arena);
        return NULL;
    }
    struct backend *backend = make_twin(session, options);
    bool opened =
        backend->ops->open(backend, session->machine, &diagnostics, &err) && twin_migrates(backend);
    if (!opened) {
        backend->ops->close(backend);
    }
    arena_free(&arena);
    return opened ? backend : NULL;
}

void session_fails_uncommitted(void *host, const struct failure *failure)
{
    struct run_session *session = host;
    const struct server_error *error = failure->divergence->error_after;
    if (natures_begin_migrated(session->natures)) {
        session_warn(session,
                     arena_printf(&session->run->arena,
                                  "the migration fails inside the transaction of an example, but "
                                  "not where psql runs it (%s: %s: %s), so it runs only before the "
                                  "first step from there on; with --commit, it runs between "
                                  "steps, too",
                                  error->place ? error->place : "migration", error->sqlstate,
                                  error->message));
    }
}

size_t session_learned(void *host)
{
    const struct run_session *session = host;
    return natures_changes(session->natures);
}

void session_diff_warn(struct run_session *session, struct backend *backend, const char *why)
{
    struct arena *arena = &session->run->arena;
    if (!twin_doubts(backend)) {
        session_warn(session, arena_printf(arena,
                                           "what differs by chance counts as a difference: there "
                                           "can't be a copy of the old database to try it on: %s",
                                           why));
    }
    if (session->migration && !twin_migrates(backend)) {
        session_warn(session, arena_printf(arena,
                                           "the migration runs before the first step only: there "
                                           "can't be a copy of the old database for it: %s",
                                           why));
    }
}

static void add_unshared(struct arena *arena, struct backend *backend, size_t side,
                         struct compared_names *out)
{
    size_t count;
    const char *const *places = twin_unshared(backend, side, &count);
    for (size_t i = 0; i < count; i++) {
        *VEC_PUSH(arena, &out->items) = arena_strdup(arena, places[i]);
    }
}

static void add_changes(struct arena *arena, struct backend *backend, struct report_compared *out)
{
    static const char *const only[] = {
        [CHANGED_ONLY_BEFORE] = "before", [CHANGED_ONLY_AFTER] = "after"};
    const struct changes *changes = twin_differs(backend);
    for (size_t i = 0; i < changes->items.count; i++) {
        const struct changed_object *object = &changes->items.items[i];
        struct compared_change *change = VEC_PUSH(arena, &out->changed);
        change->object = arena_strdup(arena, object->object);
        change->only = only[object->on];
        for (size_t j = 0; j < object->kinds.count; j++) {
            *VEC_PUSH(arena, &change->parts.items) = arena_strdup(arena, object->kinds.items[j]);
        }
    }
    for (size_t i = 0; i < changes->tables.count; i++) {
        *VEC_PUSH(arena, &out->changed_tables.items) =
            arena_strdup(arena, changes->tables.items[i]);
    }
    for (size_t i = 0; i < changes->central.count; i++) {
        *VEC_PUSH(arena, &out->central.items) = arena_strdup(arena, changes->central.items[i]);
    }
}

static void add_natures(struct arena *arena, struct natures *natures, struct report_compared *out)
{
    struct natural_place *places;
    struct natural_rename *renames;
    size_t count = natures_list(natures, arena, &places);
    for (size_t i = 0; i < count; i++) {
        *VEC_PUSH(arena, &out->loosely) = (struct compared_loosely){
            arena_strdup(arena, places[i].place),
            places[i].column ? arena_strdup(arena, places[i].column) : NULL,
            places[i].nature != NATURE_FREE};
    }
    out->loosely_full = natures_full(natures);
    count = natures_renames(natures, arena, &renames);
    for (size_t i = 0; i < count; i++) {
        *VEC_PUSH(arena, &out->renamed) = (struct compared_rename){
            arena_strdup(arena, renames[i].table), arena_strdup(arena, renames[i].before),
            arena_strdup(arena, renames[i].after)};
    }
}

static void add_accepted(struct run_session *session, struct report_compared *out)
{
    for (size_t i = 0; i < accepted_count(session->accepted); i++) {
        bool seen;
        const struct accepted_difference *one = accepted_at(session->accepted, i, &seen);
        *VEC_PUSH(&session->run->arena, &out->accepted) = (struct compared_accepted){one, seen};
    }
}

/* What was told once has other places. */
static void add_elsewhere(struct run_session *session)
{
    struct arena *arena = &session->run->arena;
    for (size_t i = 0; i < session->run->result.failures.count; i++) {
        struct failure *failure = &session->run->result.failures.items[i];
        size_t count = 0;
        const char *const *places =
            failure->divergence ? accepted_met(session->accepted, failure->divergence, &count)
                                : NULL;
        for (size_t k = 0; k < count; k++) {
            if (strcmp(places[k], failure->divergence->place) != 0) {
                *VEC_PUSH(arena, &failure->elsewhere) = arena_strdup(arena, places[k]);
            }
        }
    }
}

void session_report_compared(struct run_session *session, struct backend *backend)
{
    struct arena *arena = &session->run->arena;
    const struct pgfsm_diff_options *diff = session->options.diff;
    if (!diff) {
        return;
    }
    struct report_compared *out = ARENA_NEW(arena, struct report_compared);
    const char *place;
    for (size_t i = 0; (place = twin_shared(backend, i)) != NULL; i++) {
        *VEC_PUSH(arena, &out->relations.items) = arena_strdup(arena, place);
    }
    add_unshared(arena, backend, 0, &out->only_before);
    add_unshared(arena, backend, 1, &out->only_after);
    add_changes(arena, backend, out);
    add_natures(arena, session->natures, out);
    add_accepted(session, out);
    add_elsewhere(session);
    out->messages = diff->messages;
    session->run->report.compared = out;
}

bool pgfsm_migration_down(char **out, const char *path, struct pgfsm_errors *errors)
{
    enum { MIGRATION_SIZE_MAX = 256 << 20 };
    struct strbuf text = {0};
    struct error err = {0};
    bool read = file_load(path, MIGRATION_SIZE_MAX, &text, &err);
    bool both = read && sql_migration_down(text.data, text.size);
    *out = NULL;
    if (both) {
        strbuf_adds(&text, "");
        *out = text.data; /* malloc's, as strbuf documents */
    } else {
        strbuf_free(&text);
    }
    return read || errors_add_usage(errors, &err);
}
