/* The keys of rules and invariants, in the order in which their parts run. Each part sees the names
 * of those before it. */
#ifndef MACHINE_RULE_KEYS_H
#define MACHINE_RULE_KEYS_H

enum rule_key {
    RULE_PRECONDITION,
    RULE_WEIGHT,
    RULE_LIMIT,
    RULE_FROM,
    RULE_UNTIL,
    RULE_ARGS,
    RULE_WHERE,
    RULE_ADVANCE,
    RULE_LET,
    RULE_AS,
    RULE_TRANSACTION,
    RULE_ISOLATION,
    RULE_CRASH,
    RULE_PREPARED,
    RULE_SQL,
    RULE_RAISES,
    RULE_EXPECT,
    RULE_AFFECTS,
    RULE_LABEL,
    RULE_CHECK,
    RULE_MODEL,
    RULE_RETURNS,
    RULE_VALUE,
    RULE_TARGET,
    RULE_XFAIL,
    RULE_KEYS,
};

enum invariant_key {
    INVARIANT_WHEN,
    INVARIANT_EVERY,
    INVARIANT_FOR,
    INVARIANT_PRECONDITION,
    INVARIANT_AS,
    INVARIANT_SQL,
    INVARIANT_EXPECT,
    INVARIANT_CHECK,
    INVARIANT_XFAIL,
    INVARIANT_KEYS,
};

#endif
