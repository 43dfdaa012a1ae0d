#ifndef PGFSM_PGFSM_H
#define PGFSM_PGFSM_H

/* The whole library. Out-parameters come first. A returned pointer is borrowed; you own, and free,
 * what an out-parameter gives you. */
#include <pgfsm/callbacks.h>
#include <pgfsm/database.h>
#include <pgfsm/diff.h>
#include <pgfsm/draft.h>
#include <pgfsm/errors.h>
#include <pgfsm/eval.h>
#include <pgfsm/export.h>
#include <pgfsm/locks.h>
#include <pgfsm/machine.h>
#include <pgfsm/memory.h>
#include <pgfsm/merge.h>
#include <pgfsm/model.h>
#include <pgfsm/mutate.h>
#include <pgfsm/project.h>
#include <pgfsm/replay.h>
#include <pgfsm/report.h>
#include <pgfsm/run.h>
#include <pgfsm/trace.h>
#include <pgfsm/value.h>
#include <pgfsm/version.h>

#endif
