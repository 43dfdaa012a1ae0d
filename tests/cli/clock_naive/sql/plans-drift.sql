-- A plan that began on the 31st stays on the 28th after February.
CREATE OR REPLACE FUNCTION renew(plan integer) RETURNS date
LANGUAGE sql
AS $$
    UPDATE plans SET periods = periods + 1, ends = ends + interval '1 month' WHERE id = plan RETURNING ends
$$;
