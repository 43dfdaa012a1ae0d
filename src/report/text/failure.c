#include "report/text/block.h"
#include "report/text/race.h"

#include "base/shell.h"
#include "example/divergence.h"
#include "report/alike.h"
#include "report/race.h"
#include "report/sentence.h"

#include <inttypes.h>
#include <string.h>

static void write_headline(struct block *block)
{
    struct text *text = block->text;
    size_t start = text->out->size;
    const char *word = block->failure->flaky        ? "FLAKY"
                       : block->failure->divergence ? "DIFFERS"
                                                    : "FAIL";
    text_paint(text, PAINT_BAD, word);
    text_addf(text, "  %s  %s\n", text->run->machine->name,
              sentence(&text->scratch, text->run->machine, block->failure));
    text_fold(text, start, block->failure->divergence ? 9 : 6);
}

static void write_mistakes(struct text *text, const struct shrinking *shrinking)
{
    if (shrinking->mistakes) {
        text_addf(text, "\n  %s of the runs ran into a mistake in the model: %s",
                  show_count(&text->scratch, shrinking->mistakes), shrinking->mistake);
    }
}

static void write_shrinking(struct text *text, const struct failure *failure)
{
    const struct shrinking *shrinking = &failure->shrinking;
    struct arena *arena = &text->scratch;
    if (shrinking->executions == 0) {
        if (shrinking->cut_short) {
            text_addf(text, "\n  not shrunk: %s", shrinking->cut_short);
        }
        if (shrinking->by) {
            text_addf(text, "; %s shrank it to %s", shrinking->by,
                      show_counted(arena, failure->step, "step"));
        }
        return;
    }
    text_addf(text, "; shrunk to %s in %s (%s), %s", show_counted(arena, failure->step, "step"),
              show_counted(arena, shrinking->executions, "run"),
              show_counted(arena, shrinking->steps, "step"),
              show_duration(arena, shrinking->time_us));
    if (shrinking->cut_short) {
        text_addf(text, "\n  %s: this is the shortest so far", shrinking->cut_short);
    }
}

/* Where it does not fail every time, or not by itself. */
static void write_doubts(struct text *text, const struct failure *failure)
{
    if (failure->flaky) {
        text_addf(text,
                  "\n"
                  "  it did not fail in the same way when it was run again%s%s\n",
                  failure->flaky_difference ? ": " : "",
                  failure->flaky_difference ? failure->flaky_difference : "");
        strbuf_adds(text->out,
                    "  usual causes: the clock, random(), a sequence's value in the result, rows "
                    "without ORDER BY\n");
    } else if (failure->leftover) {
        strbuf_adds(text->out,
                    "\n"
                    "  it did not fail on a new connection: it depends on something that an "
                    "earlier example left behind\n"
                    "  and no rollback removes: a sequence's value, currval(), an advisory lock, a "
                    "custom setting (''\n"
                    "  where it was NULL), a prepared statement; let `initialize` reset it\n");
    }
}

static void write_found(struct text *text, const struct failure *failure)
{
    if (failure->pinned) {
        text_addf(text, "\n  pinned example '%s'", failure->pinned->name);
        if (failure->shorter) {
            write_mistakes(text, &failure->shorter->shrinking);
        }
        strbuf_addc(text->out, '\n');
        return;
    }
    if (!failure->example) {
        strbuf_addf(text->out, "\n  found in initialize, before the first example, seed %" PRIu64,
                    failure->stored ? failure->seed : text->run->result->seed);
    } else if (failure->stored) {
        strbuf_addf(text->out, "\n  found in example %" PRIu64 " of an earlier run, seed %" PRIu64,
                    failure->example, failure->seed);
    } else {
        text_addf(text, "\n  found in example %" PRIu64 " (%s), seed %" PRIu64, failure->example,
                  show_counted(&text->scratch, failure->example_steps, "step"),
                  text->run->result->seed);
    }
    write_shrinking(text, failure);
    write_mistakes(text, &failure->shrinking);
    strbuf_addc(text->out, '\n');
}

/* "line", "two lines", "13 lines" */
static const char *lines_text(struct arena *arena, size_t count)
{
    static const char *const words[] = {"two",   "three", "four", "five",   "six",   "seven",
                                        "eight", "nine",  "ten",  "eleven", "twelve"};
    return count == 1
               ? "line"
               : arena_printf(arena, "%s lines",
                              count - 2 < sizeof words / sizeof *words ? words[count - 2]
                                                                       : show_count(arena, count));
}

