#include "trace/trace.h"

#include <assert.h>

enum { OUTPUTS_SHOWN = 8 };

static void print_args(const struct shown_arg *args, size_t count, struct strbuf *out)
{
    for (size_t i = 0; i < count; i++) {
        strbuf_addf(out, "%s%s=", i ? ", " : "", args[i].name);
        if (args[i].reference) {
            strbuf_adds(out, args[i].reference);
        } else {
            value_repr(args[i].value, out);
        }
    }
}

/* Everything else follows the call as a comment, so that the line can be pasted. */
static void print_comment(const struct shown_step *step, bool assigned, struct strbuf *out)
{
    static const char *const deaths[DEATHS] = {[DEATH_BEFORE] = "dies before its COMMIT",
                                               [DEATH_AFTER] = "dies after its COMMIT",
                                               [DEATH_WITHIN] = "its session ends in the middle"};
    bool others = step->outputs.count > assigned;
    bool more = step->constants.count || others || step->now;
    strbuf_adds(out, more || step->death || step->again ? "   # " : "");
    strbuf_addf(out, "%s%s%s%s", step->again ? "again" : "",
                step->again && (step->death || more) ? "; " : "",
                step->death ? deaths[step->death] : "", step->death && more ? "; " : "");
    if (step->now) {
        strbuf_addf(out, "now %s%s", step->now, step->constants.count || others ? "; " : "");
    }
    print_args(step->constants.items, step->constants.count, out);
    strbuf_adds(out, step->constants.count && others ? "; " : "");
    strbuf_adds(out, others && assigned ? "also " : "");
    for (size_t i = assigned; i < step->outputs.count; i++) {
        if (i == OUTPUTS_SHOWN) {
            strbuf_addf(out, ", … (%zu)", step->outputs.count);
            break;
        }
        strbuf_addf(out, "%s%s", i > assigned ? ", " : "", step->outputs.items[i]);
    }
}

void trace_print_step(const struct shown_step *step, struct strbuf *out)
{
    assert(step->rule != NULL);
    if (step->rule->files) {
        strbuf_addf(out, "%s %s", step->rule->name, step->rule->files);
        return;
    }
    size_t outputs = step->outputs.count;
    bool assigned = outputs == 1 || (outputs && outputs == step->rule->targets.count);
    if (assigned) {
        strbuf_addf(out, "%s = ", step->outputs.items[0]);
    }
    strbuf_addf(out, "%s(", step->rule->name);
    print_args(step->args.items, step->args.count, out);
    strbuf_addc(out, ')');
    print_comment(step, assigned, out);
}
