#include "mutate/locate.h"

#include "base/names.h"
#include "machine/sql/sql.h"
#include "mutate/names.h"

#include <string.h>

/* A statement that creates, alters or grants something. Its head is what stands before the first
 * bracket or AS. */
struct statement {
    const struct source *source;
    size_t start;
    struct sql_list list;
    size_t head; /* of its tokens */
};

/* That the head of a statement has a name. */
struct mention {
    struct sql_name name;
    size_t statement;
};

struct index {
    struct arena arena;
    VEC(struct statement) statements;
    VEC(struct mention) mentions; /* in the order of the files */
};

static bool is_definition(const char *text, size_t size)
{
    struct sql_lexer lexer = {.text = text, .size = size};
    struct sql_token first = sql_lex(&lexer);
    return sql_token_is(&lexer, &first, "CREATE") || sql_token_is(&lexer, &first, "ALTER") ||
           sql_token_is(&lexer, &first, "GRANT");
}

static void add_statement(struct index *index, struct statement *statement)
{
    struct sql_list *list = &statement->list;
    size_t at = 0;
    (void)sql_list_read(list);
    (void)sql_list_match(list, 0, list->tokens.count);
    while (at < list->tokens.count && !sql_is(list, at, "(") && !sql_is(list, at, "AS")) {
        struct sql_name name = sql_name_at(list, at);
        if (name.name) {
            *VEC_PUSH(&index->arena, &index->mentions) =
                (struct mention){name, index->statements.count};
        }
        at = name.name ? name.end : at + 1;
    }
    statement->head = at;
    *VEC_PUSH(&index->arena, &index->statements) = *statement;
}

static void read_sources(struct index *index, const struct source *const *sources, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct sql_file file = {.source = sources[i]};
        struct sql_file_statement read;
        while (sql_file_next(&file, &read)) {
            const char *text = sources[i]->text + read.start;
            size_t size = read.end - read.start;
            if (is_definition(text, size)) {
                add_statement(index,
                              &(struct statement){
                                  .source = sources[i],
                                  .start = read.start,
                                  .list = {.text = text, .size = size, .arena = &index->arena}});
            }
        }
    }
}

/* The first of some tokens that is the name; `to` if there is none. */
static size_t find_name(const struct sql_list *list, size_t from, size_t to, uint64_t name)
{
    size_t at = from;
    while (at < to && !(name && sql_name_alone(list, at) == name)) {
        at++;
    }
    return at;
}

