#include "report/block.h"

#include <inttypes.h>

enum {
    STEPS_SHOWN = 24, /* of a longer sequence: the first and the last ones */
    STEPS_FIRST = 4,
};

size_t block_limit(const struct block *block, size_t limit)
{
    return block->text->options->whole ? (size_t)SHOW_ALL : limit;
}

static const char *const kind_words[] = {
    [FAILURE_INVARIANT] = "",
    [FAILURE_EXPECT] = ": not the expected answer",
    [FAILURE_CHECK] = ": check does not hold",
    [FAILURE_UNEXPECTED_ERROR] = ": an error that was not expected",
    [FAILURE_MISSING_ERROR] = ": an expected error did not come",
    [FAILURE_DIFFERENT_ERROR] = ": another error than expected",
    [FAILURE_TIMEOUT] = ": took too long",
    [FAILURE_CONNECTION] = ": the server went away",
};

static void write_fors(struct block *block)
{
    const struct failure *failure = block->failure;
    struct strbuf *out = block->text->out;
    for (size_t i = 0; i < failure->fors.count; i++) {
        const struct shown_arg *arg = &failure->fors.items[i];
        text_addf(block->text, "%s%s=", i ? ", " : " for ", arg->name);
        if (arg->reference) {
            show_text(out, NULL, arg->reference, SHOW_ALL);
        } else {
            show_value(out, &block->names, arg->value, BLOCK_VALUE_WIDTH);
        }
    }
}

/* "invariant editors for actor=users_1, after step 2", "rule read, step 4: …" */
static void write_headline(struct block *block)
{
    const struct failure *failure = block->failure;
    struct text *text = block->text;
    text_paint(text, PAINT_BAD, failure->flaky ? "FLAKY" : "FAIL");
    text_addf(text, "  %s  ", text->run->machine->name);
    if (failure->invariant) {
        text_addf(text, "invariant %s", failure->invariant->name);
        write_fors(block);
    } else if (failure->rule) {
        text_addf(text, "%s%s", failure->rule->initialize ? "" : "rule ", failure->rule->name);
    } else {
        strbuf_adds(text->out, "initialize");
    }
    if (failure->step) {
        strbuf_addf(text->out, failure->invariant ? ", after step %zu" : ", step %zu",
                    failure->step);
    } else if (failure->invariant) {
        strbuf_adds(text->out, ", after initialize");
    }
    strbuf_addf(text->out, "%s\n", kind_words[failure->kind]);
}

static void write_step(struct block *block, size_t index, int width)
{
    struct strbuf *out = block->text->out;
    strbuf_addf(out, "  %*zu  ", width, index + 1);
    show_step(out, &block->names, &block->failure->steps.items[index],
              block_limit(block, BLOCK_VALUE_WIDTH));
    strbuf_addc(out, '\n');
}

static void write_steps(struct block *block)
{
    struct strbuf *out = block->text->out;
    size_t count = block->failure->steps.count;
    int width = count > 99 ? 3 : count > 9 ? 2 : 1;
    bool all = block->text->options->whole || count <= STEPS_SHOWN;
    strbuf_adds(out, count ? "\n" : "");
    size_t left_out = all ? 0 : count - (STEPS_SHOWN - 1);
    for (size_t i = 0; i < count; i++) {
        if (left_out && i == STEPS_FIRST) {
            strbuf_fill(out, ' ', (size_t)width + 1);
            strbuf_addf(out, "…  %zu more steps; -v shows them\n", left_out);
            i += left_out;
        }
        write_step(block, i, width);
    }
}

static void write_shortening(struct text *text, const struct failure *failure)
{
    const struct shortening *shortening = &failure->shortening;
    if (shortening->executions == 0) {
        return;
    }
    strbuf_adds(text->out, "; shortened to ");
    show_counted(text->out, failure->step, "step");
    strbuf_adds(text->out, " in ");
    show_counted(text->out, shortening->executions, "run");
    strbuf_adds(text->out, ", ");
    show_duration(text->out, shortening->time_us);
    if (shortening->cut_short) {
        strbuf_adds(text->out,
                    "\n  the limit of `shrink` was reached: this is the shortest so far");
    }
}

/* Where it does not fail every time, or not by itself. */
static void write_doubts(struct text *text, const struct failure *failure)
{
    if (failure->flaky) {
        text_addf(text, "\n  run again it did not fail in the same way%s%s\n",
                  failure->flaky_difference ? ": " : "",
                  failure->flaky_difference ? failure->flaky_difference : "");
        strbuf_adds(text->out,
                    "  usual causes: the clock, random(), a sequence's value in the result, rows "
                    "without ORDER BY\n");
    } else if (failure->leftover) {
        strbuf_adds(
            text->out,
            "\n  on a new connection it did not fail: it needs what an earlier example left "
            "behind, and no\n"
            "  rollback takes away: a sequence's value, currval(), an advisory lock, a "
            "custom setting ('' where\n"
            "  it was NULL), a prepared statement; have `initialize` put that right\n");
    }
}

static void write_origin(struct block *block)
{
    const struct failure *failure = block->failure;
    struct text *text = block->text;
    write_doubts(text, failure);
    strbuf_addf(text->out, "\n  found in example %" PRIu64 " ", failure->example);
    if (failure->stored) {
        strbuf_addf(text->out, "of an earlier run, seed %" PRIu64, failure->seed);
    } else {
        strbuf_addc(text->out, '(');
        show_counted(text->out, failure->example_steps, "step");
        strbuf_addf(text->out, "), seed %" PRIu64, text->run->result->seed);
    }
    write_shortening(text, failure);
    strbuf_addc(text->out, '\n');
    if (failure->script) {
        text_addf(text, "  replay   %s %s\n",
                  text->options->replay ? text->options->replay : "psql -X -f", failure->script);
        if (failure->script_note) {
            text_addf(text, "           %s\n", failure->script_note);
        }
    } else if (failure->no_script && !failure->flaky && !failure->leftover) {
        text_addf(text, "  replay   no script: %s\n", failure->no_script);
    }
    if (failure->pos.source) {
        text_addf(text, "  stated   %s:%zu\n", failure->pos.source->name,
                  source_place(failure->pos).line);
    }
    if (text->options->again) {
        text_addf(text, "  again    %s\n", text->options->again);
    }
}

void text_failure(struct text *text, const struct failure *failure)
{
    struct block block = {.text = text, .failure = failure};
    show_names_collect(&block.names, &text->scratch, failure);
    write_headline(&block);
    write_steps(&block);
    if (failure->sql || failure->expected || failure->actual || failure->error.sqlstate[0]) {
        strbuf_addc(text->out, '\n');
    }
    block_comparison(&block);
    write_origin(&block);
}
