-- Makes entries again with its columns in another order. Harmless: rows, constraints, triggers and the next id stay, and
-- every statement names its columns.

ALTER TABLE entries RENAME TO old_entries;
ALTER SEQUENCE entries_id_seq RENAME TO old_entries_id_seq;
ALTER TABLE old_entries RENAME CONSTRAINT entries_pkey TO old_entries_pkey;

CREATE TABLE entries (
    account_id    bigint NOT NULL,
    booked_on     date NOT NULL,
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    balance_after numeric(20, 2) NOT NULL,
    amount        numeric(14, 2) NOT NULL,
    transfer_id   bigint NOT NULL,
    CONSTRAINT entries_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfers,
    CONSTRAINT entries_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts
);
INSERT INTO entries (id, transfer_id, account_id, booked_on, amount, balance_after) OVERRIDING SYSTEM VALUE
    SELECT id, transfer_id, account_id, booked_on, amount, balance_after FROM old_entries ORDER BY id;
SELECT setval('entries_id_seq', last_value, is_called) FROM old_entries_id_seq;
DROP TABLE old_entries;

CREATE INDEX ON entries (account_id, booked_on, id);
CREATE INDEX ON entries (transfer_id);
CREATE CONSTRAINT TRIGGER transfer_balances AFTER INSERT ON entries
    DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION transfer_balances();
CREATE TRIGGER stays
    BEFORE UPDATE OF transfer_id, account_id, booked_on, amount OR DELETE OR TRUNCATE ON entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse();
