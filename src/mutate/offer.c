#include "mutate/offer.h"

#include "base/json.h"
#include "base/names.h"
#include "mutate/names.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Which error a fault keeps from coming, and how the machine can ask for it. */
enum approach { BY_NULL, BY_VALUE, BY_ID, BY_REPEATING, BY_READING };
struct family {
    const char *operators; /* patterns as in a shell, with spaces between them */
    const char *condition;
    enum approach approach;
};
static const struct family families[] = {
    {"drop-not-null", "not_null_violation", BY_NULL},
    {"drop-check", "check_violation", BY_VALUE},
    {"drop-exclude", "exclusion_violation", BY_REPEATING},
    {"drop-unique drop-primary-key index-not-unique unique-with-column primary-key-with-column",
     "unique_violation", BY_REPEATING},
    {"drop-foreign-key", "foreign_key_violation", BY_ID},
    {"policy-check-true policy-open-for-insert policy-open-for-update policy-permissive "
     "row-security-off",
     "insufficient_privilege", BY_ID},
    {"policy-using-true policy-open-for-select", "insufficient_privilege", BY_READING},
};

/* A statement of the machine, in the rule or step of initialize that it is of. */
struct origin {
    const struct rule *rule;
    const struct machine_statement *statement;
    struct sql_list sql; /* without clauses that nothing needs */
};

struct draft {
    const struct machine *machine;
    const struct mutant *mutant;
    const struct family *family;
    struct arena *arena;
    struct offers *offers;
    size_t most; /* of offers */
    struct origin origin;
};

/* What an offer says beside what it takes from its origin. */
struct words {
    const char *sql;
    const char *again;  /* a second statement, or NULL */
    bool nobody_first;  /* the first statement runs as the connecting user */
    const char *raises; /* or NULL */
    const char *expect; /* or NULL */
    const char *model;  /* what changes if it succeeds, or NULL */
    const char *other;  /* an argument more, or NULL */
    const char *drawn;  /* from this */
};

static const struct family *family_of(const char *operator)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        if (mutant_fits(operator, families[i].operators)) {
            return &families[i];
        }
    }
    return NULL;
}

/* Whether the text has the name as a word. */
static bool has_word(const char *text, const char *word)
{
    size_t size = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at++) {
        if ((at == text || !sql_is_name_char(at[-1])) && !sql_is_name_char(at[size])) {
            return true;
        }
    }
    return false;
}

/* Whether the SQL has the parameter. */
static bool has_parameter(const char *sql, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = sql; at && (at = strchr(at, ':')); at++) {
        const char *word = at + 1 + (at[1] == '\'' || at[1] == '"');
        if (strncmp(word, name, size) == 0 && !sql_is_name_char(word[size])) {
            return true;
        }
    }
    return false;
}

static const char *text_of(const struct draft *draft, const struct lang_code *code)
{
    const struct snippet *snippet = lang_snippet(code);
    return arena_strndup(draft->arena, snippet->text, snippet->size);
}

static const struct context *context_of(const struct draft *draft)
{
    return draft->origin.statement->context;
}

static bool context_reads(const struct context *context, size_t slot)
{
    bool reads = false;
    if (!context) {
        return false;
    }
    const struct lang_code *codes[] = {context->role_code, context->session_user_code,
                                       context->claims};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        reads = reads || (codes[i] && lang_reads_local(codes[i], slot));
    }
    for (size_t i = 0; i < context->settings.count; i++) {
        reads = reads || lang_reads_local(context->settings.items[i].code, slot);
    }
    return reads;
}

/* Whether YAML reads the text as it is, in a block. */
static bool is_plain(const char *text)
{
    size_t size = strlen(text);
    return isalpha((unsigned char)*text) && !strchr(text, '\n') && !strstr(text, ": ") &&
           !strstr(text, " #") && text[size - 1] != ':' && text[size - 1] != ' ';
}

