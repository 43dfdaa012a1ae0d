#include "support/bank.h"

static bool flaky_done;

void bank_reset_flaky(void) { flaky_done = false; }

static struct bank *bank_of(struct fake *fake) { return fake->state; }

static int find(const struct bank *bank, int64_t id)
{
    for (int i = 0; i < bank->count; i++) {
        if (bank->accounts[i].id == id) {
            return i;
        }
    }
    return -1;
}

static void open_account(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    struct bank *bank = bank_of(fake);
    (void)call;
    int id = ++bank->next;
    bank->accounts[bank->count].id = id;
    bank->accounts[bank->count].balance = 0;
    bank->accounts[bank->count++].closed = false;
    fake_columns(reply, "id int4");
    FAKE_ROW(reply, value_int(id));
}

static bool is_lost(const struct bank *bank, int64_t amount)
{
    if (bank->bug == BANK_FLAKY && !flaky_done) {
        flaky_done = true;
        return true;
    }
    return bank->bug == BANK_LOSES_LARGE && amount > 8;
}

static void pay(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    struct bank *bank = bank_of(fake);
    int at = find(bank, call->values[0].as.integer);
    int amount = (int)call->values[1].as.integer;
    if (at < 0 || (bank->accounts[at].closed && bank->bug != BANK_CLOSED_TAKES)) {
        fake_error(reply, "P0001", "the account is closed", NULL, NULL);
        return;
    }
    bool lost = is_lost(bank, amount);
    bank->payments++;
    bank->accounts[at].balance += lost ? 0 : amount;
    if (bank->bug == BANK_REFUSES && bank->accounts[at].balance > 20) {
        fake_error(reply, "23514", "too much", "balance_check", "accounts");
        return;
    }
    bool wrong = bank->bug == BANK_ANSWERS_WRONG && bank->payments > 3;
    fake_columns(reply, "balance int4");
    FAKE_ROW(reply, value_int(bank->accounts[at].balance + (lost ? amount : 0) + wrong));
}

static void close_account(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    struct bank *bank = bank_of(fake);
    int at = find(bank, call->values[0].as.integer);
    if (bank->bug == BANK_FORGETS_CLOSED && at == 0 && bank->count == 3) {
        at = 1;
    }
    bank->accounts[at].closed = true;
    fake_count(reply, 1);
}

static void list(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    const struct bank *bank = bank_of(fake);
    (void)call;
    fake_columns(reply, "id int4, balance int4");
    for (int i = 0; i < bank->count; i++) {
        if (!bank->accounts[i].closed) {
            FAKE_ROW(reply, value_int(bank->accounts[i].id), value_int(bank->accounts[i].balance));
        }
    }
}

static void count_open(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    const struct bank *bank = bank_of(fake);
    int64_t count = 0;
    (void)call;
    for (int i = 0; i < bank->count; i++) {
        count += !bank->accounts[i].closed;
    }
    fake_columns(reply, "count int8");
    FAKE_ROW(reply, value_int(count));
}

const struct fake_script bank_script[] = {
    {"SELECT open_account()", open_account},
    {"SELECT pay(:account, :amount)", pay},
    {"UPDATE accounts SET closed = true WHERE id = :account", close_account},
    {"SELECT id, balance FROM accounts", list},
    {"SELECT count(*) FROM accounts", count_open},
    {NULL, NULL},
};

const char bank_machine[] = "machine: bank\n"
                            "model: |\n"
                            "  balances = {}\n"
                            "rules:\n"
                            "  open:\n"
                            "    precondition: len(balances) < 5\n"
                            "    sql: SELECT open_account()\n"
                            "    model: balances[result.value] = 0\n"
                            "    target: accounts\n"
                            "  pay:\n"
                            "    args: {account: accounts, amount: 'integers(1, 10)'}\n"
                            "    sql: SELECT pay(:account, :amount)\n"
                            "    expect: balances[account] + amount\n"
                            "    model: balances[account] += amount\n"
                            "    weight: 1 + len(accounts)\n"
                            "  close:\n"
                            "    args: {account: consumes(accounts)}\n"
                            "    sql: UPDATE accounts SET closed = true WHERE id = :account\n"
                            "    affects: 1\n"
                            "    model: balances.pop(account)\n"
                            "    target: closed\n"
                            "    returns: account\n"
                            "    limit: 4\n"
                            "  pay_closed:\n"
                            "    args: {account: closed, amount: 'integers(1, 10)'}\n"
                            "    where: amount != 5\n"
                            "    sql: SELECT pay(:account, :amount)\n"
                            "    raises: raise_exception\n"
                            "invariants:\n"
                            "  listed:\n"
                            "    sql: SELECT id, balance FROM accounts\n"
                            "    expect: balances\n"
                            "  counted:\n"
                            "    sql: SELECT count(*) FROM accounts\n"
                            "    expect: len(balances)\n"
                            "    every: 3\n";
