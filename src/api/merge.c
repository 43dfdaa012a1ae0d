/* Implements pgfsm/merge.h. */
#include "api/errors.h"
#include "api/session.h"
#include "base/file.h"
#include "base/names.h"
#include "example/counts.h"
#include "value/json/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <pgfsm/merge.h>

enum { REPORT_MAX = 1 << 30 /* bytes of a report */, SHARDS_MAX = 100000 };

/* An event `example` or `mutant`. */
struct reported_line {
    uint64_t number;  /* from 1 */
    const char *text; /* JSON */
    size_t size;
    bool open; /* a mutant that was not run */
};

/* An object of the schema, as a shard with --stats reports it. */
struct reported_object {
    const char *name; /* "table public.a" */
    bool touched;
    const char *note; /* as in backend_object; or NULL */
};

/* Events of one type. */
struct reported_lines {
    struct reported_line *items;
    size_t count;
    size_t capacity;
};

/* A difference that the machine or a file accepts (`pgfsm diff`), as a shard reports it. */
struct reported_accepted {
    const char *on;
    const char *kind; /* may be "" */
};

/* What one shard says of a machine. */
struct merged_shard {
    const char *report; /* its file; NULL: it is missing */
    bool cut_short;
};

struct merged_machine {
    const char *path;
    const char *command; /* "run" */
    bool made;           /* by the command, under a path that may differ */
    const char *options; /* may be "" */
    const char *run;     /* may be "" */
    const char *fingerprint;
    const char *files; /* hash */
    int64_t seed;
    struct merged_shard *shards;
    size_t shard_count;
    bool shared;                            /* each report may have all examples */
    struct reported_lines examples;         /* of all shards, sorted by number in the end */
    struct reported_lines mutants;          /* the same */
    VEC(struct reported_object) objects;    /* of all shards */
    VEC(struct reported_accepted) accepted; /* the same: those that were seen */
};

struct pgfsm_merge {
    struct arena arena;
    VEC(struct merged_machine) machines;
};

/* A report that is being read. */
struct reading {
    struct pgfsm_merge *merge;
    const char *report;
    size_t line;
    struct arena scratch;           /* of one event */
    struct reported_lines examples; /* of the machine whose end has not come */
    struct reported_lines mutants;  /* the same */
    struct pgfsm_errors *errors;
};

static bool wrong(const struct reading *reading, const char *what)
{
    return errors_addf(reading->errors, ERROR_USAGE, "%s:%zu: %s", reading->report, reading->line,
                       what);
}

/* NULL if the dict has no such member. */
static const struct value *member(struct value dict, const char *key)
{
    size_t at = 0;
    for (const struct table_entry *entry;
         dict.type == VALUE_DICT && (entry = table_next(dict.as.table, &at));) {
        if (strcmp(entry->key.as.string->data, key) == 0) {
            return &entry->value;
        }
    }
    return NULL;
}

static const char *text_member(struct value dict, const char *key)
{
    const struct value *value = member(dict, key);
    return value && value->type == VALUE_STRING ? value->as.string->data : "";
}

/* -1 if there is none. */
static int64_t count_member(struct value dict, const char *key)
{
    const struct value *value = member(dict, key);
    bool fits =
        value && value->type == VALUE_INT && !(value->flags & VALUE_BIG) && value->as.integer >= 0;
    return fits ? value->as.integer : -1;
}

static bool flag_member(struct value dict, const char *key)
{
    const struct value *value = member(dict, key);
    return value && value->type == VALUE_BOOL && value->as.boolean;
}

static struct merged_machine *find(const struct pgfsm_merge *merge, const char *path)
{
    size_t index = name_index(path, ROWS_OF(merge->machines, path));
    return index < merge->machines.count ? &merge->machines.items[index] : NULL;
}

static bool read_begin(const struct reading *reading, struct value event)
{
    enum { VERSION = 2 };
    return count_member(event, "version") == VERSION ||
           wrong(reading, "another version of pgfsm wrote this report");
}

static bool keep_line(const struct reading *reading, struct reported_lines *lines,
                      struct value event, const char *text, size_t size)
{
    int64_t number = count_member(event, "number");
    if (number < 1) {
        return wrong(reading, "an example or a mutant without a number");
    }
    bool open = strcmp(text_member(event, "verdict"), verdict_names[VERDICT_NONE]) == 0;
    *VEC_PUSH(&reading->merge->arena, lines) =
        (struct reported_line){(uint64_t)number, text, size, open};
    return true;
}

