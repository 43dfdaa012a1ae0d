/* CREATE INDEX CONCURRENTLY in a migration. Where it is interrupted, it leaves an index that is
 * invalid, and with IF NOT EXISTS the next attempt passes over that. */
#include "base/words.h"
#include "machine/loader.h"
#include "sql/tokens.h"

#include <stdio.h>
#include <string.h>

/* The text as a constant. */
static const char *quote(struct arena *arena, const char *text)
{
    char tag[32] = "$name$";
    for (unsigned i = 2; strstr(text, tag); i++) {
        (void)snprintf(tag, sizeof tag, "$name_%u$", i);
    }
    return arena_printf(arena, "%s%s%s", tag, text, tag);
}

/* The tokens [from, to), without what stands between them. */
static const char *join(const struct sql_list *list, size_t from, size_t to)
{
    const char *text = "";
    for (size_t i = from; i < to; i++) {
        const struct sql_listed *token = &list->tokens.items[i];
        text = arena_printf(list->arena, "%s%.*s", text, (int)(token->end - token->start),
                            list->text + token->start);
    }
    return text;
}

/* Which index it is, as a condition on pg_class and pg_index. The server cuts a name's end off as
 * the cast does. */
static const char *condition_of(struct arena *arena, const char *name, const char *table)
{
    return arena_printf(arena,
                        "c.relkind OPERATOR(pg_catalog.=) 'i' AND c.relname OPERATOR(pg_catalog.=) "
                        "(pg_catalog.parse_ident(%s))[1]::pg_catalog.name AND i.indrelid "
                        "OPERATOR(pg_catalog.=) pg_catalog.to_regclass(%s)::pg_catalog.oid",
                        quote(arena, name), quote(arena, table));
}

/* A block behind a comment, for replay scripts. Its tag is none that the name has. */
static const char *block(struct arena *arena, const char *comment, const char *body)
{
    char tag[32] = "$do$";
    for (unsigned i = 2; strstr(body, tag); i++) {
        (void)snprintf(tag, sizeof tag, "$do_%u$", i);
    }
    return arena_printf(arena, "-- %s\nDO %s BEGIN\n%s\nEND %s", comment, tag, body, tag);
}

bool concurrent_index_read(const char *text, struct arena *arena, struct concurrent_index *out)
{
    struct sql_list list = {.text = text, .size = strlen(text), .arena = arena};
    size_t at = 0;
    *out = (struct concurrent_index){0};
    if (!sql_list_read(&list) || !sql_is(&list, at++, "CREATE")) {
        return false;
    }
    at += sql_is(&list, at, "UNIQUE");
    if (!sql_is(&list, at, "INDEX") || !sql_is(&list, at + 1, "CONCURRENTLY")) {
        return false;
    }
    at += 2;
    out->unless_there = sql_is(&list, at, "IF");
    at += out->unless_there ? 3 : 0; /* IF NOT EXISTS */
    if (at >= list.tokens.count || sql_is(&list, at, "ON")) {
        return false; /* the server makes its name */
    }
    size_t table = at + 2; /* behind the name and ON */
    size_t end = table += sql_is(&list, table, "ONLY");
    while (end < list.tokens.count && !sql_is(&list, end, "(") && !sql_is(&list, end, "USING")) {
        end++;
    }
    const char *which = condition_of(arena, join(&list, at, at + 1), join(&list, table, end));
    /* Of the last phase, in which the statement waits for others, nothing else is missing. Only a
     * superuser may do this. */
    out->spoil = block(
        arena, "As if the statement before had been interrupted at its end.",
        arena_printf(arena,
                     "UPDATE pg_catalog.pg_index AS i SET indisvalid = false\nFROM "
                     "pg_catalog.pg_class AS c\nWHERE i.indexrelid OPERATOR(pg_catalog.=) c.oid "
                     "AND %s;\nEXCEPTION WHEN insufficient_privilege THEN NULL;",
                     which));
    out->check = block(
        arena, "The statement before may have passed over an invalid index.",
        arena_printf(arena,
                     "IF EXISTS (SELECT FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_class AS "
                     "c ON i.indexrelid OPERATOR(pg_catalog.=) c.oid\nWHERE NOT i.indisvalid AND "
                     "%s) THEN\nRAISE object_not_in_prerequisite_state USING\n    MESSAGE = "
                     "'the index is invalid, and IF NOT EXISTS passed over it',\n    HINT = 'an "
                     "interrupted CREATE INDEX CONCURRENTLY left it; drop it before it is made "
                     "again';\nEND IF;",
                     which));
    return true;
}
