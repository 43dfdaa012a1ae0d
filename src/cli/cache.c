#include "cli/command.h"
#include "cli/terminal.h"

#include <inttypes.h>
#include <string.h>

#include <pgfsm/database.h>

static void print_look(const struct pgfsm_cache *cache, bool cleared)
{
    struct strbuf text = {0};
    strbuf_addf(&text, "%s%zu database%s, %" PRIu64 " MB  %s\n", cleared ? "removed " : "",
                cache->count, plural(cache->count), (cache->bytes + 999999) / 1000000,
                cache->folder);
    terminal_print_foreign(text.data, text.size);
    strbuf_free(&text);
}

static enum status cache(const struct options *options)
{
    size_t count = options->operands.items.count;
    bool clear = count == 1 && strcmp(options->operands.items.items[0], "clear") == 0;
    struct pgfsm_cache *look = NULL;
    enum status status = STATUS_OK;
    if (count > 0 && !clear) {
        terminal_complain("cache: write %s cache, or %s cache clear", program_name, program_name);
        return STATUS_USAGE;
    }
    struct pgfsm_errors *errors = pgfsm_errors_new();
    if (pgfsm_cache_look(&look, clear, errors)) {
        print_look(look, clear);
    } else {
        terminal_errors(errors);
        status = STATUS_USAGE;
    }
    pgfsm_cache_free(look);
    pgfsm_errors_free(errors);
    return status;
}

const struct command command_cache = {
    .name = "cache",
    .bit = FOR_HELP,
    .operands = "[clear]",
    .summary = "show or clear the cache of the embedded server",
    .description =
        "Prints how much the cache of the embedded server holds, and where. `clear` removes it.\n"
        "pgfsm keeps new data directories there, and databases whose schema takes long to load.\n"
        "`clear` also removes the copies of servers that came as packages of npm.",
    .examples = "pgfsm cache clear",
    .run = cache,
};
