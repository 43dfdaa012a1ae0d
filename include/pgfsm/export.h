#ifndef PGFSM_EXPORT_H
#define PGFSM_EXPORT_H

/* What stands between PGFSM_BEGIN and PGFSM_END is the library's interface: exported, whatever else
 * is hidden, and of C linkage in C++. */
#ifdef __cplusplus
#define PGFSM_BEGIN                                                                                \
    extern "C" {                                                                                   \
    _Pragma("GCC visibility push(default)")
#define PGFSM_END                                                                                  \
    _Pragma("GCC visibility pop")                                                                  \
    }
#else
#define PGFSM_BEGIN _Pragma("GCC visibility push(default)")
#define PGFSM_END _Pragma("GCC visibility pop")
#endif

#endif
