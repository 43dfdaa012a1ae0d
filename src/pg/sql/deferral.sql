-- Whether any constraint can be deferred; the names of those that are deferred at first; whether one
-- of these names also stands for a constraint in the same schema that is not: SET CONSTRAINTS with
-- that name would reach for both.
SELECT EXISTS (SELECT FROM pg_catalog.pg_constraint WHERE condeferrable),
       (SELECT pg_catalog.string_agg(DISTINCT pg_catalog.format('%I.%I', n.nspname, c.conname), ', ')
        FROM pg_catalog.pg_constraint AS c
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.connamespace
        WHERE c.condeferred),
       EXISTS (SELECT FROM pg_catalog.pg_constraint AS c
               JOIN pg_catalog.pg_constraint AS other USING (connamespace, conname)
               WHERE c.condeferred AND NOT other.condeferred)
