-- Counts a failure that another process has, and tells who has it, and its form if that is final.
UPDATE pgfsm.failure AS f
   SET times = f.times + $3::pg_catalog.int8, seen = pg_catalog.now()
 WHERE f.id = pg_catalog.sha256(pg_catalog.convert_to($1::pg_catalog.text || E'\n' || $2::pg_catalog.text, 'UTF8'))
RETURNING f.shrunk, f.holder, f.epoch, CASE WHEN f.shrunk THEN f.trace END
