/* Reads `migration`: cuts its files into pieces, each of which becomes a rule that may run once, in
 * their order. A variable of the model, `migrated`, counts those that have run, so every part that
 * knows rules (schedules, serial orders, shrinking, scripts) knows the migration, too. Another one,
 * `migration_at`, is the piece that is next: less than `migrated` while a file is run again. */
#include "base/file.h"
#include "base/names.h"
#include "machine/loader.h"
#include "machine/sql/sql_inside.h"
#include "machine/sql/sql_refuse.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { FILE_MAX = 1 << 20, PIECES_MAX = 500 };

enum cut { CUT_FILE, CUT_STATEMENT };
enum {
    MIGRATION_FILES,
    MIGRATION_CUT,
    MIGRATION_REPEAT,
    MIGRATION_DOWN,
    MIGRATION_ALLOW,
    MIGRATION_KEYS
};

static const struct key migration_key_items[] = {
    [MIGRATION_FILES] = {"files", SHAPE_STEPS, KEY_REQUIRED, NULL,
                         "Its SQL files, relative to this file, in order; or the steps of a "
                         "deployment: name to files, or to nothing."},
    [MIGRATION_CUT] = {"cut", SHAPE_CUT, 0, NULL,
                       "What is a transaction: a file (the default), or each statement."},
    [MIGRATION_REPEAT] = {"repeat", SHAPE_BOOLEAN, 0, NULL,
                          "Whether a file of several transactions, killed between two of them, is "
                          "run again from its start; default true."},
    [MIGRATION_DOWN] = {"down", SHAPE_PATHS, 0, NULL, "SQL files that undo it."},
    [MIGRATION_ALLOW] = {"allow_blocking", SHAPE_BLOCKING, 0, NULL,
                         "Which rules may wait for it, for `pgfsm locks`: `short`, for locks that "
                         "are held over no statement that reads or writes rows, or `any`; others "
                         "may not."},
};
const struct keys migration_keys = {.of = "migration",
                                    .where = "under `migration`",
                                    .items = migration_key_items,
                                    .count = MIGRATION_KEYS};

struct piece_list {
    VEC(struct migration_piece *) items;
};

/* The reading of one file. */
struct cutting {
    struct loader *loader;
    const struct node *node; /* names the file */
    const struct source *source;
    enum cut cut;
    bool own;                        /* in a transaction that the file has begun */
    struct migration_piece *current; /* an open transaction; or NULL */
    VEC(const char *) settings;      /* the file's SET, as SET LOCAL */
    struct piece_list *pieces;
};

/* What pgfsm sets itself, since it decides how long a session waits. */
static bool is_limit(const char *text)
{
    static const char *const limits[] = {"lock_timeout", "statement_timeout", "deadlock_timeout",
                                         "idle_in_transaction_session_timeout",
                                         "idle_session_timeout"};
    char name[64];
    size_t size = 0;
    while (size + 1 < sizeof name && (isalnum((unsigned char)text[size]) || text[size] == '_')) {
        name[size] = (char)tolower((unsigned char)text[size]);
        size++;
    }
    name[size] = '\0';
    return name_is_in(name, NAMES_IN(limits));
}

/* Skips a word and the blanks behind it; NULL if another one is there. */
static const char *behind(const char *text, const char *word)
{
    size_t size = strlen(word);
    if (strncasecmp(text, word, size) != 0 || !isspace((unsigned char)text[size])) {
        return NULL;
    }
    return text + size + strspn(text + size, " \t\r\n");
}

/* A statement that sets something for the rest of the file: "x = 1"; otherwise NULL. `*local`: for
 * the rest of the transaction. */
static const char *setting_of(const char *text, bool *local)
{
    const char *rest = behind(text, "SET");
    const char *further = rest ? behind(rest, "SESSION") : NULL;
    rest = further ? further : rest;
    further = rest ? behind(rest, "LOCAL") : NULL;
    *local = further != NULL;
    return further ? further : rest;
}

/* Adds a statement, which stands at `start`. */
static void add_text_of(struct loader *loader, const struct source *source,
                        struct migration_piece *piece, const char *text, size_t start, bool moved)
{
    struct snippet *snippet = ARENA_NEW(loader->arena, struct snippet);
    struct snippet_run *run = ARENA_NEW(loader->arena, struct snippet_run);
    *run = (struct snippet_run){.place = (uint32_t)start, .fixed = true};
    *snippet = (struct snippet){.source = source,
                                .text = text,
                                .size = strlen(text),
                                .base = start,
                                .runs = moved ? run : NULL,
                                .run_count = moved};
    *VEC_PUSH(loader->arena, &piece->texts) = snippet;
}

