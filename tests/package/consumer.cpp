// All headers in C++: they compile, and what they declare links.
#include <cstdio>

#include <pgfsm/pgfsm.h>

int main()
{
    pgfsm_run_options options = PGFSM_RUN_OPTIONS_INIT;
    pgfsm_errors *errors = pgfsm_errors_new();
    bool right = options.seed == -1 && pgfsm_errors_count(errors) == 0;
    pgfsm_errors_free(errors);
    return !right || std::puts(pgfsm_version()) < 0;
}
