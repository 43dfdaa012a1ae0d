-- The final form, from the one who has the failure.
UPDATE pgfsm.failure AS f
   SET name = $3::pg_catalog.text, trace = $4::pg_catalog.text, shrunk = true, seen = pg_catalog.now(), lease = NULL
 WHERE f.id = pg_catalog.sha256(pg_catalog.convert_to($1::pg_catalog.text || E'\n' || $2::pg_catalog.text, 'UTF8'))
   AND f.epoch = $5::pg_catalog.int8 AND f.holder = $6::pg_catalog.text
RETURNING 1