static void add_scalar(struct strbuf *out, const char *text)
{
    if (is_plain(text)) {
        strbuf_adds(out, text);
        return;
    }
    struct json json = {out, false};
    json_text(&json, NULL, text);
}

/* A text on lines of its own, further to the right than `head`, if it has several. */
static void add_lines(struct strbuf *out, const char *head, const char *text)
{
    int indent = (int)strspn(head, " ") + 2;
    strbuf_adds(out, head);
    if (!strchr(text, '\n')) {
        add_scalar(out, text);
        strbuf_addc(out, '\n');
        return;
    }
    strbuf_adds(out, "|\n");
    while (*text) {
        size_t size = strcspn(text, "\n");
        strbuf_addf(out, "%*s%.*s\n", indent, "", (int)size, text);
        text += size + (text[size] == '\n');
    }
}

/* SQL or an expression: a long one is broken between its tokens, where there is a space. */
static void add_wrapped(struct strbuf *out, const char *head, const char *text)
{
    enum { WIDTH = 58 };
    struct sql_lexer lexer = {.text = text, .size = strlen(text)};
    struct sql_token token;
    struct strbuf lines = {0};
    size_t used = 0;
    size_t from = 0;
    bool has_comments = strchr(text, '#') != NULL;
    while ((token = sql_lex(&lexer)).kind != SQL_TOKEN_END && token.kind != SQL_TOKEN_BAD) {
        bool goes_on = has_comments || token.start == from || used == 0 ||
                       used + (token.end - from) <= WIDTH ||
                       memchr(text + from, '\n', token.start - from);
        strbuf_add(&lines, goes_on ? text + from : "\n", goes_on ? token.start - from : 1);
        strbuf_add(&lines, text + token.start, token.end - token.start);
        used = strbuf_column(&lines);
        from = token.end;
    }
    strbuf_adds(&lines, text + from);
    add_lines(out, head, strlen(text) > WIDTH ? strbuf_text(&lines) : text);
    strbuf_free(&lines);
}

static void add_key(struct strbuf *out, const char *indent, const char *key, const char *text)
{
    char head[128];
    if (text) {
        (void)snprintf(head, sizeof head, "%s%s: ", indent, key);
        add_wrapped(out, head, text);
    }
}

/* What an offer reads: arguments and derived values are taken along if they are among it. */
struct reading {
    const char *sql;
    const char *code; /* all of it */
    const struct context *context;
};

/* Adds a value in front of those that may read it, if anything does. */
static void add_value(struct draft *draft, struct reading *reading, const struct named_code *value,
                      const char **lines)
{
    struct strbuf line = {0};
    if (has_word(reading->code, value->name) || has_parameter(reading->sql, value->name) ||
        context_reads(reading->context, value->slot)) {
        const char *code = text_of(draft, value->code);
        add_key(&line, "    ", value->name, code);
        reading->code = arena_printf(draft->arena, "%s %s", reading->code, code);
        *lines = arena_printf(draft->arena, "%s%s", strbuf_text(&line), *lines);
    }
    strbuf_free(&line);
}

static void add_values(struct draft *draft, const struct words *words, struct strbuf *out)
{
    const struct rule *rule = draft->origin.rule;
    const char *where = rule->where ? text_of(draft, rule->where) : NULL;
    struct reading reading = {
        .sql = arena_printf(draft->arena, "%s %s", words->sql, words->again ? words->again : ""),
        .code = arena_printf(draft->arena, "%s %s %s %s", words->raises ? words->raises : "",
                             words->model ? words->model : "", where ? where : "",
                             words->drawn ? words->drawn : ""),
        .context = context_of(draft),
    };
    const char *lets = "";
    const char *args = "";
    for (size_t i = rule->lets.count; i-- > 0;) {
        add_value(draft, &reading, &rule->lets.items[i], &lets);
    }
    for (size_t i = rule->args.count; i-- > 0;) {
        const struct rule_arg *arg = &rule->args.items[i];
        add_value(draft, &reading, &(struct named_code){arg->name, arg->slot, arg->code}, &args);
    }
    if (words->other || *args) {
        strbuf_addf(out, "  args:\n%s", args);
        add_key(out, "    ", words->other, words->other ? words->drawn : NULL);
    }
    add_key(out, "  ", "where", where);
    strbuf_addf(out, "%s%s", *lets ? "  let:\n" : "", lets);
}

