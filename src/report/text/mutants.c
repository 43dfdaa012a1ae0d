/* What became of mutants: a line with the score, then what survived, and what would kill it. */
#include "mutate/cause.h"
#include "report/text/text.h"

#include <string.h>

enum { WIDTH = 80 /* where that of the terminal is not known */, INDENT = 2 };

static void fold(struct text *text, size_t start, size_t indent)
{
    struct report_options options = *text->options;
    struct text folded = *text;
    options.width = options.width ? options.width : WIDTH;
    folded.options = &options;
    text_fold(&folded, start, indent);
}

/* What goes on behind the end of an indented line stands further to the right. */
static void write_lines(struct text *text, const char *lines)
{
    while (*lines) {
        size_t size = strcspn(lines, "\n");
        size_t blank = strspn(lines, " ");
        size_t start = text->out->size;
        text_addf(text, "%*s%.*s\n", INDENT, "", (int)size, lines);
        fold(text, start, INDENT + blank + (blank ? 4 : 0));
        lines += size + (lines[size] == '\n');
    }
}

/* The changed statement, with what it was and what it becomes in marks. */
static void write_change(struct text *text, const struct mutant *mutant)
{
    const struct change *change = &mutant->change;
    struct arena *arena = &text->scratch;
    struct strbuf out = {0};
    strbuf_adds(&out, change_head(change, arena));
    if (change->removed) {
        strbuf_addf(&out, "[- %.*s -]", (int)change->removed, change->text + change->at);
    }
    if (*change->added) {
        strbuf_addf(&out, "{+ %s +}", change->added);
    }
    strbuf_adds(&out, change_tail(change, arena));
    write_lines(text, strbuf_text(&out));
    strbuf_free(&out);
}

const char *text_mutant_place(const struct mutant *mutant, struct arena *arena)
{
    struct source_pos pos = mutant->statement.source ? mutant->statement : mutant->pos;
    return pos.source ? arena_printf(arena, "%s:%zu", show_name(arena, pos.source->name),
                                     source_place(pos).line)
                      : NULL;
}

/* Ends a heading with the place of the first. */
static void write_place(struct text *text, const struct mutant *mutant, size_t start)
{
    const char *place = text_mutant_place(mutant, &text->scratch);
    text_addf(text, "%s%s\n", place ? "  " : "", place ? place : "");
    fold(text, start, INDENT);
}

/* `object`: NULL if a heading has it. */
static void write_survivor(struct text *text, const struct mutant *mutant, const char *object)
{
    size_t start = text->out->size;
    text_paint(text, PAINT_WARN, "survived");
    text_addf(text, "  %s  %s", mutant->id, mutant->operator);
    if (object) {
        text_addf(text, "  %s", object);
        write_place(text, mutant, start);
    } else {
        strbuf_addc(text->out, '\n');
    }
    write_change(text, mutant);
}

/* The lines that accept all that are like this one, some ids a line. */
static void write_accepted(struct text *text, const struct mutant *mutant)
{
    enum { IDS = 4 };
    const char *title = "accept it";
    while (mutant) {
        const char *ids = mutant->id;
        for (int i = 1; i < IDS && (mutant = mutant_like(text->run->mutation, mutant)); i++) {
            ids = arena_printf(&text->scratch, "%s %s", ids, mutant->id);
        }
        mutant = mutant ? mutant_like(text->run->mutation, mutant) : NULL;
        text_addf(text, "  %-9s  %s: REASON%s\n", title, ids, *title ? ", under mutants:" : "");
        title = "";
    }
}

/* A rule that kills some of them: each once, with the ids. */
static void write_rules(struct text *text, const struct mutant *first)
{
    struct arena *arena = &text->scratch;
    const char *told = NULL;
    for (const struct mutant *one = first; one; one = mutant_like(text->run->mutation, one)) {
        if (!one->rule || (told && strcmp(told, one->rule) == 0)) {
            continue;
        }
        const char *ids = "";
        told = one->rule;
        for (const struct mutant *other = one; other;
             other = mutant_like(text->run->mutation, other)) {
            if (other->rule && strcmp(other->rule, told) == 0) {
                ids = arena_printf(arena, "%s%s%s", ids, *ids ? ", " : "", other->id);
            }
        }
        write_lines(text,
                    arena_printf(arena, "%s that kills %s:",
                                 strcmp(one->rule_kind, "rule") == 0 ? "A rule" : "An invariant",
                                 ids));
        for (const char *line = told; *line; line += strcspn(line, "\n") + 1) {
            text_addf(text, "      %.*s\n", (int)strcspn(line, "\n"), line);
        }
    }
}

