-- Renames the unique index of addresses and a constraint. Harmless: they refuse the same rows with the same SQLSTATEs.

ALTER INDEX email_is_unique RENAME TO customer_rows_email_key;
ALTER TABLE customer_history RENAME CONSTRAINT customer_history_customer_id_fkey TO customer_history_customer;
