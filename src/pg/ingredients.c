#include "pg/ingredients.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/names.h"
#include "base/path.h"
#include "machine/sql/sql.h"
#include "pg/pg.h"
#include "sql/lex.h"

#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>

enum { FILE_MAX = 256 << 20, DEPTH_MAX = 16, WORD_MAX = 32 };

/* A run may take that long, too: what it tests must bear rows of that age. */
enum { CLOCK_MAX_AGE_S = 600 };

struct reading {
    struct arena arena;
    void (*each)(void *host, const char *path); /* called with each file; NULL: a key is made */
    void *host;
    struct ingredients_key key;
    bool shared; /* files of the server's installation go in */
    int depth;
};

/* A file that is being read; `\ir` begins in its folder. */
struct reading_file {
    struct reading *reading;
    const char *path;
};

static void add_bytes(struct reading *reading, const void *data, size_t size)
{
    for (size_t i = 0; i < 2; i++) {
        uint64_t *part = &reading->key.parts[i];
        *part = hash_bytes(hash_bytes(*part, &size, sizeof size), data, size);
    }
}

static void add_text(struct reading *reading, const char *text)
{
    add_bytes(reading, text, strlen(text));
}

static bool add_file(struct reading *reading, const char *path);

/* Commands that read nothing and run nothing, and after which psql reads on as before. */
static const char *const harmless[] = {
    "a",    "echo",     "encoding", "g", "gexec",  "gx",         "pset",  "q",    "qecho",
    "quit", "restrict", "set",      "t", "timing", "unrestrict", "unset", "warn", "x",
};

/* The one argument of \i; NULL if it is not plain. */
static const char *plain_path(struct arena *arena, const char *text)
{
    size_t size = strlen(text);
    if (size > 2 && text[0] == '\'' && text[size - 1] == '\'') {
        text = arena_strndup(arena, text + 1, size - 2);
    } else if (strpbrk(text, " \t")) {
        return NULL;
    }
    return *text && !strpbrk(text, "'\"`:\\|~") ? text : NULL;
}

static bool include(const struct reading_file *file, const char *argument, bool relative)
{
    struct arena *arena = &file->reading->arena;
    const char *path = plain_path(arena, argument);
    bool added =
        path && add_file(file->reading, relative ? path_beside(arena, file->path, path) : path);
    return added || file->reading->each;
}

static bool on_command(void *context, const char *command, size_t size)
{
    static const char *const included[] = {"i", "include"};
    static const char *const beside[] = {"ir", "include_relative"};
    const struct reading_file *file = context;
    struct arena *arena = &file->reading->arena;
    if (size > 0 && strchr(";.", *command)) {
        return true;
    }
    size_t letters = 0;
    while (letters < size &&
           (isalpha((unsigned char)command[letters]) || command[letters] == '_')) {
        letters++;
    }
    const char *name = arena_strndup(arena, command, letters);
    while (letters < size && isspace((unsigned char)command[letters])) {
        letters++;
    }
    while (size > letters && isspace((unsigned char)command[size - 1])) {
        size--;
    }
    const char *rest = arena_strndup(arena, command + letters, size - letters);
    if (name_is_in(name, NAMES_IN(included))) {
        return include(file, rest, false);
    }
    if (name_is_in(name, NAMES_IN(beside))) {
        return include(file, rest, true);
    }
    return file->reading->each || (name_is_in(name, NAMES_IN(harmless)) && !strpbrk(rest, "`\\|") &&
                                   (*name != 'g' || !*rest));
}

enum effect {
    OUTSIDE, /* asks for what is outside of the database, or differs from one server to the next */
    CLOCK,   /* asks for the time; wherever it stands: who knows what a load runs? */
    SHARED,  /* reads files that belong to the server's installation */
    NAME,    /* asks for the database's name */
    OWNED,   /* does something to the database itself: that may use its name */
};

