#include "pg/restored_state.h"

#include "pg/fixture.h"
#include "pg/session/session.h"
#include "pg/target.h"

#include <stdio.h>
#include <string.h>

/* Rows in any order, as they are in a table without one. */
static const char everything[] =
    "SELECT pg_catalog.string_agg(t.name || ' ' || pg_catalog.query_to_xml(t.sql, true, false, "
    "'')::text, E'\\n' ORDER BY t.name) FROM ("
    "SELECT format('%I.%I', n.nspname, c.relname) AS name, "
    "format(CASE c.relkind WHEN 'S' THEN 'SELECT last_value, is_called FROM %I.%I' ELSE "
    "'SELECT count(*), md5(string_agg((t.*)::text, E''\\n'' ORDER BY (t.*)::text)) FROM ONLY "
    "%I.%I AS t' END, n.nspname, c.relname) AS sql "
    "FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace "
    "WHERE c.relkind IN ('r', 'm', 'S') AND c.relpersistence <> 't' AND c.relispopulated "
    "AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' "
    "UNION ALL SELECT c.relname, format('SELECT count(*), sum(hashtextextended(%s, 0)) "
    "FROM pg_catalog.%I AS t%s', CASE c.relname WHEN 'pg_class' THEN $q$(to_jsonb(t) - "
    "'{relfilenode,relpages,reltuples,relallvisible,relallfrozen,relfrozenxid,relminmxid}'"
    "::text[])::text$q$ WHEN 'pg_shdepend' THEN $q$(to_jsonb(t) - 'dbid')::text$q$ "
    "ELSE '(t.*)::text' END, c.relname, "
    "CASE c.relname WHEN 'pg_namespace' THEN $q$ WHERE nspname !~ '^pg_(toast_)?temp_'$q$ "
    "WHEN 'pg_shdepend' THEN ' WHERE dbid = (SELECT oid FROM pg_database WHERE datname = "
    "current_database())' END) "
    "FROM pg_class AS c WHERE c.relnamespace = 'pg_catalog'::regnamespace AND c.relkind = 'r' "
    "AND (NOT c.relisshared OR c.relname = 'pg_shdepend') "
    "AND c.relname NOT IN ('pg_statistic', 'pg_statistic_ext_data') ORDER BY 1) AS t";

/* Of the session itself. */
static const char session_state[] =
    "SELECT string_agg(name || '=' || setting, E'\\n' ORDER BY name) || "
    "(SELECT count(*) FROM pg_locks WHERE locktype = 'advisory')::text || "
    "(SELECT count(*) FROM pg_listening_channels())::text || "
    "(SELECT count(*) FROM pg_cursors WHERE is_holdable)::text "
    "FROM pg_settings WHERE source = 'session' AND name !~ '^transaction_'";

struct restored_state restored_state(struct backend *backend, struct arena *arena)
{
    struct session *session = session_of(backend);
    const char *database = NULL;
    const char *of_session = NULL;
    struct error err;
    if (!session_value(session, everything, NULL, arena, &database, &err) ||
        !session_value(session, session_state, NULL, arena, &of_session, &err)) {
        print_error("%s\n", err.message);
        fail();
    }
    return (struct restored_state){
        .database = arena_strdup(arena, session->scratch.name),
        .text = arena_printf(arena, "%s\n%s", database, of_session),
    };
}

const char *restored_dump(struct backend *backend, struct arena *arena)
{
    const struct session *session = session_of(backend);
    const struct pg_target *target = session->target;
    struct strbuf text = {0};
    char line[4096];
    char *command = arena_printf(
        arena,
        "'%s/pg_dump' -h '%s' -p %s -U %s '%s' | grep -v '^.\\(un\\)\\?restrict ' | LC_ALL=C sort",
        target->bindir, address_get(&target->address, "host"),
        address_get(&target->address, "port"), SERVER_USER, session->scratch.name);
    FILE *pipe = popen(command, "r"); // NOLINT(cert-env33-c): paths of the test
    assert_non_null(pipe);
    while (fgets(line, sizeof line, pipe)) {
        strbuf_adds(&text, line);
    }
    assert_int_equal(pclose(pipe), 0);
    const char *dumped = arena_strdup(arena, strbuf_text(&text));
    strbuf_free(&text);
    assert_non_null(strstr(dumped, "database dump complete"));
    return dumped;
}
