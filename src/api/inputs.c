#include "api/session.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/strbuf.h"

#include <inttypes.h>

enum { FILE_MAX = 1 << 30 };

/* Adds a file's bytes. One that can't be read is reported when it is loaded. */
static void add_file(void *host, const char *path)
{
    uint64_t *hash = host;
    struct strbuf text = {0};
    struct error ignored = {0};
    if (file_load(path, FILE_MAX, &text, &ignored)) {
        *hash = hash_words(*hash, strbuf_text(&text), text.size);
    }
    strbuf_free(&text);
    *hash = hash_bytes(*hash, "", 1);
}

const char *session_hash_inputs(const struct run_session *session, struct arena *arena)
{
    const struct pgfsm_run_options *options = &session->options;
    const struct machine_migration *migration = session->machine->migration;
    const struct pgfsm_diff_options *diff = options->diff;
    uint64_t hash = HASH_START;
    pg_files(options->schema, options->schema_count, add_file, &hash);
    pg_files(options->apply, options->apply_count, add_file, &hash);
    if (migration) {
        pg_files(migration->files.items, migration->files.count, add_file, &hash);
    }
    if (diff) {
        pg_files(diff->schema, diff->schema_count, add_file, &hash);
        pg_files(diff->apply, diff->apply_count, add_file, &hash);
        pg_files(diff->down, diff->down_count, add_file, &hash);
        if (diff->differences) {
            add_file(&hash, diff->differences);
        }
    }
    return arena_printf(arena, "%016" PRIx64, hash);
}
