-- Plans that are paid by the month, always on the day on which they began, or on the last day of a shorter month.
CREATE TABLE plans (
    id      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    began   date NOT NULL DEFAULT current_date,
    periods integer NOT NULL DEFAULT 1,
    ends    date NOT NULL DEFAULT current_date + interval '1 month'
);

CREATE FUNCTION renew(plan integer) RETURNS date
LANGUAGE sql
AS $$
    UPDATE plans SET periods = periods + 1, ends = began + (periods + 1) * interval '1 month' WHERE id = plan
    RETURNING ends
$$;