/* Where a token begins; behind the last one: where the text ends. */
static size_t start_of(const struct sql_list *list, size_t index)
{
    return index < list->tokens.count ? list->tokens.items[index].start : list->size;
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

/* Of a kind that is not in the table, any statement may. The words come before what is defined. */
static bool can_define(const struct statement *statement, const char *kind)
{
    enum { WORDS = 5 };
    const struct sql_list *list = &statement->list;
    size_t end = statement->head < WORDS ? statement->head : WORDS;
    const char *of = strstr(kind, " of ");
    size_t i = name_index(of ? of + strlen(" of ") : kind, ROWS_IN(definers, kind));
    bool can = i == sizeof definers / sizeof *definers;
    for (size_t j = 0; !can && j < 3 && definers[i].words[j]; j++) {
        can = sql_find(list, 0, end, definers[i].words[j]) < end;
    }
    return can;
}

struct place {
    enum rank rank;
    enum sql_overload overload;
    const struct statement *statement;
    size_t from; /* bytes of it: the part that the object is defined in */
    size_t to;
    size_t start;
    size_t end;
};

/* The text of that part that is what the mutant changes. */
static bool find_words(const char *words, struct place *place)
{
    size_t size = strlen(words);
    const char *text = place->statement->list.text;
    const char *at = size ? memmem(text + place->from, place->to - place->from, words, size) : NULL;
    if (at) {
        place->rank = RANK_WORDS;
        place->start = (size_t)(at - text);
        place->end = place->start + size;
    }
    return at != NULL;
}

/* Where the part of a list ends that a token is in. */
static size_t item_end(const struct sql_list *list, size_t index)
{
    size_t opening = sql_opening(list, index);
    size_t end = opening < index ? list->tokens.items[opening].mate : list->tokens.count;
    return start_of(list, sql_find(list, index, end, ","));
}

/* What has a name of its own changes behind it. */
static struct place place_in(const struct statement *statement, const struct mutant *mutant,
                             uint64_t relation, uint64_t name)
{
    const struct sql_list *list = &statement->list;
    size_t count = list->tokens.count;
    bool defines = can_define(statement, mutant->kind);
    size_t at = name != relation && defines ? find_name(list, 0, count, name) : count;
    bool is_item = at < count &&
                   (strcmp(mutant->kind, "column") == 0 || strcmp(mutant->kind, "constraint") == 0);
    struct place place = {.statement = statement,
                          .from = start_of(list, at < count ? at : 0),
                          .to = is_item ? item_end(list, at) : list->size};
    if (!defines || !find_words(mutant->was, &place)) {
        place.rank = at < count ? RANK_NAME : defines ? RANK_TABLE : RANK_OTHER;
        at = at < count ? at : find_name(list, 0, statement->head, relation);
        place.start = start_of(list, at);
        place.end = list->tokens.items[at].end;
    }
    return place;
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
    const struct sql_list *list = &statement->list;
    const char *column = NULL;
    const char *words = behind_column(mutant->was, &column, arena);
    if (strcmp(mutant->kind, "constraint") != 0 || *mutant->becomes || !words) {
        return false;
    }
    size_t at = find_name(list, statement->head, list->tokens.count, sql_name_of(column).name);
    const struct change all = {words, strlen(words), 0, strlen(words), ""};
    size_t start = start_of(list, at);
    bool found = at < list->tokens.count &&
                 change_find(&all, list->text + start, item_end(list, at) - start, 0, out);
    if (found) {
        out->text = list->text;
        out->size = list->size;
        out->at += start;
    }
    return found;
}

static struct change change_in(const struct place *place, const struct mutant *mutant,
                               struct arena *arena)
{
    const struct statement *statement = place->statement;
    const char *text = statement->list.text;
    size_t size = statement->list.size;
    struct change between = change_between(mutant->was, mutant->becomes, arena);
    struct change found;
    bool is_policy = strcmp(mutant->kind, "policy") == 0;
    bool changes = between.removed || *between.added;
    if (changes && !(is_policy && strchr(between.added, ';')) &&
        change_find(&between, text + place->from, place->to - place->from, mutant->earlier,
                    &found)) {
        found.text = text;
        found.size = size;
        found.at += place->from;
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

/* Of two versions of one function, the later one that has the words. */
static bool is_better(const struct place *place, const struct place *than)
{
    if (place->overload != than->overload) {
        return place->overload > than->overload;
    }
    return place->rank > than->rank || (place->rank == RANK_WORDS && than->rank == RANK_WORDS);
}

static void locate(const struct index *index, struct mutant *mutant, struct arena *arena)
{
    struct place best = {0};
    struct sql_name relation = sql_name_of(mutant->relation);
    uint64_t name = sql_name_of(mutant->object).name;
    for (size_t i = 0; i < index->mentions.count; i++) {
        const struct mention *mention = &index->mentions.items[i];
        const struct statement *statement = &index->statements.items[mention->statement];
        if (sql_name_same(mention->name, relation)) {
            struct place place = place_in(statement, mutant, relation.name, name);
            place.overload = sql_overload_at(&statement->list, mention->name.end, mutant->relation);
            best = place.overload != OVERLOAD_OTHER && is_better(&place, &best) ? place : best;
        }
    }
    if (best.rank != RANK_NONE) {
        const struct statement *statement = best.statement;
        mutant->pos = (struct source_pos){statement->source, statement->start + best.start};
        mutant->size = best.end - best.start;
        mutant->statement = (struct source_pos){statement->source, statement->start};
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
