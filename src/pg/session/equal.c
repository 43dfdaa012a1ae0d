/*
 * What the server holds for equal: pairs of values whose texts differ, compared in their own type,
 * many in one query. Arrays are compared by what their element type's default operator class calls
 * equal, whatever `=` is on the search_path. Where the query fails (a text that is none of the
 * type, a type without =) each pair is asked alone, and what fails then is not equal.
 */
#include "pg/session/session.h"
#include "pg/types/encode.h"

enum { PAIRS_AT_ONCE = 64, VALUES_AT_ONCE = 2 * PAIRS_AT_ONCE };

/* Pairs with a form in the type, encoded. */
struct pairs {
    const struct type *type;
    uint32_t types[VALUES_AT_ONCE]; /* all the same */
    bool *same;                     /* the caller's */
    struct strbuf texts;
    size_t offsets[VALUES_AT_ONCE];
    const char *values[VALUES_AT_ONCE];
    size_t index[PAIRS_AT_ONCE]; /* of the caller's pair */
    size_t count;
};

static bool add_text(const struct session *session, struct pairs *pairs, struct value value,
                     size_t number)
{
    struct error ignored;
    pairs->offsets[number] = pairs->texts.size;
    enum encoded encoded =
        encode_value(&session->types, pairs->type, value, &pairs->texts, &ignored);
    strbuf_addc(&pairs->texts, '\0');
    return encoded == ENCODED_TEXT;
}

/* A value without a form, or None, is equal only if the decoded values were. */
static void add_pair(const struct session *session, struct pairs *pairs, struct value expected,
                     struct value actual, size_t index)
{
    size_t number = 2 * pairs->count;
    if (add_text(session, pairs, expected, number) &&
        add_text(session, pairs, actual, number + 1)) {
        pairs->index[pairs->count++] = index;
    }
}

static void query_text(size_t count, struct strbuf *out)
{
    for (size_t i = 0; i < count; i++) {
        strbuf_addf(out, "%sARRAY[$%zu] OPERATOR(pg_catalog.=) ARRAY[$%zu]", i ? ", " : "SELECT ",
                    2 * i + 1, 2 * i + 2);
    }
}

/* Asks for `count` pairs from `first` on. `*answered`: whether the server could say. */
static bool ask_pairs(struct session *session, struct pairs *pairs, size_t first, size_t count,
                      bool *answered, struct error *err)
{
    struct strbuf sql = {0};
    const struct wire_params params = {
        .count = (int)(2 * count),
        .types = pairs->types,
        .values = pairs->values + 2 * first,
    };
    query_text(count, &sql);
    bool sent = session_fixed(session, FIXED_TRY, err);
    PGresult *result = sent ? wire_query(&session->wire, strbuf_text(&sql), &params, err) : NULL;
    strbuf_free(&sql);
    if (!result) {
        return false;
    }
    *answered = PQresultStatus(result) == PGRES_TUPLES_OK;
    for (size_t i = 0; *answered && i < count; i++) {
        pairs->same[pairs->index[first + i]] = *PQgetvalue(result, 0, (int)i) == 't';
    }
    PQclear(result);
    return session_fixed(session, FIXED_TRY_BACK, err) &&
           session_fixed(session, FIXED_TRY_DONE, err);
}

static bool ask_all(struct session *session, struct pairs *pairs, struct error *err)
{
    bool answered = false;
    if (pairs->count == 0) {
        return true;
    }
    for (size_t i = 0; i < 2 * pairs->count; i++) {
        pairs->values[i] = strbuf_text(&pairs->texts) + pairs->offsets[i];
    }
    if (!ask_pairs(session, pairs, 0, pairs->count, &answered, err)) {
        return false;
    }
    for (size_t i = 0; !answered && pairs->count > 1 && i < pairs->count; i++) {
        bool alone = false;
        if (!ask_pairs(session, pairs, i, 1, &alone, err)) {
            return false;
        }
    }
    return true;
}

bool session_equal(struct backend *backend, uint32_t type, const struct value *expected,
                   const struct value *actual, size_t count, bool *same, struct error *err)
{
    struct session *session = session_of(backend);
    struct pairs pairs = {.same = same};
    bool done = session_settle(session, err) && session_learn_type(session, type, err);
    pairs.type = types_get(&session->types, type);
    for (size_t i = 0; i < VALUES_AT_ONCE; i++) {
        pairs.types[i] = type;
    }
    for (size_t i = 0; done && i < count;) {
        strbuf_clear(&pairs.texts);
        pairs.count = 0;
        for (; i < count && pairs.count < PAIRS_AT_ONCE; i++) {
            same[i] = false;
            add_pair(session, &pairs, expected[i], actual[i], i);
        }
        done = ask_all(session, &pairs, err);
    }
    strbuf_free(&pairs.texts);
    return done;
}
