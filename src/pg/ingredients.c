#include "pg/ingredients.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/names.h"
#include "base/path.h"
#include "machine/sql/sql.h"
#include "pg/pg.h"

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
    bool extensions; /* the files create some */
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

/* Words that tell what is outside of the database, or what differs from one server to the next. */
static const char *const outside[] = {
    "data_directory", "dblink",
    "dblink_connect", "dblink_exec",
    "file_fdw",       "http_get",
    "lo_import",      "pg_backend_pid",
    "pg_ls_dir",      "pg_read_binary_file",
    "pg_read_file",   "pg_stat_file",
    "program",        "unix_socket_directories",
};
/* The same, with the word before. */
static const char *const outside_pairs[][2] = {
    {"import", "foreign"}, {"create", "foreign"}, {"create", "server"}};
/* These may use the database's name: it is theirs. */
static const char *const of_database[][2] = {{"alter", "database"}, {"on", "database"}};

/* Words that ask for the time. They count wherever they stand: who knows what a load runs? */
static const char *const of_clock[] = {
    "age",
    "clock_timestamp",
    "current_date",
    "current_time",
    "current_timestamp",
    "localtime",
    "localtimestamp",
    "now",
    "statement_timestamp",
    "timeofday",
    "today",
    "tomorrow",
    "transaction_timestamp",
    "uuid_generate_v1",
    "uuid_generate_v1mc",
    "uuidv7",
    "yesterday",
};

/* A word of SQL or of anything that stands in it, in lower case; "" where it is too long. */
struct words {
    const char *at;
    const char *end;
    char now[WORD_MAX];
    char before[WORD_MAX];
    bool copy;  /* COPY has been read, and no semicolon since */
    bool named; /* the name of the database has been asked for */
    bool owned; /* something is done to the database itself */
};

static bool is_word_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool next_word(struct words *words)
{
    while (words->at < words->end && !is_word_char(*words->at)) {
        words->copy = words->copy && *words->at != ';';
        words->at++;
    }
    size_t size = 0;
    memcpy(words->before, words->now, sizeof words->now);
    for (; words->at < words->end && is_word_char(*words->at); words->at++) {
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
    while (at < words->end && isspace((unsigned char)*at)) {
        at++;
    }
    bool name = at < words->end && is_word_char(*at);
    while (at < words->end && is_word_char(*at)) {
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

static bool is_pair(const struct words *words, const char *const (*pairs)[2], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words->before, pairs[i][0]) == 0 && strcmp(words->now, pairs[i][1]) == 0) {
            return true;
        }
    }
    return false;
}
#define IS_PAIR(words, pairs) is_pair(words, pairs, sizeof(pairs) / sizeof *(pairs))

static bool look_outside(struct reading *reading, const char *text, size_t size)
{
    static const char *const name_of_database[] = {"current_catalog", "current_database"};
    static const char *const of_extensions[][2] = {{"create", "extension"}, {"create", "language"}};
    struct words words = {.at = text, .end = text + size};
    while (next_word(&words)) {
        if (IS_PAIR(&words, outside_pairs) || name_is_in(words.now, NAMES_IN(outside)) ||
            reads_file(&words) || changes_quotes(&words)) {
            return true;
        }
        reading->extensions |= IS_PAIR(&words, of_extensions);
        if (name_is_in(words.now, NAMES_IN(of_clock))) {
            reading->key.max_age_s = CLOCK_MAX_AGE_S;
        }
        words.named |= name_is_in(words.now, NAMES_IN(name_of_database));
        words.owned |= IS_PAIR(&words, of_database);
    }
    return words.named && !words.owned;
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
    const struct source source = {path, strbuf_text(text), text->size};
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

/* Of each file that an extension may be made of: its name, and when it changed. */
static bool add_folder(struct reading *reading, const char *path)
{
    DIR *dir = opendir(path);
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

/* Where Debian, the PostgreSQL project's packages and a plain installation have them. */
static bool add_extensions(struct reading *reading, const char *bindir)
{
    struct arena *arena = &reading->arena;
    const char *root = path_absolute(arena, arena_printf(arena, "%s/..", bindir));
    if (!root) {
        return false;
    }
    const char *const folders[] = {
        arena_printf(arena, "/usr/share/postgresql/%s/extension", strrchr(root, '/') + 1),
        arena_printf(arena, "%s/share/extension", root),
        arena_printf(arena, "%s/share/postgresql/extension", root),
    };
    bool any = false;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        any |= add_folder(reading, folders[i]);
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
                 (!reading.extensions || add_extensions(&reading, of->bindir));
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
