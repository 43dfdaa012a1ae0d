#include "machine/sql/sql_refuse.h"

#include "base/words.h"

#include <assert.h>
#include <string.h>

enum refusal {
    REFUSE_TRANSACTION,
    REFUSE_ROLE,
    REFUSE_PREPARED,
    REFUSE_OUTSIDE,
    REFUSE_SERVER, /* also for objects of the whole server */
    REFUSE_SERVER_OUTSIDE,
    REFUSE_RESET
};

static const struct {
    const char *why; /* follows the command's name */
    const char *hint;
} reasons[] = {
    [REFUSE_TRANSACTION] = {"is transaction control, which a machine may not use",
                            "every step runs in a savepoint that is rolled back at the end; for an "
                            "error that the model predicts write `raises`"},
    [REFUSE_ROLE] = {"would change who the statements after it run as",
                     "write `as: {role: …}` for the rule, or `as: {session_user: …}`"},
    [REFUSE_PREPARED] = {"interferes with prepared statements, which pgfsm manages itself",
                         "write the statement itself; it is prepared once anyway"},
    [REFUSE_OUTSIDE] = {"cannot run inside a transaction, as every step of a machine does",
                        "put it into a file of `schema`, or write `transaction: none` for a rule "
                        "whose steps are committed"},
    [REFUSE_SERVER] = {"cannot run inside a transaction, as every step of a machine does",
                       "put it into a file of `schema`"},
    [REFUSE_SERVER_OUTSIDE] = {"changes the whole server, which no example gives back",
                               "put it into a file of `schema`"},
    [REFUSE_RESET] = {"would undo settings that pgfsm depends on",
                      "name the one setting that you mean, or give it in `as: {settings: …}`"},
};

static const struct {
    const char *words; /* beginning of the head */
    enum refusal refusal;
} refused[] = {
    {"PREPARE TRANSACTION", REFUSE_TRANSACTION},
    {"COMMIT PREPARED", REFUSE_TRANSACTION},
    {"ROLLBACK PREPARED", REFUSE_TRANSACTION},
    {"BEGIN", REFUSE_TRANSACTION},
    {"START TRANSACTION", REFUSE_TRANSACTION},
    {"COMMIT", REFUSE_TRANSACTION},
    {"END", REFUSE_TRANSACTION},
    {"ROLLBACK", REFUSE_TRANSACTION},
    {"ABORT", REFUSE_TRANSACTION},
    {"SAVEPOINT", REFUSE_TRANSACTION},
    {"RELEASE", REFUSE_TRANSACTION},
    {"SET TRANSACTION", REFUSE_TRANSACTION},
    {"SET LOCAL TRANSACTION", REFUSE_TRANSACTION},
    {"SET SESSION CHARACTERISTICS", REFUSE_TRANSACTION},
    {"SET ROLE", REFUSE_ROLE},
    {"SET LOCAL ROLE", REFUSE_ROLE},
    {"SET SESSION ROLE", REFUSE_ROLE},
    {"SET SESSION AUTHORIZATION", REFUSE_ROLE},
    {"SET LOCAL SESSION AUTHORIZATION", REFUSE_ROLE},
    {"SET SESSION SESSION AUTHORIZATION", REFUSE_ROLE},
    {"SET SESSION_AUTHORIZATION", REFUSE_ROLE},
    {"SET LOCAL SESSION_AUTHORIZATION", REFUSE_ROLE},
    {"SET SESSION SESSION_AUTHORIZATION", REFUSE_ROLE},
    {"RESET ROLE", REFUSE_ROLE},
    {"RESET SESSION AUTHORIZATION", REFUSE_ROLE},
    {"RESET SESSION_AUTHORIZATION", REFUSE_ROLE},
    {"PREPARE", REFUSE_PREPARED},
    {"EXECUTE", REFUSE_PREPARED},
    {"DEALLOCATE", REFUSE_PREPARED},
    {"DISCARD", REFUSE_PREPARED},
    {"VACUUM", REFUSE_OUTSIDE},
    {"CREATE DATABASE", REFUSE_SERVER},
    {"DROP DATABASE", REFUSE_SERVER},
    {"CREATE TABLESPACE", REFUSE_SERVER},
    {"DROP TABLESPACE", REFUSE_SERVER},
    {"ALTER SYSTEM", REFUSE_SERVER},
    {"REINDEX DATABASE", REFUSE_OUTSIDE},
    {"REINDEX SYSTEM", REFUSE_OUTSIDE},
    {"CREATE SUBSCRIPTION", REFUSE_SERVER},
    {"DROP SUBSCRIPTION", REFUSE_SERVER},
    {"RESET ALL", REFUSE_RESET},
    {"SET CLIENT_ENCODING", REFUSE_RESET},
    {"SET LOCAL CLIENT_ENCODING", REFUSE_RESET},
    {"SET SESSION CLIENT_ENCODING", REFUSE_RESET},
    {"SET NAMES", REFUSE_RESET},
    {"SET STANDARD_CONFORMING_STRINGS", REFUSE_RESET},
    {"SET LOCAL STANDARD_CONFORMING_STRINGS", REFUSE_RESET},
    {"SET SESSION STANDARD_CONFORMING_STRINGS", REFUSE_RESET},
};

