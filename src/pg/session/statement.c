#include "pg/session/statement.h"

#include "base/hash.h"
#include "base/utf8.h"
#include "pg/types/encode.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* DDL in every order makes more schemas than one prepares for: the rest is as it was without. */
enum { VARIANTS_MAX = 16 };

static void add_uses(struct statements *statements, enum use_kind kind,
                     const struct machine_statement *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        *VEC_PUSH(statements->arena, &statements->uses) =
            (struct use){kind, items[i].sql, items[i].context, false};
    }
}

static void add_rule(struct statements *statements, enum use_kind kind, const struct rule *rule)
{
    add_uses(statements, kind, rule->statements.items, rule->statements.count);
    if (rule->statements.count) {
        struct use *last = &statements->uses.items[statements->uses.count - 1];
        last->feeds = rule->targets.count && !rule->returns;
    }
}

void statements_init(struct statements *statements, const struct machine *machine,
                     struct arena *arena)
{
    *statements = (struct statements){.arena = arena, .template_count = machine->templates.count};
    statements->by_template = ARENA_ARRAY(arena, struct statement *, machine->templates.count);
    *VEC_PUSH(arena, &statements->actors) = (struct actor){0};
    for (size_t i = 0; i < machine->dataset.count; i++) {
        *VEC_PUSH(arena, &statements->uses) =
            (struct use){.kind = USE_DATASET, .sql = machine->dataset.items[i].sql};
    }
    for (size_t i = 0; i < machine->initialize.count; i++) {
        add_rule(statements, USE_INITIALIZE, &machine->initialize.items[i]);
    }
    for (size_t i = 0; i < machine->rules.count; i++) {
        add_rule(statements, USE_RULE, &machine->rules.items[i]);
    }
    for (size_t i = 0; i < machine->invariants.count; i++) {
        const struct invariant *invariant = &machine->invariants.items[i];
        add_uses(statements, USE_INVARIANT, invariant->statements.items,
                 invariant->statements.count);
    }
}

bool use_actor(const struct use *use, struct actor *out)
{
    *out = (struct actor){0};
    if (!use->context) {
        return true;
    }
    *out = (struct actor){.session_user = use->context->session_user, .role = use->context->role};
    return !use->context->role_code && !use->context->session_user_code;
}