static void add_text(struct cutting *cutting, struct migration_piece *piece, const char *text,
                     size_t start, bool moved)
{
    add_text_of(cutting->loader, cutting->source, piece, text, start, moved);
}

static struct migration_piece *begin_piece(struct cutting *cutting, size_t at)
{
    struct loader *loader = cutting->loader;
    struct migration_piece *piece = ARENA_NEW(loader->arena, struct migration_piece);
    *piece = (struct migration_piece){.pos = {cutting->source, at}, .limit = -1};
    *VEC_PUSH(loader->arena, &cutting->pieces->items) = piece;
    for (size_t i = 0; i < cutting->settings.count; i++) {
        add_text(cutting, piece, cutting->settings.items[i], at, true);
    }
    return piece;
}

static void add_statement(struct cutting *cutting, const struct sql_file_statement *statement,
                          bool alone)
{
    struct loader *loader = cutting->loader;
    const char *text = arena_strndup(loader->arena, cutting->source->text + statement->start,
                                     statement->end - statement->start);
    bool local = false;
    const char *setting = setting_of(text, &local);
    if (setting && !behind(setting, "CONSTRAINTS") && !behind(setting, "TRANSACTION")) {
        const char *name = arena_printf(loader->arena, "SET LOCAL %s", setting);
        if (is_limit(setting)) {
            return;
        }
        if (cutting->current) {
            add_text(cutting, cutting->current, name, statement->start, true);
        }
        if (!local) {
            *VEC_PUSH(loader->arena, &cutting->settings) = name;
        }
        return;
    }
    struct migration_piece *piece = cutting->current;
    if (alone) { /* SET LOCAL means nothing there */
        size_t settings = cutting->settings.count;
        cutting->settings.count = 0;
        piece = begin_piece(cutting, statement->start);
        cutting->settings.count = settings;
        piece->outside = true;
    } else if (!piece) {
        piece = begin_piece(cutting, statement->start);
    }
    if (!piece->statements++) {
        piece->pos.offset = statement->start;
    }
    add_text(cutting, piece, text, statement->start, false);
}

static bool is_alone(const struct sql_inside *inside)
{
    return inside->kind == SQL_INSIDE_PLAIN ||
           (inside->kind == SQL_INSIDE_REFUSED &&
            strcmp(inside->command, "ALTER TYPE … ADD VALUE") == 0);
}

static void cut_statement(struct cutting *cutting, const struct sql_file_statement *statement,
                          bool escapes)
{
    struct source_pos pos = {cutting->source, statement->start};
    struct sql_inside inside =
        sql_inside(cutting->source, statement,
                   (struct sql_inside_place){.own = cutting->own, .escapes = escapes});
    if (is_alone(&inside)) {
        bool alone = cutting->cut == CUT_STATEMENT && !cutting->own;
        /* a value added to an enum can't be used before a commit */
        cutting->loader->migration_commits |= inside.kind == SQL_INSIDE_REFUSED;
        add_statement(cutting, statement, alone);
        return;
    }
    switch (inside.kind) {
    case SQL_INSIDE_RUN:
    case SQL_INSIDE_PLAIN:
        add_statement(cutting, statement, false);
        break;
    case SQL_INSIDE_BEGIN:
        cutting->own = true;
        cutting->current = begin_piece(cutting, statement->start);
        break;
    case SQL_INSIDE_COMMIT:
        cutting->own = false;
        cutting->current = NULL;
        break;
    case SQL_INSIDE_NOTHING:
        break;
    case SQL_INSIDE_REFUSED:
        (void)report_at(cutting->loader, pos, "%s can't be a part of a machine's migration",
                        inside.command);
        break;
    }
}

static bool refuse_command(void *context, const char *command, size_t size)
{
    struct cutting *cutting = context;
    const char *name = NULL;
    if (size > 0 && *command != ';' &&
        sql_psql_kind(command, size, cutting->loader->arena, &name) != SQL_PSQL_NOTHING) {
        struct source_pos pos = {cutting->source, (size_t)(command - cutting->source->text) - 1};
        (void)report_at(cutting->loader, pos, "a machine's migration can't use this psql command");
        return false;
    }
    return true;
}

