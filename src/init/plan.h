/* The tables of a machine, with their names in it. */
#ifndef INIT_PLAN_H
#define INIT_PLAN_H

#include "init/facts.h"

/* Fills in a plan that has an arena, from the facts of `pg_describe`. */
void plan_make(struct plan *plan, struct value facts);

#endif