/* "covered" of "account.covered" and of "account.account_covered", "own" of "own on members". */
static const char *short_name(const struct mutant *mutant, struct arena *arena)
{
    const char *on = strstr(mutant->object, " on ");
    const char *dot = strrchr(mutant->object, '.');
    const char *from = !on && dot ? dot + 1 : mutant->object;
    size_t size = strlen(mutant->relation);
    if (!on && strncmp(from, mutant->relation, size) == 0 && from[size] == '_') {
        from += size + 1;
    }
    return arena_strndup(arena, from, on ? (size_t)(on - from) : strlen(from));
}

/* "open_violates_covered". */
static const char *name_for(struct draft *draft)
{
    const struct rule *rule = draft->origin.rule;
    char *name = arena_printf(draft->arena, "%s_%s_%s",
                              !rule              ? draft->mutant->relation
                              : rule->initialize ? "insert"
                                                 : rule->name,
                              rule ? "violates" : "has", short_name(draft->mutant, draft->arena));
    for (char *c = name; *c; c++) {
        *c = isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : '_';
    }
    return name;
}

static void add_offer(struct draft *draft, const struct words *words)
{
    struct strbuf out = {0};
    const struct context *context = context_of(draft);
    if (draft->offers->items.count >= draft->most) {
        return;
    }
    strbuf_addc(&out, '\n');
    add_values(draft, words, &out);
    if (context) {
        strbuf_addf(&out, "  as: %s\n", context->name);
    }
    if (words->again) {
        strbuf_adds(&out, "  sql:\n");
        strbuf_adds(&out, words->nobody_first ? "    - as: {}\n" : "");
        add_wrapped(&out, words->nobody_first ? "      sql: " : "    - ", words->sql);
        add_wrapped(&out, "    - ", words->again);
    } else {
        add_wrapped(&out, "  sql: ", words->sql);
    }
    add_key(&out, "  ", "raises", words->raises);
    if (words->model) {
        add_lines(&out, "  model: ", words->model);
    }
    if (words->expect) {
        strbuf_addf(&out, "  expect: %s\n", words->expect);
    }
    *VEC_PUSH(draft->arena, &draft->offers->items) =
        (struct offer){OFFER_RULE, name_for(draft), strbuf_take(&out, draft->arena)};
}

/* Policies are for those who are somebody. */
static bool asks_for_privilege(const struct family *family)
{
    return strcmp(family->condition, "insufficient_privilege") == 0;
}

/* What the origin predicts already comes first, where the new error would come later. */
static const char *raises_after(struct draft *draft)
{
    const struct lang_code *raises = draft->origin.rule->raises;
    bool late = draft->family->approach == BY_REPEATING ||
                strcmp(draft->family->condition, "foreign_key_violation") == 0;
    return raises && late ? arena_printf(draft->arena, "(%s) or %s", text_of(draft, raises),
                                         draft->family->condition)
                          : NULL;
}

/* Tries both: the new error alone, and behind what the rule predicts. */
static void add_raising(struct draft *draft, struct words words)
{
    const char *after = raises_after(draft);
    words.raises = draft->family->condition;
    add_offer(draft, &words);
    if (after) {
        words.raises = after;
        add_offer(draft, &words);
    }
}

static const char *token_text(struct draft *draft, const struct sql_list *sql, size_t index)
{
    const struct sql_listed *token = &sql->tokens.items[index];
    return arena_strndup(draft->arena, sql->text + token->start, token->end - token->start);
}

