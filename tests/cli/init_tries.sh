#!/bin/sh
# `pgfsm init` tries the machine: errors that the text of the schema does not show become allowed errors, and rules that
# can't succeed are removed. init reports both, and the machine passes: by night ($PGFSM_TEST_ALL) from three seeds.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
seeds=4 # init tries the first ones itself
[ -z "$TEST_ALL" ] || seeds='1 2 3 4'

cat >odd.sql <<'END_SQL'
CREATE TABLE parcels (id int PRIMARY KEY, weight int NOT NULL);
CREATE FUNCTION weigh() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF new.weight % 2 = 1 THEN RAISE EXCEPTION 'odd' USING ERRCODE = replace('AB-123', '-', ''); END IF;
    RETURN new;
END $$;
CREATE TRIGGER weigh BEFORE INSERT ON parcels FOR EACH ROW EXECUTE FUNCTION weigh();
CREATE TABLE fragile (id int PRIMARY KEY);
CREATE FUNCTION snap() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); END';
CREATE TRIGGER snap BEFORE DELETE ON fragile FOR EACH ROW EXECUTE FUNCTION snap();
-- Nobody has called them since their tables went away.
SET check_function_bodies = off;
CREATE FUNCTION dead() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM gone';
CREATE FUNCTION die() RETURNS void LANGUAGE plpgsql AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); END';
CREATE FUNCTION forgotten() RETURNS void LANGUAGE plpgsql AS 'BEGIN PERFORM FROM gone; END';
END_SQL
runs 0 init --full --schema odd.sql -o odd.yaml
err 'init: rule insert_parcels may raise AB123: odd.'
err 'init: rule call_forgotten may raise 42P01: relation "gone" does not exist.'
err 'init: left out: rule call_die: '
err 'dead'
grep -q '^    # Weakened: rule insert_parcels may raise AB123: odd\.$' odd.yaml || complain "$said: $(cat odd.yaml)"
for seed in $seeds; do
    runs 0 run odd.yaml --no-save --seed "$seed"
done

# In the short form, a rule that is weaker than the generated one is written out, and one that was removed is null.
runs 0 init --schema odd.sql -o short.yaml
err 'init: rule insert_parcels may raise AB123: odd.'
err 'init: left out: rule delete_fragile: '
grep -q '^    # Weakened: rule insert_parcels may raise AB123: odd\.$' short.yaml || complain "$said: $(cat short.yaml)"
grep -q '^  # Left out: rule delete_fragile: ' short.yaml || complain "$said: $(cat short.yaml)"
grep -q '^  delete_fragile: null$' short.yaml || complain "$said: $(cat short.yaml)"
! grep -q '^  update_parcels:' short.yaml || complain "$said: it writes out what the tables stand for"
for seed in $seeds; do
    runs 0 run short.yaml --no-save --seed "$seed"
done
runs 0 list short.yaml
out insert_parcels
out_lacks delete_fragile

# A database that was named is not written to, not even in a transaction that is rolled back.
psql -qX -d postgres -v ON_ERROR_STOP=1 -f odd.sql || complain 'odd.sql is not loaded'
runs 0 init --full -d postgres -o named.yaml
err_lacks 'may raise'
[ "$(psql -qXAt -d postgres -c "SELECT coalesce(sum(n_tup_ins), 0) FROM pg_stat_user_tables")" = 0 ] || complain "$said: it inserted rows"
finish
