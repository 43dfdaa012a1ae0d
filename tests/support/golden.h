/* Golden files: what a part of the program writes, to the letter. */
#ifndef SUPPORT_GOLDEN_H
#define SUPPORT_GOLDEN_H

/* Fails the running cmocka test where `text` is not what the file holds. With the environment
 * variable PGFSM_GOLDEN=write the file is written instead: read what changed before you commit it.
 */
void golden_check(const char *path, const char *text);

#endif