/* Words of SQL, in the order of strcmp. */
static const struct known_word {
    const char *word;
    const char *before[2]; /* only after one of these; NULL: anywhere */
    enum effect effect;
} known_words[] = {
    {"age", {NULL}, CLOCK},
    {"clock_timestamp", {NULL}, CLOCK},
    {"configuration", {"search"}, SHARED},
    {"current_catalog", {NULL}, NAME},
    {"current_database", {NULL}, NAME},
    {"current_date", {NULL}, CLOCK},
    {"current_time", {NULL}, CLOCK},
    {"current_timestamp", {NULL}, CLOCK},
    {"data_directory", {NULL}, OUTSIDE},
    {"database", {"alter", "on"}, OWNED},
    {"dblink", {NULL}, OUTSIDE},
    {"dblink_connect", {NULL}, OUTSIDE},
    {"dblink_exec", {NULL}, OUTSIDE},
    {"dbname", {NULL}, NAME}, /* a variable of psql */
    {"dictionary", {"search"}, SHARED},
    {"extension", {"create"}, SHARED},
    {"file_fdw", {NULL}, OUTSIDE},
    {"foreign", {"create", "import"}, OUTSIDE},
    {"http_get", {NULL}, OUTSIDE},
    {"language", {"create"}, SHARED},
    {"lo_import", {NULL}, OUTSIDE},
    {"localtime", {NULL}, CLOCK},
    {"localtimestamp", {NULL}, CLOCK},
    {"now", {NULL}, CLOCK},
    {"pg_backend_pid", {NULL}, OUTSIDE},
    {"pg_ls_dir", {NULL}, OUTSIDE},
    {"pg_read_binary_file", {NULL}, OUTSIDE},
    {"pg_read_file", {NULL}, OUTSIDE},
    {"pg_stat_file", {NULL}, OUTSIDE},
    {"pljava", {NULL}, OUTSIDE},
    {"plperlu", {NULL}, OUTSIDE},
    {"plpython2u", {NULL}, OUTSIDE},
    {"plpython3u", {NULL}, OUTSIDE},
    {"plpythonu", {NULL}, OUTSIDE},
    {"plr", {NULL}, OUTSIDE},
    {"plsh", {NULL}, OUTSIDE},
    {"pltclu", {NULL}, OUTSIDE},
    {"program", {NULL}, OUTSIDE},
    {"server", {"create"}, OUTSIDE},
    {"statement_timestamp", {NULL}, CLOCK},
    {"timeofday", {NULL}, CLOCK},
    {"to_tsvector", {NULL}, SHARED},
    {"today", {NULL}, CLOCK},
    {"tomorrow", {NULL}, CLOCK},
    {"transaction_timestamp", {NULL}, CLOCK},
    {"unix_socket_directories", {NULL}, OUTSIDE},
    {"uuid_generate_v1", {NULL}, CLOCK},
    {"uuid_generate_v1mc", {NULL}, CLOCK},
    {"uuidv7", {NULL}, CLOCK},
    {"yesterday", {NULL}, CLOCK},
};
enum { KNOWN_WORDS = sizeof known_words / sizeof *known_words };

/* A word of SQL or of a text inside it, in lower case; "" if it is too long. */
struct words {
    const char *at;
    const char *end;
    char now[WORD_MAX];
    char before[WORD_MAX];
    bool copy; /* COPY has been read, and no semicolon since */
};

static bool next_word(struct words *words)
{
    while (words->at < words->end && !sql_is_name_char(*words->at)) {
        words->copy = words->copy && *words->at != ';';
        words->at++;
    }
    size_t size = 0;
    memcpy(words->before, words->now, sizeof words->now);
    for (; words->at < words->end && sql_is_name_char(*words->at); words->at++) {
        if (size < WORD_MAX) {
            words->now[size++] = (char)tolower((unsigned char)*words->at);
        }
    }
    words->now[size < WORD_MAX ? size : 0] = '\0';
    words->copy = words->copy || strcmp(words->now, "copy") == 0;
    return size > 0;
}

/* COPY … FROM anything but STDIN, and in COPY (query) a name or another query: a file's name may
 * be written in many ways, and made by format(). */
static bool reads_file(const struct words *words)
{
    const char *at = words->at;
    if (!words->copy || strcmp(words->now, "from") != 0) {
        return false;
    }
    while (at < words->end && sql_is_space(*at)) {
        at++;
    }
    bool name = at < words->end && sql_is_name_char(*at);
    while (at < words->end && sql_is_name_char(*at)) {
        at++;
    }
    return at < words->end && (name ? strchr("'&", *at) != NULL : !strchr("(\"", *at));
}

/* After this, where a text ends is another matter. */
static bool changes_quotes(const struct words *words)
{
    const char *at = words->at;
    if (strcmp(words->now, "standard_conforming_strings") != 0) {
        return false;
    }
    while (at < words->end && strchr(" =", *at)) {
        at++;
    }
    return strcmp(words->before, "set") != 0 || words->end - at < 2 || strncmp(at, "on", 2) != 0;
}

#ifndef NDEBUG
static bool words_are_in_order(void)
{
    for (size_t i = 1; i < KNOWN_WORDS; i++) {
        if (strcmp(known_words[i - 1].word, known_words[i].word) >= 0) {
            return false;
        }
    }
    return true;
}
#endif

static int compare_word(const void *word, const void *known)
{
    return strcmp(word, ((const struct known_word *)known)->word);
}

/* NULL if the word has no meaning here. */
static const struct known_word *known_word(const struct words *words)
{
    const struct known_word *known =
        bsearch(words->now, known_words, KNOWN_WORDS, sizeof *known_words, compare_word);
    bool fits = known && (!known->before[0] || strcmp(words->before, known->before[0]) == 0 ||
                          (known->before[1] && strcmp(words->before, known->before[1]) == 0));
    return fits ? known : NULL;
}

