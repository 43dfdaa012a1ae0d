/* Files of the tz database. */
#include "value/time/zone.h"

#include "base/file.h"
#include "base/names.h"

#include <stdlib.h>
#include <string.h>

enum {
    FILE_MAX = 1 << 20,
    COUNT_MAX = 1 << 16, /* of anything in a file */
    SINCE_1970 = 946684800,
    OFFSET_MAX = 26 * 3600,
};

struct input {
    const unsigned char *at;
    size_t left;
};

/* Returns NULL if fewer bytes are left. */
static const unsigned char *take_bytes(struct input *input, size_t size)
{
    const unsigned char *at = input->at;
    if (input->left < size) {
        return NULL;
    }
    input->at += size;
    input->left -= size;
    return at;
}

/* A signed number, its most significant byte first. */
static int64_t read_signed(const unsigned char *bytes, size_t size)
{
    uint64_t value = bytes[0] & 0x80U ? UINT64_MAX : 0;
    for (size_t i = 0; i < size; i++) {
        value = value << 8U | bytes[i];
    }
    return (int64_t)value;
}

/* The counts of a header, in its order. */
struct header {
    unsigned char version;
    int64_t utc_marks, standard_marks, leaps, changes, types, characters;
};

static bool read_header(struct input *input, struct header *out)
{
    static const char magic[] = "TZif";
    enum { SIZE = 44, VERSION_AT = 4, COUNTS_AT = 20, COUNTS = 6 };
    const unsigned char *bytes = take_bytes(input, SIZE);
    int64_t counts[COUNTS];
    if (!bytes || memcmp(bytes, magic, sizeof magic - 1) != 0) {
        return false;
    }
    for (size_t i = 0; i < COUNTS; i++) {
        counts[i] = read_signed(bytes + COUNTS_AT + 4 * i, 4);
        if (counts[i] < 0 || counts[i] > COUNT_MAX) {
            return false;
        }
    }
    *out = (struct header){bytes[VERSION_AT], counts[0], counts[1], counts[2],
                           counts[3],         counts[4], counts[5]};
    return true;
}

enum { TYPE_SIZE = 6 };

static bool read_offset(const unsigned char *types, int64_t index, int32_t *out)
{
    int64_t offset = read_signed(types + TYPE_SIZE * index, 4);
    *out = (int32_t)offset;
    return offset > -OFFSET_MAX && offset < OFFSET_MAX;
}

/* The body behind a header, whose times have `width` bytes. */
static bool read_body(struct arena *arena, struct input *input, const struct header *header,
                      size_t width, struct zone *out)
{
    size_t count = (size_t)header->changes;
    const unsigned char *times = take_bytes(input, count * width);
    const unsigned char *indexes = take_bytes(input, count);
    const unsigned char *types = take_bytes(input, (size_t)header->types * TYPE_SIZE);
    size_t rest = (size_t)(header->characters + header->leaps * (int64_t)(width + 4) +
                           header->standard_marks + header->utc_marks);
    if (!times || !indexes || !types || !take_bytes(input, rest) || header->types == 0 ||
        header->leaps > 0 || !read_offset(types, 0, &out->first)) {
        return false;
    }
    struct zone_change *changes = ARENA_ARRAY(arena, struct zone_change, count);
    for (size_t i = 0; i < count; i++) {
        if (indexes[i] >= header->types || !read_offset(types, indexes[i], &changes[i].offset) ||
            __builtin_sub_overflow(read_signed(times + width * i, width), SINCE_1970,
                                   &changes[i].time) ||
            (i > 0 && changes[i].time <= changes[i - 1].time)) {
            return false;
        }
    }
    out->count = count;
    out->changes = changes;
    return true;
}

/* Reads the rule between two newlines. If it is empty, the last offset stays. */
static bool read_rule(struct input *input, struct zone_rule *out)
{
    const char *text = (const char *)input->at;
    if (input->left < 2 || text[0] != '\n' || text[input->left - 1] != '\n') {
        return false;
    }
    return input->left == 2 || zone_rule_read(text + 1, input->left - 2, out);
}

/* Since version 2 there is a second header, with times of 64 bits. */
bool zone_decode(struct arena *arena, const char *data, size_t size, struct zone *out)
{
    enum { OLD = 4, WIDE = 8 };
    struct input input = {(const unsigned char *)data, size};
    struct header header;
    *out = (struct zone){0};
    if (!read_header(&input, &header)) {
        return false;
    }
    if (header.version < '2') {
        return read_body(arena, &input, &header, OLD, out);
    }
    size_t skipped =
        (size_t)(header.changes * (OLD + 1) + header.types * TYPE_SIZE + header.characters +
                 header.leaps * (OLD + 4) + header.standard_marks + header.utc_marks);
    return take_bytes(&input, skipped) && read_header(&input, &header) &&
           read_body(arena, &input, &header, WIDE, out) && read_rule(&input, &out->rule);
}

/* The server's abbreviations (timezonesets/Default) that are also names in the database. The server
 * prefers the abbreviation. */
static const struct {
    const char *name;
    int32_t offset;
} abbreviations[] = {{"CET", 3600},   {"EET", 7200}, {"EST", -18000}, {"GMT", 0},
                     {"HST", -36000}, {"MET", 3600}, {"MST", -25200}, {"UCT", 0},
                     {"UTC", 0},      {"WET", 0},    {"Zulu", 0}};

/* Names begin with an upper-case letter; others are "posix/…", "right/…" or local settings. A name
 * can't lead out of the folder. */
static bool is_name(const char *name)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    static const char others[] = "0123456789_+-/";
    bool good = *name >= 'A' && *name <= 'Z';
    for (const char *c = name; good && *c; c++) {
        good = strchr(letters, *c) || strchr(others, *c);
    }
    return good && strlen(name) < 64;
}

static bool no_zone(const char *folder, const char *name, const struct error *why,
                    struct error *err)
{
    if (!folder_exists(folder)) {
        (void)error_set(err, ERROR_MACHINE, "the tz database is not in %s", folder);
        return error_hint(err, "install it (Debian: tzdata), or name its folder in TZDIR");
    }
    (void)error_set(err, ERROR_MACHINE, "there is no time zone '%.64s'", name);
    if (why->message[0]) {
        error_detail(err, "%s", why->message);
    }
    return error_hint(err, "names are those of the tz database, such as Europe/Berlin or UTC; "
                           "pg_timezone_names lists them");
}

static bool load_zone(struct arena *arena, const char *path, struct zone *out, struct error *err)
{
    struct strbuf data = {0};
    bool read = file_load(path, FILE_MAX, &data, err);
    bool ok = read && zone_decode(arena, strbuf_text(&data), data.size, out);
    strbuf_free(&data);
    return ok || (read && error_set(err, ERROR_SYSTEM, "%s is not a file of time zones", path));
}

bool zone_find(struct arena *arena, const char *name, struct zone *out, struct error *err)
{
    const char *folder = getenv("TZDIR");
    struct error why = {0};
    size_t i = name_index(name, ROWS_IN(abbreviations, name));
    if (i < sizeof abbreviations / sizeof *abbreviations) {
        *out = (struct zone){.first = abbreviations[i].offset};
        return true;
    }
    folder = folder && *folder ? folder : "/usr/share/zoneinfo";
    const char *path = arena_printf(arena, "%s/%s", folder, name);
    if (!is_name(name) || !load_zone(arena, path, out, &why)) {
        return no_zone(folder, name, &why, err);
    }
    return true;
}