/* Where a word of a command ends, as a shell reads it. */
static const char *word_end(const char *word)
{
    bool quoted = false;
    while (*word && (quoted || *word != ' ')) {
        quoted ^= *word == '\'';
        word++;
    }
    return word;
}

/* The command of the run, for one mutant: without what says which mutants, and how many examples.
 */
const char *text_kill_command(const struct report_run *run, const char *id, struct arena *arena)
{
    static const char *const others[] = {"--only", "--examples", "--min-score"};
    const char *again = run->again;
    struct strbuf out = {0};
    if (!again || !strstr(again, " mutate ")) {
        return arena_printf(arena, "pgfsm mutate %s --kill %s", run->path, id);
    }
    while (*again) {
        const char *end = word_end(again);
        size_t size = (size_t)(end - again);
        bool left_out = false;
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            left_out = left_out || (size == strlen(others[i]) && !strncmp(again, others[i], size));
        }
        if (left_out) {
            end = word_end(end + (*end == ' '));
        } else {
            strbuf_add(&out, again, size);
            strbuf_addc(&out, ' ');
        }
        again = end + (*end == ' ');
    }
    strbuf_addf(&out, "--kill %s", id);
    return strbuf_take(&out, arena);
}

static void write_advice(struct text *text, const struct mutant *first)
{
    bool open = false; /* whether nothing kills some of them */
    for (const struct mutant *one = first; one; one = mutant_like(text->run->mutation, one)) {
        open = open || !one->rule;
    }
    if (first->cause) {
        write_lines(text, arena_printf(&text->scratch, "%s%s%s", first->cause, open ? " " : "",
                                       open ? first->remedy : ""));
    }
    write_rules(text, first);
    text_addf(text, "  try it     %s\n", text_kill_command(text->run, first->id, &text->scratch));
    write_accepted(text, first);
}

/* "6 faults of policy own on members, 1 cause", with the place. */
static void write_heading(struct text *text, const struct mutant *first, size_t count)
{
    struct arena *arena = &text->scratch;
    size_t start = text->out->size;
    text_paint(text, PAINT_WARN,
               show_name(arena, arena_printf(arena, "%zu faults of %s, 1 cause", count,
                                             mutant_object(first, arena))));
    write_place(text, first, start);
}

void text_survivors(struct text *text, const struct mutant *first)
{
    const struct mutation *mutation = text->run->mutation;
    size_t count = 0;
    for (const struct mutant *one = first; one; one = mutant_like(mutation, one)) {
        count++;
    }
    if (count == 1) {
        write_survivor(text, first, mutant_object(first, &text->scratch));
    } else {
        write_heading(text, first, count);
        for (const struct mutant *one = first; one; one = mutant_like(mutation, one)) {
            write_survivor(text, one, NULL);
        }
    }
    write_advice(text, first);
}

/* "2 of 3 planted faults found": of those that could be planted. Returns what comes between it and
 * more. */
static const char *write_found(struct text *text, size_t planted)
{
    const size_t *counts = text->run->mutation->counts;
    if (planted == 0) {
        strbuf_adds(text->out, "no fault can be planted in this schema");
    } else {
        text_addf(text, "%zu of %zu planted faults found", counts[VERDICT_KILLED], planted);
    }
    return ", ";
}

/* ": 121 killed, 20 survived", with the survivors in amber. */
static void write_verdicts(struct text *text, const char *between, size_t from)
{
    static const enum verdict order[] = {VERDICT_KILLED,     VERDICT_SURVIVED, VERDICT_ACCEPTED,
                                         VERDICT_TIMED_OUT,  VERDICT_BROKE,    VERDICT_STILLBORN,
                                         VERDICT_EQUIVALENT, VERDICT_NONE};
    const size_t *counts = text->run->mutation->counts;
    for (size_t i = from; i < sizeof order / sizeof *order; i++) {
        if (counts[order[i]]) {
            const char *count =
                arena_printf(&text->scratch, "%zu %s", counts[order[i]], verdict_names[order[i]]);
            strbuf_adds(text->out, between);
            if (order[i] == VERDICT_SURVIVED) {
                text_paint(text, PAINT_WARN, count);
            } else {
                strbuf_adds(text->out, count);
            }
            between = ", ";
        }
    }
}