static struct merged_machine *add_machine(const struct reading *reading, struct value event,
                                          const char *path, int64_t count)
{
    struct arena *arena = &reading->merge->arena;
    struct merged_machine *machine = VEC_PUSH(arena, &reading->merge->machines);
    *machine = (struct merged_machine){
        .path = arena_strdup(arena, path),
        .command = arena_strdup(arena, text_member(event, "command")),
        .made = flag_member(event, "made"),
        .options = arena_strdup(arena, text_member(event, "options")),
        .run = arena_strdup(arena, text_member(event, "run")),
        .fingerprint = arena_strdup(arena, text_member(event, "fingerprint")),
        .files = arena_strdup(arena, text_member(event, "files")),
        .seed = count_member(event, "seed"),
        .shards = ARENA_ARRAY(arena, struct merged_shard, (size_t)count),
        .shard_count = (size_t)count,
    };
    return machine;
}

/* Whether the report is of the same run as the first one about the machine. */
static bool is_same_run(const struct reading *reading, const struct merged_machine *machine,
                        struct value event, int64_t count)
{
    static const char *const differ[] = {
        "it has another seed than the first report: these are shards of different runs",
        "it has another number of shards than the first report",
        "it has another run id than the first report: these are shards of different runs",
        "its machine is not that of the first report: the file was changed",
        "it has other options than the first report",
        "its SQL files are not those of the first report: they were changed",
    };
    return (count_member(event, "seed") == machine->seed || wrong(reading, differ[0])) &&
           ((size_t)count == machine->shard_count || wrong(reading, differ[1])) &&
           (strcmp(text_member(event, "run"), machine->run) == 0 || wrong(reading, differ[2])) &&
           (strcmp(text_member(event, "fingerprint"), machine->fingerprint) == 0 ||
            wrong(reading, differ[3])) &&
           (strcmp(text_member(event, "options"), machine->options) == 0 ||
            wrong(reading, differ[4])) &&
           (strcmp(text_member(event, "files"), machine->files) == 0 || wrong(reading, differ[5]));
}

/* The lines since the end of the last machine are this one's. */
static bool take_lines(const struct reading *reading, struct reported_lines *lines,
                       const struct merged_machine *machine, int64_t index,
                       struct reported_lines *out)
{
    for (size_t i = 0; i < lines->count; i++) {
        const struct reported_line *line = &lines->items[i];
        if ((line->number - 1) % machine->shard_count != (uint64_t)index - 1) {
            return wrong(reading, "it has an example or a mutant that is another shard's");
        }
        *VEC_PUSH(&reading->merge->arena, out) = *line;
    }
    lines->count = 0;
    return true;
}

static void take_touched(const struct reading *reading, struct merged_machine *machine,
                         struct value event)
{
    struct arena *arena = &reading->merge->arena;
    const struct value *stats = member(event, "stats");
    const struct value *objects = stats ? member(*stats, "objects") : NULL;
    for (size_t i = 0; objects && objects->type == VALUE_LIST && i < objects->as.list->count; i++) {
        struct value object = objects->as.list->items[i];
        const char *note = text_member(object, "note");
        *VEC_PUSH(arena, &machine->objects) = (struct reported_object){
            .name = arena_printf(arena, "%s %s", text_member(object, "kind"),
                                 text_member(object, "name")),
            .touched = flag_member(object, "touched"),
            .note = *note ? arena_strdup(arena, note) : NULL};
    }
}

static void take_accepted(const struct reading *reading, struct merged_machine *machine,
                          struct value event)
{
    struct arena *arena = &reading->merge->arena;
    const struct value *compared = member(event, "compared");
    const struct value *accepted = compared ? member(*compared, "accepted") : NULL;
    for (size_t i = 0; accepted && accepted->type == VALUE_LIST && i < accepted->as.list->count;
         i++) {
        struct value item = accepted->as.list->items[i];
        if (flag_member(item, "seen")) {
            *VEC_PUSH(arena, &machine->accepted) =
                (struct reported_accepted){arena_strdup(arena, text_member(item, "on")),
                                           arena_strdup(arena, text_member(item, "kind"))};
        }
    }
}

