-- Plants the mutants of the query :query one by one, and shows of each what it changed, if that is anything but its
-- object alone.
SET jit = off;
SET search_path = '';
CREATE TEMP TABLE mutants AS SELECT row_number() OVER () AS n, NULL::text AS note, m.* FROM (:query) AS m;
CREATE TEMP TABLE before AS SELECT * FROM pg_temp.dump;
DO $$
DECLARE
    mutant record;
    changed text[];
BEGIN
    FOR mutant IN SELECT * FROM pg_temp.mutants WHERE equivalent IS NULL ORDER BY n LOOP
        BEGIN
            EXECUTE mutant.ddl;
            changed := ARRAY(SELECT name FROM pg_temp.before AS b FULL JOIN pg_temp.dump AS a USING (kind, name)
                             WHERE b.definition IS DISTINCT FROM a.definition ORDER BY name);
            RAISE EXCEPTION SQLSTATE 'UNDO0';
        EXCEPTION
            WHEN SQLSTATE 'UNDO0' THEN
                UPDATE pg_temp.mutants AS m SET note = array_to_string(changed, ' + ')
                 WHERE m.n = mutant.n AND changed <> ARRAY[mutant.object];
            WHEN OTHERS THEN
                UPDATE pg_temp.mutants AS m SET note = 'REFUSED: ' || SQLERRM || ': ' || mutant.ddl
                 WHERE m.n = mutant.n;
        END;
    END LOOP;
    IF EXISTS (SELECT FROM pg_temp.before AS b FULL JOIN pg_temp.dump AS a USING (kind, name)
               WHERE b.definition IS DISTINCT FROM a.definition) THEN
        RAISE 'a mutant left something behind';
    END IF;
    IF EXISTS (SELECT FROM (SELECT n, row_number() OVER (ORDER BY object COLLATE "C", operator COLLATE "C",
                                                                  becomes COLLATE "C") AS sorted
                            FROM pg_temp.mutants) AS m WHERE n <> sorted) THEN
        RAISE 'they are not in order';
    END IF;
END
$$;
SELECT concat_ws(' | ', operator, object, becomes, CASE WHEN equivalent IS NULL THEN note ELSE 'equivalent: ' || equivalent END)
FROM pg_temp.mutants ORDER BY n;
