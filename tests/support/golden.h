/* Golden files: the exact output of a part of the program. */
#ifndef SUPPORT_GOLDEN_H
#define SUPPORT_GOLDEN_H

/* Fails the running cmocka test if `text` differs from the file. With the environment variable
 * PGFSM_GOLDEN=write, it writes the file instead; review the change before you commit it. */
void golden_check(const char *path, const char *text);

#endif
