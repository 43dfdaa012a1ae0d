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

/* Structs that a program fills begin with their size, so that later versions may add members at
 * their end. Begin with the struct's _INIT, or set struct_size to its sizeof. */
#ifdef __cplusplus
#define PGFSM_SIZED(type)                                                                          \
    static inline struct type type##_init()                                                        \
    {                                                                                              \
        struct type out = {};                                                                      \
        out.struct_size = sizeof out;                                                              \
        return out;                                                                                \
    }
#define PGFSM_SIZED_INIT(type) type##_init()
#else
#define PGFSM_SIZED(type)
#define PGFSM_SIZED_INIT(type)                                                                     \
    {                                                                                              \
        .struct_size = sizeof(struct type)                                                         \
    }
#endif

#endif
