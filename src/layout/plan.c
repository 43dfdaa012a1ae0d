/* sqitch's plan: a line for each change and each tag, "name [requirements] date …" and "@tag …". */
#include "layout/layout.h"

#include "base/file.h"
#include "base/path.h"

#include <string.h>
#include <unistd.h>

enum { PLAN_SIZE_MAX = 16 << 20 };

struct change {
    const char *name;
    const char *suffix; /* "@v1" if the script was kept for that tag; otherwise "" */
};

struct plan {
    struct arena *arena;
    const char *path;
    VEC(struct change) changes;
};

static const char *script_of(const struct plan *plan, const char *name, const char *suffix)
{
    return path_beside(plan->arena, plan->path,
                       arena_printf(plan->arena, "deploy/%s%s.sql", name, suffix));
}

static struct change *change_named(const struct plan *plan, const char *name)
{
    for (size_t i = plan->changes.count; i-- > 0;) {
        if (strcmp(plan->changes.items[i].name, name) == 0) {
            return &plan->changes.items[i];
        }
    }
    return NULL;
}

/* Reworking a change keeps its former script under the name of the tag in between. */
static void read_tag(const struct plan *plan, const char *tag)
{
    for (size_t i = 0; i < plan->changes.count; i++) {
        struct change *change = &plan->changes.items[i];
        if (!*change->suffix && change_named(plan, change->name) == change &&
            access(script_of(plan, change->name, tag), F_OK) == 0) {
            change->suffix = tag;
        }
    }
}

static void read_line(struct plan *plan, const char *line)
{
    line += strspn(line, " \t");
    const char *word = line + (*line == '+' || *line == '-');
    word += strspn(word, " \t");
    size_t size = strcspn(word, " \t\r");
    const char *name = arena_strndup(plan->arena, word, size);
    if (*line == '@') {
        read_tag(plan, name);
    } else if (size > 0 && !strchr("#%", *line)) {
        *VEC_PUSH(plan->arena, &plan->changes) = (struct change){name, ""};
    }
}

bool layout_read_plan(const char *path, struct arena *arena, struct layout_files *out,
                      struct error *err)
{
    struct plan plan = {.arena = arena, .path = path};
    struct strbuf text = {0};
    bool read = file_load(path, PLAN_SIZE_MAX, &text, err);
    const char *at = strbuf_text(&text);
    while (read && *at) {
        size_t size = strcspn(at, "\n");
        read_line(&plan, arena_strndup(arena, at, size));
        at += size + (at[size] == '\n');
    }
    strbuf_free(&text);
    for (size_t i = 0; i < plan.changes.count; i++) {
        const struct change *change = &plan.changes.items[i];
        bool is_last = change_named(&plan, change->name) == change;
        *VEC_PUSH(arena, &out->paths) =
            script_of(&plan, change->name, is_last ? "" : change->suffix);
    }
    return read &&
           (plan.changes.count > 0 || error_set(err, ERROR_MACHINE, "%s has no changes", path));
}
