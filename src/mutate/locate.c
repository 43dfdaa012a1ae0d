#include "mutate/locate.h"

#include "base/hash.h"
#include "sql/lex.h"

#include <stdlib.h>
#include <string.h>

/* A statement that creates, alters or grants something. Its head is what stands before the first
 * bracket or AS. */
struct statement {
    const struct source *source;
    size_t start;
    size_t head;
    size_t end;
};

/* That the head of a statement has a name. */
struct mention {
    uint64_t name;
    size_t statement;
};

struct index {
    struct arena arena;
    VEC(struct statement) statements;
    VEC(struct mention) mentions; /* by name, then by statement */
};

/* A name without its quotes, as a hash; without them, upper case is lower case. */
static uint64_t hash_name(const char *text, size_t size, bool quoted)
{
    uint64_t hash = HASH_START;
    for (size_t i = 0; i < size; i++) {
        bool upper = !quoted && text[i] >= 'A' && text[i] <= 'Z';
        char c = upper ? (char)(text[i] - 'A' + 'a') : text[i];
        hash = hash_bytes(hash, &c, 1);
    }
    return hash;
}

/* 0: the token is no name. */
static uint64_t name_of(const struct sql_lexer *lexer, const struct sql_token *token)
{
    bool quoted = token->kind == SQL_TOKEN_QUOTED_NAME;
    if (!quoted && token->kind != SQL_TOKEN_WORD) {
        return 0;
    }
    size_t start = quoted ? token->inner_start : token->start;
    size_t end = quoted ? token->inner_end : token->end;
    return hash_name(lexer->text + start, end - start, quoted);
}

/* As the catalog writes it: the last part of `app."the table"`, what stands before ` on ` or a
 * bracket. */
static uint64_t last_name(const char *text)
{
    struct sql_lexer lexer = {.text = text, .size = strlen(text)};
    struct sql_token token = sql_lex(&lexer);
    uint64_t name = 0;
    while (token.kind == SQL_TOKEN_WORD || token.kind == SQL_TOKEN_QUOTED_NAME) {
        name = name_of(&lexer, &token);
        token = sql_lex(&lexer);
        if (!sql_token_is_char(&lexer, &token, '.')) {
            break;
        }
        token = sql_lex(&lexer);
    }
    return name;
}

static bool begins_definition(const struct sql_lexer *lexer, const struct sql_token *token)
{
    return sql_token_is(lexer, token, "CREATE") || sql_token_is(lexer, token, "ALTER") ||
           sql_token_is(lexer, token, "GRANT");
}

/* The lexer is behind the next line that is this one, or at the end; NULL: any line. */
static void skip_to_line(struct sql_lexer *lexer, const char *line)
{
    bool found = false;
    while (!found && lexer->at < lexer->size) {
        const char *at = lexer->text + lexer->at;
        const char *end = memchr(at, '\n', lexer->size - lexer->at);
        size_t size = end ? (size_t)(end - at) : lexer->size - lexer->at;
        found = !line || (size == strlen(line) && memcmp(at, line, size) == 0);
        lexer->at += size + (end != NULL);
    }
}

/* Reads to the end of the statement whose first token was read, and notes it. */
static void read_statement(struct index *index, const struct source *source,
                           struct sql_lexer *lexer, struct sql_token token)
{
    struct statement statement = {.source = source, .start = token.start};
    bool wanted = begins_definition(lexer, &token);
    bool copies = sql_token_is(lexer, &token, "COPY");
    bool has_data = false;
    while (token.kind != SQL_TOKEN_END && token.kind != SQL_TOKEN_BAD &&
           !sql_token_is_char(lexer, &token, ';')) {
        bool ends_head = sql_token_is_char(lexer, &token, '(') || sql_token_is(lexer, &token, "AS");
        uint64_t name = name_of(lexer, &token);
        if (ends_head && !statement.head) {
            statement.head = token.start;
        } else if (wanted && !statement.head && name) {
            *VEC_PUSH(&index->arena, &index->mentions) =
                (struct mention){name, index->statements.count};
        }
        has_data = has_data || (copies && sql_token_is(lexer, &token, "STDIN"));
        statement.end = token.end;
        token = sql_lex(lexer);
    }
    if (has_data) {
        skip_to_line(lexer, "\\.");
    }
    if (wanted) {
        statement.head = statement.head ? statement.head : statement.end;
        *VEC_PUSH(&index->arena, &index->statements) = statement;
    }
}