static bool read_machine(struct reading *reading, struct value event)
{
    const char *path = text_member(event, "path");
    const struct value *shard = member(event, "shard");
    int64_t index = shard ? count_member(*shard, "index") : -1;
    int64_t count = shard ? count_member(*shard, "count") : -1;
    if (strcmp(text_member(event, "outcome"), "stopped") == 0) {
        return errors_addf(reading->errors, ERROR_USAGE,
                           "%s: the run of %s could not continue there: run this shard again",
                           reading->report, path);
    }
    if (index < 1 || count < index || count > SHARDS_MAX || !*path) {
        return errors_addf(reading->errors, ERROR_USAGE,
                           "%s: %s is no shard; merge takes the reports of `run --shard`",
                           reading->report, path);
    }
    const struct merged_machine *first = reading->merge->machines.items;
    if (reading->merge->machines.count &&
        strcmp(text_member(event, "command"), first->command) != 0) {
        return wrong(reading, "another command made it than the first report");
    }
    struct merged_machine *machine = find(reading->merge, path);
    if (machine && !is_same_run(reading, machine, event, count)) {
        return false;
    }
    machine = machine ? machine : add_machine(reading, event, path, count);
    struct merged_shard *part = &machine->shards[index - 1];
    machine->shared = (machine->shared || !part->report) && flag_member(*shard, "shared");
    if (part->report && !machine->shared) {
        return errors_addf(reading->errors, ERROR_USAGE,
                           "shard %" PRId64 " of %s is in two reports: %s and %s", index, path,
                           part->report, reading->report);
    }
    bool was_cut = flag_member(event, "cut_short");
    *part = (struct merged_shard){.report = reading->report,
                                  .cut_short = was_cut && (!part->report || part->cut_short)};
    take_touched(reading, machine, event);
    take_accepted(reading, machine, event);
    return take_lines(reading, &reading->examples, machine, index, &machine->examples) &&
           take_lines(reading, &reading->mutants, machine, index, &machine->mutants);
}

static bool read_line(struct reading *reading, const char *text, size_t size)
{
    struct value event;
    struct error err = {0};
    arena_reset(&reading->scratch);
    if (!json_decode(&reading->scratch, text, size, &event, &err) || event.type != VALUE_DICT) {
        return wrong(reading, "this is no event of `--report json`");
    }
    const char *type = text_member(event, "type");
    if (reading->line == 1 || strcmp(type, "begin") == 0) {
        return read_begin(reading, event);
    }
    if (strcmp(type, "example") == 0) {
        return keep_line(reading, &reading->examples, event, text, size);
    }
    if (strcmp(type, "mutant") == 0) {
        return keep_line(reading, &reading->mutants, event, text, size);
    }
    return strcmp(type, "machine") != 0 || read_machine(reading, event);
}

static bool read_report(struct pgfsm_merge *merge, const char *path, struct pgfsm_errors *errors)
{
    struct reading reading = {.merge = merge, .report = path, .errors = errors};
    struct strbuf loaded = {0};
    struct error err = {0};
    bool ok = file_load(path, REPORT_MAX, &loaded, &err) || errors_add_usage(errors, &err);
    size_t size = loaded.size;
    const char *text = strbuf_take(&loaded, &merge->arena);
    for (size_t at = 0; ok && at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t length = end ? (size_t)(end - text) - at : size - at;
        reading.line++;
        ok = read_line(&reading, text + at, length);
        at += length + 1;
    }
    if (ok && !reading.line) {
        ok = errors_addf(errors, ERROR_USAGE, "%s: the report is empty", path);
    }
    arena_free(&reading.scratch);
    return ok;
}

/* "2", "2, 5 and 7", "2, 5, 7 and 13 more" */
static bool check_complete(const struct merged_machine *machine, struct pgfsm_errors *errors)
{
    enum { NAMED_MAX = 20 };
    struct strbuf list = {0};
    size_t missing = 0;
    for (size_t i = 0; i < machine->shard_count; i++) {
        if (!machine->shards[i].report && missing++ < NAMED_MAX) {
            strbuf_addf(&list, "%s%zu", missing > 1 ? ", " : "", i + 1);
        }
    }
    if (missing > NAMED_MAX) {
        strbuf_addf(&list, " and %zu more", missing - NAMED_MAX);
    }
    if (missing) {
        (void)errors_addf(errors, ERROR_USAGE, "%s: %s %s of %zu %s missing", machine->path,
                          missing > 1 ? "shards" : "shard", strbuf_text(&list),
                          machine->shard_count, missing > 1 ? "are" : "is");
    }
    strbuf_free(&list);
    return missing == 0;
}

