#include "pg/catalog/catalog.h"

#include "pg/session/queries.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct warnings {
    struct arena *arena;
    VEC(const char *) items;
};

/* Tables of which the same is to be said: a line for each, or one for all. */
struct tables {
    VEC(const char *) names;
};
enum { LINES_MAX = 5, NAMED_IN_ONE = 3 };

static bool in_one_line(const struct tables *tables) { return tables->names.count > LINES_MAX; }

static size_t lines_of(const struct tables *tables)
{
    return in_one_line(tables) ? 1 : tables->names.count;
}

/* "public.a"; "20 tables (public.a, public.b, public.c and 17 more)" */
static const char *named_in_line(struct arena *arena, const struct tables *tables, size_t line)
{
    const char *const *names = tables->names.items;
    size_t count = tables->names.count;
    return in_one_line(tables) ? arena_printf(arena, "%zu tables (%s, %s, %s and %zu more)", count,
                                              names[0], names[1], names[2], count - NAMED_IN_ONE)
                               : names[line];
}

/* What a transaction that is never committed can't show (postgres-facts). */
enum {
    STAYS = 1,     /* what no rollback takes back: of interest in a database that was named */
    NO_COMMIT = 2, /* not if steps are committed */
    NO_END = 4,    /* not at the end of an example, which may ask what its transaction wrote */
};
static const struct {
    const char *pattern; /* of POSIX, case does not matter */
    const char *why;
    unsigned flags;
} unseen[] = {
    {"\\mon\\s+commit\\M", "ON COMMIT actions never happen, since nothing is committed", NO_COMMIT},
    {"\\mnotify\\M|\\mpg_notify\\M", "NOTIFY is not sent, since nothing is committed", NO_COMMIT},
    {"\\mxmin\\M|\\mtxid_current\\M|\\mpg_current_xact_id\\M",
     "all steps run in one transaction: its id and xmin are not those of a transaction per step",
     NO_COMMIT | NO_END},
    {"\\malter\\s+type\\M.*\\madd\\s+value\\M",
     "a new enum value can't be used before a commit, and nothing is committed", NO_COMMIT},
    {"\\mpg_(try_)?advisory_xact_lock",
     "advisory locks of a transaction are kept from step to step", NO_COMMIT},
    {"\\mdblink", "dblink works in a transaction of its own, which is not rolled back", STAYS},
    {"\\mcopy\\M.*\\mto\\s+(program\\M|e?')|\\mlo_export\\M|\\mpg_file_(write|rename|unlink)\\M",
     "files and programs that it writes to are not rolled back", STAYS},
    {"\\mpg_(try_)?advisory_lock",
     "advisory locks of a session are not rolled back; they end with the connection", STAYS},
    {"\\mpg_(create|drop|copy)_(logical_|physical_)?replication_slot",
     "replication slots are not rolled back", STAYS},
    {"\\mdeallocate\\s+(prepare\\s+)?(all\\M|\"?pgfsm_)",
     "prepared statements are deallocated, so pgfsm sends its own as text, which is slower", 0},
};
enum { UNSEEN = sizeof unseen / sizeof *unseen };

static void add_templates(const struct machine *machine, struct text_array *texts)
{
    for (size_t i = 0; i < machine->templates.count; i++) {
        const struct snippet *sql = &machine->templates.items[i]->snippet;
        text_array_add(texts, sql->text, sql->size);
    }
}

static bool is_asked_at_end(const struct machine *machine, const struct sql_template *sql)
{
    for (size_t i = 0; i < machine->invariants.count; i++) {
        const struct invariant *invariant = &machine->invariants.items[i];
        for (size_t j = 0; invariant->when == WHEN_END && j < invariant->statements.count; j++) {
            if (invariant->statements.items[j].sql == sql) {
                return true;
            }
        }
    }
    return false;
}

/* What happens in a scratch database goes with it. */
static bool is_named(const struct session *session) { return !session->scratch.target; }