static void add_to_head(struct sql_head *head, const char *text, size_t size)
{
    char *word = head->words[head->count++];
    if (size >= sizeof head->words[0]) {
        size = sizeof head->words[0] - 1;
    }
    for (size_t i = 0; i < size; i++) {
        word[i] = text[i] >= 'a' && text[i] <= 'z' ? (char)(text[i] - 'a' + 'A') : text[i];
    }
    word[size] = '\0';
}

bool sql_head_is(const struct sql_head *head, const char *words)
{
    bool same = true;
    for (size_t i = 0;; words++) {
        size_t size = strcspn(words, " |");
        same = same && i < head->count && strlen(head->words[i]) == size &&
               memcmp(head->words[i], words, size) == 0;
        words += size;
        if (*words != ' ' && (same || !*words)) {
            return same;
        }
        same = same || *words == '|';
        i = *words == '|' ? 0 : i + 1;
    }
}

/* Tracks BEGIN ATOMIC … END in a routine's body, whose semicolons do not end the statement. CASE
 * ends with END, too, and after a dot or AS `end` may be a column. */
static void read_body(struct sql_statement *statement, const struct sql_lexer *lexer,
                      const struct sql_token *token)
{
    const struct sql_token *last = &statement->last;
    if (!sql_head_is(&statement->head, "CREATE") || sql_token_is_char(lexer, last, '.') ||
        sql_token_is(lexer, last, "AS")) {
        return;
    }
    if (!statement->body) {
        statement->body =
            sql_token_is(lexer, token, "ATOMIC") && sql_token_is(lexer, last, "BEGIN");
        statement->body_start = last->start;
    } else if (sql_token_is(lexer, token, "CASE")) {
        statement->body++;
    } else if (sql_token_is(lexer, token, "END")) {
        statement->body--;
    }
}

static void read_traits(struct sql_statement *statement, const struct sql_lexer *lexer,
                        const struct sql_token *token)
{
    const struct sql_token *last = &statement->last;
    bool stream = sql_head_is(&statement->head, "COPY") &&
                  (sql_token_is(lexer, token, "STDIN") || sql_token_is(lexer, token, "STDOUT"));
    if (sql_token_is(lexer, token, "CONCURRENTLY")) {
        statement->concurrently = true;
    } else if (stream && statement->from) {
        statement->reads_stream = true;
    } else if (stream && statement->to) {
        statement->writes_stream = true;
    } else if (sql_token_is(lexer, token, "VALUE") && sql_token_is(lexer, last, "ADD") &&
               sql_head_is(&statement->head, "ALTER TYPE")) {
        statement->adds_value = true;
    } else if (sql_token_is(lexer, token, "INTO") && !sql_token_is(lexer, last, "INSERT") &&
               !sql_token_is(lexer, last, "MERGE")) {
        statement->select_into = true;
    }
    statement->from = sql_token_is(lexer, token, "FROM");
    statement->to = sql_token_is(lexer, token, "TO");
}

void sql_statement_read(struct sql_statement *statement, const struct sql_lexer *lexer,
                        const struct sql_token *token, bool nested)
{
    struct sql_head *head = &statement->head;
    bool word = token->kind == SQL_TOKEN_WORD;
    bool leading = sql_token_is_char(lexer, token, '(') && head->count == 0;
    statement->head_done =
        statement->head_done || (!leading && (!word || head->count == SQL_WORDS_MAX));
    if (word && !statement->head_done) {
        add_to_head(head, lexer->text + token->start, token->end - token->start);
    }
    if (word) {
        read_body(statement, lexer, token);
        statement->returning = statement->returning || sql_token_is(lexer, token, "RETURNING");
    }
    if (word && !nested) {
        read_traits(statement, lexer, token);
    }
    statement->last = *token;
}