static int compare(const void *a, const void *b)
{
    const struct mention *x = a;
    const struct mention *y = b;
    return x->name != y->name ? (x->name < y->name ? -1 : 1)
                              : (x->statement > y->statement) - (x->statement < y->statement);
}

static void read_sources(struct index *index, const struct source *const *sources, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct sql_lexer lexer = {.text = sources[i]->text, .size = sources[i]->size};
        struct sql_token token;
        while ((token = sql_lex(&lexer)).kind != SQL_TOKEN_END && token.kind != SQL_TOKEN_BAD) {
            if (sql_token_is_char(&lexer, &token, '\\')) { /* a command of psql */
                skip_to_line(&lexer, NULL);
            } else {
                read_statement(index, sources[i], &lexer, token);
            }
        }
    }
    if (index->mentions.count) {
        qsort(index->mentions.items, index->mentions.count, sizeof *index->mentions.items, compare);
    }
}

/* The first token between two places that is the name; its end is 0 if there is none. */
static struct sql_token find_token(const char *text, size_t start, size_t end, uint64_t name)
{
    struct sql_lexer lexer = {.text = text, .size = end, .at = start};
    struct sql_token token;
    while ((token = sql_lex(&lexer)).kind != SQL_TOKEN_END && token.kind != SQL_TOKEN_BAD) {
        if (name && name_of(&lexer, &token) == name) {
            return token;
        }
    }
    return (struct sql_token){0};
}

bool sql_names(const char *text, size_t size, const char *relation)
{
    return find_token(text, 0, size, last_name(relation)).end > 0;
}

/* RANK_OTHER: it is about the table, and can't define what the mutant changes. */
enum rank { RANK_NONE, RANK_OTHER, RANK_TABLE, RANK_NAME, RANK_WORDS };

/* What a statement has to create or alter to define an object of a kind. */
static const struct {
    const char *kind;
    const char *words[3];
} definers[] = {
    {"column", {"TABLE", "DOMAIN", "VIEW"}},
    {"constraint", {"TABLE", "DOMAIN"}},
    {"policy", {"POLICY"}},
    {"trigger", {"TRIGGER"}},
    {"function", {"FUNCTION", "PROCEDURE"}},
    {"view", {"VIEW"}},
};

/* Of a kind that is not in the table, any statement may. */
static bool can_define(const struct statement *statement, const char *kind)
{
    const struct source *source = statement->source;
    const char *of = strstr(kind, " of ");
    kind = of ? of + strlen(" of ") : kind;
    for (size_t i = 0; i < sizeof definers / sizeof *definers; i++) {
        if (strcmp(definers[i].kind, kind) != 0) {
            continue;
        }
        struct sql_lexer lexer = {
            .text = source->text, .size = statement->head, .at = statement->start};
        struct sql_token token;
        while ((token = sql_lex(&lexer)).kind == SQL_TOKEN_WORD) {
            for (size_t j = 0; j < 3 && definers[i].words[j]; j++) {
                if (sql_token_is(&lexer, &token, definers[i].words[j])) {
                    return true;
                }
            }
        }
        return false;
    }
    return true;
}

struct place {
    enum rank rank;
    const struct source *source;
    const struct statement *statement;
    size_t from; /* the part of it that the object is defined in */
    size_t to;
    size_t start;
    size_t end;
};

