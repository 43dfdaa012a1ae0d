#include "trace/trace.h"

enum { OUTPUTS_SHOWN = 8 };

/* What does not stand before the call stands behind it, as a comment: it can be pasted. */
static void print_others(const struct shown_step *step, bool assigned, struct strbuf *out)
{
    for (size_t i = assigned; i < step->outputs.count; i++) {
        const char *before = i > assigned ? ", " : assigned ? "   # also " : "   # ";
        if (i == OUTPUTS_SHOWN) {
            strbuf_addf(out, ", … (%zu)", step->outputs.count);
            break;
        }
        strbuf_addf(out, "%s%s", before, step->outputs.items[i]);
    }
}

void trace_print_step(const struct shown_step *step, struct strbuf *out)
{
    size_t outputs = step->outputs.count;
    bool assigned = outputs == 1 || (outputs && outputs == step->rule->targets.count);
    if (assigned) {
        strbuf_addf(out, "%s = ", step->outputs.items[0]);
    }
    strbuf_addf(out, "%s(", step->rule->name);
    for (size_t i = 0; i < step->args.count; i++) {
        const struct shown_arg *arg = &step->args.items[i];
        strbuf_addf(out, "%s%s=", i ? ", " : "", arg->name);
        if (arg->reference) {
            strbuf_adds(out, arg->reference);
        } else {
            value_repr(arg->value, out);
        }
    }
    strbuf_addc(out, ')');
    print_others(step, assigned, out);
}