/* The statement with other words in the place of a token, and of all parameters of its name. */
static const char *replaced(struct draft *draft, size_t index, const char *words)
{
    const struct sql_list *sql = &draft->origin.sql;
    const char *text = token_text(draft, sql, index);
    bool everywhere = sql_is_kind(sql, index, SQL_TOKEN_VALUE);
    struct strbuf out = {0};
    size_t from = 0;
    for (size_t i = 0; i < sql->tokens.count; i++) {
        const struct sql_listed *token = &sql->tokens.items[i];
        if (i == index || (everywhere && sql_is_text(sql, i, text))) {
            strbuf_add(&out, sql->text + from, token->start - from);
            strbuf_adds(&out, words);
            from = token->end;
        }
    }
    strbuf_adds(&out, sql->text + from);
    return strbuf_take(&out, draft->arena);
}

/* Values that a bound may refuse: beside the numbers of its text, and far from all. */
static void add_values_of_bound(struct draft *draft, struct strbuf *out)
{
    struct sql_literals literals = {0};
    const char *was = draft->mutant->was;
    const struct snippet text = {.text = was, .size = strlen(was)};
    sql_collect_literals(&text, draft->arena, &literals);
    if (literals.strings.count) {
        strbuf_adds(out, "'none of these'\n''\n");
    }
    for (size_t i = 0; i < literals.ints.count && i < 2; i++) {
        strbuf_addf(out, "%lld\n%lld\n", (long long)literals.ints.items[i] - 1,
                    (long long)literals.ints.items[i] + 1);
    }
    if (!literals.strings.count) {
        strbuf_adds(out, "-1000000000\n1000000000\n''\n");
    }
}

/* Ids that nothing has. */
static const char other_ids[] = "'00000000-0000-0000-0000-000000000000'\n-1\n'nobody'\n";

/* A line for each value that takes the place of another. */
static const char *values_of(struct draft *draft)
{
    struct strbuf out = {0};
    switch (draft->family->approach) {
    case BY_NULL:
        strbuf_adds(&out, "NULL\n");
        break;
    case BY_VALUE:
        add_values_of_bound(draft, &out);
        break;
    case BY_ID:
        strbuf_adds(&out, other_ids);
        break;
    case BY_REPEATING:
    case BY_READING:
        break;
    }
    return strbuf_take(&out, draft->arena);
}

static bool is_value(const struct sql_list *sql, size_t index)
{
    return sql_is_kind(sql, index, SQL_TOKEN_VALUE) || sql_is_kind(sql, index, SQL_TOKEN_NUMBER) ||
           sql_is_kind(sql, index, SQL_TOKEN_STRING);
}

/* INSERT with a list of columns and one row: with one column more. NULL: it is none such. */
static const char *with_column(struct draft *draft, const char *column, const char *value)
{
    const struct sql_list *sql = &draft->origin.sql;
    size_t count = sql->tokens.count;
    size_t values = sql_find(sql, 0, count, "VALUES");
    size_t list = sql_find(sql, 0, values, "(");
    size_t row = sql_find(sql, values, count, "(");
    bool fits = sql_is(sql, 0, "INSERT") && list < values && row < count &&
                sql_find(sql, sql_after(sql, row), count, "(") == count;
    for (size_t i = 0; fits && i < count; i++) {
        fits = !sql_is(sql, i, "SELECT");
    }
    if (!fits) {
        return NULL;
    }
    size_t first = sql->tokens.items[sql_after(sql, list) - 1].start;
    size_t second = sql->tokens.items[sql_after(sql, row) - 1].start;
    return arena_printf(draft->arena, "%.*s, %s%.*s, %s%s", (int)first, sql->text, column,
                        (int)(second - first), sql->text + first, value, sql->text + second);
}