/* How the file is cut. A file that says where its transactions end, or asks for none, is cut there;
 * one statement that can't run in a transaction runs without. */
static enum cut cut_of(const struct source *source, enum cut cut, bool no_transaction)
{
    struct sql_file file = {.source = source};
    struct sql_file_statement statement;
    size_t count = 0;
    bool ends = no_transaction;
    bool alone = false;
    while (sql_file_next(&file, &statement)) {
        if (statement.end > statement.start) {
            struct sql_inside inside = sql_inside(source, &statement, (struct sql_inside_place){0});
            count++;
            alone |= is_alone(&inside);
            ends |= statement.control && inside.kind != SQL_INSIDE_RUN;
        }
    }
    return ends || (alone && count == 1) ? CUT_STATEMENT : cut;
}

static const struct source *load_file(struct loader *loader, const struct node *node,
                                      const char *path, bool *no_transaction)
{
    struct strbuf text = {0};
    struct error err = {0};
    struct sql_migration up = {0};
    bool read = file_load(path, FILE_MAX, &text, &err);
    struct source *source = ARENA_NEW(loader->arena, struct source);
    if (!read) {
        error_hint(report(loader, node, "%s", err.message),
                   "a path is relative to the folder of the machine file");
    } else {
        sql_migration_up(text.data, text.size, &up);
        *source = (struct source){
            .name = path, .text = strbuf_copy(&text, loader->arena), .size = text.size};
        if (strlen(source->text) != source->size) {
            (void)report(loader, node, "%s is not text", path);
            read = false;
        }
    }
    strbuf_free(&text);
    *no_transaction = up.no_transaction;
    return read ? source : NULL;
}

/* Adds the pieces of a file. */
static void cut_file(struct loader *loader, const struct node *node, const char *path, enum cut cut,
                     struct piece_list *out)
{
    bool no_transaction;
    const struct source *source = load_file(loader, node, path, &no_transaction);
    if (!source) {
        return;
    }
    struct cutting cutting = {.loader = loader, .node = node, .source = source};
    struct sql_file file = {.source = source};
    struct sql_file_statement statement;
    cutting.pieces = out;
    cutting.cut = cut_of(source, cut, no_transaction);
    cutting.own = cutting.cut == CUT_FILE;
    cutting.current = cutting.own ? begin_piece(&cutting, 0) : NULL;
    if (!sql_file_commands(source, refuse_command, &cutting)) {
        return;
    }
    bool escapes = false;
    while (sql_file_next(&file, &statement)) {
        if (statement.end > statement.start) {
            cut_statement(&cutting, &statement, escapes);
        }
        escapes = file.escapes;
    }
}

/* Compiles text of our own, which has no mistakes. */
static struct lang_code *compile_own(struct loader *loader, struct lang_locals *locals,
                                     enum lang_mode mode, const struct migration_piece *piece,
                                     const char *text)
{
    struct snippet *snippet = ARENA_NEW(loader->arena, struct snippet);
    struct snippet_run *run = ARENA_NEW(loader->arena, struct snippet_run);
    struct lang_code *code = NULL;
    struct error err = {0};
    *run = (struct snippet_run){.place = (uint32_t)piece->pos.offset, .fixed = true};
    *snippet = (struct snippet){.source = piece->pos.source,
                                .text = text,
                                .size = strlen(text),
                                .runs = run,
                                .run_count = 1};
    if (!lang_compile(loader->machine->module, loader->arena, locals, mode, snippet, &code, &err)) {
        (void)report_error(loader, &err);
    }
    return code;
}

static bool is_no_name(const void *context, const char *name, size_t size)
{
    (void)context;
    (void)name;
    (void)size;
    return false;
}

static void compile_text(struct loader *loader, const struct migration_piece *piece,
                         const struct snippet *text, struct rule *rule)
{
    struct sql_templates templates = {.outside = piece->outside};
    size_t before = loader->diagnostics->errors.count;
    (void)sql_scan(text, is_no_name, NULL, loader->arena, &templates, loader->diagnostics);
    for (size_t i = before; i < loader->diagnostics->errors.count; i++) {
        if (*loader->diagnostics->errors.items[i].hint) { /* it is about the keys of a rule */
            error_hint(&loader->diagnostics->errors.items[i],
                       "`cut: statement` runs what can't run inside a transaction");
        }
    }
    for (size_t i = 0; i < templates.items.count; i++) {
        struct sql_template *template = templates.items.items[i];
        if (template->value_count || template->pasted) {
            (void)report_at(loader, snippet_pos(text, 0),
                            "a machine's migration can't use variables of psql");
        }
        template->id = loader->machine->templates.count;
        bool last = text == piece->texts.items[piece->texts.count - 1];
        template->added = last ? piece->added : NULL;
        *VEC_PUSH(loader->arena, &loader->machine->templates) = template;
        *VEC_PUSH(loader->arena, &rule->statements) =
            (struct machine_statement){.sql = template, .result_slot = SLOT_NONE};
    }
}

