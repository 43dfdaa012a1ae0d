/* Deferred constraints: checks them at the end of a step, and defers them again before the next. */
#include "replay/quote.h"
#include "replay/script.h"

#include <string.h>

#define END ";\n"

/* A long list of constraints, which is usually the same for all steps, is written once at the head.
 */

#define DEFER_AGAIN "defer_again"
enum { LONG_LIST = 60 /* bytes */ };

/* The first of the recording's lists, if it is long and occurs more than once; or NULL. */
static const char *list_for_head(const struct script *script)
{
    const char *list = NULL;
    size_t count = 0;
    for (size_t i = 0; i < script->recording->steps.count; i++) {
        const struct recorded_step *step = &script->recording->steps.items[i];
        const char *restore = step->deferred ? step->deferral.restore : NULL;
        list = list ? list : restore;
        count += restore && strcmp(restore, list) == 0;
    }
    return count > 1 && strlen(list) > LONG_LIST ? list : NULL;
}

void deferred_write_list(struct script *script)
{
    const char *list = list_for_head(script);
    if (list) {
        strbuf_adds(script->out, "\\set " DEFER_AGAIN " ");
        quote_argument(script->out, list);
        strbuf_addc(script->out, '\n');
    }
}

/* Defers constraints again after the last step's check, as the connecting user, because a role may
 * lack access to a schema. */
void deferred_again(struct script *script)
{
    struct strbuf *out = script->out;
    if (script->defer_again) {
        context_write_connecting(script, END, out);
        const char *kept = list_for_head(script);
        bool in_head = kept && strcmp(kept, script->defer_again) == 0;
        strbuf_adds(out, in_head ? ":" DEFER_AGAIN : script->defer_again);
        strbuf_adds(out, END);
        script->defer_again = NULL;
    }
}

bool deferred_possible(const struct script *script, const struct recorded_step *step)
{
    if (!step->deferred || step->deferral.restore || step->deferral.by_savepoint) {
        return step->deferred;
    }
    for (size_t i = 0; i < script->machine->templates.count; i++) {
        const char *command = script->machine->templates.items[i]->command;
        if (command && strcmp(command, "SET") == 0) {
            return true;
        }
    }
    return false;
}

void deferred_write(struct script *script, const struct recorded_step *step)
{
    struct strbuf *out = script->out;
    if (!deferred_possible(script, step)) {
        return;
    }
    context_write(script, step->deferred_context, END, out);
    if (step->deferral.by_savepoint) {
        strbuf_adds(out, "SAVEPOINT deferred" END "SET CONSTRAINTS ALL IMMEDIATE" END
                         "ROLLBACK TO SAVEPOINT deferred" END);
    } else {
        strbuf_adds(out, "SET CONSTRAINTS ALL IMMEDIATE" END);
        script->defer_again = step->deferral.restore;
    }
}
