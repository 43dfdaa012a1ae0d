/*
 * tables(): a model of tables for the model language. It holds rows by their keys, predicts the
 * errors of constraints, and applies ON UPDATE and ON DELETE.
 *
 * It knows the machine's definition of the tables, but no database. Every lookup uses an index, so
 * that the cost of a prediction depends on the rows that the statement touches, and not on the size
 * of the tables.
 *
 * The rules are in the PostgreSQL manual, section 5.5 and "CREATE TABLE".
 */
#ifndef TABLES_TABLES_H
#define TABLES_TABLES_H

#include "value/object.h"

/* For lang_module_new and lang_module_methods. Each ends with name NULL. */
extern const struct native_function tables_functions[], tables_methods[];

#endif
