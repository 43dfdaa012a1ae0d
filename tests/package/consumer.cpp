// All headers in C++: they compile, and what they declare links.
#include <cstdio>

#include <pgfsm/pgfsm.h>

int main()
{
    pgfsm_run_options options = PGFSM_RUN_OPTIONS_INIT;
    pgfsm_report_options report = PGFSM_REPORT_OPTIONS_INIT;
    pgfsm_run *run = nullptr; // no function has the name of a struct
    report.format = "html";
    pgfsm_errors *errors = pgfsm_errors_new();
    bool right = options.seed == -1 && options.struct_size == sizeof options && !report.stats &&
                 !pgfsm_run_summary(run) && pgfsm_errors_count(errors) == 0;
    pgfsm_errors_free(errors);
    return !right || std::puts(pgfsm_version()) < 0;
}
