-- Partitions customer_history by customer. Harmless: rows and keys stay, and nobody uses the partitions by their names.
-- Only the name of the primary key in an error is that of a partition.

ALTER TABLE customer_history RENAME TO old_history;
ALTER TABLE old_history RENAME CONSTRAINT customer_history_pkey TO old_history_pkey;

CREATE TABLE customer_history (
    LIKE old_history,
    PRIMARY KEY (customer_id, version),
    CONSTRAINT customer_history_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer_rows
) PARTITION BY HASH (customer_id);
CREATE TABLE customer_history_0 PARTITION OF customer_history FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE customer_history_1 PARTITION OF customer_history FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO customer_history SELECT * FROM old_history;
DROP TABLE old_history;
