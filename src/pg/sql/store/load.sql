-- The failures of a machine that were seen last.
SELECT f.name, f.trace, f.epoch
  FROM pgfsm.failure AS f
 WHERE f.machine = $1::pg_catalog.text
 ORDER BY f.seen DESC
 LIMIT $2::pg_catalog.int8
