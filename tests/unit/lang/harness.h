/* A module and one example's state, for tests of the language. Mistakes end the test. */
#ifndef TEST_LANG_HARNESS_H
#define TEST_LANG_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lang/lang.h"

struct harness {
    struct arena machine;
    struct arena example;
    struct lang_module *module;
    struct lang_locals locals;
    struct lang_state state;
    struct error err;
};

void harness_begin(struct harness *harness, const struct native_function *const *tables,
                   const struct named_value *constants);
void harness_end(struct harness *harness);
/* False with harness->err. */
bool harness_try(struct harness *harness, enum lang_mode mode, const char *text,
                 struct lang_code **out);
struct lang_code *harness_compile(struct harness *harness, enum lang_mode mode, const char *text);
/* Begins the state: after all is compiled. */
void harness_start(struct harness *harness);
/* Runs the code; `locals` may be NULL. */
struct value harness_run(struct harness *harness, const struct lang_code *code,
                         struct value *locals);
/* Checks the result of the code, given as a literal. */
void harness_gives(struct harness *harness, const struct lang_code *code, struct value *locals,
                   const char *expected);
/* Checks that the text does not compile, with this message, line and column. */
void harness_refuses(struct harness *harness, enum lang_mode mode, const char *text, size_t line,
                     size_t column, const char *message);
void assert_repr(struct value value, const char *expected);

#endif
