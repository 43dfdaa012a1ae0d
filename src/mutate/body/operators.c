#include "mutate/body/operators.h"

#include "mutate/body.h"

#define OPERATOR_ROW(id, name, what, concerns_others) [BODY_##id] = {name, what, concerns_others},
const struct body_operator body_operators[] = {BODY_OPERATORS(OPERATOR_ROW){NULL, NULL, false}};
