-- Replaces an index by one that serves the same queries, and drops another one. Harmless: only the plans may change, and
-- all queries whose order matters have ORDER BY up to a unique column.

CREATE INDEX entries_latest_first ON entries (account_id, booked_on DESC, id DESC) INCLUDE (balance_after);
DROP INDEX entries_account_id_booked_on_id_idx;
DROP INDEX entries_transfer_id_idx;
