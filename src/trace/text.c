#include "trace/text.h"

#include "base/digits.h"
#include "base/names.h"
#include "base/utf8.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* --- strings --- */

static bool is_plain_char(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '-' || c == '.';
}

void text_escape(const char *data, size_t size, struct strbuf *out)
{
    for (size_t i = 0; i < size; i++) {
        if (is_plain_char(data[i])) {
            strbuf_addc(out, data[i]);
        } else {
            strbuf_addf(out, "%%%02X", (unsigned)(unsigned char)data[i]);
        }
    }
}

/* The byte of two hexadecimal digits; -1 if they are not digits. */
static int hex_byte(const char *digits, size_t left)
{
    int high = left >= 2 ? hex_digit(digits[0]) : -1;
    int low = left >= 2 ? hex_digit(digits[1]) : -1;
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

char *text_unescape(const char *data, size_t size, struct arena *arena, size_t *out_size)
{
    char *text = arena_alloc(arena, size + 1);
    size_t used = 0;
    for (size_t i = 0; i < size; i++) {
        char c = data[i];
        if (c == '%') {
            int byte = hex_byte(data + i + 1, size - i - 1);
            if (byte < 0) {
                return NULL;
            }
            c = (char)byte;
            i += 2;
        }
        text[used++] = c;
    }
    text[used] = '\0';
    if (out_size) {
        *out_size = used;
    }
    return text;
}

/* --- writing --- */

static void write_string(const char *data, size_t size, struct strbuf *out)
{
    strbuf_addc(out, '=');
    text_escape(data, size, out);
}

static void write_choice(const struct choice *choice, struct strbuf *out)
{
    switch (choice->kind) {
    case CHOICE_INTEGER:
        strbuf_addf(out, "int %lld %lld %lld %lld\n", (long long)choice->as.integer.value,
                    (long long)choice->as.integer.min, (long long)choice->as.integer.max,
                    (long long)choice->as.integer.toward);
        break;
    case CHOICE_FLOAT:
        strbuf_addf(out, "float %a %a %a %s\n", choice->as.real.value, choice->as.real.min,
                    choice->as.real.max, choice->as.real.nan ? "nan" : "-");
        break;
    case CHOICE_TEXT:
        strbuf_adds(out, "text ");
        write_string(choice->as.text.value->data, choice->as.text.value->size, out);
        strbuf_addf(out, " %zu %zu ", choice->as.text.min_size, choice->as.text.max_size);
        if (choice->as.text.alphabet) {
            write_string(choice->as.text.alphabet->data, choice->as.text.alphabet->size, out);
        } else {
            strbuf_addc(out, '-');
        }
        strbuf_addc(out, '\n');
        break;
    case CHOICE_BYTES:
        strbuf_adds(out, "bytes =");
        for (size_t i = 0; i < choice->as.bytes.value->size; i++) {
            strbuf_addf(out, "%02x", (unsigned)choice->as.bytes.value->data[i]);
        }
        strbuf_addf(out, " %zu %zu\n", choice->as.bytes.min_size, choice->as.bytes.max_size);
        break;
    case CHOICE_REFERENCE:
        if (choice->as.reference.step == REFERENCE_BY_POSITION) {
            strbuf_adds(out, "ref - -");
        } else {
            strbuf_addf(out, "ref %u %u", choice->as.reference.step, choice->as.reference.output);
        }
        strbuf_addf(out, " %llu\n", (unsigned long long)choice->as.reference.position);
        break;
    }
}

static const char *const span_names[] = {
    [SPAN_ARGUMENT] = "arg", [SPAN_ITEM] = "item", [SPAN_OTHER] = "span"};

/* Spans are in the order in which they were opened, so they nest; spans that end are closed first.
 */
static void write_choices(const struct choices *choices, struct strbuf *out)
{
    enum { INDENT = 2 };
    size_t next_span = 0;
    size_t open_ends[256];
    size_t depth = 0;
    for (size_t i = 0; i <= choices->items.count; i++) {
        for (;;) {
            bool opens = next_span < choices->spans.count &&
                         choices->spans.items[next_span].start == i && depth < 256;
            bool closes = depth > 0 && open_ends[depth - 1] == i &&
                          !(opens && choices->spans.items[next_span].end == i &&
                            choices->spans.items[next_span].kind != SPAN_ARGUMENT);
            if (closes) {
                depth--;
                strbuf_fill(out, ' ', INDENT * (depth + 1));
                strbuf_adds(out, "end\n");
            } else if (opens) {
                const struct choice_span *span = &choices->spans.items[next_span++];
                strbuf_fill(out, ' ', INDENT * (depth + 1));
                strbuf_addf(out, "%s\n", span_names[span->kind]);
                open_ends[depth++] = span->end;
            } else {
                break;
            }
        }
        if (i < choices->items.count) {
            strbuf_fill(out, ' ', INDENT * (depth + 1));
            write_choice(&choices->items.items[i], out);
        }
    }
}

static const struct rule *rule_of(const struct machine *machine, const struct trace_step *step)
{
    assert(step->rule < (step->initialize ? machine->initialize.count : machine->rules.count));
    return step->initialize ? &machine->initialize.items[step->rule]
                            : &machine->rules.items[step->rule];
}

static const char *const act_words[] = {[TRACE_YIELD] = "switch", [TRACE_TIME_OUT] = "timeout"};
static const char *const gate_words[] = {
    [TRACE_GATE_WRITE] = "", [TRACE_GATE_ROW] = "row", [TRACE_GATE_BODY] = "body"};

static void write_schedule(const struct trace_schedule *schedule, struct strbuf *out)
{
    if (schedule->order[0]) {
        strbuf_adds(out, "order");
        for (size_t i = 0; i < TRACE_SESSIONS_MAX && schedule->order[i]; i++) {
            strbuf_addf(out, " %u", schedule->order[i]);
        }
        strbuf_addc(out, '\n');
    }
    for (size_t i = 0; i < schedule->switches.count; i++) {
        const struct trace_switch *to = &schedule->switches.items[i];
        strbuf_addf(out, "%s %u %u %u", act_words[to->act], to->step, to->call, to->crossing);
        if (to->nth) {
            strbuf_addf(out, " %s %u", gate_words[to->gate], to->nth);
        }
        strbuf_addc(out, '\n');
    }
}

static const char *const death_words[DEATHS] = {
    [DEATH_BEFORE] = "before", [DEATH_AFTER] = "after", [DEATH_WITHIN] = "within"};

void trace_write(const struct machine *machine, const struct trace *trace, struct strbuf *out)
{
    for (size_t i = 0; i < trace->steps.count; i++) {
        const struct trace_step *step = &trace->steps.items[i];
        const struct rule *rule = rule_of(machine, step);
        strbuf_addf(out, "%s %u ", step->initialize ? "initialize" : "step", step->id);
        write_string(rule->name, strlen(rule->name), out);
        if (step->session) {
            strbuf_addf(out, " %u", step->session);
        }
        strbuf_addc(out, '\n');
        if (step->death) {
            strbuf_addf(out, "dies %s", death_words[step->death]);
            strbuf_addf(out, step->death == DEATH_WITHIN ? " %u\n" : "\n", step->gate);
        }
        if (step->again) {
            strbuf_addf(out, "again %u\n", step->again - 1);
        }
        write_choices(&step->choices, out);
    }
    write_schedule(&trace->schedule, out);
}

/* --- reading --- */

enum { WORDS_MAX = 6 };

struct reader {
    const struct machine *machine;
    const struct source *source;
    size_t at;   /* of the next line */
    size_t line; /* of the line that was read */
    enum trace_reading reading;
    struct arena *arena;
    struct error *err;
    const char *words[WORDS_MAX]; /* of the line; missing ones are "" */
    struct trace *trace;
    struct trace_step *step; /* the one being read; dropped if its rule is gone */
    struct trace_step gone;
    size_t step_line; /* where it begins */
    size_t open[256]; /* spans of the step that are open */
    size_t depth;
};

static bool refuse_line(const struct reader *reader, const char *what)
{
    return error_at(reader->err, ERROR_SYSTEM,
                    (struct source_pos){.source = reader->source, .offset = reader->line}, "%s",
                    what);
}

/* Splits the next line into words; false at the end of the text. */
static bool next_trace_line(struct reader *reader)
{
    const struct source *source = reader->source;
    if (reader->at >= source->size) {
        return false;
    }
    const char *start = source->text + reader->at;
    size_t size = strcspn(start, "\n");
    char *rest = arena_strndup(reader->arena, start, size);
    reader->line = reader->at;
    reader->at += size + 1;
    for (size_t i = 0; i < WORDS_MAX; i++) {
        const char *word = strtok_r(rest, " ", &rest);
        reader->words[i] = word ? word : "";
    }
    return true;
}

static bool word_is(const struct reader *reader, size_t index, const char *text)
{
    return strcmp(reader->words[index], text) == 0;
}

static bool word_int(const struct reader *reader, size_t index, int64_t *out)
{
    const char *word = reader->words[index];
    char *end;
    errno = 0;
    *out = strtoll(word, &end, 10);
    return *end == '\0' && end != word && errno == 0;
}

static bool word_size(const struct reader *reader, size_t index, size_t *out)
{
    int64_t number;
    bool good = word_int(reader, index, &number) && number >= 0;
    *out = good ? (size_t)number : 0;
    return good;
}

static bool word_float(const struct reader *reader, size_t index, double *out)
{
    char *end;
    *out = strtod(reader->words[index], &end);
    return *end == '\0' && end != reader->words[index];
}

/* The bytes of a word that starts with `=`, in the arena; NULL for other words. */
static char *word_string(const struct reader *reader, size_t index, size_t *size)
{
    const char *word = reader->words[index];
    return *word == '=' ? text_unescape(word + 1, strlen(word + 1), reader->arena, size) : NULL;
}

static const struct string *read_string(const struct reader *reader, size_t index)
{
    size_t size;
    char *text = word_string(reader, index, &size);
    if (!text || memchr(text, '\0', size) || utf8_invalid_at(text, size) != size) {
        return NULL;
    }
    struct value value = value_string(reader->arena, text, size);
    return value.as.string;
}

static bool read_int(const struct reader *reader, struct choice *out)
{
    out->kind = CHOICE_INTEGER;
    return word_int(reader, 1, &out->as.integer.value) &&
           word_int(reader, 2, &out->as.integer.min) && word_int(reader, 3, &out->as.integer.max) &&
           word_int(reader, 4, &out->as.integer.toward) &&
           out->as.integer.min <= out->as.integer.toward &&
           out->as.integer.toward <= out->as.integer.max;
}

static bool read_float(const struct reader *reader, struct choice *out)
{
    out->kind = CHOICE_FLOAT;
    out->as.real.nan = word_is(reader, 4, "nan");
    return word_float(reader, 1, &out->as.real.value) && word_float(reader, 2, &out->as.real.min) &&
           word_float(reader, 3, &out->as.real.max);
}

static bool read_text_choice(const struct reader *reader, struct choice *out)
{
    out->kind = CHOICE_TEXT;
    out->as.text.value = read_string(reader, 1);
    out->as.text.alphabet = word_is(reader, 4, "-") ? NULL : read_string(reader, 4);
    return out->as.text.value && (out->as.text.alphabet || word_is(reader, 4, "-")) &&
           word_size(reader, 2, &out->as.text.min_size) &&
           word_size(reader, 3, &out->as.text.max_size) &&
           out->as.text.value->length >= out->as.text.min_size;
}

static bool read_bytes(const struct reader *reader, struct choice *out)
{
    size_t size = strlen(reader->words[1]) / 2; /* behind the `=` */
    struct bytes *bytes = arena_zalloc(reader->arena, sizeof *bytes + size);
    bytes->size = size;
    for (size_t i = 0; i < size; i++) {
        int byte = hex_byte(reader->words[1] + 1 + 2 * i, 2);
        if (byte < 0) {
            return false;
        }
        bytes->data[i] = (unsigned char)byte;
    }
    out->kind = CHOICE_BYTES;
    out->as.bytes.value = bytes;
    return word_size(reader, 2, &out->as.bytes.min_size) &&
           word_size(reader, 3, &out->as.bytes.max_size) && size >= out->as.bytes.min_size;
}

static bool read_reference(const struct reader *reader, struct choice *out)
{
    size_t step = REFERENCE_BY_POSITION;
    size_t output = 0;
    size_t position;
    bool by_position = word_is(reader, 1, "-");
    out->kind = CHOICE_REFERENCE;
    if (!word_size(reader, 3, &position) ||
        (!by_position && (!word_size(reader, 1, &step) || !word_size(reader, 2, &output))) ||
        step > UINT32_MAX || output > UINT32_MAX) {
        return false;
    }
    out->as.reference = (struct reference){
        .step = (uint32_t)step, .output = (uint32_t)output, .position = position};
    return true;
}

static const struct {
    const char *word;
    bool (*read)(const struct reader *reader, struct choice *out);
} choice_readers[] = {{"int", read_int},
                      {"float", read_float},
                      {"text", read_text_choice},
                      {"bytes", read_bytes},
                      {"ref", read_reference}};

static bool find_rule(const struct machine *machine, bool initialize, const char *name, size_t *out)
{
    *out = initialize ? name_index(name, ROWS_OF(machine->initialize, name))
                      : name_index(name, ROWS_OF(machine->rules, name));
    return *out < (initialize ? machine->initialize.count : machine->rules.count);
}

/* Refuses a step because the machine has changed since the trace was written. */
__attribute__((format(printf, 2, 3))) static bool refuse_changed(const struct reader *reader,
                                                                 const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)error_vat(reader->err, ERROR_MACHINE,
                    (struct source_pos){.source = reader->source, .offset = reader->step_line},
                    format, args);
    va_end(args);
    return error_hint(reader->err,
                      "the machine has changed since the trace was written; `pgfsm run` runs "
                      "what is left of it, or you can delete the file");
}

