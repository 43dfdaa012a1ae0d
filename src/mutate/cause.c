#include "mutate/cause.h"

#include "mutate/names.h"
#include "sql/lex.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What no example did, or else the mutant would have been killed: the first row that matches. */
struct reason {
    const char *operators; /* patterns as in a shell, with spaces between them */
    const char *cause;     /* a clause */
    const char *remedy;    /* a sentence */
    bool refuses;          /* it is about an error that the schema as it is raises */
};
static const struct reason reasons[] = {
    {"drop-check drop-exclude",
     "no step tried a row that only this constraint refuses, or nothing compares what comes of it",
     "Draw values beyond the bound, and say `raises`.", true},
    {"drop-not-null",
     "no step tried NULL in a row that nothing else refuses, or nothing compares what comes of it",
     "Draw NULL, too (none()), and say `raises`.", true},
    {"drop-unique drop-primary-key unique-with-* primary-key-with-* index-not-unique plain-*",
     "no step tried a row that only this key refuses, or nothing compares what comes of it",
     "Draw from few values, so that some are there already, and say `raises`.", true},
    {"drop-foreign-key",
     "no step tried a row that only this foreign key refuses, or nothing compares what it does to "
     "rows that refer to others",
     "Draw ids that are not there, too, and say `raises`.", true},
    {"exclude-* shorter-* less-*",
     "no step stored a value that this refuses or changes, or nothing compares it",
     "Draw values close to the bound.", false},
    {"add-unique unique-* primary-key-* index-*",
     "no step stored two rows that this alone refuses, or nothing compares what comes of it",
     "Draw from few values.", false},
    {"add-not-null", "no step stored NULL here, or nothing compares what comes of it",
     "Draw NULL, too (none()).", false},
    {"foreign-key-without-column",
     "no step referred to a row that is there, but belongs to another",
     "Take each column from another row, and say `raises`.", true},
    {"match-*", "no step left only a part of the reference empty",
     "Draw NULL for one column (none()).", false},
    {"*-other-column foreign-key-other-* other-column other-parameter",
     "no answer differs when the other one is taken", "Let the two have different values.", false},
    {"nulls-*", "no step left this empty in two rows that are equal otherwise",
     "Draw NULL, too (none()), and say whether that `raises`.", false},
    {"drop-conflict conflict-nothing",
     "no step met a row that is there already, or nothing compares what becomes of it",
     "Draw from few values, and compare the rows.", false},
    {"forget-null", "no answer depends on NULL on one side only", "Leave one side empty (none()).",
     false},
    {"first-row", "no answer depends on a row but the first",
     "Keep several rows here, and compare them.", false},
    {"drop-handler", "no step raised this error here, or nothing compares what comes of it",
     "Make a step fail here on purpose.", false},
    {"on-delete-* on-update-*",
     "no step deleted or changed a row that others refer to, or nothing compares those then",
     "Delete such a row, and compare the others.", false},
    {"initially-* deferrable not-deferrable",
     "no statement broke this for a moment, and mended it before the check",
     "If nothing needs it, accept it.", false},
    {"*default* plus-one minus-one", "no step left the column out, or nothing compares its value",
     "Leave the column out, and compare its value.", false},
    {"*policy-*-true policy-open-* policy-to-public policy-for-all *policy-permissive "
     "restrictive-drop-policy restrictive-policy-for-[!a]* restrictive-policy-without-* "
     "row-security-off row-security-not-forced view-of-owner view-without-barrier "
     "drop-check-option",
     "no answer depends on a row that only this refuses or hides",
     "Run rules and invariants `as` another user.", true},
    {"*policy* *row-security* view-*", "no answer depends on a row that only this lets through",
     "Run rules and invariants `as` each kind of user.", false},
    {"grant-*", "no step tried what only the lack of this privilege refuses",
     "Run a rule `as` that role, and say `raises: insufficient_privilege`.", true},
    {"revoke*", "no step needed this privilege, or nothing tells that it succeeds",
     "Run a rule `as` that role.", false},
    {"*trigger*", "no answer depends on what this does", "Compare what the trigger changes.",
     false},
    {"strict not-strict", "no step gave it NULL, or nothing compares what comes of that",
     "Draw NULL, too (none()).", false},
    {"search-path-*", "no step made a temporary table with the name of one that this reads",
     "Make one, and compare what comes of it.", false},
    {"security-* drop-set*",
     "no answer depends on who runs this, or on the settings that it runs with",
     "Run it `as` a role that may do less.", false},
    {"move-comparison move-number", "no answer tells the two apart",
     "Draw equal values, and some just beside the bound.", false},
    {"add-not swap-quantifier swap-and-or drop-conjunct drop-disjunct condition-* drop-not flip-*",
     "no answer depends on this condition", "Have one of the conditions true, and another false.",
     false},
    {"drop-statement drop-assignment swap-arithmetic", "no answer depends on what this computes",
     "Compare what it changes.", false},
    {"reverse-order", "no answer depends on the order",
     "`expect` a list, of a query with ORDER BY.", false},
    {"*", "no answer depends on this", "Compare what it changes.", false},
};

/* What opens a permissive policy closes a restrictive one. */
static const struct reason *reason_of(const struct mutant *mutant)
{
    static const char restrictive[] = "AS RESTRICTIVE ";
    const struct reason *reason = reasons;
    char operator[64];
    bool restricts = strncmp(mutant->was, restrictive, strlen(restrictive)) == 0;
    (void)snprintf(operator, sizeof operator, "%s%s", restricts ? "restrictive-" : "",
                   mutant->operator);
    while (!mutant_fits(operator, reason->operators)) {
        reason++;
    }
    return reason;
}

