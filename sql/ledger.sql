-- A double-entry ledger. A transfer has two entries, one for each account, whose amounts add up to zero.
-- Booked amounts never change; a second transfer reverses a mistake. Every entry stores the account's balance
-- after it, in the order of days, so that a statement needs no sums. A backdated entry therefore changes the
-- balances of the entries of later days.

CREATE TABLE accounts (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name      text NOT NULL,
    overdraft boolean NOT NULL,                      -- whether it may be overdrawn
    balance   numeric(20, 2) NOT NULL DEFAULT 0      -- the sum of all its entries
);

CREATE TABLE transfers (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    from_account bigint NOT NULL REFERENCES accounts,
    to_account   bigint NOT NULL REFERENCES accounts, -- can equal from_account
    amount       numeric(14, 2) NOT NULL CONSTRAINT amount_is_positive CHECK (amount > 0),
    booked_on    date NOT NULL,
    reverses     bigint REFERENCES transfers,
    CONSTRAINT reversed_once UNIQUE (reverses)
);

CREATE TABLE entries (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    transfer_id   bigint NOT NULL REFERENCES transfers,
    account_id    bigint NOT NULL REFERENCES accounts,
    booked_on     date NOT NULL,
    amount        numeric(14, 2) NOT NULL,
    balance_after numeric(20, 2) NOT NULL
);

CREATE INDEX ON entries (account_id, booked_on, id);
CREATE INDEX ON entries (transfer_id);

-- Deferred to the end of the transaction, because a single entry never balances.
CREATE FUNCTION transfer_balances() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF (SELECT sum(amount) FROM entries WHERE transfer_id = NEW.transfer_id) <> 0 THEN
        RAISE check_violation
            USING MESSAGE = format('transfer %s does not balance', NEW.transfer_id),
                  CONSTRAINT = 'transfer_balances';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER transfer_balances AFTER INSERT ON entries
    DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION transfer_balances();

-- Booked rows are final. The only column that may change is the balance after an entry.
CREATE FUNCTION refuse() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    RAISE restrict_violation USING MESSAGE = 'what was booked can be reversed, and not changed';
END
$$;

CREATE TRIGGER stays BEFORE UPDATE OR DELETE OR TRUNCATE ON transfers
    FOR EACH STATEMENT EXECUTE FUNCTION refuse();
CREATE TRIGGER stays
    BEFORE UPDATE OF transfer_id, account_id, booked_on, amount OR DELETE OR TRUNCATE ON entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse();

CREATE FUNCTION open_account(name text, overdraft boolean DEFAULT false) RETURNS bigint
LANGUAGE sql
AS $$
    INSERT INTO accounts (name, overdraft) VALUES (name, overdraft) RETURNING id
$$;

-- Adds one entry: after the other entries of its day, and before those of later days.
CREATE FUNCTION post(transfer bigint, account bigint, day date, change numeric) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    before numeric;
BEGIN
    SELECT balance_after INTO before FROM entries
     WHERE account_id = account AND booked_on <= day
     ORDER BY booked_on DESC, id DESC LIMIT 1;
    INSERT INTO entries (transfer_id, account_id, booked_on, amount, balance_after)
        VALUES (transfer, account, day, change, coalesce(before, 0) + change);
    UPDATE entries SET balance_after = balance_after + change
     WHERE account_id = account AND booked_on > day;
    UPDATE accounts SET balance = balance + change WHERE id = account;
END
$$;

-- An account without an overdraft must not be overdrawn on any day.
CREATE FUNCTION check_overdraft(account bigint) RETURNS void
LANGUAGE plpgsql STABLE
AS $$
BEGIN
    IF EXISTS (SELECT FROM entries e JOIN accounts a ON a.id = e.account_id
                WHERE a.id = account AND NOT a.overdraft AND e.balance_after < 0)
    THEN
        RAISE check_violation
            USING MESSAGE = format('account %s would be overdrawn', account),
                  CONSTRAINT = 'no_overdraft';
    END IF;
END
$$;

CREATE FUNCTION transfer(sender bigint, receiver bigint, amount numeric, day date,
                         reversed bigint DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    transfer bigint;
BEGIN
    -- Always in the order of ids, so that two transfers between the same accounts can't deadlock.
    PERFORM FROM accounts WHERE id IN (sender, receiver) ORDER BY id FOR UPDATE;
    INSERT INTO transfers (from_account, to_account, amount, booked_on, reverses)
        VALUES (sender, receiver, amount, day, reversed)
        RETURNING id INTO transfer;
    PERFORM post(transfer, receiver, day, amount);
    PERFORM post(transfer, sender, day, -amount);
    PERFORM check_overdraft(sender);
    RETURN transfer;
END
$$;

CREATE FUNCTION reverse_transfer(transfer bigint, day date) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    original transfers;
BEGIN
    SELECT * INTO STRICT original FROM transfers WHERE id = transfer;
    IF day < original.booked_on THEN
        RAISE check_violation
            USING MESSAGE = format('transfer %s was booked on %s', transfer, original.booked_on),
                  CONSTRAINT = 'reversed_later';
    END IF;
    RETURN transfer(original.to_account, original.from_account, original.amount, day, transfer);
END
$$;