static bool warn_of_unseen(struct session *session, struct warnings *warnings, struct error *err)
{
    enum { PATTERNS, STATEMENTS, AT_END, NOT_AT_END, ARRAYS };
    const struct machine *machine = session->machine;
    struct text_array arrays[ARRAYS] = {0};
    for (size_t i = 0; i < UNSEEN; i++) {
        text_array_add(&arrays[PATTERNS], unseen[i].pattern, strlen(unseen[i].pattern));
        if (unseen[i].flags & NO_END) {
            text_array_add(&arrays[NOT_AT_END], unseen[i].pattern, strlen(unseen[i].pattern));
        }
    }
    for (size_t i = 0; i < machine->templates.count; i++) {
        const struct sql_template *sql = machine->templates.items[i];
        text_array_add(&arrays[is_asked_at_end(machine, sql) ? AT_END : STATEMENTS],
                       sql->snippet.text, sql->snippet.size);
    }
    PGresult *result = session_ask_texts(session, query_unseen, arrays, ARRAYS, err);
    for (int i = 0; i < PQntuples(result); i++) {
        size_t number = strtoul(PQgetvalue(result, i, 0), NULL, 10) - 1;
        if ((!(unseen[number].flags & STAYS) || is_named(session)) &&
            !((unseen[number].flags & NO_COMMIT) && session->commits)) {
            *VEC_PUSH(warnings->arena, &warnings->items) = arena_printf(
                warnings->arena, "%s: %s", PQgetvalue(result, i, 1), unseen[number].why);
        }
    }
    bool done = result != NULL;
    PQclear(result);
    return done;
}

/* The kinds of what lasting.sql finds, as it counts them. */
static const char *const lasting[] = {
    "its language is not trusted: effects outside the database are not rolled back",
    "its wrapper may write at once, and that is not rolled back",
    "a rollback does not return the numbers that it hands out",
};

/* Objects of a named database that may do what no rollback takes back. */
static bool warn_of_lasting(struct session *session, struct warnings *warnings, struct error *err)
{
    if (!is_named(session)) {
        return true;
    }
    struct text_array texts = {0};
    add_templates(session->machine, &texts);
    PGresult *result = session_ask_texts(session, query_lasting, &texts, 1, err);
    for (int i = 0; i < PQntuples(result); i++) {
        size_t kind = strtoul(PQgetvalue(result, i, 0), NULL, 10);
        *VEC_PUSH(warnings->arena, &warnings->items) =
            arena_printf(warnings->arena, "%s: %s", PQgetvalue(result, i, 1), lasting[kind]);
    }
    bool done = result != NULL;
    PQclear(result);
    return done;
}

