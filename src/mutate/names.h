/* What a name in SQL stands for, as far as the tokens around it tell. */
#ifndef MUTATE_NAMES_H
#define MUTATE_NAMES_H

#include "sql/tokens.h"

#include <stdint.h>

/* A name with the schema before it, as hashes. Without quotes, upper case is lower case. */
struct sql_name {
    uint64_t name;   /* 0: there is none */
    uint64_t schema; /* 0: it has none */
    size_t end;      /* of the tokens */
};

/* The name that a token alone is, as a hash; 0: it is none. */
uint64_t sql_name_alone(const struct sql_list *list, size_t index);
/* The name that begins with a token: the last part of `app."the table"`, and the part before. */
struct sql_name sql_name_at(const struct sql_list *list, size_t index);
/* As the catalog writes it: "app.members", "leave(uuid)", "own on members". */
struct sql_name sql_name_of(const char *text);
/* Whether both can be the same: one without a schema may be in any. */
bool sql_name_same(struct sql_name a, struct sql_name b);

/* Whether SQL names the table or function, as the catalog writes it. A column, parameter or string
 * of that name is something else. */
bool sql_names(const char *text, size_t size, const char *relation);
/* Whether any name in SQL is that one, whatever it stands for. */
bool sql_has_name(const char *text, size_t size, const char *name);

enum sql_overload { OVERLOAD_OTHER, OVERLOAD_LIKELY, OVERLOAD_SAME };
/* Whether a statement is about the function: the parameters, whose bracket is at `index`, are those
 * of "leave(uuid)". LIKELY: there are as many, and a type can't be told. What is no function is the
 * SAME. */
enum sql_overload sql_overload_at(const struct sql_list *statement, size_t index,
                                  const char *relation);

#endif