/* REFRESH MATERIALIZED VIEW CONCURRENTLY may run in a transaction. */
static bool is_concurrent(const struct sql_statement *statement)
{
    return statement->concurrently && sql_head_is(&statement->head, "CREATE|DROP|REINDEX|ALTER");
}

/* The first words of a refused command; `*refusal` is the reason. */
static const char *find_refused(const struct sql_statement *statement, enum refusal *refusal)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        if (sql_head_is(&statement->head, refused[i].words)) {
            *refusal = refused[i].refusal;
            return refused[i].words;
        }
    }
    *refusal = REFUSE_OUTSIDE;
    return is_concurrent(statement) ? "CONCURRENTLY" : NULL;
}

bool sql_refuse(const struct sql_statement *statement, bool outside, struct source_pos pos,
                struct diagnostics *diagnostics)
{
    enum refusal refusal;
    const char *command = find_refused(statement, &refusal);
    refusal = outside && refusal == REFUSE_SERVER ? REFUSE_SERVER_OUTSIDE : refusal;
    if (command && !(outside && refusal == REFUSE_OUTSIDE)) {
        struct error *err =
            diagnostics_at(diagnostics, pos, "%s %s", command, reasons[refusal].why);
        return error_hint(err, "%s", reasons[refusal].hint);
    }
    if (statement->reads_stream || statement->writes_stream) {
        struct error *err = diagnostics_at(
            diagnostics, pos, "COPY from or to the client needs a data stream, which a step lacks");
        return error_hint(err, "write INSERT for FROM STDIN, and SELECT for TO STDOUT");
    }
    return true;
}

const char *sql_transaction_control(const struct sql_statement *statement)
{
    enum refusal refusal;
    const char *command = find_refused(statement, &refusal);
    return refusal == REFUSE_TRANSACTION ? command : NULL;
}

const char *sql_outside_transaction(const struct sql_statement *statement)
{
    enum refusal refusal;
    const char *command = find_refused(statement, &refusal);
    return refusal == REFUSE_OUTSIDE || refusal == REFUSE_SERVER ? command : NULL;
}

bool sql_is_ddl(const struct sql_head *head)
{
    return sql_head_is(head, "ALTER|CREATE|DO|DROP|IMPORT|REASSIGN");
}

static bool grants_role(const struct sql_head *head)
{
    static const char privileges[] =
        "ALL|ALTER|CONNECT|CREATE|DELETE|EXECUTE|INSERT|MAINTAIN|REFERENCES|SELECT|SET|TEMP|"
        "TEMPORARY|TRIGGER|TRUNCATE|UPDATE|USAGE|GRANT|HIERARCHY";
    return !(head->count > 1 && word_is_in(head->words[1], privileges)) &&
           sql_head_is(head, "GRANT|REVOKE");
}

bool sql_is_shared(const struct sql_head *head)
{
    static const char shared[] =
        "CREATE ROLE|CREATE USER|CREATE GROUP|ALTER ROLE|ALTER USER|ALTER GROUP|DROP ROLE|"
        "DROP USER|DROP GROUP|ALTER DATABASE|ALTER TABLESPACE|COMMENT ON ROLE|"
        "COMMENT ON DATABASE|COMMENT ON TABLESPACE";
    bool of_one_database = head->count > 2 && !strcmp(head->words[2], "MAPPING");
    return sql_head_is(head, shared) ? !of_one_database : grants_role(head);
}

bool sql_takes_no_values(const struct sql_head *head)
{
    static const char commands[] =
        "ALTER|CLOSE|CLUSTER|COMMENT|CREATE|DO|DROP|FETCH|GRANT|IMPORT|LISTEN|LOCK|MOVE|NOTIFY|"
        "REASSIGN|REFRESH|REINDEX|RESET|REVOKE|SECURITY|SET|TRUNCATE|UNLISTEN";
    bool table = false; /* CREATE TABLE … AS is planned like a query, and accepts parameters */
    for (size_t i = 1; sql_head_is(head, "CREATE") && i < head->count; i++) {
        table = table || !strcmp(head->words[i], "TABLE");
    }
    return !table && sql_head_is(head, commands);
}