/* True if the step has a span for each argument that its rule draws now. */
static bool step_fits(const struct reader *reader)
{
    const struct trace_step *step = reader->step;
    if (reader->reading == TRACE_AS_FAR || !step) {
        return true;
    }
    const struct rule *rule = rule_of(reader->machine, step);
    size_t count = 0;
    for (size_t i = 0; i < step->choices.spans.count; i++) {
        count += step->choices.spans.items[i].kind == SPAN_ARGUMENT;
    }
    return count == rule->args.count ||
           refuse_changed(reader, "%s has %zu argument%s here, and %zu in the machine", rule->name,
                          count, plural(count), rule->args.count);
}

static bool read_step(struct reader *reader, bool initialize)
{
    size_t id;
    size_t rule;
    size_t session = 0;
    const char *name = word_string(reader, 2, NULL);
    if (!step_fits(reader)) {
        return false;
    }
    if (!name || !word_size(reader, 1, &id) || id >= UINT32_MAX || reader->depth > 0 ||
        (!word_is(reader, 3, "") && !word_size(reader, 3, &session)) ||
        session > TRACE_SESSIONS_MAX) {
        return refuse_line(reader, "not a step: expected a number and a rule");
    }
    bool known = find_rule(reader->machine, initialize, name, &rule);
    reader->step_line = reader->line;
    if (!known && reader->reading == TRACE_WHOLE) {
        return refuse_changed(reader, "the machine %s has no %s%s", reader->machine->name,
                              initialize ? "initialize step " : "rule ", name);
    }
    reader->gone = (struct trace_step){0};
    reader->step = known ? VEC_PUSH(reader->arena, &reader->trace->steps) : &reader->gone;
    reader->step->id = (uint32_t)id;
    reader->step->initialize = initialize;
    reader->step->session = (unsigned char)session;
    reader->step->rule = known ? rule : 0;
    return true;
}