static int by_number(const void *a, const void *b)
{
    const struct reported_line *one = a;
    const struct reported_line *other = b;
    return one->number < other->number ? -1 : one->number > other->number;
}

/* Several processes have reported all of a run that they shared, or what was known when their time
 * was up. */
static void drop_repeated(struct reported_lines *lines)
{
    size_t kept = 0;
    for (size_t i = 0; i < lines->count; i++) {
        if (i == 0 || lines->items[i].number != lines->items[kept - 1].number) {
            lines->items[kept++] = lines->items[i];
        } else if (lines->items[kept - 1].open) {
            lines->items[kept - 1] = lines->items[i];
        }
    }
    lines->count = kept;
}

static const struct reported_line *find_line(const struct reported_lines *lines, uint64_t number)
{
    const struct reported_line wanted = {.number = number};
    return lines->count
               ? bsearch(&wanted, lines->items, lines->count, sizeof *lines->items, by_number)
               : NULL;
}

static bool sort_lines(const struct merged_machine *machine, const char *what,
                       struct reported_lines *lines, struct pgfsm_errors *errors)
{
    if (lines->count) {
        qsort(lines->items, lines->count, sizeof *lines->items, by_number);
    }
    if (machine->shared) {
        drop_repeated(lines);
    }
    for (size_t i = 1; i < lines->count; i++) {
        if (lines->items[i].number == lines->items[i - 1].number) {
            return errors_addf(errors, ERROR_USAGE, "%s: %s %" PRIu64 " is reported twice",
                               machine->path, what, lines->items[i].number);
        }
    }
    return true;
}

static bool finish_machine(struct merged_machine *machine, struct pgfsm_errors *errors)
{
    return check_complete(machine, errors) &&
           sort_lines(machine, "example", &machine->examples, errors) &&
           sort_lines(machine, "mutant", &machine->mutants, errors);
}

bool pgfsm_merge_new(struct pgfsm_merge **out, const char *const *reports, size_t count,
                     struct pgfsm_errors *errors)
{
    struct pgfsm_merge *merge = memory_alloc(sizeof *merge);
    bool ok = true;
    *merge = (struct pgfsm_merge){0};
    for (size_t i = 0; ok && i < count; i++) {
        ok = read_report(merge, reports[i], errors);
    }
    for (size_t i = 0; ok && i < merge->machines.count; i++) {
        ok = finish_machine(&merge->machines.items[i], errors);
    }
    if (ok && !merge->machines.count) {
        ok = errors_addf(errors, ERROR_USAGE, "there is no machine in these reports");
    }
    if (!ok) {
        pgfsm_merge_free(merge);
        merge = NULL;
    }
    *out = merge;
    return ok;
}

const char *pgfsm_merge_path(const struct pgfsm_merge *merge, size_t index)
{
    return index < merge->machines.count ? merge->machines.items[index].path : NULL;
}

const char *pgfsm_merge_command(const struct pgfsm_merge *merge)
{
    return merge->machines.items[0].command;
}

bool pgfsm_merge_is_made(const struct pgfsm_merge *merge) { return merge->machines.items[0].made; }

const char *pgfsm_merge_options(const struct pgfsm_merge *merge, size_t index)
{
    return index < merge->machines.count ? merge->machines.items[index].options : "";
}

void pgfsm_merge_free(struct pgfsm_merge *merge)
{
    if (merge) {
        arena_free(&merge->arena);
        free(merge);
    }
}

bool merge_begin(struct run_session *session)
{
    const struct machine *machine = session->machine;
    if (!session->options.merge) {
        return true;
    }
    session->merged = find(session->options.merge, machine->path);
    if (!session->merged && session->options.merge->machines.items[0].made) {
        session->merged = &session->options.merge->machines.items[0];
    }
    if (!session->merged) {
        return errors_addf(session->errors, ERROR_USAGE, "no report is about %s", machine->path);
    }
    const char *fingerprint = machine_fingerprint(machine, session->merged->made, &session->arena);
    if (strcmp(fingerprint, session->merged->fingerprint) != 0) {
        return errors_addf(session->errors, ERROR_USAGE,
                           "%s was changed since the shards ran: merge needs the same file",
                           machine->path);
    }
    if (strcmp(session->run->report.inputs, session->merged->files) != 0) {
        return errors_addf(session->errors, ERROR_USAGE,
                           "SQL files of %s were changed since the shards ran: merge needs the "
                           "same files",
                           machine->path);
    }
    session->options.seed = session->merged->seed;
    session->options.shard_count = 0;
    return true;
}

