/*
 * tables(): a model of tables for the model language. It holds rows by their keys, foretells the
 * errors of constraints, and does what foreign keys do: ON UPDATE and ON DELETE.
 *
 * It knows what the machine says of the tables, and no database. Every lookup goes through an
 * index, so that a prediction costs what the statement touches, not what the tables hold.
 *
 * Source of the rules: PostgreSQL manual, sections 5.5 and "CREATE TABLE".
 */
#ifndef TABLES_TABLES_H
#define TABLES_TABLES_H

#include "value/object.h"

/* For lang_module_new and lang_module_methods. Each ends with name NULL. */
extern const struct native_function tables_functions[], tables_methods[];

#endif
