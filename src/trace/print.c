#include "trace/trace.h"

void trace_print_step(const struct shown_step *step, struct strbuf *out)
{
    if (step->outputs.count == 1) {
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
}
