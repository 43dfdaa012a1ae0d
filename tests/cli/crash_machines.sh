#!/bin/sh
# Each machine of tests/crash/ finds its wrong schema from 20 seeds, and only where clients die; with the right schema it
# holds.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
machines=$(cd "$(dirname "$0")/../crash" && pwd)
common_begin
trap 'common_end; server_stop' EXIT
cp "$machines"/* .
for file in "$machines"/*.yaml; do
    name=$(basename "$file" .yaml)
    runs 0 run "$name.yaml" --seed 1 --examples 1000 --no-save
    sed "s/$name.sql/$name-wrong.sql/" "$name.yaml" >wrong.yaml
    for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        runs 1 run wrong.yaml --seed $seed --no-save
        grep -qE '# (dies after its COMMIT|its session ends in the middle)' out || {
            complain "$said: nobody dies"
            show
        }
    done
    sed -i '/crash:/,/sql:/{/sql:/!d}' wrong.yaml
    runs 0 run wrong.yaml --seed 1 --examples 200 --no-save
done

# What the step sends, and as whom, is in the script.
cat >work.sql <<'END_SQL'
CREATE TABLE jobs (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n int NOT NULL DEFAULT 0);
CREATE TABLE log (job uuid, who text, role name DEFAULT current_role);
CREATE PROCEDURE work(job uuid) LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO log VALUES (job, current_setting('app.who'));
    COMMIT;
    UPDATE jobs SET n = n + 1 WHERE id = job;
END $$;
GRANT ALL ON jobs, log TO worker;
END_SQL
"$SERVER_BIN/psql" -Xqc 'CREATE ROLE worker'
cat >work.yaml <<'END'
machine: work
schema: work.sql
settings: {transactions: commit, seed: 1, steps: 8}
rules:
  add: {sql: INSERT INTO jobs DEFAULT VALUES RETURNING id, target: jobs}
  work:
    args: {job: jobs}
    as: {role: worker, settings: {app.who: job}}
    transaction: none
    crash: {then: again, model: pass}
    sql: ['SELECT 1, 2, :job::text', CALL work(:job)]
    model: pass
invariants:
  once: SELECT job, who, role FROM log GROUP BY 1, 2, 3 HAVING count(*) > (SELECT n FROM jobs WHERE id = job)
END
runs 1 run work.yaml
out '# its session ends in the middle'
runs 1 replay counterexamples/work-once.sql
grep -qE '"job":"([-0-9a-f]+)","who":"\1","role":"worker"' out || complain "$said: $(cat out)"
finish
