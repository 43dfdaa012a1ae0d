/* Connections of the extension dblink. */
#include "replay/script.h"

void dblink_write_plan(struct script *script)
{
    strbuf_adds(
        script->out,
        "SELECT NOT EXISTS (SELECT FROM pg_catalog.pg_available_extensions\n"
        "                   WHERE name OPERATOR(pg_catalog.=) 'dblink') AS missing\n\\gset\n"
        "\\if :missing\n"
        "\\echo '1..0 # SKIP the server has no extension dblink'\n"
        "\\quit\n"
        "\\endif\n"
        "\\echo 1..1\n");
}

void dblink_write_skip(struct script *script, const char *reason)
{
    strbuf_adds(script->out, "\\echo 'ok 1 - ");
    tap_text(script->out, script->machine->name);
    strbuf_addf(script->out, " # SKIP %s\n\\quit\n\\endif\n", reason);
}

void dblink_write_extension(struct script *script)
{
    strbuf_adds(script->out, "CREATE SCHEMA IF NOT EXISTS pgfsm;\n"
                             "\\set ON_ERROR_STOP off\n"
                             "CREATE EXTENSION IF NOT EXISTS dblink SCHEMA pgfsm;\n"
                             "\\set ON_ERROR_STOP on\n"
                             "\\if :ERROR\n");
    dblink_write_skip(script, "the extension dblink can''t be created'");
}

void dblink_write_connection(struct script *script)
{
    strbuf_adds(
        script->out,
        "\n\\if :{?connect}\n\\else\n\\set connect ''\n\\endif\n"
        "SELECT pg_catalog.format($$host='%s' port=%s dbname='%s' user='%s' %s$$, host, :'PORT', "
        "dbname, username, :'connect') AS connection\n"
        "FROM pg_catalog.regexp_replace(:'HOST', $$([\\\\'])$$, $$\\\\\\1$$, 'g') AS host,\n"
        "     pg_catalog.regexp_replace(:'DBNAME', $$([\\\\'])$$, $$\\\\\\1$$, 'g') AS dbname,\n"
        "     pg_catalog.regexp_replace(:'USER', $$([\\\\'])$$, $$\\\\\\1$$, 'g') AS "
        "username\n\\gset\n");
}
