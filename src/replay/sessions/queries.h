/* SQL that scripts include unchanged: the files in sql/, as C strings. */
#ifndef REPLAY_QUERIES_H
#define REPLAY_QUERIES_H

extern const char replay_dying[];
extern const char replay_gated[]; /* behind either of its neighbours */
extern const char replay_gates[];
extern const char replay_rows[];
extern const char replay_sessions[];
extern const char replay_sides[];
extern const char replay_align[];

#endif
