#include "api/errors.h"
#include "base/arena.h"
#include "base/path.h"
#include "layout/find.h"

#include <stdlib.h>

#include <pgfsm/project.h>

struct pgfsm_project {
    struct arena arena;
    struct finding finding;
    VEC(struct pgfsm_found_schema) found;
};

static struct pgfsm_found_schema found_of(const struct found *found)
{
    const struct layout *layout = found->layout;
    return (struct pgfsm_found_schema){
        .tool = layout->tool,
        .command = layout->command,
        .folder = found->folder,
        .schema = found->path,
        .is_file = found->path && layout_is_file(layout),
        .files = found->files,
        .globals = found->globals,
        .standin = layout->before,
        .standin_text = layout->before ? standin_supabase : NULL,
        .foreign = found->foreign,
        .rows = found->rows,
    };
}

bool pgfsm_project_look(struct pgfsm_project **out, const char *folder, struct pgfsm_errors *errors)
{
    struct pgfsm_project *project = memory_alloc(sizeof *project);
    struct error err = {0};
    *project = (struct pgfsm_project){0};
    *out = project;
    if (!layout_find(folder, &project->arena, &project->finding, &err)) {
        pgfsm_project_free(project);
        *out = NULL;
        return errors_add_usage(errors, &err);
    }
    for (size_t i = 0; i < project->finding.items.count; i++) {
        *VEC_PUSH(&project->arena, &project->found) = found_of(&project->finding.items.items[i]);
    }
    return true;
}

void pgfsm_project_free(struct pgfsm_project *project)
{
    if (project) {
        arena_free(&project->arena);
        free(project);
    }
}

const struct pgfsm_found_schema *pgfsm_project_found(const struct pgfsm_project *project,
                                                     size_t index)
{
    return index < project->found.count ? &project->found.items[index] : NULL;
}

const struct pgfsm_found_schema *pgfsm_project_best(const struct pgfsm_project *project)
{
    const struct found *best = project->finding.best;
    return best ? &project->found.items[best - project->finding.items.items] : NULL;
}

size_t pgfsm_project_equals(const struct pgfsm_project *project) { return project->finding.equals; }

const char *pgfsm_project_unreadable(const struct pgfsm_project *project)
{
    return project->finding.unreadable;
}

bool pgfsm_project_stopped(const struct pgfsm_project *project) { return project->finding.stopped; }
