-- A type without a strategy: a row can do without it here, and there not.
CREATE TABLE odd (seen txid_snapshot, id int);
CREATE TABLE more_odd (must txid_snapshot NOT NULL);
