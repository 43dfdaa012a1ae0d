#include "fixture.h"

#include "base/file.h"
#include "base/path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

struct arena arena;

char top[] = "/tmp/pgfsm-layout.XXXXXX";

int fixture_begin(void **state)
{
    (void)state;
    return mkdtemp(top) && chdir(top) == 0 ? 0 : -1;
}

int fixture_end(void **state)
{
    (void)state;
    /* NOLINTNEXTLINE(bugprone-command-processor,cert-env33-c) */
    int removed = chdir("/") == 0 ? system(arena_printf(&arena, "rm -rf %s", top)) : -1;
    arena_free(&arena);
    return removed;
}

void write_file(const char *path, const char *content)
{
    struct strbuf text = {0};
    struct error err;
    strbuf_adds(&text, content);
    assert_true(folder_make(path_folder(&arena, path), 0777, &err));
    assert_true(file_replace(path, &text, &err));
    strbuf_free(&text);
}
