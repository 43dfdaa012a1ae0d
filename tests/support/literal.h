/* A script for the fake database in which each statement contains its own answer:
 *
 * ROWS id int4, name text = [(1, 'a'), (:id, 'b')]   rows, in the model language
 *     COUNT 3                                            no rows, three affected
 *     FAIL 23505 users_email_key users a message         an error; `-` for no constraint, no table;
 *                                                        42703@12: at character 12 of the statement
 *
 * `:name` stands for the parameter's value as a literal. */
#ifndef SUPPORT_LITERAL_H
#define SUPPORT_LITERAL_H

#include "support/fake.h"

extern const struct fake_script literal_script[];

#endif
