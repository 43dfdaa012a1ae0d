#include "report/text/grid.h"
#include "report/text/show.h"
#include "report/text/text.h"

/* Zero is no cell, so that a column of nothing is left out. */
static void add_some(struct grid *grid, uint64_t count)
{
    if (count) {
        grid_add_count(grid, count);
    } else {
        grid_add(grid, "");
    }
}

static void add_raised(struct grid *grid, const struct rule_stats *stats)
{
    struct strbuf text = {0};
    for (size_t i = 0; i < stats->raised.count; i++) {
        strbuf_addf(&text, "%s%s (", i ? ", " : "",
                    show_condition(stats->raised.items[i].sqlstate));
        show_count(&text, stats->raised.items[i].count);
        strbuf_addc(&text, ')');
    }
    grid_take(grid, &text);
}

static void write_rules(struct text *text)
{
    static const struct grid_column columns[] = {
        {"rule", GRID_LEFT},      {"chosen", GRID_RIGHT}, {"ran", GRID_RIGHT},
        {"given up", GRID_RIGHT}, {"raised", GRID_LEFT},  {"blocked by", GRID_LEFT},
    };
    struct grid grid = {&text->scratch, columns, sizeof columns / sizeof *columns, {0}};
    for (size_t i = 0; i < text->run->machine->rules.count; i++) {
        const struct rule_stats *stats = &text->run->result->stats.rules[i];
        struct strbuf blocked = {0};
        grid_add_name(&grid, text->run->machine->rules.items[i].name);
        grid_add_count(&grid, stats->chosen);
        grid_add_count(&grid, stats->ran);
        add_some(&grid, stats->given_up);
        add_raised(&grid, stats);
        text_add_blocked(&blocked, stats);
        grid_take(&grid, &blocked);
    }
    grid_write_below(&grid, text->out);
}

static void write_labels(struct text *text)
{
    static const struct grid_column columns[] = {{"label", GRID_LEFT}, {"steps", GRID_RIGHT}};
    const struct run_stats *stats = &text->run->result->stats;
    struct grid grid = {&text->scratch, columns, sizeof columns / sizeof *columns, {0}};
    for (size_t i = 0; i < stats->labels.count; i++) {
        grid_add_name(&grid, stats->labels.items[i].label);
        grid_add_count(&grid, stats->labels.items[i].count);
    }
    grid_write_below(&grid, text->out);
}

static void write_invariants(struct text *text)
{
    static const struct grid_column columns[] = {
        {"invariant", GRID_LEFT}, {"checked", GRID_RIGHT}, {"skipped", GRID_RIGHT}};
    struct grid grid = {&text->scratch, columns, sizeof columns / sizeof *columns, {0}};
    for (size_t i = 0; i < text->run->machine->invariants.count; i++) {
        const struct invariant_stats *stats = &text->run->result->stats.invariants[i];
        grid_add_name(&grid, text->run->machine->invariants.items[i].name);
        grid_add_count(&grid, stats->checked);
        add_some(&grid, stats->skipped);
    }
    grid_write_below(&grid, text->out);
}

void text_stats(struct text *text)
{
    const struct run_stats *stats = &text->run->result->stats;
    write_rules(text);
    write_labels(text);
    write_invariants(text);
    text_measures(text);
    strbuf_adds(text->out, "\n    ");
    show_counted(text->out, stats->statements, "statement");
    if (stats->given_up) {
        strbuf_adds(text->out, ", ");
        show_counted(text->out, stats->given_up, "step");
        strbuf_adds(text->out, " given up");
    }
    if (stats->time_us) {
        strbuf_adds(text->out, ", ");
        show_count(text->out, (uint64_t)((double)stats->steps * 1e6 / (double)stats->time_us));
        strbuf_adds(text->out, " steps/s");
    }
    strbuf_adds(text->out, "\n\n");
}