/* How to keep the sequence: a stored one by its name; the lines of any other can be pasted. */
static void write_pin(struct block *block, bool whole)
{
    const struct failure *failure = block->failure;
    struct text *text = block->text;
    const struct delivery *delivery = report_delivery(text->run, failure);
    if (failure->pinned || failure->flaky || failure->leftover || !failure->pinnable) {
        return;
    }
    if (delivery->trace) {
        text_addf(text, "  pin      %s %s\n", text->options->pin ? text->options->pin : "pgfsm pin",
                  delivery->name);
        return;
    }
    text_addf(text, "  pin      the %s %s, under examples: in %s\n",
              lines_text(&text->scratch, failure->steps.count), whole ? "above" : "that -v shows",
              text->run->machine->path);
}

static void write_shorter(struct block *block)
{
    const struct failure *shorter = block->failure->shorter;
    if (shorter) {
        bool fewer = shorter->steps.count < block->failure->steps.count;
        struct show_names names = block->names;
        block->names = (struct show_names){0};
        show_names_collect(&block->names, &block->text->scratch, shorter);
        strbuf_addf(block->text->out, "\n  a %s form:\n", fewer ? "shorter" : "simpler");
        (void)block_steps(block, shorter);
        block->names = names;
    }
}

/* What else a race is written as. */
static const char *others_of(const struct delivery *delivery)
{
    return !delivery->spec   ? ""
           : delivery->trace ? "   (also .spec for isolationtester, .trace)"
                             : "   (also .spec for isolationtester)";
}

static void write_note(struct text *text, const char *head, const char *note)
{
    size_t start = text->out->size;
    text_addf(text, "           %s%s\n", head, note);
    text_fold(text, start, strlen("           "));
}

static void write_replay(struct text *text, const struct failure *failure)
{
    const struct delivery *delivery = report_delivery(text->run, failure);
    const char *command = report_replay(text->run, text->options, failure, &text->scratch);
    const char *no_script = failure->flaky || failure->leftover ? NULL : delivery->no_script;
    if (command) {
        text_addf(text, "  replay   %s%s\n", command, others_of(delivery));
    } else if (no_script) {
        text_addf(text, "  replay   no script: %s\n", no_script);
    }
    if (delivery->script && delivery->note && !failure->race) {
        write_note(text, "", delivery->note);
    } else if (command && !delivery->script && no_script) {
        write_note(text, "no script: ", no_script);
    }
}

/* The command that repeats the run; of a failure that another run found, with that one's seed. */
static const char *again_for(struct text *text, const struct failure *failure)
{
    const char *again = text->run->again;
    const char *seed = arena_printf(&text->scratch, " --seed %" PRIu64, text->run->result->seed);
    size_t size = again ? strlen(again) : 0;
    if (!again || !failure->stored || size < strlen(seed) ||
        strcmp(again + size - strlen(seed), seed) != 0) {
        return again;
    }
    return arena_printf(&text->scratch, "%.*s --seed %" PRIu64, (int)(size - strlen(seed)), again,
                        failure->seed);
}

/* Where to see what happened step by step. */
static void write_page(struct text *text, const struct failure *failure)
{
    const struct report_options *options = text->options;
    const struct delivery *delivery = report_delivery(text->run, failure);
    if (options->page) {
        text_addf(text, "  page     %s\n", options->page);
    } else if (options->show && delivery->trace && !failure->flaky && !failure->leftover &&
               failure->kind != FAILURE_CONNECTION && failure->kind != FAILURE_DIFFERS) {
        struct strbuf name = {0};
        shell_quote(&name, delivery->name);
        text_addf(text, "  page     %s %s\n", options->show, strbuf_text(&name));
        strbuf_free(&name);
    }
}

static void write_stated(struct text *text, const struct failure *failure)
{
    if (failure->pos.source && !text->options->unsaved) {
        text_addf(text, "  stated   %s:%zu\n", failure->pos.source->name,
                  source_place(failure->pos).line);
    }
}

/* `stated`: NULL if the block has said where. */
static void write_origin(struct block *block,
                         void (*stated)(struct text *text, const struct failure *failure))
{
    const struct failure *failure = block->failure;
    struct text *text = block->text;
    size_t start = text->out->size;
    write_doubts(text, failure);
    write_found(text, failure);
    text_fold(text, start, 4);
    write_replay(text, failure);
    write_page(text, failure);
    if (stated) {
        stated(text, failure);
    }
    const char *again = again_for(text, failure);
    if (again) {
        text_addf(text, "  again    %s\n", again);
    }
}

