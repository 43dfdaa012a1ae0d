/* SQL that scripts have as it stands: sql/, as C strings. */
#ifndef REPLAY_QUERIES_H
#define REPLAY_QUERIES_H

extern const char replay_gates[];
extern const char replay_sessions[];

#endif
