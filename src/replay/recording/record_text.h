/* The texts of a recording, with what the database returned marked in them. */
#ifndef REPLAY_RECORD_TEXT_H
#define REPLAY_RECORD_TEXT_H

#include "replay/recording/recording.h"

/* How a value becomes a text. */
struct text_form {
    bool setting;  /* a setting's value; else a parameter */
    uint32_t type; /* of the parameter; 0: pasted */
};

/* What the database has returned so far, as texts that are long enough to be found again, and all
 * that it was sent before: what was in there it did not make. */
struct known_text {
    unsigned cell;
    const char *text;
    size_t size;
};
struct known_texts {
    struct arena *arena;
    VEC(struct known_text) items;
    struct strbuf sent;
};
void known_texts_add(struct known_texts *known, unsigned cell, struct value value);

struct recording_text {
    struct arena *arena; /* of what comes out */
    struct backend *backend;
    struct known_texts *known; /* NULL: nothing is marked */
};
/* False with err where the value has no such text. */
bool recorded_value_make(const struct recording_text *recording, struct text_form form,
                         struct value value, struct recorded_value *out, struct error *err);

#endif