/* The text between two places that is what the mutant changes. */
static bool find_words(const struct source *source, size_t start, size_t end, const char *words,
                       struct place *place)
{
    size_t size = strlen(words);
    const char *at = size ? memmem(source->text + start, end - start, words, size) : NULL;
    if (at) {
        place->rank = RANK_WORDS;
        place->start = (size_t)(at - source->text);
        place->end = place->start + size;
    }
    return at != NULL;
}

/* Where the part of a list ends that a token is in. */
static size_t item_end(const struct source *source, size_t start, size_t end)
{
    struct sql_lexer lexer = {.text = source->text, .size = end, .at = start};
    struct sql_token token = sql_lex(&lexer);
    for (int depth = 0; token.kind != SQL_TOKEN_END && token.kind != SQL_TOKEN_BAD;
         token = sql_lex(&lexer)) {
        depth += sql_token_is_char(&lexer, &token, '(');
        depth -= sql_token_is_char(&lexer, &token, ')');
        if (depth < 0 || (depth == 0 && sql_token_is_char(&lexer, &token, ','))) {
            return token.start;
        }
    }
    return end;
}

/* What has a name of its own changes behind it. */
static struct place place_in(const struct statement *statement, const struct mutant *mutant,
                             uint64_t relation, uint64_t name)
{
    const struct source *source = statement->source;
    struct place place = {.source = source, .statement = statement};
    struct sql_token token = {0};
    bool defines = can_define(statement, mutant->kind);
    if (name != relation && defines) {
        token = find_token(source->text, statement->start, statement->end, name);
    }
    bool is_item = token.end &&
                   (strcmp(mutant->kind, "column") == 0 || strcmp(mutant->kind, "constraint") == 0);
    size_t from = token.end ? token.start : statement->start;
    size_t end = is_item ? item_end(source, from, statement->end) : statement->end;
    place.from = from;
    place.to = end;
    if (!defines || !find_words(source, from, end, mutant->was, &place)) {
        place.rank = RANK_NAME;
        if (!token.end) {
            token = find_token(source->text, statement->start, statement->head, relation);
            place.rank = defines ? RANK_TABLE : RANK_OTHER;
        }
        place.start = token.start;
        place.end = token.end;
    }
    return place;
}

