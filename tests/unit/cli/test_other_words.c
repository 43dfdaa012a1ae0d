/* The tables of other tools' words: the target of each row exists. */
#include "cli/other_words.h"

#include "cli/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static bool is_name(const struct option *option, const char *name, size_t size)
{
    bool letter = size == 1 && option->letter && *option->letter == *name;
    return letter || (strlen(option->name) == size && memcmp(option->name, name, size) == 0);
}

static const struct option *find(unsigned commands, const char *name, size_t size)
{
    const struct option *option = option_table;
    while (option->name && !(option->commands & commands && is_name(option, name, size))) {
        option++;
    }
    return option->name ? option : NULL;
}

static void options_exist(void **state)
{
    (void)state;
    for (size_t i = 0; i < other_option_count; i++) {
        const char *here = other_options[i].here;
        const char *name = here + strspn(here, "-");
        size_t size = strcspn(name, " ");
        const struct option *option = find(FOR_RUN | FOR_MUTATE, name, size);
        if (*here == '-' && (!option || !option->argument != !name[size])) {
            fail_msg("%s is not an option: %s", other_options[i].word, here);
        }
    }
}

/* Options of `run` itself need no row. */
static void words_are_not_options_of_run(void **state)
{
    (void)state;
    for (size_t i = 0; i < other_option_count; i++) {
        const char *word = other_options[i].word;
        assert_null(find(FOR_RUN, word, strlen(word)));
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(word, other_options[j].word);
        }
    }
}

static void words_are_found(void **state)
{
    (void)state;
    assert_string_equal(other_command("test"), "run");
    assert_null(other_command("run"));
    assert_string_equal(other_option("maxWorkers=3", 10), "--jobs N");
    assert_null(other_option("examples", 8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_exist),
        cmocka_unit_test(words_are_not_options_of_run),
        cmocka_unit_test(words_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
