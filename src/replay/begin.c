/* How scripts begin: what they load, and where they refuse to run. */
#include "replay/quote.h"
#include "replay/script.h"

void script_write_files(struct script *script, const struct replay_file *files, size_t count)
{
    struct strbuf *out = script->out;
    const char *connected = script->recording->changes.connected;
    for (size_t i = 0; i < count; i++) {
        if (!files[i].first) {
            strbuf_adds(out, "\\ir ");
            quote_argument(out, files[i].path);
            /* Files, such as dumps, may leave settings changed. */
            strbuf_adds(out, "\nRESET ALL; RESET ROLE;\n");
            strbuf_adds(out, connected ? connected : "");
        }
    }
}

void script_write_error(struct strbuf *out, const char *message)
{
    strbuf_adds(out, "\\set VERBOSITY terse\nDO $$ BEGIN RAISE '");
    strbuf_adds(out, message);
    strbuf_adds(out, "'; END $$;\n");
}

/* Protects databases that are in use. Files that were loaded first may have created tables. */
void script_write_guard(struct script *script)
{
    const struct replay *replay = script->replay;
    strbuf_adds(script->out, "\nSET client_min_messages = warning;\n");
    if (replay->file_count && replay->files[0].first) {
        return;
    }
    strbuf_adds(script->out, REPLAY_OWN_PATH
                "SELECT count(*) > 0 AS used FROM pg_class AS c\n"
                "JOIN pg_namespace AS n ON n.oid = c.relnamespace\n"
                "WHERE c.relkind IN ('r', 'p') AND n.nspname <> 'information_schema' "
                "AND n.nspname !~ '^pg_'\n\\gset\nRESET search_path;\n"
                "\\if :used\n");
    script_write_error(script->out,
                       "this script commits what it does: it needs a database without tables");
    strbuf_adds(script->out, "\\endif\n");
}
