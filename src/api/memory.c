#include <pgfsm/memory.h>

#include "base/arena.h"
#include "value/number/numeric.h"

#include <stdlib.h>

void pgfsm_free(void *memory) { free(memory); }

void pgfsm_on_out_of_memory(pgfsm_out_of_memory *handler)
{
    memory_on_exhausted(handler);
    number_on_exhausted();
}