/* What could not be written is not lost. */
static void write_unwritten(struct text *text, const struct failure *failure)
{
    const struct unwritten *script = &report_delivery(text->run, failure)->unwritten;
    if (script->text) {
        text_addf(text,
                  "\n"
                  "  save this script as %s in the folder that you ran pgfsm in:\n"
                  "\n",
                  script->name);
        text_addf(text, "%s", script->text);
    }
}

/* Whether the invariant has a line of its own among those shown with `failure`. */
static bool has_own_line(const struct run_result *result, const struct failure *failure,
                         const struct invariant *invariant)
{
    for (size_t i = 0; i < result->failures.count; i++) {
        const struct failure *other = &result->failures.items[i];
        if (other->invariant == invariant && alike_head(result, other) == failure) {
            return true;
        }
    }
    return false;
}

/* "  also     fails: invariant totals, invariant owners" */
static void write_also(struct text *text, const struct failure *failure)
{
    const char *before = "  also     fails: ";
    size_t start = text->out->size;
    for (size_t i = 0; i < failure->also.count; i++) {
        const struct invariant *other = failure->also.items[i];
        if (!has_own_line(text->run->result, failure, other)) {
            text_addf(text, "%sinvariant %s", before, other->name);
            before = ", ";
        }
    }
    strbuf_adds(text->out, *before == ',' ? "\n" : "");
    text_fold(text, start, TEXT_HANG);
}

/* Of a difference that every use shows, where else the run met it. */
static void write_elsewhere(struct text *text, const struct failure *failure)
{
    enum { NAMED_MAX = 12 };
    size_t start = text->out->size;
    size_t count = failure->elsewhere.count;
    size_t most = text->options->whole || count <= NAMED_MAX + 1 ? count : NAMED_MAX;
    for (size_t i = 0; i < most; i++) {
        text_addf(text, "%s%s", i ? ", " : "  also     shows in: ",
                  show_name(&text->scratch, failure->elsewhere.items[i]));
    }
    if (most < count) {
        text_addf(text, " and %zu more", count - most);
    }
    strbuf_adds(text->out, count ? "\n" : "");
    text_fold(text, start, TEXT_HANG);
}

/* What fails in the same steps, most likely for the same reason: a line each. */
static void write_alike(struct text *text, const struct failure *failure)
{
    const struct run_result *result = text->run->result;
    for (size_t i = 0; i < result->failures.count; i++) {
        const struct failure *other = &result->failures.items[i];
        if (other != failure && alike_head(result, other) == failure) {
            size_t start = text->out->size;
            if (other->divergence) {
                text_addf(text, "  also     differs: %s\n", text_summary(text, other));
            } else {
                text_addf(text, "  also     fails with these steps: %s\n", other->identity);
            }
            text_fold(text, start, TEXT_HANG);
            write_replay(text, other);
            write_unwritten(text, other);
        }
    }
}

bool text_failure_alone(const struct text *text, const struct failure *failure)
{
    return alike_head(text->run->result, failure) == failure;
}

void text_failure(struct text *text, const struct failure *failure)
{
    struct block block = {.text = text, .failure = failure};
    show_names_collect(&block.names, &text->scratch, failure);
    write_headline(&block);
    if (failure->race) {
        struct failure before = *failure;
        before.steps.count -= failure->race->steps.count;
        (void)block_steps(&block, &before);
        race_write(&block);
        write_origin(&block, write_stated);
        write_unwritten(text, failure);
        return;
    }
    bool whole = block_steps(&block, failure);
    if (failure->sql || failure->expected || failure->actual || failure->error.sqlstate[0]) {
        strbuf_addc(text->out, '\n');
    }
    block_comparison(&block);
    bool why = block_why(&block);
    block_wrote(&block);
    write_shorter(&block);
    write_origin(&block, why ? NULL : write_stated);
    write_pin(&block, whole);
    write_also(text, failure);
    write_unwritten(text, failure);
    write_elsewhere(text, failure);
    write_alike(text, failure);
}

const char *text_summary(struct text *text, const struct failure *failure)
{
    return arena_printf(&text->scratch, "%s%s", failure->flaky ? "flaky: " : "",
                        sentence(&text->scratch, text->run->machine, failure));
}