static bool same_name(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static const char *copy_name(struct arena *arena, const char *name)
{
    return name ? arena_strdup(arena, name) : NULL;
}

size_t statements_actor(struct statements *statements, const struct actor *actor)
{
    for (size_t i = 0; i < statements->actors.count; i++) {
        const struct actor *known = &statements->actors.items[i];
        if (same_name(known->role, actor->role) &&
            same_name(known->session_user, actor->session_user)) {
            return i;
        }
    }
    *VEC_PUSH(statements->arena, &statements->actors) = (struct actor){
        .session_user = copy_name(statements->arena, actor->session_user),
        .role = copy_name(statements->arena, actor->role),
    };
    return statements->actors.count - 1;
}

struct statement *statements_get(struct statements *statements, const struct sql_template *sql,
                                 size_t actor)
{
    assert(sql->id < statements->template_count && actor < statements->actors.count);
    struct statement **at = &statements->by_template[sql->id];
    while (*at && (*at)->actor != actor) {
        at = &(*at)->next;
    }
    if (!*at) {
        *at = ARENA_NEW(statements->arena, struct statement);
        (*at)->sql = sql;
        (*at)->actor = actor;
        (*at)->state = sql->pasted ? STATEMENT_VOLATILE : STATEMENT_NEW;
        (void)snprintf((*at)->name, sizeof(*at)->name, "pgfsm_%zu_%zu", sql->id, actor);
    }
    return *at;
}

bool statements_taken(const struct statements *statements, const struct sql_template *sql,
                      const struct actor *actor)
{
    bool taken = false;
    const struct statement *each = statements->by_template[sql->id];
    for (; each && !taken; each = each->next) {
        const struct actor *own = &statements->actors.items[each->actor];
        taken = each->taken && same_name(own->role, actor->role) &&
                same_name(own->session_user, actor->session_user);
    }
    return taken;
}

/* A statement without parameters is sent without waiting. The server parses it again if necessary.
 */
static bool fits(const struct statements *statements, const struct statement *statement,
                 uint64_t schema)
{
    return statement->state != STATEMENT_LATER &&
           (statement->state != STATEMENT_PREPARED || statement->schema == schema ||
            (statement->sql->value_count == 0 && !statements->few_schemas));
}

struct statement *statements_in_schema(struct statements *statements, struct statement *statement,
                                       uint64_t schema)
{
    assert(!statement->base);
    if (fits(statements, statement, schema)) {
        return statement;
    }
    for (struct statement *each = statement->variants; each; each = each->next) {
        if (each->schema == schema) {
            return each;
        }
    }
    if (statement->variant_count == VARIANTS_MAX) {
        return statement;
    }
    struct statement *variant = ARENA_NEW(statements->arena, struct statement);
    *variant = (struct statement){
        .sql = statement->sql,
        .actor = statement->actor,
        .schema = schema,
        .base = statement,
        .next = statement->variants,
    };
    (void)snprintf(variant->name, sizeof variant->name, "pgfsm_%zu_%zu_%zu", statement->sql->id,
                   statement->actor, ++statement->variant_count);
    statement->variants = variant;
    return variant;
}

/* What could not be prepared when it ran first is not held. */
struct statement *statements_hold(struct statements *statements, struct statement *statement,
                                  uint64_t schema, bool *outlives)
{
    for (size_t i = 0; i < statements->held.count; i++) {
        const struct held_statement *held = &statements->held.items[i];
        if (held->base == statement && held->used->state == STATEMENT_PREPARED) {
            *outlives = held->schema != schema;
            return held->used;
        }
    }
    struct statement *used = statements_in_schema(statements, statement, schema);
    *outlives = false;
    *VEC_PUSH(statements->arena, &statements->held) =
        (struct held_statement){statement, used, schema};
    return used;
}

void statement_refused(struct statement *statement, bool may_change)
{
    statement->state = may_change && !statement->base ? STATEMENT_LATER : STATEMENT_VOLATILE;
}

void statement_stale(const struct statements *statements, struct statement *statement,
                     bool may_change)
{
    statement_refused(statement, may_change);
    if (statement->base && !statements->few_schemas) {
        statement->base->state = STATEMENT_VOLATILE;
    }
}

uint64_t schema_after(uint64_t schema, const struct sql_template *sql, const struct strbuf *text)
{
    uint64_t hash = hash_bytes(HASH_START, &schema, sizeof schema);
    hash = hash_bytes(hash, &sql->id, sizeof sql->id);
    return sql->pasted ? hash_bytes(hash, text->data, text->size) : hash;
}

static void forget(struct statement *statement)
{
    if (statement->state == STATEMENT_PREPARED) {
        statement->state = STATEMENT_NEW;
    }
}

void statements_forget(struct statements *statements)
{
    statements->held.count = 0;
    for (size_t i = 0; i < statements->template_count; i++) {
        for (struct statement *each = statements->by_template[i]; each; each = each->next) {
            forget(each);
            for (struct statement *variant = each->variants; variant; variant = variant->next) {
                forget(variant);
            }
        }
    }
}

/* libpq's own quoting: it knows the connection's encoding and its setting for backslashes. */
static bool quote(PGconn *conn, enum sql_piece_kind kind, const struct strbuf *text,
                  struct strbuf *out, struct error *err)
{
    char *quoted = kind == SQL_LITERAL ? PQescapeLiteral(conn, strbuf_text(text), text->size)
                                       : PQescapeIdentifier(conn, strbuf_text(text), text->size);
    if (!quoted) {
        return error_set(err, ERROR_MACHINE, "the value can't be quoted: %s", PQerrorMessage(conn));
    }
    strbuf_adds(out, quoted);
    PQfreemem(quoted);
    return true;
}

static bool paste(PGconn *conn, enum sql_piece_kind kind, struct value value, struct strbuf *out,
                  struct error *err)
{
    struct strbuf text = {0};
    enum encoded encoded = encode_pasted(value, &text, err);
    bool pasted = encoded != ENCODED_FAILED;
    if (pasted && encoded == ENCODED_NULL && kind == SQL_LITERAL) {
        strbuf_adds(out, "NULL");
    } else if (pasted && text.size == 0 && kind == SQL_IDENTIFIER) {
        pasted = error_set(err, ERROR_MACHINE, "an identifier can't be empty or None");
    } else if (pasted) {
        pasted = quote(conn, kind, &text, out, err);
    }
    strbuf_free(&text);
    return pasted;
}

bool statement_text(const struct sql_template *sql, const struct value *values,
                    const struct statement_sink *out, struct error *err)
{
    assert((values != NULL && out->conn != NULL) || !sql->pasted);
    struct strbuf *text = out->text;
    size_t slot = 0;
    size_t number = 0;
    for (size_t i = 0; i < sql->pieces.count; i++) {
        const struct sql_piece *piece = &sql->pieces.items[i];
        if (piece->kind == SQL_TEXT) {
            strbuf_add(text, piece->text, piece->size);
            continue;
        }
        size_t start = text->size;
        if (piece->kind == SQL_VALUE) {
            strbuf_addf(text, "$%zu", ++number);
        } else if (!paste(out->conn, piece->kind, values[slot], text, err)) {
            return error_context(err, "parameter %s", piece->text);
        }
        if (out->widths) {
            out->widths[slot] = (uint32_t)utf8_length(text->data + start, text->size - start);
        }
        slot++;
    }
    return true;
}

size_t statement_slots(const struct sql_template *sql)
{
    size_t count = 0;
    for (size_t i = 0; i < sql->pieces.count; i++) {
        count += sql->pieces.items[i].kind != SQL_TEXT;
    }
    return count;
}

static size_t number_width(size_t number)
{
    size_t width = 2;
    while (number >= 10) {
        number /= 10;
        width++;
    }
    return width;
}

int statement_position(const struct sql_template *sql, int position, const uint32_t *widths)
{
    assert(widths != NULL || !sql->pasted);
    size_t left = position > 0 ? (size_t)position - 1 : 0;
    size_t slot = 0;
    size_t number = 0;
    if (position <= 0) {
        return 0;
    }
    for (size_t i = 0; i < sql->pieces.count; i++) {
        const struct sql_piece *piece = &sql->pieces.items[i];
        bool text = piece->kind == SQL_TEXT;
        number += piece->kind == SQL_VALUE;
        size_t width = text     ? utf8_length(piece->text, piece->size)
                       : widths ? widths[slot]
                                : number_width(number);
        if (left < width || (left == width && i + 1 == sql->pieces.count)) {
            size_t before = utf8_length(sql->snippet.text, piece->offset);
            return (int)(before + (text ? left : 0) + 1);
        }
        left -= width;
        slot += !text;
    }
    return 0;
}

struct source_pos statement_place(const struct sql_template *sql, int snippet_position)
{
    const struct snippet *snippet = &sql->snippet;
    size_t index = snippet_position > 0 ? (size_t)snippet_position - 1 : 0;
    return snippet_pos(snippet, utf8_offset(snippet->text, snippet->size, index));
}
