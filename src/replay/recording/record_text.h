/* The texts of a recording, in which values from the database are marked. */
#ifndef REPLAY_RECORD_TEXT_H
#define REPLAY_RECORD_TEXT_H

#include "replay/recording/recording.h"

/* The form of a value's text. */
struct text_form {
    bool setting;  /* a setting's value; otherwise a parameter */
    uint32_t type; /* of the parameter; 0: pasted */
};

/* The texts returned by the database so far that are long enough to be recognised, and everything
 * that was sent before: texts in there are not from the database. */
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
    struct arena *arena; /* for the results */
    struct backend *backend;
    struct known_texts *known; /* NULL to mark nothing */
};
/* False with err if the value has no such text. */
bool recorded_value_make(const struct recording_text *recording, struct text_form form,
                         struct value value, struct recorded_value *out, struct error *err);

#endif
