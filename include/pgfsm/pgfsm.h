#ifndef PGFSM_PGFSM_H
#define PGFSM_PGFSM_H

/* All of pgfsm's library. Conventions: out-parameters come first; a returned pointer is borrowed,
 * what comes through an out-parameter is yours. */
#include <pgfsm/callbacks.h>
#include <pgfsm/database.h>
#include <pgfsm/errors.h>
#include <pgfsm/eval.h>
#include <pgfsm/export.h>
#include <pgfsm/machine.h>
#include <pgfsm/memory.h>
#include <pgfsm/replay.h>
#include <pgfsm/report.h>
#include <pgfsm/run.h>
#include <pgfsm/trace.h>
#include <pgfsm/version.h>

#endif
