#ifndef PGFSM_EXPORT_H
#define PGFSM_EXPORT_H

/* Declarations between PGFSM_BEGIN and PGFSM_END are the library's interface: exported even if the
 * default is hidden, and with C linkage in C++. */
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