/* The columns that are left out get a value that the fault lets in: that of the column, or those
 * that the bound names. */
static void add_columns(struct draft *draft, const char *value)
{
    const char *dot = strrchr(draft->mutant->object, '.');
    bool is_column = strcmp(draft->mutant->kind, "column") == 0 && dot;
    const char *text = is_column ? dot + 1 : draft->mutant->was;
    struct sql_list names = {.text = text, .size = strlen(text), .arena = draft->arena};
    const char *last = "";
    (void)sql_list_read(&names);
    for (size_t i = 0; i < names.tokens.count; i++) {
        const char *name = token_text(draft, &names, i);
        bool is_name = sql_is_kind(&names, i, SQL_TOKEN_QUOTED_NAME) ||
                       (sql_is_kind(&names, i, SQL_TOKEN_WORD) && islower((unsigned char)*name));
        if (is_name && strcmp(name, last) != 0 && !has_word(draft->origin.sql.text, name)) {
            const char *sql = with_column(draft, name, value);
            last = name;
            if (sql) {
                add_raising(draft, (struct words){.sql = sql});
            }
        }
    }
}

static bool origin_names(const struct draft *draft)
{
    const struct sql_list *sql = &draft->origin.sql;
    return sql_names(sql->text, sql->size, draft->mutant->relation);
}

/* Each value of the statement becomes each of these. */
static void add_replaced(struct draft *draft, const char *values)
{
    const struct sql_list *sql = &draft->origin.sql;
    for (; *values; values += strcspn(values, "\n") + 1) {
        const char *value = arena_strndup(draft->arena, values, strcspn(values, "\n"));
        for (size_t i = 0; i < sql->tokens.count; i++) {
            if (is_value(sql, i)) {
                add_raising(draft, (struct words){.sql = replaced(draft, i, value)});
            }
        }
        if (origin_names(draft)) {
            add_columns(draft, value);
        }
    }
}

/* A row of another: what a parameter gives, another value gives, drawn from the same or from a
 * bundle; that it is another is what the error depends on. */
static void add_others_from(struct draft *draft, size_t index, const char *name, const char *drawn)
{
    const struct rule *rule = draft->origin.rule;
    const struct lang_code *raises = rule->raises;
    const char *other = arena_printf(draft->arena, "other_%s", name);
    if (rule->targets.count) {
        return;
    }
    add_offer(draft, &(struct words){
                         .sql = replaced(draft, index, arena_printf(draft->arena, ":%s", other)),
                         .other = other,
                         .drawn = drawn,
                         .model = rule->model ? text_of(draft, rule->model) : NULL,
                         .raises = arena_printf(draft->arena, "%s if %s != %s else %s",
                                                draft->family->condition, other, name,
                                                raises ? text_of(draft, raises) : "None")});
}

static void add_others(struct draft *draft)
{
    const struct sql_list *sql = &draft->origin.sql;
    for (size_t t = 0; t < sql->tokens.count; t++) {
        if (!sql_is_kind(sql, t, SQL_TOKEN_VALUE)) {
            continue;
        }
        const char *name = token_text(draft, sql, t) + 1; /* behind the colon */
        const struct rule *rule = draft->origin.rule;
        size_t index = name_index(name, ROWS_OF(rule->args, name));
        const struct rule_arg *arg = index < rule->args.count ? &rule->args.items[index] : NULL;
        if (arg && !arg->consumes) {
            add_others_from(draft, t, name, text_of(draft, arg->code));
        }
        for (size_t i = 0; !arg && i < draft->machine->bundles.count; i++) {
            const char *bundle = draft->machine->bundles.items[i].name;
            if (strncmp(bundle, name, strlen(name)) == 0) { /* `users` for `user` */
                add_others_from(draft, t, name, bundle);
            }
        }
    }
}

