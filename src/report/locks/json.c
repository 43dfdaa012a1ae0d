#include "base/json.h"
#include "report/locks/locks.h"

static void add_locks(struct json *json, const struct blocking_lock *locks, size_t count)
{
    json_open(json, "locks", '[');
    for (size_t i = 0; i < count; i++) {
        json_open(json, NULL, '{');
        json_text(json, "relation", locks[i].relation);
        json_text(json, "mode", locks[i].mode);
        json_flag(json, "made", locks[i].made);
        json_flag(json, "dropped", locks[i].dropped);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_touched(struct json *json, const struct blocking_statement *statement)
{
    json_open(json, "touched", '[');
    for (size_t i = 0; i < statement->touched.count; i++) {
        const struct blocking_touched *touched = &statement->touched.items[i];
        json_open(json, NULL, '{');
        json_text(json, "relation", touched->relation);
        json_count(json, "read", touched->read);
        json_count(json, "written", touched->written);
        json_flag(json, "scanned", touched->scanned);
        json_flag(json, "rewritten", touched->rewritten);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_stands(struct json *json, const struct blocking *blocking,
                       const struct blocking_statement *statement)
{
    json_open(json, "queue", '[');
    for (size_t i = 0; i < statement->stands.count; i++) {
        const struct blocking_stand *stand = &statement->stands.items[i];
        json_open(json, NULL, '{');
        json_optional(json, "relation", stand->relation);
        json_optional(json, "mode", stand->mode);
        add_locks(json, stand->locks.items, stand->locks.count);
        json_open(json, "waits", '[');
        for (size_t j = 0; j < stand->waits.count; j++) {
            json_text(json, NULL, blocking->rules.items[stand->waits.items[j]].name);
        }
        json_close(json, ']');
        json_flag(json, "finding", blocking_queues_at(blocking, statement, stand));
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_statement(struct json *json, const struct blocking *blocking, size_t index)
{
    const struct blocking_statement *statement = &blocking->statements.items[index];
    const struct blocking_transaction *transaction =
        &blocking->transactions.items[statement->transaction];
    json_open(json, NULL, '{');
    json_text(json, "place", statement->place);
    json_text(json, "sql", statement->text);
    json_count(json, "transaction", statement->transaction + 1);
    json_flag(json, "outside", transaction->bare);
    json_flag(json, "lock_timeout", statement->timeout);
    add_locks(json, statement->locks.items, statement->locks.count);
    add_touched(json, statement);
    json_count(json, "touching_until_end", blocking_touching(blocking, index));
    json_open(json, "waits", '[');
    for (size_t i = 0; i < statement->waits.count; i++) {
        json_open(json, NULL, '{');
        json_text(json, "rule", blocking->rules.items[statement->waits.items[i].rule].name);
        json_optional(json, "relation", statement->waits.items[i].relation);
        json_flag(json, "finding", blocking_refuses(blocking, index, &statement->waits.items[i]));
        json_close(json, '}');
    }
    json_close(json, ']');
    add_stands(json, blocking, statement);
    json_close(json, '}');
}

void locks_json(const struct blocking *blocking, const char *files, struct strbuf *out)
{
    struct json json = {out, false};
    json_open(&json, NULL, '{');
    json_text(&json, "type", "locks");
    json_text(&json, "migration", files);
    json_count(&json, "findings", blocking_findings(blocking));
    json_open(&json, "rules", '[');
    for (size_t i = 0; i < blocking->rules.count; i++) {
        const struct blocking_rule *rule = &blocking->rules.items[i];
        json_open(&json, NULL, '{');
        json_text(&json, "name", rule->name);
        json_flag(&json, "tried", !rule->untried && !rule->failed);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_open(&json, "statements", '[');
    for (size_t i = 0; i < blocking->statements.count; i++) {
        add_statement(&json, blocking, i);
    }
    json_close(&json, ']');
    json_open(&json, "invalid_indexes", '[');
    for (size_t i = 0; i < blocking->invalid.items.count; i++) {
        json_text(&json, NULL, blocking->invalid.items.items[i]);
    }
    json_close(&json, ']');
    if (blocking->failed) {
        json_open(&json, "failed", '{');
        json_text(&json, "sqlstate", blocking->sqlstate);
        json_text(&json, "message", blocking->failed);
        json_close(&json, '}');
    }
    json_close(&json, '}');
    strbuf_addc(out, '\n');
}
