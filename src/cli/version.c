#include "cli/terminal.h"

#include <string.h>

#include <pgfsm/version.h>

enum status command_version(const struct options *options)
{
    (void)options;
    struct strbuf text = {0};
    strbuf_addf(&text, "pgfsm %s, for PostgreSQL %s\n", pgfsm_version(),
                pgfsm_postgresql_versions());
    terminal_print(text.data, text.size);
    strbuf_free(&text);
    return STATUS_OK;
}