/* Reads `arg`, `item`, `span` and `end`; *done becomes true if the line was one of them. */
static bool read_span(struct reader *reader, bool *done)
{
    struct choices *choices = &reader->step->choices;
    *done = true;
    if (word_is(reader, 0, "end")) {
        if (reader->depth == 0) {
            return refuse_line(reader, "an end without a beginning");
        }
        choices->spans.items[reader->open[--reader->depth]].end = choices->items.count;
        return true;
    }
    size_t kind = name_index(reader->words[0], NAMES_IN(span_names));
    *done = kind < sizeof span_names / sizeof *span_names;
    if (!*done) {
        return true;
    }
    if (reader->depth == sizeof reader->open / sizeof reader->open[0]) {
        return refuse_line(reader, "nested too deeply");
    }
    reader->open[reader->depth++] = choices->spans.count;
    *VEC_PUSH(reader->arena, &choices->spans) =
        (struct choice_span){.kind = (enum span_kind)kind, .start = choices->items.count};
    return true;
}

static bool read_choice(struct reader *reader)
{
    size_t kind = name_index(reader->words[0], ROWS_IN(choice_readers, word));
    struct choice choice = {0};
    if (kind == sizeof choice_readers / sizeof *choice_readers) {
        return refuse_line(reader, "not a line of a trace");
    }
    if (!choice_readers[kind].read(reader, &choice)) {
        return refuse_line(reader, "a choice that can't be read");
    }
    *VEC_PUSH(reader->arena, &reader->step->choices.items) = choice;
    return true;
}

