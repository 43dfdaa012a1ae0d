/* Edits of a PL/pgSQL function's text: its statements, and the SQL in them. */
#ifndef MUTATE_PLPGSQL_H
#define MUTATE_PLPGSQL_H

#include "mutate/body/tokens.h"

/* Returns false where it does not understand the text; edits may have been added until then. */
bool body_plpgsql(struct body *body);

#endif
