/*
 * Failures that are told together, as they probably have one cause: the same steps; or of two
 * databases, the same error, the same column that is gone, or what one of them left behind. One of
 * them stands for all: its *head*, a migration that fails or else the shortest.
 */
#ifndef REPORT_ALIKE_H
#define REPORT_ALIKE_H

#include <stddef.h>

struct delivery;
struct failure;
struct run_result;

/* The failure itself if it is the head, or alone. */
const struct failure *alike_head(const struct run_result *result, const struct failure *failure);
/* The number of heads. */
size_t alike_count(const struct run_result *result);
/* Puts differences of two databases in the order of their importance, the head of each cause first,
 * and the deliveries, as many, with them. Other failures stay where they are. */
void alike_sort(struct run_result *result, struct delivery *deliveries);

#endif