static size_t first_mention(const struct index *index, uint64_t name)
{
    size_t low = 0;
    size_t high = index->mentions.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (index->mentions.items[middle].name < name) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* "own on members" as the beginning of what creates the policy; other definitions are whole. */
static const char *creates(const struct mutant *mutant, struct arena *arena)
{
    static const char between[] = " on ";
    const char *on = strcmp(mutant->kind, "policy") == 0 ? strstr(mutant->object, between) : NULL;
    return on ? arena_printf(arena, "CREATE POLICY %.*s ON %s ", (int)(on - mutant->object),
                             mutant->object, on + strlen(between))
              : "";
}

/* As the catalog has it, for what the files don't say in these words. */
static struct change change_in_catalog(const struct mutant *mutant, struct arena *arena)
{
    const char *head = creates(mutant, arena);
    return change_between(
        arena_printf(arena, "%s%s", head, mutant->was),
        *mutant->becomes ? arena_printf(arena, "%s%s", head, mutant->becomes) : "", arena);
}

/* What creates the whole object is changed in its place; nothing else is such a statement. */
static bool is_whole(const struct mutant *mutant)
{
    bool whole = strcmp(mutant->kind, "policy") == 0 || strcmp(mutant->kind, "trigger") == 0;
    return whole && *mutant->becomes && !strchr(mutant->becomes, ';');
}

/* "REFERENCES projects ON DELETE CASCADE" of "FOREIGN KEY (project) REFERENCES projects(id) ON …",
 * "UNIQUE" of "UNIQUE (email)": a constraint of one column as people write it behind the column,
 * and the column. NULL: it has several, or is none such. */
static const char *behind_column(const char *was, const char **column, struct arena *arena)
{
    static const char references[] = "REFERENCES ";
    const char *open = strchr(was, '(');
    const char *close = open ? strchr(open, ')') : NULL;
    if (!close || memchr(open, ',', (size_t)(close - open)) || strncmp(was, "CHECK", 5) == 0) {
        return NULL;
    }
    *column = arena_strndup(arena, open + 1, (size_t)(close - open) - 1);
    const char *to = strstr(close, references);
    if (!to) {
        return arena_strndup(arena, was, strcspn(was, " (") + (*was == 'P' ? strlen(" KEY") : 0));
    }
    size_t table = strcspn(to + strlen(references), "(") + strlen(references);
    const char *rest = strchr(to, ')');
    return arena_printf(arena, "%.*s%s", (int)table, to, rest ? rest + 1 : "");
}

/* The constraint of a column, dropped where the column is defined. */
static bool drop_behind_column(const struct statement *statement, const struct mutant *mutant,
                               struct arena *arena, struct change *out)
{
    const struct source *source = statement->source;
    const char *column = NULL;
    const char *words = behind_column(mutant->was, &column, arena);
    if (strcmp(mutant->kind, "constraint") != 0 || *mutant->becomes || !words) {
        return false;
    }
    struct sql_token token =
        find_token(source->text, statement->head, statement->end, last_name(column));
    const struct change all = {words, strlen(words), 0, strlen(words), ""};
    const char *item = source->text + token.start;
    size_t size = token.end ? item_end(source, token.start, statement->end) - token.start : 0;
    bool found = token.end && change_find(&all, item, size, 0, out);
    if (found) {
        out->text = source->text + statement->start;
        out->size = statement->end - statement->start;
        out->at += token.start - statement->start;
    }
    return found;
}

static struct change change_in(const struct place *place, const struct mutant *mutant,
                               struct arena *arena)
{
    const struct statement *statement = place->statement;
    const char *text = place->source->text + statement->start;
    size_t size = statement->end - statement->start;
    struct change between = change_between(mutant->was, mutant->becomes, arena);
    struct change found;
    size_t skipped = place->from - statement->start;
    bool is_policy = strcmp(mutant->kind, "policy") == 0;
    bool changes = between.removed || *between.added;
    if (changes && !(is_policy && strchr(between.added, ';')) &&
        change_find(&between, text + skipped, place->to - place->from, mutant->earlier, &found)) {
        found.text = text;
        found.size = size;
        found.at += skipped;
        if (!*mutant->becomes) {
            change_tidy(&found);
        }
        return found;
    }
    if (drop_behind_column(statement, mutant, arena, &found)) {
        change_tidy(&found);
        return found;
    }
    if (is_whole(mutant)) {
        return change_in_catalog(mutant, arena);
    }
    return (struct change){text, size, size, 0, arena_printf(arena, ";\n%s", mutant->ddl)};
}

static void locate(const struct index *index, struct mutant *mutant, struct arena *arena)
{
    struct place best = {0};
    uint64_t relation = last_name(mutant->relation);
    uint64_t name = last_name(mutant->object);
    for (size_t i = first_mention(index, relation);
         relation && i < index->mentions.count && index->mentions.items[i].name == relation; i++) {
        struct place place = place_in(&index->statements.items[index->mentions.items[i].statement],
                                      mutant, relation, name);
        /* of two functions by the name, or two versions of one, the later */
        if (place.rank > best.rank || (place.rank == RANK_WORDS && best.rank == RANK_WORDS)) {
            best = place;
        }
    }
    if (best.rank != RANK_NONE) {
        mutant->pos = (struct source_pos){best.source, best.start};
        mutant->size = best.end - best.start;
        mutant->statement = (struct source_pos){best.source, best.statement->start};
        mutant->change = change_in(&best, mutant, arena);
    } else {
        mutant->change = change_in_catalog(mutant, arena);
    }
}

void mutants_locate(struct mutant *mutants, size_t count, const struct source *const *sources,
                    size_t source_count, struct arena *arena)
{
    struct index index = {0};
    read_sources(&index, sources, source_count);
    for (size_t i = 0; i < count; i++) {
        locate(&index, &mutants[i], arena);
    }
    arena_free(&index.arena);
}
