-- Plants the mutants of the query :query one by one. Shows what the server refuses, and how many there are.
SET jit = off;
SET search_path = '';
CREATE TEMP TABLE mutants AS SELECT row_number() OVER () AS n, NULL::text AS refused, m.* FROM (:query) AS m;
CREATE TEMP TABLE before AS SELECT * FROM pg_temp.dump;
DO $$
DECLARE
    mutant record;
BEGIN
    FOR mutant IN SELECT * FROM pg_temp.mutants WHERE equivalent IS NULL ORDER BY n LOOP
        BEGIN
            EXECUTE mutant.ddl;
            RAISE EXCEPTION SQLSTATE 'UNDO0';
        EXCEPTION
            WHEN SQLSTATE 'UNDO0' THEN NULL;
            WHEN OTHERS THEN UPDATE pg_temp.mutants AS m SET refused = SQLERRM WHERE m.n = mutant.n;
        END;
    END LOOP;
END
$$;
SELECT format('refused: %s %s: %s: %s', operator, object, refused, ddl) FROM pg_temp.mutants WHERE refused IS NOT NULL;
SELECT format('twice: %s %s: %s', operator, object, becomes) FROM pg_temp.mutants
GROUP BY operator, object, becomes HAVING count(*) > 1;
SELECT 'left behind: ' || name FROM pg_temp.before AS b FULL JOIN pg_temp.dump AS a USING (kind, name)
WHERE b.definition IS DISTINCT FROM a.definition;
SELECT format('%s mutants, %s of them equivalent', count(*), count(equivalent)) FROM pg_temp.mutants;