/* "; score 85.8 % of 141 graded, 9.31 s" */
static void write_score(struct text *text)
{
    const struct mutation *mutation = text->run->mutation;
    double score = mutation->drawn ? -1 : mutation_score(mutation);
    if (score >= 0) {
        text_addf(text, "; score %.1f %% of %zu graded", score, mutation_graded(mutation));
    }
    text_addf(text, ", %s", show_duration(&text->scratch, mutation->time_us));
}

/* "mutants  membership  152: 121 killed, 20 survived, 11 stillborn; score 85.8 % of 141 graded,
 * 9.31 s", or of a few that were drawn "mutants  membership  3 of 3 planted faults found, 0.11 s"
 */
static void write_counts(struct text *text)
{
    const struct mutation *mutation = text->run->mutation;
    const size_t *counts = mutation->counts;
    const char *between = ": ";
    size_t start = text->out->size;
    text_addf(text, "mutants  %s  ", text->run->machine->name);
    if (mutation->partial && mutation->mutants.count == 0) {
        strbuf_adds(text->out, "none in this shard");
    } else if (mutation->drawn) {
        between = write_found(text, mutation->mutants.count - counts[VERDICT_STILLBORN] -
                                        counts[VERDICT_NONE]);
    } else {
        text_addf(text, "%zu", mutation->mutants.count);
    }
    write_verdicts(text, between, mutation->drawn);
    if (mutation->mutants.count == 0 && !mutation->drawn && !mutation->partial) {
        strbuf_adds(text->out, ": the schema has none, or none that --only and --changed ask for");
    }
    write_score(text);
    if (counts[VERDICT_NONE] && !mutation->listed && text->run->stopped == ERROR_NONE) {
        strbuf_adds(text->out, "; ");
        text_paint(text, PAINT_WARN, "the time was up");
    }
    strbuf_addc(text->out, '\n');
    fold(text, start, INDENT);
}

/* What has to be looked at beside survivors, a line each. */
static void write_others(struct text *text)
{
    const struct mutation *mutation = text->run->mutation;
    for (size_t i = 0; i < mutation->mutants.count; i++) {
        const struct mutant *mutant = &mutation->mutants.items[i];
        bool failed = mutant->verdict == VERDICT_BROKE || mutant->verdict == VERDICT_TIMED_OUT;
        bool all = text->options->whole && mutant->verdict != VERDICT_SURVIVED;
        if (failed || all) {
            const char *object = show_name(&text->scratch, mutant->object);
            const char *by = show_name(&text->scratch, mutant->by ? mutant->by : "");
            text_warn(text, verdict_names[mutant->verdict], "%s  %s  %s%s%s", mutant->id,
                      mutant->operator, object, *by ? ": " : "", by);
        }
    }
}

void text_accepted(struct text *text)
{
    const struct mutation *mutation = text->run->mutation;
    for (size_t i = 0; mutation && i < mutation->mutants.count; i++) {
        const struct mutant *mutant = &mutation->mutants.items[i];
        if (mutant->verdict == VERDICT_KILLED && mutant->reason) {
            text_warn(text, "killed", "%s  %s  %s, though `mutants` accepts it", mutant->id,
                      mutant->operator, mutant->object);
        }
    }
    for (size_t i = 0; mutation && i < mutation->gone.count; i++) {
        text_warn(text, "gone", "%s, which `mutants` accepts: the schema has no such mutant",
                  mutation->gone.items[i]);
    }
}

void text_mutants(struct text *text)
{
    const struct mutation *mutation = text->run->mutation;
    if (!mutation) {
        return;
    }
    write_counts(text);
    for (size_t i = 0; i < mutation->mutants.count; i++) {
        const struct mutant *mutant = &mutation->mutants.items[i];
        if (mutation->listed) {
            text_addf(text, "%s  %s  %s\n", mutant->id, mutant->operator, mutant->object);
            write_change(text, mutant);
        } else if (mutant->verdict == VERDICT_SURVIVED && mutant_leads(mutation, mutant)) {
            strbuf_addc(text->out, '\n');
            text_survivors(text, mutant);
        }
    }
    write_others(text);
    text_accepted(text);
}
