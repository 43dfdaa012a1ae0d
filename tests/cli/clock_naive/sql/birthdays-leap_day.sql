-- Who was born on a leap day waits for the next one.
CREATE OR REPLACE FUNCTION celebrates(born date) RETURNS boolean
LANGUAGE sql
AS $$SELECT to_char(born, 'MM-DD') = to_char(current_date, 'MM-DD')$$;
