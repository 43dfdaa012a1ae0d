#include "report/text/answers.h"

#include "base/utf8.h"
#include "trace/ids.h"

#include <string.h>

enum {
    WIDTH = 40, /* characters of an answer */
    FIRST = 3,  /* of several ones */
    LAST = 2,
};

static const struct account_step *step_at(const struct account *account, size_t index)
{
    for (size_t i = 0; i < account->steps.count; i++) {
        const struct account_step *step = &account->steps.items[i];
        if (!step->start && step->number == index + 1) {
            return step;
        }
    }
    return NULL;
}

/* Text becomes that of its first WIDTH characters. */
static const char *cut(struct arena *arena, const char *text)
{
    size_t size = strlen(text);
    return utf8_length(text, size) <= WIDTH
               ? text
               : arena_printf(arena, "%.*s…", (int)utf8_offset(text, size, WIDTH - 1), text);
}

static bool is_made(const struct account_step *step, const char *name)
{
    bool made = false;
    for (size_t i = 0; i < step->made.count; i++) {
        made = made || strcmp(step->made.items[i], name) == 0;
    }
    return made;
}

/* "INSERT 0 1": no value begins so, as true ones begin with one capital. */
static bool is_command(const char *answer)
{
    return answer[0] >= 'A' && answer[0] <= 'Z' && answer[1] >= 'A' && answer[1] <= 'Z';
}

/* "12:01:20", with the date if it is another one than before. */
static const char *clock_text(struct arena *arena, const struct account_change *change)
{
    const char *after = change->after + (*change->after == '"');
    const char *before = change->before ? change->before + (*change->before == '"') : "";
    size_t date = strcspn(after, " ");
    bool same_day = strncmp(before, after, date) == 0 && after[date];
    const char *start = same_day ? after + date + 1 : after;
    return arena_printf(arena, "now %.*s", (int)strcspn(start, "+\""), start);
}

static const char *moved_clock(struct arena *arena, const struct account_step *step,
                               const char *now)
{
    for (size_t i = 0; now && i < step->model.count; i++) {
        const struct account_change *change = &step->model.items[i];
        if (change->variable && strcmp(change->variable, now) == 0) {
            return clock_text(arena, change);
        }
    }
    return NULL;
}

bool answer_is_id(struct arena *arena, const char *answer)
{
    size_t size = strlen(answer);
    bool quoted = size > 2 && answer[0] == '"' && answer[size - 1] == '"';
    return quoted && value_is_id(value_text(arena, arena_strndup(arena, answer + 1, size - 2)));
}

/* "before UPDATE 1   after UPDATE 0" */
static const char *both_answers(const struct answers *answers, const struct account_step *step)
{
    struct arena *arena = answers->arena;
    const char *texts[] = {step->answer ? step->answer : "done", step->after};
    for (size_t i = 0; i < 2; i++) {
        texts[i] = cut(arena, show_text(arena, answers->names, texts[i], SHOW_ALL));
    }
    return arena_printf(arena, "before %s   after %s", texts[0], texts[1]);
}

const char *step_answer(const struct answers *answers, size_t index)
{
    struct arena *arena = answers->arena;
    const struct account_step *step = step_at(answers->account, index);
    if (!step) {
        return NULL;
    }
    if (step->after) {
        return both_answers(answers, step);
    }
    if (step->raised) {
        return arena_printf(arena, "raises %s", step->raised);
    }
    if (!step->answer) {
        return moved_clock(arena, step, answers->now);
    }
    const char *answer = show_text(arena, answers->names, step->answer, SHOW_ALL);
    if (is_made(step, answer) || answer_is_id(arena, answer)) {
        return NULL; /* what is made stands in front of the call */
    }
    answer = cut(arena, answer);
    return is_command(answer) ? answer : arena_printf(arena, "-> %s", answer);
}

static const char *without_arrow(const char *answer)
{
    return strncmp(answer, "-> ", 3) == 0 ? answer + 3 : answer;
}

const char *step_answers(const struct answers *answers, size_t index, size_t count)
{
    const char *first = step_answer(answers, index);
    const char *all = first;
    bool differ = false;
    for (size_t i = 1; first && i < count; i++) {
        const char *answer = step_answer(answers, index + i);
        if (!answer) {
            return NULL;
        }
        differ = differ || strcmp(answer, first) != 0;
        if (count <= FIRST + LAST || i < FIRST || i >= count - LAST) {
            bool gap = count > FIRST + LAST && i == count - LAST;
            all = arena_printf(answers->arena, "%s%s%s", all, gap ? " … " : ", ",
                               without_arrow(answer));
        }
    }
    return differ ? all : first;
}
