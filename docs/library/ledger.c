/* ledger MACHINE [SQL]: runs a machine whose model is the struct below; SQL changes the schema. */
#include <stdio.h>
#include <stdlib.h>

#include <pgfsm/pgfsm.h>

enum { ACCOUNTS = 3 };

struct ledger {
    int64_t balances[ACCOUNTS];
};

static void open_accounts(void *state, struct pgfsm_call *call)
{
    (void)call;
    struct ledger *ledger = state;
    for (int i = 0; i < ACCOUNTS; i++) {
        ledger->balances[i] = 100;
    }
}

static const struct pgfsm_value *covers(const void *state, struct pgfsm_call *call)
{
    const struct ledger *ledger = state;
    int64_t payer = pgfsm_arg_int(call, "payer");
    return pgfsm_value_bool(call, ledger->balances[payer] >= pgfsm_arg_int(call, "amount"));
}

static const struct pgfsm_value *transfer(void *state, struct pgfsm_call *call)
{
    struct ledger *ledger = state;
    int64_t amount = pgfsm_arg_int(call, "amount");
    ledger->balances[pgfsm_arg_int(call, "payer")] -= amount;
    ledger->balances[pgfsm_arg_int(call, "payee")] += amount;
    return NULL;
}

static const struct pgfsm_value *balances(const void *state, struct pgfsm_call *call)
{
    const struct ledger *ledger = state;
    struct pgfsm_value *rows = pgfsm_value_dict(call);
    for (int i = 0; i < ACCOUNTS; i++) {
        pgfsm_value_put(call, rows, pgfsm_value_int(call, i), pgfsm_value_int(call, ledger->balances[i]));
    }
    return rows;
}

static const struct pgfsm_function functions[] = {
    {.name = "covers", .params = "payer, amount", .look = covers},
    {.name = "transfer", .params = "payer, payee, amount", .change = transfer},
    {.name = "balances", .look = balances},
    {0},
};
static const struct pgfsm_model model = {
    .struct_size = sizeof(struct pgfsm_model),
    .name = "ledger",
    .state_size = sizeof(struct ledger),
    .functions = functions,
    .init = open_accounts,
    .show = balances,
};

static void show_errors(const struct pgfsm_errors *errors)
{
    for (size_t i = 0; i < pgfsm_errors_count(errors); i++) {
        fputs(pgfsm_errors_at(errors, i)->text, stderr);
    }
}

static void show_run(const struct pgfsm_run *run)
{
    const struct pgfsm_report_options text = {.struct_size = sizeof text, .format = "text"};
    char *report;
    size_t size;
    if (pgfsm_report(&report, &size, run, &text, NULL)) {
        fwrite(report, 1, size, stdout);
        free(report);
    }
}

int main(int argc, char **argv)
{
    struct pgfsm_machine *machine = NULL;
    struct pgfsm_database *database = NULL;
    struct pgfsm_run *run = NULL;
    struct pgfsm_errors *errors = pgfsm_errors_new();
    struct pgfsm_run_options options = PGFSM_RUN_OPTIONS_INIT;
    const char *change = argc > 2 ? argv[2] : NULL;
    int status = 2;
    options.seed = 1;
    options.apply = &change;
    options.apply_count = change != NULL;
    if (pgfsm_machine_load(&machine, argc > 1 ? argv[1] : "ledger.yaml", &model, errors) &&
        pgfsm_database_open(&database, NULL, NULL, errors) &&
        pgfsm_machine_run(&run, machine, database, &options, NULL, errors)) {
        show_run(run);
        status = pgfsm_run_summary(run)->outcome != PGFSM_OUTCOME_PASSED;
    }
    show_errors(errors);
    pgfsm_run_free(run);
    pgfsm_database_free(database);
    pgfsm_machine_free(machine);
    pgfsm_errors_free(errors);
    return status;
}
