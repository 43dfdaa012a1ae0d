-- Partitions entries by the day they are booked on. Harmless: rows, triggers and the next id stay, and the server still
-- makes all ids, so the key need not compare those of different partitions.

ALTER TABLE entries RENAME TO old_entries;
ALTER SEQUENCE entries_id_seq RENAME TO old_entries_id_seq;
ALTER TABLE old_entries RENAME CONSTRAINT entries_pkey TO old_entries_pkey;

CREATE TABLE entries (
    id            bigint GENERATED ALWAYS AS IDENTITY,
    transfer_id   bigint NOT NULL,
    account_id    bigint NOT NULL,
    booked_on     date NOT NULL,
    amount        numeric(14, 2) NOT NULL,
    balance_after numeric(20, 2) NOT NULL,
    PRIMARY KEY (id, booked_on)
) PARTITION BY RANGE (booked_on);
CREATE TABLE entries_until_2024 PARTITION OF entries FOR VALUES FROM (MINVALUE) TO ('2025-01-01');
CREATE TABLE entries_2025 PARTITION OF entries FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
CREATE TABLE entries_later PARTITION OF entries DEFAULT;

INSERT INTO entries (id, transfer_id, account_id, booked_on, amount, balance_after) OVERRIDING SYSTEM VALUE
    SELECT id, transfer_id, account_id, booked_on, amount, balance_after FROM old_entries ORDER BY id;
SELECT setval(pg_get_serial_sequence('entries', 'id'), last_value, is_called) FROM old_entries_id_seq;
DROP TABLE old_entries;

ALTER TABLE entries ADD CONSTRAINT entries_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfers;
ALTER TABLE entries ADD CONSTRAINT entries_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts;
CREATE INDEX ON entries (account_id, booked_on, id);
CREATE INDEX ON entries (transfer_id);
CREATE CONSTRAINT TRIGGER transfer_balances AFTER INSERT ON entries
    DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION transfer_balances();
CREATE TRIGGER stays
    BEFORE UPDATE OF transfer_id, account_id, booked_on, amount OR DELETE OR TRUNCATE ON entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse();