static bool look_outside(struct reading *reading, const char *text, size_t size)
{
    struct words words = {.at = text, .end = text + size};
    bool found[OWNED + 1] = {false};
    assert(words_are_in_order());
    while (!found[OUTSIDE] && next_word(&words)) {
        const struct known_word *known = known_word(&words);
        if (known) {
            found[known->effect] = true;
        }
        found[OUTSIDE] |= reads_file(&words) || changes_quotes(&words);
    }
    reading->shared |= found[SHARED];
    if (found[CLOCK]) {
        reading->key.max_age_s = CLOCK_MAX_AGE_S;
    }
    return found[OUTSIDE] || (found[NAME] && !found[OWNED]);
}

static bool read_text(struct reading *reading, const char *path, struct strbuf *text)
{
    struct sql_migration migration;
    if (!reading->each) {
        add_bytes(reading, text->data, text->size);
    }
    if (!reading->each && look_outside(reading, strbuf_text(text), text->size)) {
        return false;
    }
    const struct source source = {.name = path, .text = strbuf_text(text), .size = text->size};
    /* what a file includes is read by psql, which knows no migrations */
    bool included = reading->depth > 1;
    if (!included) {
        sql_migration_up(text->data, text->size, &migration);
    }
    /* psql gets a migration by its standard input, where \ir begins here */
    struct reading_file file = {reading, !included && migration.is ? "" : path};
    return sql_file_commands(&source, on_command, &file);
}

static bool add_file(struct reading *reading, const char *path)
{
    struct strbuf text = {0};
    struct error ignored;
    if (reading->each) {
        reading->each(reading->host, path);
    }
    bool added = reading->depth < DEPTH_MAX && file_load(path, FILE_MAX, &text, &ignored);
    reading->depth++;
    added = added && read_text(reading, path, &text);
    reading->depth--;
    strbuf_free(&text);
    return added;
}

static bool add_files(struct reading *reading, const char *const *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!add_file(reading, files[i])) {
            return false;
        }
    }
    return true;
}

/* Of each file: its name, and when it changed. False without a folder of that name. */
static bool add_folder(struct reading *reading, const char *root, const char *name)
{
    DIR *dir = opendir(arena_printf(&reading->arena, "%s/%s", root, name));
    const struct dirent *entry = NULL;
    uint64_t sum = 0; /* in whatever order they come */
    while (dir && (entry = readdir(dir))) {
        struct stat info;
        if (fstatat(dirfd(dir), entry->d_name, &info, 0) == 0 && S_ISREG(info.st_mode)) {
            const int64_t facts[] = {info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
            sum += hash_mix(hash_bytes(hash_text(entry->d_name), facts, sizeof facts));
        }
    }
    if (dir) {
        closedir(dir);
        add_bytes(reading, &sum, sizeof sum);
    }
    return dir != NULL;
}

/* Extensions and dictionaries, where Debian, the PostgreSQL project's packages and a plain
 * installation have them. */
static bool add_shared(struct reading *reading, const char *bindir)
{
    struct arena *arena = &reading->arena;
    const char *root = path_absolute(arena, arena_printf(arena, "%s/..", bindir));
    if (!root) {
        return false;
    }
    const char *const folders[] = {
        arena_printf(arena, "/usr/share/postgresql/%s", strrchr(root, '/') + 1),
        arena_printf(arena, "%s/share", root),
        arena_printf(arena, "%s/share/postgresql", root),
    };
    bool any = false;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        any |= add_folder(reading, folders[i], "extension") &&
               add_folder(reading, folders[i], "tsearch_data");
    }
    return any;
}

/* What libpq tells the server of by itself. */
static void add_environment(struct reading *reading)
{
    static const char *const names[] = {"PGOPTIONS", "PGTZ", "PGDATESTYLE", "PGCLIENTENCODING"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        add_text(reading, value ? value : "");
    }
}

bool ingredients_key(const struct ingredients *of, struct ingredients_key *out)
{
    struct reading reading = {.key = {.parts = {HASH_START, hash_mix(HASH_START)}}};
    add_environment(&reading);
    bool known = of->count + of->more_count > 0 && add_files(&reading, of->files, of->count) &&
                 add_files(&reading, of->more, of->more_count) &&
                 (!reading.shared || add_shared(&reading, of->bindir));
    if (of->clock_us) {
        add_bytes(&reading, of->clock_us, sizeof *of->clock_us);
        reading.key.max_age_s = 0;
    }
    *out = reading.key;
    arena_free(&reading.arena);
    return known;
}

void pg_files(const char *const *files, size_t count, void (*each)(void *host, const char *path),
              void *host)
{
    struct reading reading = {.each = each, .host = host};
    for (size_t i = 0; i < count; i++) {
        (void)add_file(&reading, files[i]);
    }
    arena_free(&reading.arena);
}
