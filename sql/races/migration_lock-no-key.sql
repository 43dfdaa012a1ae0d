-- Planted in migration_lock.sql: there is no key. Two sessions that find no row insert one each, and both run the
-- migrations.

ALTER TABLE migration_lock DROP CONSTRAINT one_lock;
