#ifndef PGFSM_MEMORY_H
#define PGFSM_MEMORY_H

#include <pgfsm/export.h>

PGFSM_BEGIN

/* What happens where the system has no memory left: the library can't go on, and no call gives an
 * error instead. Nearly every line of it may allocate, and so may GMP, which from this call on
 * takes its memory the same way (mp_set_memory_functions, with malloc and free behind it).
 *
 * The handler is called by the thread that ran out of memory. It ends the process, having said or
 * saved what there is to say or save without allocating; it may not leave by longjmp. Without one
 * (NULL, as at first), or where it returns, the library says so on stderr and calls abort(), as GMP
 * and GLib do. A host that is to live on runs pgfsm in a process of its own.
 *
 * One for the whole process; to be set before other calls are made. */
typedef void pgfsm_out_of_memory(void);
void pgfsm_on_out_of_memory(pgfsm_out_of_memory *handler);

PGFSM_END

#endif
