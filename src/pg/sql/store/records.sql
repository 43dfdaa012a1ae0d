-- The first chunk that is done and ends with an example or behind it.
SELECT c.first, c.last, c.records
  FROM pgfsm.chunk AS c
 WHERE c.run = pg_catalog.sha256(pg_catalog.convert_to($1::pg_catalog.text, 'UTF8'))
   AND c.last >= $2::pg_catalog.int8 AND c.done IS NOT NULL
 ORDER BY c.first
 LIMIT 1