void compile_piece(struct loader *loader, const struct rule_draft *draft, struct rule *rule)
{
    enum { SHARE = 3 }; /* one step in so many or so */
    const struct migration_piece *piece = draft->piece;
    *rule = (struct rule){.name = draft->name,
                          .index = rule->index,
                          .pos = piece->pos,
                          .migrates = true,
                          .from = -1,
                          .until = -1,
                          .limit = piece->limit,
                          .outside = piece->outside,
                          .result_slot = SLOT_NONE};
    size_t others = loader->rules.count - loader->migration_pieces;
    rule->weight = piece->limit < 0 && others > SHARE ? (double)others / SHARE : 1;
    rule->precondition =
        compile_own(loader, &rule->locals, LANG_EXPRESSION, piece, piece->condition);
    rule->model = compile_own(loader, &rule->locals, LANG_STEP, piece, piece->change);
    for (size_t i = 0; i < piece->texts.count; i++) {
        compile_text(loader, piece, piece->texts.items[i], rule);
    }
}

static void add_rule(struct loader *loader, const char *name, const struct node *node,
                     const struct migration_piece *piece)
{
    size_t first;
    struct rule_draft *draft = VEC_PUSH(loader->arena, &loader->rules);
    *draft = (struct rule_draft){.name = name, .key = node, .piece = piece};
    loader->migration_pieces++;
    if (!map_set_text(&loader->rule_names, name, strlen(name), loader->rules.count - 1, &first)) {
        error_hint(
            report(loader, node, "the migration becomes the rule '%s', which is there", name),
            "give that rule another name");
    }
}

static void add_own_text(struct loader *loader, struct migration_piece *piece, const char *text,
                         const char *means)
{
    add_text_of(loader, piece->pos.source, piece, text, piece->pos.offset, true);
    piece->added = means;
}

/* An index that is built concurrently: the statement is interrupted, and its file run again, if
 * that is meant to work: it says IF NOT EXISTS, or something before it may drop the index.
 * `start`: the file's first piece. */
static void add_interrupted(struct loader *loader, const struct node *node, const char *title,
                            size_t start, size_t at, struct migration_piece *piece)
{
    struct arena *arena = loader->arena;
    struct concurrent_index index;
    if (!piece->outside || !concurrent_index_read(piece->texts.items[0]->text, arena, &index) ||
        (!index.unless_there && at == start)) {
        return;
    }
    struct migration_piece *interrupted = ARENA_NEW(arena, struct migration_piece);
    *interrupted = *piece;
    interrupted->texts.items = NULL;
    interrupted->texts.count = interrupted->texts.capacity = 0;
    *VEC_PUSH(arena, &interrupted->texts) = piece->texts.items[0];
    add_own_text(loader, interrupted, index.spoil, "interrupted: the index is invalid");
    interrupted->limit = 1;
    interrupted->condition = arena_printf(arena, "migration_at == %zu", at);
    interrupted->change = arena_printf(arena, "migration_at = %zu", start);
    if (index.unless_there) {
        add_own_text(loader, piece, index.check, "the index is valid");
    }
    add_rule(loader, title, node, interrupted);
}

