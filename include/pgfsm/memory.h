#ifndef PGFSM_MEMORY_H
#define PGFSM_MEMORY_H

#include <pgfsm/export.h>

PGFSM_BEGIN

/* Frees what a function of the library gave with the words "pgfsm_free() *out": the same as free(),
 * for programs that have another one. Ignores NULL. */
void pgfsm_free(void *memory);

/* Sets what happens when memory runs out. The library can't continue then, and no call returns an
 * error instead: nearly every line may allocate. So may GMP, which allocates in the same way from
 * this call on (mp_set_memory_functions, with malloc and free behind it).
 *
 * The thread that ran out of memory calls the handler. The handler must end the process; before
 * that it may report or save something, without allocating. It must not use longjmp. If there is no
 * handler (NULL, the default), or if it returns, the library writes a message to stderr and calls
 * abort(), as GMP and GLib do. A host that must survive runs pgfsm in a process of its own.
 *
 * There is one handler for the whole process. Set it before any other call. */
typedef void pgfsm_out_of_memory(void);
void pgfsm_on_out_of_memory(pgfsm_out_of_memory *handler);

PGFSM_END

#endif
