-- A row while somebody shrinks a failure.
SELECT 1
  FROM pgfsm.failure AS f
 WHERE f.id = pg_catalog.sha256(pg_catalog.convert_to($1::pg_catalog.text || E'\n' || $2::pg_catalog.text, 'UTF8'))
   AND NOT f.shrunk AND f.lease >= pg_catalog.now()