/* Reads the order, which must have each session once. */
static bool read_order(struct reader *reader)
{
    struct trace_schedule *schedule = &reader->trace->schedule;
    unsigned seen = 0;
    if (schedule->order[0]) {
        return refuse_line(reader, "a second order of sessions");
    }
    for (size_t i = 0; i < TRACE_SESSIONS_MAX && !word_is(reader, i + 1, ""); i++) {
        size_t session;
        if (!word_size(reader, i + 1, &session) || session < 1 || session > TRACE_SESSIONS_MAX ||
            (seen & 1U << session)) {
            return refuse_line(reader, "not an order of sessions");
        }
        seen |= 1U << session;
        schedule->order[i] = (unsigned char)session;
    }
    return true;
}

static bool read_point(struct reader *reader, enum trace_act act)
{
    size_t words[3];
    for (size_t i = 0; i < 3; i++) {
        if (!word_size(reader, i + 1, &words[i]) || words[i] > UINT32_MAX) {
            return refuse_line(reader, "not a switch: expected a step, a statement and a crossing");
        }
    }
    struct trace_switch *to = VEC_PUSH(reader->arena, &reader->trace->schedule.switches);
    *to = (struct trace_switch){(uint32_t)words[0], (uint32_t)words[1], (uint32_t)words[2],
                                .act = act};
    if (!word_is(reader, 4, "")) {
        size_t gate = name_index(reader->words[4], NAMES_IN(gate_words));
        size_t nth;
        if (gate == sizeof gate_words / sizeof *gate_words || !word_size(reader, 5, &nth) ||
            nth < 1 || nth > UINT32_MAX) {
            return refuse_line(reader, "not a switch: expected a kind of gate, and a number of it");
        }
        to->gate = (enum trace_gate)gate;
        to->nth = (uint32_t)nth;
    }
    return true;
}

