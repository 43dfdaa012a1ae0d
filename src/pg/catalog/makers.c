/* Statements of the machine that change what names mean, though they do not look so: they call a
 * function that makes tables, write to a table whose trigger does, or set search_path. */
#include "pg/catalog/catalog.h"
#include "pg/session/queries.h"

#include <string.h>

struct maker {
    const char *name;  /* "": a statement of rules or invariants */
    const char *mends; /* SQLSTATEs of errors that may be gone when it has run */
};

struct makers {
    struct arena arena;
    VEC(struct maker) items;
};

static void add_maker(struct makers *makers, const char *name, const char *mends)
{
    *VEC_PUSH(&makers->arena, &makers->items) = (struct maker){
        arena_strdup(&makers->arena, name),
        arena_strdup(&makers->arena, mends),
    };
}

/* Finds makers through those that are known. False without err if there are none. */
static bool find_more(struct session *session, struct makers *makers, bool *more, struct error *err)
{
    struct text_array arrays[3] = {0}; /* names, SQLSTATEs, rules and invariants */
    for (size_t i = 0; i < makers->items.count; i++) {
        const struct maker *maker = &makers->items.items[i];
        text_array_add(&arrays[0], maker->name, strlen(maker->name));
        text_array_add(&arrays[1], maker->mends, strlen(maker->mends));
    }
    for (size_t i = 0; i < session->statements.uses.count; i++) {
        const struct use *use = &session->statements.uses.items[i];
        if (!use_sets_up(use)) {
            text_array_add(&arrays[2], use->sql->snippet.text, use->sql->snippet.size);
        }
    }
    PGresult *result = session_ask_texts(session, query_makers, arrays, 3, err);
    int count = PQntuples(result);
    for (int i = 0; i < count; i++) {
        add_maker(makers, PQgetvalue(result, i, 0), PQgetvalue(result, i, 1));
    }
    *more = count > 0;
    bool done = result != NULL;
    PQclear(result);
    return done;
}

/* The errors that rules and invariants may mend. A statement whose text does not say what it makes
 * may make a table. */
static const char *mended(struct session *session, const struct makers *makers)
{
    struct strbuf text = {0};
    strbuf_addf(&text, "42P01 3F000");
    for (size_t i = 0; i < makers->items.count; i++) {
        if (makers->items.items[i].name[0] == '\0') {
            strbuf_addf(&text, " %s", makers->items.items[i].mends);
        }
    }
    const char *all = arena_strdup(&session->arena, strbuf_text(&text));
    strbuf_free(&text);
    return all;
}

static bool changes_names(const struct makers *makers, const struct sql_template *sql)
{
    bool does = sql->is_ddl || sql_mentions(&sql->snippet, "search_path");
    for (size_t i = 0; i < makers->items.count && !does; i++) {
        const char *name = makers->items.items[i].name;
        does = *name && sql_mentions(&sql->snippet, name);
    }
    return does;
}

bool session_find_makers(struct session *session, struct error *err)
{
    struct makers makers = {0};
    bool more = true;
    bool done = true;
    while (done && more) {
        done = find_more(session, &makers, &more, err);
    }
    session->prepare.changes =
        ARENA_ARRAY(&session->arena, bool, session->machine->templates.count);
    for (size_t i = 0; i < session->statements.uses.count && done; i++) {
        const struct use *use = &session->statements.uses.items[i];
        bool does = changes_names(&makers, use->sql);
        session->prepare.changes[use->sql->id] = does;
        session->prepare.has_ddl |= does;
        session->prepare.sets_up |= use_sets_up(use);
        if (does && !use_sets_up(use) && !session->prepare.mends) {
            session->prepare.mends = mended(session, &makers);
        }
    }
    arena_free(&makers.arena);
    return done;
}