typedef bool naming_fn(const char *text, size_t size, const char *name);

static bool list_names(const struct statement_list *statements, naming_fn *names, const char *name)
{
    for (size_t i = 0; i < statements->count; i++) {
        const struct snippet *sql = &statements->items[i].sql->snippet;
        if (names(sql->text, sql->size, name)) {
            return true;
        }
    }
    return false;
}

bool rule_names(const struct rule *rule, const char *relation)
{
    return list_names(&rule->statements, sql_names, relation);
}

static bool any_invariant_names(const struct machine *machine, naming_fn *names, const char *name)
{
    bool named = false;
    for (size_t i = 0; i < machine->invariants.count; i++) {
        named = named || list_names(&machine->invariants.items[i].statements, names, name);
    }
    return named;
}

/* Whether the expression has a list with None in it, `[None, check_violation]`: then an error may
 * come or not. A bracket right behind a name is none of a list. In doubt, true. */
static bool tolerates(const struct snippet *text)
{
    char before = ' ';
    bool has_list = false;
    for (size_t i = 0; i < text->size; i++) {
        char c = text->text[i];
        bool names = sql_is_name_char(before) || before == ']' || before == ')';
        has_list = has_list || (c == '[' && !names);
        before = c;
    }
    return has_list && memmem(text->text, text->size, "None", strlen("None"));
}

static bool any_rule_tolerates(const struct machine *machine)
{
    for (size_t i = 0; i < machine->rules.count; i++) {
        const struct lang_code *raises = machine->rules.items[i].raises;
        if (raises && tolerates(lang_snippet(raises))) {
            return true;
        }
    }
    return false;
}

/* Adds "1,269". */
static void add_number(struct strbuf *out, uint64_t number)
{
    if (number >= 1000) {
        add_number(out, number / 1000);
        strbuf_addf(out, ",%03" PRIu64, number % 1000);
    } else {
        strbuf_addf(out, "%" PRIu64, number);
    }
}

/* Where the examples could have shown it: "In 2,500 steps on members, ". */
static void add_where(struct strbuf *out, const struct mutant *mutant,
                      const struct machine *machine, const struct run_result *result)
{
    uint64_t steps = 0;
    size_t rules = 0;
    for (size_t i = 0; i < machine->rules.count; i++) {
        if (rule_names(&machine->rules.items[i], mutant->relation)) {
            rules++;
            steps += result->stats.rules[i].ran;
        }
    }
    if (steps) {
        strbuf_adds(out, "In ");
        add_number(out, steps);
        strbuf_addf(out, " step%s on %s, ", plural(steps), mutant->relation);
    } else {
        strbuf_addf(out, "No rule%s %s %s itself: ",
                    any_invariant_names(machine, sql_names, mutant->relation) || rules
                        ? ""
                        : " and no invariant",
                    rules ? "ran that names" : "names", mutant->relation);
    }
}

/* The column whose default the mutant changes, if no invariant names it; or NULL. */
static const char *unread_column(const struct mutant *mutant, const struct machine *machine)
{
    const char *dot = strrchr(mutant->object, '.');
    bool is_default = fnmatch("*default*", mutant->operator, 0) == 0;
    return is_default && dot && strcmp(mutant->kind, "column") == 0 &&
                   !any_invariant_names(machine, sql_has_name, dot + 1)
               ? dot + 1
               : NULL;
}

void mutants_explain(struct mutation *mutation, const struct machine *machine,
                     const struct run_result *result, struct arena *arena)
{
    bool tolerant = any_rule_tolerates(machine);
    for (size_t i = 0; i < mutation->mutants.count; i++) {
        struct mutant *mutant = &mutation->mutants.items[i];
        const struct reason *reason = reason_of(mutant);
        struct strbuf out = {0};
        if (mutant->verdict == VERDICT_SURVIVED) {
            const char *column = unread_column(mutant, machine);
            if (column) {
                strbuf_addf(&out, "No invariant names the column %s.", column);
            } else {
                add_where(&out, mutant, machine, result);
                strbuf_addf(&out, "%s%s.", reason->cause,
                            reason->refuses && tolerant ? ", or an error was allowed either way"
                                                        : "");
            }
            mutant->cause = strbuf_take(&out, arena);
            mutant->remedy = reason->remedy;
        }
    }
}

/* "policy" of "USING of policy". */
static const char *kind_of(const struct mutant *mutant)
{
    const char *of = strstr(mutant->kind, " of ");
    return of ? of + strlen(" of ") : mutant->kind;
}

const char *mutant_object(const struct mutant *mutant, struct arena *arena)
{
    return arena_printf(arena, "%s %s", kind_of(mutant), mutant->object);
}

bool mutant_same(const struct mutant *a, const struct mutant *b)
{
    return a->verdict == VERDICT_SURVIVED && b->verdict == VERDICT_SURVIVED &&
           (a == b || (strcmp(a->object, b->object) == 0 && strcmp(kind_of(a), kind_of(b)) == 0 &&
                       a->cause && b->cause && strcmp(a->cause, b->cause) == 0));
}

const struct mutant *mutant_like(const struct mutation *mutation, const struct mutant *after)
{
    const struct mutant *end = mutation->mutants.items + mutation->mutants.count;
    for (const struct mutant *other = after + 1; other < end; other++) {
        if (mutant_same(after, other)) {
            return other;
        }
    }
    return NULL;
}

bool mutant_leads(const struct mutation *mutation, const struct mutant *mutant)
{
    for (const struct mutant *other = mutation->mutants.items; other < mutant; other++) {
        if (mutant_same(mutant, other)) {
            return false;
        }
    }
    return true;
}