/* Adds the rules of a step's pieces, and of running them again. Their names begin with `base`. */
static void add_step(struct loader *loader, const struct node *node, const char *name,
                     const char *base, bool repeat, const struct piece_list *pieces)
{
    struct arena *arena = loader->arena;
    struct machine_migration *migration = loader->migration;
    struct deployment_step *step = VEC_PUSH(arena, &migration->steps);
    *step = (struct deployment_step){.name = name, .first = migration->pieces};
    for (size_t i = 0; i < pieces->items.count; i++) {
        struct migration_piece *piece = pieces->items.items[i];
        size_t at = migration->pieces++;
        piece->condition = arena_printf(arena, "migration_at == %zu", at);
        piece->change = arena_printf(
            arena, "migration_at = %zu\nmigrated = max(migrated, migration_at)", at + 1);
        add_rule(loader,
                 pieces->items.count == 1 ? base : arena_printf(arena, "%s_%zu", base, i + 1), node,
                 piece);
    }
    step->end = migration->pieces;
    for (size_t i = 0; repeat && i < pieces->items.count;) {
        size_t end = i + 1;
        const struct source *source = pieces->items.items[i]->pos.source;
        while (end < pieces->items.count && pieces->items.items[end]->pos.source == source) {
            end++;
        }
        for (size_t j = i; j < end; j++) {
            add_interrupted(loader, node,
                            pieces->items.count == 1
                                ? arena_printf(arena, "%s_interrupted", base)
                                : arena_printf(arena, "%s_%zu_interrupted", base, j + 1),
                            step->first + i, step->first + j, pieces->items.items[j]);
        }
        if (end - i > 1) {
            struct migration_piece *again = ARENA_NEW(arena, struct migration_piece);
            *again = (struct migration_piece){
                .pos = pieces->items.items[i]->pos,
                .limit = 1,
                .condition = arena_printf(arena, "%zu < migration_at and migration_at < %zu",
                                          step->first + i, step->first + end),
                .change = arena_printf(arena, "migration_at = %zu", step->first + i)};
            const char *title = arena_printf(arena, "%s_again", base);
            size_t taken;
            if (map_get_text(&loader->rule_names, title, strlen(title), &taken)) {
                title = arena_printf(arena, "%s_again_%zu", base, i + 1);
            }
            add_rule(loader, title, node, again);
        }
        i = end;
    }
}

static void cut_paths(struct loader *loader, const struct node *node, enum cut cut,
                      struct piece_list *out)
{
    struct paths paths = {0};
    read_paths(loader, node, &paths);
    for (size_t i = 0; i < paths.items.count; i++) {
        *VEC_PUSH(loader->arena, &loader->migration->files) = paths.items.items[i];
        cut_file(loader, node, paths.items.items[i], cut, out);
    }
    size_t kept = 0;
    for (size_t i = 0; i < out->items.count; i++) { /* of files without statements */
        if (out->items.items[i]->statements) {
            out->items.items[kept++] = out->items.items[i];
        }
    }
    out->items.count = kept;
    if (kept > PIECES_MAX) {
        (void)report(loader, node, "a migration may have at most %d transactions, not %zu",
                     PIECES_MAX, kept);
        out->items.count = 0;
    }
    for (size_t i = 0; i < out->items.count; i++) {
        loader->migration_commits |= out->items.items[i]->outside;
    }
}

static void add_down(struct loader *loader, const struct node *node, enum cut cut)
{
    struct piece_list pieces = {0};
    struct arena *arena = loader->arena;
    size_t top = loader->migration->pieces;
    cut_paths(loader, node, cut, &pieces);
    size_t count = pieces.items.count;
    for (size_t i = 0; i < count; i++) {
        struct migration_piece *piece = pieces.items.items[i];
        piece->limit = 1;
        piece->condition = arena_printf(arena, "migration_at == %zu", top + i);
        piece->change = arena_printf(arena, "migration_at = %zu\nmigrated = migration_at",
                                     i + 1 < count ? top + i + 1 : 0);
        add_rule(loader, count == 1 ? "down" : arena_printf(arena, "down_%zu", i + 1), node, piece);
    }
}