/* The same row twice; and with all but one of its values drawn anew. */
static void add_repeated(struct draft *draft)
{
    const struct rule *rule = draft->origin.rule;
    const struct sql_list *sql = &draft->origin.sql;
    add_raising(draft, (struct words){.sql = sql->text, .again = sql->text});
    for (size_t i = 0; i < rule->args.count; i++) {
        const struct rule_arg *arg = &rule->args.items[i];
        const char *parameter = arena_printf(draft->arena, ":%s", arg->name);
        const char *other = arena_printf(draft->arena, "other_%s", arg->name);
        size_t at = 0;
        while (at < sql->tokens.count && !sql_is_text(sql, at, parameter)) {
            at++;
        }
        if (at < sql->tokens.count && !arg->consumes) {
            add_raising(draft,
                        (struct words){
                            .sql = sql->text,
                            .again = replaced(draft, at, arena_printf(draft->arena, ":%s", other)),
                            .other = other,
                            .drawn = text_of(draft, arg->code)});
        }
    }
}

/* The condition of USING in a policy's definition, in its brackets; NULL: it has none. */
static const char *using_of(struct draft *draft)
{
    const char *was = draft->mutant->was;
    struct sql_list list = {.text = was, .size = strlen(was), .arena = draft->arena};
    (void)(sql_list_read(&list) && sql_list_match(&list, 0, list.tokens.count));
    size_t open = sql_find(&list, 0, list.tokens.count, "USING") + 1;
    if (!sql_is(&list, open, "(")) {
        return NULL;
    }
    size_t start = list.tokens.items[open].start;
    return arena_strndup(draft->arena, was + start,
                         list.tokens.items[sql_after(&list, open) - 1].end - start);
}

/* Whether it puts rows of plain values into a table: no query, and nothing that is called. */
static bool inserts_values(const struct sql_list *sql)
{
    size_t values = sql_find(sql, 0, sql->tokens.count, "VALUES");
    bool plain = sql_is(sql, 0, "INSERT");
    for (size_t i = 0; plain && i < sql->tokens.count; i++) {
        bool calls = i > values + 1 && sql_is(sql, i, "(") && sql_name_alone(sql, i - 1);
        plain = !calls && !sql_is(sql, i, "SELECT") && !sql_is(sql, i, "RETURNING");
    }
    return plain;
}

/* Somebody's row is written by who may, and read by who may not. Only values are written with other
 * rights than the rule's: nothing that the rule calls. */
static void add_foreign(struct draft *draft, const struct words *reading)
{
    const struct sql_list *sql = &draft->origin.sql;
    for (const char *ids = other_ids; *ids; ids += strcspn(ids, "\n") + 1) {
        const char *id = arena_strndup(draft->arena, ids, strcspn(ids, "\n"));
        for (size_t i = 0; i < sql->tokens.count; i++) {
            if (is_value(sql, i)) {
                struct words words = *reading;
                words.again = reading->sql;
                words.sql =
                    arena_printf(draft->arena, "%s ON CONFLICT DO NOTHING", replaced(draft, i, id));
                words.nobody_first = true;
                add_offer(draft, &words);
            }
        }
    }
}

/* Who may not see a row does not see it. */
static void add_reading(struct draft *draft)
{
    const char *using = using_of(draft);
    const char *relation = draft->mutant->relation;
    if (!using || !draft->origin.statement->context) {
        return;
    }
    const struct words reading = {
        .sql = arena_printf(draft->arena, "SELECT count(*) FROM %s WHERE %s IS NOT TRUE", relation,
                            using),
        .expect = "0"};
    add_offer(draft, &reading);
    if (inserts_values(&draft->origin.sql) && origin_names(draft)) {
        add_foreign(draft, &reading);
    }
}