static bool read_death(struct reader *reader)
{
    size_t gate = 0;
    for (size_t i = DEATH_BEFORE; i < DEATHS; i++) {
        if (word_is(reader, 1, death_words[i]) &&
            (i != DEATH_WITHIN ||
             (word_size(reader, 2, &gate) && gate > 0 && gate <= UINT32_MAX))) {
            reader->step->death = (enum trace_death)i;
            reader->step->gate = (uint32_t)gate;
            return true;
        }
    }
    return refuse_line(reader, "not a death: expected before, after, or within and a gate");
}

static bool read_again(struct reader *reader)
{
    size_t id;
    if (!word_size(reader, 1, &id) || id >= UINT32_MAX) {
        return refuse_line(reader, "not a step that is repeated: expected its number");
    }
    reader->step->again = (uint32_t)id + 1;
    return true;
}

static bool read_line(struct reader *reader)
{
    if (word_is(reader, 0, "")) {
        return true;
    }
    if (word_is(reader, 0, "step") || word_is(reader, 0, "initialize")) {
        return read_step(reader, word_is(reader, 0, "initialize"));
    }
    if (word_is(reader, 0, "order")) {
        return read_order(reader);
    }
    for (size_t act = 0; act < sizeof act_words / sizeof *act_words; act++) {
        if (word_is(reader, 0, act_words[act])) {
            return read_point(reader, (enum trace_act)act);
        }
    }
    if (!reader->step) {
        return refuse_line(reader, "a choice before the first step");
    }
    if (word_is(reader, 0, "dies")) {
        return read_death(reader);
    }
    if (word_is(reader, 0, "again")) {
        return read_again(reader);
    }
    bool done;
    return read_span(reader, &done) && (done || read_choice(reader));
}

bool trace_read(const struct machine *machine, const struct source *source, size_t offset,
                enum trace_reading reading, struct arena *arena, struct trace *out,
                struct error *err)
{
    assert(offset <= source->size);
    *out = (struct trace){0};
    struct reader reader = {.machine = machine,
                            .source = source,
                            .at = offset,
                            .reading = reading,
                            .arena = arena,
                            .err = err,
                            .trace = out};
    while (next_trace_line(&reader)) {
        if (!read_line(&reader)) {
            return false;
        }
    }
    return (reader.depth == 0 || refuse_line(&reader, "the text ends in the middle of a step")) &&
           step_fits(&reader);
}
