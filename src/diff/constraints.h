/* What two databases call their constraints. One that both have is no other one renamed, and one of
 * a partition is that of the partitioned table. */
#ifndef DIFF_CONSTRAINTS_H
#define DIFF_CONSTRAINTS_H

#include "diff/natures.h"
#include "example/backend.h"

struct constraint_name {
    const char *schema; /* or NULL */
    const char *table;  /* NULL or without a schema, as in an error */
    const char *name;   /* NULL: the error names none */
};
struct partition_constraint {
    struct constraint_name of; /* the name is "" for the partition itself */
    struct constraint_name root;
};
struct constraints {
    VEC(struct partition_constraint) partitions; /* of both databases */
};

/* Of the schemas as they are now, in the arena; tells natures what both have. */
bool constraints_find(struct arena *arena, struct backend *const backends[2],
                      struct natures *natures, struct constraints *out, struct error *err);

/* What a constraint's table is called among the renamed ones: without "public". In the arena. */
const char *constraint_table(struct arena *arena, struct constraint_name name);

/* The same constraint of the partitioned table, if the table is a partition. */
struct constraint_name constraints_root(const struct constraints *constraints,
                                        struct constraint_name name);

#endif
