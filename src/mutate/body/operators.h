/* The operators by name, for those that find where they apply. */
#ifndef MUTATE_OPERATORS_H
#define MUTATE_OPERATORS_H

/* OPERATOR(id, "name", "what it does", concerns_others) */
#define BODY_OPERATORS(OPERATOR)                                                                   \
    OPERATOR(MOVE_COMPARISON, "move-comparison", "< for <=, > for >=, = for <>, and back", false)  \
    OPERATOR(SWAP_AND_OR, "swap-and-or", "AND for OR, and back", false)                            \
    OPERATOR(DROP_NOT, "drop-not", "NOT is left out", false)                                       \
    OPERATOR(FLIP_NULL_TEST, "flip-null-test", "IS NULL for IS NOT NULL, and back", false)         \
    OPERATOR(MOVE_NUMBER, "move-number", "a number is 1 more or 1 less", false)                    \
    OPERATOR(FLIP_BOOLEAN, "flip-boolean", "true for false, and back", false)                      \
    OPERATOR(DROP_CONJUNCT, "drop-conjunct", "one of several conditions with AND is left out",     \
             false)                                                                                \
    OPERATOR(DROP_DISJUNCT, "drop-disjunct", "one of several conditions with OR is left out",      \
             false)                                                                                \
    OPERATOR(DROP_ITEM, "drop-item", "an item of IN (…) or ARRAY[…] is left out", false)           \
    OPERATOR(CONDITION_TRUE, "condition-true", "a condition is always true", false)                \
    OPERATOR(CONDITION_FALSE, "condition-false", "a condition is always false", false)             \
    OPERATOR(DROP_STATEMENT, "drop-statement", "a statement is left out", false)                   \
    OPERATOR(DROP_COALESCE, "drop-coalesce", "coalesce is left out: NULL stays NULL", false)       \
    OPERATOR(DROP_NULLIF, "drop-nullif", "nullif is left out: its value stays", false)             \
    OPERATOR(DROP_ASSIGNMENT, "drop-assignment",                                                   \
             "one of the columns that UPDATE sets is left as it is", false)                        \
    OPERATOR(CHANGE_STRING, "change-string", "a string is empty; an empty one is not", false)      \
    OPERATOR(DROP_DISTINCT, "drop-distinct", "DISTINCT is left out", false)                        \
    OPERATOR(REVERSE_ORDER, "reverse-order", "DESC for ASC, and back", false)                      \
    OPERATOR(SWAP_JOIN, "swap-join", "LEFT JOIN for JOIN, and back", false)                        \
    OPERATOR(SWAP_EXTREMES, "swap-extremes", "min for max, least for greatest, and back", false)   \
    OPERATOR(SWAP_ARITHMETIC, "swap-arithmetic", "+ for - and for *, - for +", false)              \
    OPERATOR(ADD_NOT, "add-not", "NOT before EXISTS, IN, LIKE and BETWEEN", false)                 \
    OPERATOR(SWAP_QUANTIFIER, "swap-quantifier", "= ALL (…) for = ANY (…), and back", false)       \
    OPERATOR(SWAP_UNION, "swap-union", "UNION ALL for UNION, INTERSECT for EXCEPT, and back",      \
             false)                                                                                \
    OPERATOR(OTHER_COLUMN, "other-column", "another column of the same type", false)               \
    OPERATOR(OTHER_PARAMETER, "other-parameter", "another parameter of the same type", false)      \
    OPERATOR(CONFLICT_NOTHING, "conflict-nothing", "ON CONFLICT DO NOTHING for DO UPDATE", false)  \
    OPERATOR(DROP_CONFLICT, "drop-conflict", "ON CONFLICT is left out: the error comes", false)    \
    OPERATOR(DROP_HANDLER, "drop-handler", "an EXCEPTION handler catches nothing", false)          \
    OPERATOR(FORGET_NULL, "forget-null", "<> for IS DISTINCT FROM, = for IS NOT DISTINCT FROM",    \
             false)                                                                                \
    OPERATOR(FIRST_ROW, "first-row", "of several rows only the first one", false)                  \
    OPERATOR(DROP_LOCK, "drop-lock", "FOR UPDATE and its like are left out", true)                 \
    OPERATOR(DROP_SKIP_LOCKED, "drop-skip-locked", "SKIP LOCKED or NOWAIT is left out", true)

#define OPERATOR_ID(id, name, what, concerns_others) BODY_##id,
enum body_operator_id { BODY_OPERATORS(OPERATOR_ID) };
#undef OPERATOR_ID

#endif
