-- Double-entry bookkeeping: what is posted stays, balances are kept by a trigger, debits and credits add up at commit.
CREATE TYPE account_type AS ENUM ('asset', 'liability', 'equity', 'revenue', 'expense');
CREATE DOMAIN amount AS numeric(14, 2) CHECK (VALUE > 0);
CREATE TABLE currency (code char(3) PRIMARY KEY CHECK (code ~ '^[A-Z]{3}$'), digits smallint NOT NULL DEFAULT 2 CHECK (digits BETWEEN 0 AND 4));
CREATE TABLE account (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    number text NOT NULL UNIQUE CHECK (number ~ '^\d{4,6}$'),
    name text NOT NULL,
    type account_type NOT NULL,
    parent int REFERENCES account ON DELETE RESTRICT CHECK (parent <> id),
    currency char(3) NOT NULL REFERENCES currency,
    closed_on date
);
CREATE TABLE balance (
    account int PRIMARY KEY REFERENCES account ON DELETE CASCADE,
    debit numeric(20, 2) NOT NULL DEFAULT 0,
    credit numeric(20, 2) NOT NULL DEFAULT 0
);
CREATE TABLE period (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    first_day date NOT NULL,
    last_day date NOT NULL,
    locked boolean NOT NULL DEFAULT false,
    CHECK (last_day >= first_day),
    EXCLUDE USING gist (daterange(first_day, last_day, '[]') WITH &&)
);
CREATE TABLE entry (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    period int NOT NULL REFERENCES period,
    reverses bigint UNIQUE REFERENCES entry DEFERRABLE INITIALLY DEFERRED,
    memo text NOT NULL DEFAULT '' CHECK (length(memo) <= 200),
    reference text,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (period, reference)
);
CREATE TABLE line (
    entry bigint REFERENCES entry ON DELETE CASCADE,
    number smallint CHECK (number > 0),
    account int NOT NULL REFERENCES account,
    debit amount,
    credit amount,
    PRIMARY KEY (entry, number),
    CONSTRAINT one_side CHECK ((debit IS NULL) <> (credit IS NULL))
);
CREATE FUNCTION keep_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        UPDATE balance SET debit = debit - coalesce(OLD.debit, 0), credit = credit - coalesce(OLD.credit, 0) WHERE account = OLD.account;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO balance (account, debit, credit) VALUES (NEW.account, coalesce(NEW.debit, 0), coalesce(NEW.credit, 0))
        ON CONFLICT (account) DO UPDATE SET debit = balance.debit + excluded.debit, credit = balance.credit + excluded.credit;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER keep_balance AFTER INSERT OR UPDATE OR DELETE ON line FOR EACH ROW EXECUTE FUNCTION keep_balance();
CREATE FUNCTION refuse_locked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT locked FROM period WHERE id = NEW.period) THEN
        RAISE EXCEPTION 'the period is locked' USING ERRCODE = 'LE001';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER refuse_locked BEFORE INSERT OR UPDATE ON entry FOR EACH ROW EXECUTE FUNCTION refuse_locked();
CREATE FUNCTION post(period int, memo text, debit_account int, credit_account int, sum amount) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    made bigint;
BEGIN
    INSERT INTO entry (period, memo) VALUES (post.period, post.memo) RETURNING id INTO made;
    INSERT INTO line (entry, number, account, debit, credit) VALUES (made, 1, debit_account, sum, NULL), (made, 2, credit_account, NULL, sum);
    RETURN made;
END $$;
CREATE FUNCTION balance_of(of_account int) RETURNS numeric LANGUAGE sql STABLE AS $$
    SELECT debit - credit FROM balance WHERE account = of_account
$$;
CREATE VIEW trial AS SELECT account, sum(debit) AS debit, sum(credit) AS credit FROM line GROUP BY account;
