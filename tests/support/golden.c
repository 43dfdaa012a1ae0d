#include "support/golden.h"

#include "base/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void read_file(const char *path, struct strbuf *out)
{
    char chunk[4096];
    size_t size;
    FILE *file = fopen(path, "rb");
    if (!file) {
        fail_msg("there is no golden file %s", path);
    }
    while ((size = fread(chunk, 1, sizeof chunk, file)) > 0) {
        strbuf_add(out, chunk, size);
    }
    (void)fclose(file);
}

void golden_check(const char *path, const char *text)
{
    const char *mode = getenv("PGFSM_GOLDEN");
    struct strbuf expected = {0};
    if (mode && strcmp(mode, "write") == 0) {
        write_file(path, text);
        return;
    }
    read_file(path, &expected);
    bool same = strcmp(strbuf_text(&expected), text) == 0;
    if (!same) {
        print_message("%s holds\n%s\nbut this was written\n%s\n", path, strbuf_text(&expected),
                      text);
    }
    strbuf_free(&expected);
    assert_true(same);
}
