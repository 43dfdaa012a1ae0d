-- The lock of a tool for migrations. It is a row, so that it outlives the session that takes it. The tool takes it by one
-- statement, which inserts a row if there is none (see the machine). One statement is not enough: it doesn't see a row
-- that another session inserts at the same time. Only the key keeps a second row out.

CREATE TABLE migration_lock (
    one    boolean NOT NULL DEFAULT true CONSTRAINT one_lock UNIQUE CONSTRAINT always_true CHECK (one),
    holder text NOT NULL
);
