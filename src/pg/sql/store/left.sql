-- The first chunk that is not done yet, and who has it.
SELECT c.first, c.last, c.holder
  FROM pgfsm.chunk AS c JOIN pgfsm.run AS r ON r.id = c.run
 WHERE c.run = pg_catalog.sha256(pg_catalog.convert_to($1::pg_catalog.text, 'UTF8'))
   AND c.done IS NULL AND c.first <= r.stop
 ORDER BY c.first
 LIMIT 1
