-- Planted in migration_lock.sql: there is no key. Two sessions that find no row insert one each, and both run the
-- migrations.
--
-- shortest: 2 steps, 1 switch, 0 gates
--   A1  acquire(process="ann")
--   B1  acquire(process="ann")

ALTER TABLE migration_lock DROP CONSTRAINT one_lock;