static void add_of_statement(struct draft *draft)
{
    const struct sql_template *sql = draft->origin.statement->sql;
    if (sql->is_ddl || sql->pasted) {
        return;
    }
    switch (draft->family->approach) {
    case BY_REPEATING:
        add_repeated(draft);
        break;
    case BY_READING:
        add_reading(draft);
        break;
    case BY_ID:
        if (asks_for_privilege(draft->family)) {
            add_others(draft);
        }
        add_replaced(draft, values_of(draft));
        break;
    case BY_NULL:
    case BY_VALUE:
        add_replaced(draft, values_of(draft));
        break;
    }
}

/* Without RETURNING; and without ON CONFLICT, if that would keep the error away: with DO UPDATE,
 * rows that are not visible may not be written either. */
static struct sql_list without_ends(struct draft *draft, const struct snippet *snippet)
{
    bool goes_on = draft->family->approach != BY_REPEATING && !asks_for_privilege(draft->family);
    struct sql_list sql = {.text = snippet->text, .size = snippet->size, .arena = draft->arena};
    (void)(sql_list_read(&sql) && sql_list_match(&sql, 0, sql.tokens.count));
    size_t count = sql.tokens.count;
    size_t conflict = goes_on ? count : sql_find(&sql, 0, count, "CONFLICT");
    size_t returning = sql_find(&sql, 0, count, "RETURNING");
    sql.tokens.count = conflict < returning ? conflict - 1 : returning;
    sql.size = sql.tokens.count ? sql.tokens.items[sql.tokens.count - 1].end : 0;
    sql.text = arena_strndup(draft->arena, snippet->text, sql.size);
    return sql;
}

enum chosen { CHOSEN_NAMING, CHOSEN_OTHERS };

/* From the statements of rules that name what the mutant is about, or from the others. */
static void add_of_rules(struct draft *draft, const struct rule *rules, size_t count,
                         enum chosen chosen)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < rules[i].statements.count; j++) {
            const struct machine_statement *statement = &rules[i].statements.items[j];
            const struct snippet *sql = &statement->sql->snippet;
            bool names = sql_names(sql->text, sql->size, draft->mutant->relation);
            if (names == (chosen == CHOSEN_NAMING)) {
                draft->origin = (struct origin){&rules[i], statement, without_ends(draft, sql)};
                add_of_statement(draft);
            }
        }
    }
}

/* What a column is filled with by default is there, where no step says otherwise. */
static void add_of_default(struct draft *draft)
{
    const char *object = draft->mutant->object;
    const char *was = draft->mutant->was;
    const char *column = strrchr(object, '.');
    was += strncmp(was, "DEFAULT ", strlen("DEFAULT ")) == 0 ? strlen("DEFAULT ") : 0;
    if (strcmp(draft->mutant->kind, "column") != 0 || !column ||
        fnmatch("*default*", draft->mutant->operator, 0) != 0 || strchr(was, '(')) {
        return;
    }
    struct strbuf out = {0};
    add_wrapped(&out, " ",
                arena_printf(draft->arena, "SELECT * FROM %s WHERE %s IS DISTINCT FROM %s",
                             draft->mutant->relation, column + 1, was));
    *VEC_PUSH(draft->arena, &draft->offers->items) =
        (struct offer){OFFER_INVARIANT, name_for(draft), strbuf_take(&out, draft->arena)};
}

void offers_add(struct offers *offers, const struct machine *machine, const struct mutant *mutant,
                struct arena *arena)
{
    struct draft draft = {.machine = machine,
                          .mutant = mutant,
                          .family = family_of(mutant->operator),
                          .arena = arena,
                          .offers = offers,
                          .most = offers->items.count + OFFERS};
    if (!draft.family) {
        add_of_default(&draft);
        return;
    }
    add_of_rules(&draft, machine->rules.items, machine->rules.count, CHOSEN_NAMING);
    add_of_rules(&draft, machine->initialize.items, machine->initialize.count, CHOSEN_NAMING);
    add_of_rules(&draft, machine->rules.items, machine->rules.count, CHOSEN_OTHERS);
}
