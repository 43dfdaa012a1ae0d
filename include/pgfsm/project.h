#ifndef PGFSM_PROJECT_H
#define PGFSM_PROJECT_H

#include <stdbool.h>
#include <stddef.h>

#include <pgfsm/errors.h>
#include <pgfsm/export.h>

PGFSM_BEGIN

/* A place in a project where the schema may come from: migrations, a file, or code that makes them.
 * Read-only; later versions may add members at the end. Paths begin at the current folder. */
struct pgfsm_found_schema {
    const char *tool; /* "Prisma"; "numbered files", "a file" if it is unknown */
    /* The tool's own command, which runs the files in the order that pgfsm does. Of code: a shell
     * command that prints SQL. NULL: none is known. */
    const char *command;
    const char *folder; /* where it was found */
    /* What a machine's `schema` names: the folder, a plan, a file. NULL: the migrations are code.
     */
    const char *schema;
    bool is_file;        /* `schema` is one file */
    size_t files;        /* that the tool runs */
    const char *globals; /* a file of SQL that the tool runs before them; NULL: there is none */
    /* The name and the text of a file that stands in for what the tool's server provides, to be
     * loaded first. NULL: there is none. */
    const char *standin;
    const char *standin_text;
    const char *foreign; /* another database that the files are for: "MySQL"; NULL: PostgreSQL */
    const char *rows;    /* a file of rows that the tool loads last; NULL: there is none */
};

struct pgfsm_project;

/* Looks at a folder and those below it, and nowhere else. It reads no hidden folder, no packages of
 * others such as node_modules, and follows no link to a folder; it stops after 200,000 entries.
 * Returns false, with the reason in `errors` and *out NULL, if the folder can't be read. */
bool pgfsm_project_look(struct pgfsm_project **out, const char *folder,
                        struct pgfsm_errors *errors);
/* Ignores NULL. */
void pgfsm_project_free(struct pgfsm_project *project);

/* What was found, the most likely first; NULL past the end. Borrowed from the project. */
const struct pgfsm_found_schema *pgfsm_project_found(const struct pgfsm_project *project,
                                                     size_t index);
/* The one that is clearly the project's schema. NULL: nothing was found, or nothing that is SQL for
 * PostgreSQL, or several of it. */
const struct pgfsm_found_schema *pgfsm_project_best(const struct pgfsm_project *project);
/* How many of the first ones are equally likely. */
size_t pgfsm_project_equals(const struct pgfsm_project *project);
/* The first folder that could not be read; NULL: there is none. */
const char *pgfsm_project_unreadable(const struct pgfsm_project *project);
/* True if there was more than it looks at. */
bool pgfsm_project_stopped(const struct pgfsm_project *project);

PGFSM_END

#endif