void read_migration(struct loader *loader, void *into, const struct node *value)
{
    (void)into;
    const struct node *values[MIGRATION_KEYS] = {0};
    if (value->kind == NODE_MAP) {
        keys_check(loader, &migration_keys, value, 0, values);
    } else {
        values[MIGRATION_FILES] = value;
    }
    const struct node *files = values[MIGRATION_FILES];
    enum cut cut = values[MIGRATION_CUT] && node_is(values[MIGRATION_CUT], "statement")
                       ? CUT_STATEMENT
                       : CUT_FILE;
    if (values[MIGRATION_CUT] && cut == CUT_FILE && !node_is(values[MIGRATION_CUT], "file")) {
        (void)report(loader, values[MIGRATION_CUT], "cut must be file or statement, not '%s'",
                     values[MIGRATION_CUT]->text);
    }
    bool repeat = !values[MIGRATION_REPEAT] || node_is(values[MIGRATION_REPEAT], "true");
    loader->migration = ARENA_NEW(loader->arena, struct machine_migration);
    *loader->migration = (struct machine_migration){
        .migrated = lang_module_global(loader->machine->module, "migrated", LANG_VARIABLE),
        .at = lang_module_global(loader->machine->module, "migration_at", LANG_VARIABLE)};
    loader->migration->each = cut == CUT_STATEMENT;
    loader->allow_blocking = values[MIGRATION_ALLOW];
    loader->machine->migration = loader->migration;
    struct entries entry = {.map = files, .spelling = SPELL_IDENTIFIER, .what = "a step"};
    if (files && files->kind != NODE_MAP) {
        struct piece_list pieces = {0};
        cut_paths(loader, files, cut, &pieces);
        add_step(loader, files, "migration", "migrate", repeat, &pieces);
    }
    while (files && files->kind == NODE_MAP && entries_next(loader, &entry)) {
        struct piece_list pieces = {0};
        if (!node_is_empty(entry.value) &&
            shape_check(loader, SHAPE_PATHS, entry.name, entry.value)) {
            cut_paths(loader, entry.value, cut, &pieces);
        }
        add_step(loader, entry.key, entry.name, entry.name, repeat, &pieces);
    }
    if (files && !loader->migration->pieces && !loader->diagnostics->errors.count) {
        (void)report(loader, files, "the migration has no statements");
    }
    loader->migration->forward = loader->migration->files.count;
    if (values[MIGRATION_DOWN]) {
        add_down(loader, values[MIGRATION_DOWN], cut);
    }
    if (loader->migration_commits) {
        loader->machine->settings.transactions = TRANSACTIONS_COMMIT;
        needs_commit(loader, NULL, value, "a migration with a statement that can't be rolled back");
    }
}

void migration_begin(const struct machine *machine, struct lang_state *state)
{
    if (machine->migration) {
        lang_set_global(state, machine->migration->migrated, value_int(0));
        lang_set_global(state, machine->migration->at, value_int(0));
    }
}

void read_allowed(struct loader *loader)
{
    const struct node *map = loader->allow_blocking;
    size_t count = loader->machine->rules.count;
    struct entries entry = {.map = map, .spelling = SPELL_IDENTIFIER, .what = "a rule"};
    if (!map) {
        return;
    }
    enum may_wait *may_wait = ARENA_ARRAY(loader->arena, enum may_wait, count);
    for (size_t i = 0; i < count; i++) {
        may_wait[i] = MAY_WAIT_NEVER;
    }
    while (entries_next(loader, &entry)) {
        size_t rule;
        bool known = map_get_text(&loader->rule_names, entry.name, strlen(entry.name), &rule);
        if (!known || loader->rules.items[rule].piece) {
            (void)report(loader, entry.key, "there is no rule '%s'%s", entry.name,
                         did_you_mean(loader, entry.name, loader->rules));
        } else if (node_is(entry.value, "short")) {
            may_wait[rule] = MAY_WAIT_SHORT;
        } else if (node_is(entry.value, "any")) {
            may_wait[rule] = MAY_WAIT_ANY;
        } else {
            error_hint(report(loader, entry.value, "%s may wait `short` or `any`", entry.name),
                       "`short`: for locks that are held over no statement that reads or writes "
                       "rows");
        }
    }
    loader->migration->may_wait = may_wait;
}

/* The migration's step that a rule names. */
static const struct deployment_step *step_of(struct loader *loader, const struct node *value)
{
    const struct machine_migration *migration = loader->machine->migration;
    if (!migration) {
        error_hint(report(loader, value, "the machine has no migration"),
                   "name its files under `migration`");
        return NULL;
    }
    for (size_t i = 0; i < migration->steps.count; i++) {
        if (node_is(value, migration->steps.items[i].name)) {
            return &migration->steps.items[i];
        }
    }
    (void)report(loader, value, "the migration has no step '%s'%s", value->text,
                 did_you_mean(loader, value->text, migration->steps));
    return NULL;
}

void read_until(struct loader *loader, struct rule *rule, const struct node *value)
{
    const struct deployment_step *step = step_of(loader, value);
    rule->until = step ? (int64_t)step->first : -1;
    if (step && rule->from > rule->until) {
        error_hint(report(loader, value,
                          "the rule can never run: %s begins before the step that "
                          "`from` names has ended",
                          step->name),
                   "`until` names a later step than `from`");
    }
}

void read_from(struct loader *loader, struct rule *rule, const struct node *value)
{
    const struct deployment_step *step = step_of(loader, value);
    rule->from = step ? (int64_t)step->end : -1;
}