static bool read_printed(struct value event, struct arena *arena, struct reported_example *out)
{
    const struct value *printed = member(event, "printed");
    if (!printed) {
        return true;
    }
    for (size_t i = 0; printed->type == VALUE_LIST && i < printed->as.list->count; i++) {
        struct value line = printed->as.list->items[i];
        if (line.type != VALUE_STRING) {
            return false;
        }
        *VEC_PUSH(arena, &out->printed) = line.as.string->data;
    }
    return printed->type == VALUE_LIST;
}

/* Whose examples and mutants have this number. */
static const struct merged_shard *shard_of(const struct merged_machine *merged, uint64_t number)
{
    return &merged->shards[(number - 1) % merged->shard_count];
}

bool merge_read(struct run_session *session, const char *from, const char *text, size_t size,
                uint64_t number, struct reported_example *out, struct error *err)
{
    struct value event;
    arena_reset(&session->example);
    if (!json_decode(&session->example, text, size, &event, err)) {
        return false;
    }
    if (count_member(event, "number") != (int64_t)number) {
        return error_set(err, ERROR_USAGE, "%s: in place of example %" PRIu64 " stands another one",
                         from, number);
    }
    if (flag_member(event, "again")) {
        out->how = REPORTED_NOT;
        return true;
    }
    out->identity = text_member(event, "failure");
    out->how = *out->identity ? REPORTED_FAILED : REPORTED_PASSED;
    out->fails = !flag_member(event, "known");
    int64_t least = count_member(event, "least");
    out->least = least > 0 ? (size_t)least : 0;
    const struct value *counts = member(event, "counts");
    if (!read_printed(event, &session->example, out)) {
        return error_set(err, ERROR_USAGE, "%s: `printed` of example %" PRIu64 " has no lines",
                         from, number);
    }
    return counts_read(counts ? *counts : value_none(), session->machine, &session->example,
                       &out->stats, err) ||
           error_set(err, ERROR_USAGE, "%s: example %" PRIu64 ": %s", from, number,
                     arena_strdup(&session->example, err->message));
}

bool merge_reported(void *host, uint64_t number, struct reported_example *out, struct error *err)
{
    struct run_session *session = host;
    const struct merged_machine *merged = session->merged;
    const struct reported_line *line = find_line(&merged->examples, number);
    const struct merged_shard *shard = shard_of(merged, number);
    if (!line) {
        out->how = shard->cut_short ? REPORTED_CUT : REPORTED_NOT;
        return true;
    }
    return merge_read(session, shard->report, line->text, line->size, number, out, err);
}

/* What this process touched is not all. */
static void add_touched(const struct run_session *session)
{
    static const char *const kinds[OBJECT_KINDS] = {
        [OBJECT_FUNCTION] = "function",
        [OBJECT_TRIGGER_FUNCTION] = "trigger function",
        [OBJECT_TABLE] = "table",
        [OBJECT_POLICY] = "policy",
    };
    const struct backend_coverage *coverage = session->run->report.coverage;
    for (size_t i = 0; coverage && i < coverage->objects.count; i++) {
        struct backend_object *object = &coverage->objects.items[i];
        const char *name =
            arena_printf(&session->run->arena, "%s %s", kinds[object->kind], object->name);
        for (size_t k = 0; k < session->merged->objects.count; k++) {
            const struct reported_object *reported = &session->merged->objects.items[k];
            bool surer = reported->touched ? !object->touched || !reported->note
                                           : !object->touched && !object->reached;
            if (strcmp(reported->name, name) == 0 && surer) {
                object->touched = reported->touched;
                object->note = reported->note;
            }
        }
    }
}

