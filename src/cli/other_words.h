/*
 * Words of other tools, and what pgfsm calls what they mean: pytest and Hypothesis, pg_prove and
 * psql, test runners of JavaScript, Go and Rust.
 */
#ifndef CLI_OTHER_WORDS_H
#define CLI_OTHER_WORDS_H

#include <stddef.h>

struct other_word {
    const char *word; /* of an option: without dashes; one letter: a short option */
    /* The command; or the option with its argument, "--rule GLOB"; or a clause that says what to do
     * instead. */
    const char *here;
};

extern const struct other_word other_commands[];
extern const size_t other_command_count;
extern const struct other_word other_options[];
extern const size_t other_option_count;

/* Options that a command does not have, and why. */
struct missing_option {
    unsigned commands; /* FOR_ bits */
    const char *name;
    const char *why;
};
/* Why the command (a FOR_ bit) does not have the option of this name; NULL: nothing is said. */
const char *missing_option(unsigned command, const char *name);

/* What is said of the word of `size` bytes, or NULL. */
const char *other_command(const char *word);
const char *other_option(const char *word, size_t size);

#endif