bool session_read_changes(struct session *session, struct error *err)
{
    struct contexts *contexts = &session->contexts;
    struct text_array texts = {0};
    add_templates(session->machine, &texts);
    PGresult *result = session_ask_texts(session, query_changes, &texts, 1, err);
    bool done = result != NULL;
    if (done) {
        contexts->changed = *PQgetvalue(result, 0, 0) == 't';
        contexts->session_users |= *PQgetvalue(result, 0, 1) == 't';
        session->deallocated |= *PQgetvalue(result, 0, 2) == 't';
        contexts_add_own(contexts, PQgetvalue(result, 0, 3));
    }
    PQclear(result);
    return done;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

bool sql_mentions(const struct snippet *sql, const char *word)
{
    size_t size = strlen(word);
    for (size_t i = 0; i + size <= sql->size; i++) {
        if (strncasecmp(sql->text + i, word, size) == 0 && (i == 0 || !is_word(sql->text[i - 1])) &&
            (i + size == sql->size || !is_word(sql->text[i + size]))) {
            return true;
        }
    }
    return false;
}

/* A table with policies, and who touches it. */
struct policed {
    const char *word;          /* its name as it stands in SQL */
    const char *const *escape; /* by actor: why the policies do not hold for it; NULL: they do */
    size_t actor_count;
    bool tested;       /* somebody for whom they hold touches it */
    bool touched;      /* somebody for whom they do not */
    size_t touched_by; /* such an actor */
};

/* One drawn at run time is given the benefit of the doubt. */
static void look_at(struct session *session, struct policed *table, const struct use *use)
{
    struct actor actor;
    if (use_sets_up(use) || !sql_mentions(&use->sql->snippet, table->word)) {
        return;
    }
    size_t index = use_actor(use, &actor) ? statements_actor(&session->statements, &actor)
                                          : table->actor_count;
    if (index >= table->actor_count || !table->escape[index]) {
        table->tested = true;
    } else {
        table->touched = true;
        table->touched_by = index;
    }
}

/* Tables whose policies no step tests, and the user who touches them: policies don't hold for that
 * user. */
struct untested {
    struct tables tables;
    size_t actor;
    const char *escape;
};
struct all_untested {
    VEC(struct untested) items;
};

static void add_untested(struct session *session, struct policed *table, const char *name,
                         struct all_untested *all)
{
    struct arena *arena = &session->arena;
    size_t i = 0;
    for (size_t use = 0; use < session->statements.uses.count; use++) {
        look_at(session, table, &session->statements.uses.items[use]);
    }
    if (!table->touched || table->tested) {
        return;
    }
    const char *escape = table->escape[table->touched_by];
    while (i < all->items.count && (all->items.items[i].actor != table->touched_by ||
                                    strcmp(all->items.items[i].escape, escape) != 0)) {
        i++;
    }
    if (i == all->items.count) {
        *VEC_PUSH(arena, &all->items) =
            (struct untested){.actor = table->touched_by, .escape = escape};
    }
    *VEC_PUSH(arena, &all->items.items[i].tables.names) = name;
}

static void warn_of_untested(struct session *session, const struct untested *untested,
                             struct warnings *warnings)
{
    struct arena *arena = warnings->arena;
    const struct tables *tables = &untested->tables;
    for (size_t i = 0; i < lines_of(tables); i++) {
        *VEC_PUSH(arena, &warnings->items) = arena_printf(
            arena,
            "nothing tests the policies of %s: every rule and invariant that touches %s runs as "
            "%s, %s; write `as: {role: NAME}` there, with a role that policies apply to",
            named_in_line(arena, tables, i), in_one_line(tables) ? "them" : "it",
            actor_name(session, untested->actor), untested->escape);
    }
}

/* Rows come table by table. */
static void warn_of_rows(struct session *session, const PGresult *result, struct warnings *warnings)
{
    size_t actors = session->statements.actors.count;
    const char **escape = ARENA_ARRAY(warnings->arena, const char *, actors);
    struct all_untested all = {0};
    int rows = PQntuples(result);
    for (int i = 0; i < rows;) {
        struct policed table = {
            .word = PQgetvalue(result, i, 0),
            .escape = escape,
            .actor_count = actors,
        };
        const char *name = PQgetvalue(result, i, 1);
        memset(escape, 0, actors * sizeof *escape);
        for (; i < rows && strcmp(PQgetvalue(result, i, 1), name) == 0; i++) {
            size_t actor = strtoul(PQgetvalue(result, i, 2), NULL, 10) - 1;
            if (!PQgetisnull(result, i, 3)) {
                escape[actor] = PQgetvalue(result, i, 3);
            }
        }
        add_untested(session, &table, name, &all);
    }
    for (size_t i = 0; i < all.items.count; i++) {
        warn_of_untested(session, &all.items.items[i], warnings);
    }
}

static bool warn_of_policies(struct session *session, struct warnings *warnings, struct error *err)
{
    struct text_array users = {0};
    for (size_t i = 0; i < session->statements.actors.count; i++) {
        const char *name = actor_name(session, i);
        text_array_add(&users, name, strlen(name));
    }
    PGresult *result = session_ask_texts(session, query_policies, &users, 1, err);
    if (result) {
        warn_of_rows(session, result, warnings);
    }
    bool done = result != NULL;
    PQclear(result);
    return done;
}

static void pool_add(struct pool *pool, struct value value)
{
    for (size_t i = 0; i < pool->count; i++) {
        if (value_equal(pool->items[i], value)) {
            return;
        }
    }
    if (pool->count < POOL_MAX) {
        pool->items[pool->count++] = value;
    }
}

static void pool_string(struct session *session, const char *text)
{
    pool_add(&session->catalog.strings, value_text(&session->arena, text));
}

static void pool_expression(struct session *session, const char *text)
{
    struct arena arena = {0};
    const struct source source = {.name = "catalog", .text = text, .size = strlen(text)};
    const struct snippet snippet = snippet_of_source(&source);
    struct sql_literals literals = {0};
    sql_collect_literals(&snippet, &arena, &literals);
    for (size_t i = 0; i < literals.strings.count; i++) {
        pool_string(session, literals.strings.items[i]);
    }
    for (size_t i = 0; i < literals.ints.count; i++) {
        pool_add(&session->catalog.ints, value_int(literals.ints.items[i]));
    }
    arena_free(&arena);
}

static bool fill_pool(struct session *session, const char *query, struct error *err)
{
    PGresult *result = session_ask(session, query, NULL, err);
    for (int i = 0; i < PQntuples(result); i++) {
        if (strcmp(PQgetvalue(result, i, 0), "label") == 0) {
            pool_string(session, PQgetvalue(result, i, 1));
        } else {
            pool_expression(session, PQgetvalue(result, i, 1));
        }
    }
    bool done = result != NULL;
    PQclear(result);
    return done;
}

static void warn_of_recursive(const PGresult *result, struct warnings *warnings)
{
    struct arena *arena = warnings->arena;
    struct tables tables = {0};
    for (int i = 0; i < PQntuples(result); i++) {
        *VEC_PUSH(arena, &tables.names) = PQgetvalue(result, i, 0);
    }
    const char *it = in_one_line(&tables) ? "them" : "it";
    for (size_t i = 0; i < lines_of(&tables); i++) {
        const char *policies =
            in_one_line(&tables) ? "" : arena_printf(arena, ": %s", PQgetvalue(result, (int)i, 1));
        *VEC_PUSH(arena, &warnings->items) = arena_printf(
            arena,
            "the policies of %s lead back to %s, so that every use of %s fails where they apply%s; "
            "let them ask a function that is SECURITY DEFINER and whose owner bypasses them",
            named_in_line(arena, &tables, i), it, it, policies);
    }
}

/* Policies that read their own table, directly or through others: the users to whom they apply
 * can't use it. Every rule that tries fails, so we report the schema's fault once. */
static bool warn_of_recursion(struct session *session, struct warnings *warnings, struct error *err)
{
    struct text_array messages = {0};
    size_t count = 0;
    for (size_t i = 0; i < session->prepare.left.errors.count; i++) {
        const struct error *left = &session->prepare.left.errors.items[i];
        if (strcmp(left->sqlstate, "42P17") == 0) {
            text_array_add(&messages, left->message, strlen(left->message));
            count++;
        }
    }
    if (!count) {
        return true;
    }
    PGresult *result = session_ask_texts(session, query_recursion, &messages, 1, err);
    warn_of_recursive(result, warnings);
    bool done = result != NULL;
    PQclear(result);
    return done;
}

bool session_read_catalog(struct session *session, struct error *err)
{
    struct warnings warnings = {.arena = &session->arena};
    if (!warn_of_policies(session, &warnings, err) || !warn_of_recursion(session, &warnings, err) ||
        !warn_of_unseen(session, &warnings, err) || !warn_of_lasting(session, &warnings, err) ||
        !fill_pool(session, query_literals, err) ||
        (session->options.clock_us && !fill_pool(session, query_times, err)) ||
        !session_read_origins(session, err)) {
        return false;
    }
    *VEC_PUSH(warnings.arena, &warnings.items) = NULL;
    session->catalog.warnings = warnings.items.items;
    return true;
}