/* What this process saw is not all. */
static void add_accepted(const struct run_session *session)
{
    for (size_t i = 0; session->accepted && i < accepted_count(session->accepted); i++) {
        bool seen;
        const struct accepted_difference *one = accepted_at(session->accepted, i, &seen);
        for (size_t k = 0; k < session->merged->accepted.count && !seen; k++) {
            const struct reported_accepted *reported = &session->merged->accepted.items[k];
            if (strcmp(reported->on, one->on) == 0 &&
                strcmp(reported->kind, one->kind ? one->kind : "") == 0) {
                accepted_mark(session->accepted, i);
                seen = true;
            }
        }
    }
}

static const char *explain_unconfirmed(const struct run_session *session,
                                       const struct unconfirmed_example *example)
{
    struct arena *arena = &session->run->arena;
    if (!session->merged) {
        return arena_printf(arena,
                            "example %" PRIu64 " failed in a process that shares the run (%s), and "
                            "passed when it was run again for the report",
                            example->number, example->identity);
    }
    return arena_printf(
        arena,
        "example %" PRIu64 " failed in a shard (%s), and passed when it was merged: %s has the "
        "failure",
        example->number, example->identity, shard_of(session->merged, example->number)->report);
}

void merge_finish(struct run_session *session)
{
    const struct run_result *result = &session->run->result;
    if (session->merged) {
        add_touched(session);
        add_accepted(session);
    }
    for (size_t i = 0; i < result->unconfirmed.count; i++) {
        session_warn(session, explain_unconfirmed(session, &result->unconfirmed.items[i]));
    }
}

/* Sets what the shard made of the mutant. One that it accepts survived. */
static bool read_mutant(struct run_session *session, struct value event, struct mutant *out)
{
    struct arena *arena = &session->run->arena;
    const char *by = text_member(event, "by");
    const char *killer = text_member(event, "killer");
    int64_t example = count_member(event, "example");
    int64_t time_us = count_member(event, "time_us");
    size_t verdict = name_index(text_member(event, "verdict"), NAMES_IN(verdict_names));
    if (verdict >= VERDICTS || example < 0 || time_us < 0 ||
        (verdict == VERDICT_EQUIVALENT) != (out->verdict == VERDICT_EQUIVALENT)) {
        return false;
    }
    out->time_us = (uint64_t)time_us;
    if (out->verdict == VERDICT_EQUIVALENT) {
        return true;
    }
    bool survived = verdict == VERDICT_ACCEPTED;
    out->verdict = survived ? VERDICT_SURVIVED : (enum verdict)verdict;
    out->by = *by && !survived ? arena_strdup(arena, by) : NULL;
    out->killer = *killer ? arena_strdup(arena, killer) : NULL;
    out->example = (uint64_t)example;
    return true;
}

bool merge_read_mutant(struct run_session *session, const char *from, const char *text, size_t size,
                       struct mutant *mutant, struct error *err)
{
    struct value event;
    arena_reset(&session->example);
    if (!json_decode(&session->example, text, size, &event, err)) {
        return false;
    }
    if (strcmp(text_member(event, "id"), mutant->id) != 0) {
        return error_set(err, ERROR_USAGE,
                         "%s: the schema of %s was changed: mutant %zu is %s now; all shards and "
                         "merge need the same schema",
                         from, session->machine->path, mutant->number, mutant->id);
    }
    return read_mutant(session, event, mutant) ||
           error_set(err, ERROR_USAGE, "%s: mutant %s is not what a shard reports", from,
                     mutant->id);
}

bool merge_mutants(struct run_session *session, struct error *err)
{
    const struct merged_machine *merged = session->merged;
    struct mutation *mutation = &session->run->mutation;
    for (size_t i = 0; i < mutation->mutants.count; i++) {
        struct mutant *mutant = &mutation->mutants.items[i];
        const struct reported_line *line = find_line(&merged->mutants, mutant->number);
        const char *report = shard_of(merged, mutant->number)->report;
        if (!line) {
            return error_set(err, ERROR_USAGE, "%s lacks mutant %zu of %s; run that shard again",
                             report, mutant->number, merged->path);
        }
        if (!merge_read_mutant(session, report, line->text, line->size, mutant, err)) {
            return false;
        }
        mutation->time_us += mutant->time_us;
    }
    return mutation->mutants.count == merged->mutants.count ||
           error_set(err, ERROR_USAGE,
                     "%s: the shards graded %zu mutants, and its schema has %zu now: it was "
                     "changed; merge needs the same schema",
                     merged->path, merged->mutants.count, mutation->mutants.count);
}
