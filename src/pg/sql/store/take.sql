-- Leases the first chunk that nobody has.
WITH next AS MATERIALIZED (
    SELECT c.run, c.first
      FROM pgfsm.chunk AS c JOIN pgfsm.run AS r ON r.id = c.run
     WHERE c.run = pg_catalog.sha256(pg_catalog.convert_to($1::pg_catalog.text, 'UTF8'))
       AND c.done IS NULL AND c.first <= r.stop AND (c.lease IS NULL OR c.lease < pg_catalog.now())
     ORDER BY c.first
     LIMIT 1
       FOR UPDATE OF c SKIP LOCKED)
UPDATE pgfsm.chunk AS c
   SET holder = $2::pg_catalog.text, epoch = c.epoch + 1,
       lease = pg_catalog.now() + pg_catalog.make_interval(secs => $3::pg_catalog.float8)
  FROM next AS n
 WHERE c.run = n.run AND c.first = n.first
RETURNING c.first, c.last, c.epoch
