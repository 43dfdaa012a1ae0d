-- Gives a chunk back that was not run to its end.
UPDATE pgfsm.chunk AS c
   SET lease = NULL
 WHERE c.run = pg_catalog.sha256(pg_catalog.convert_to($1::pg_catalog.text, 'UTF8'))
   AND c.first = $2::pg_catalog.int8 AND c.epoch = $3::pg_catalog.int8 AND c.done IS NULL
