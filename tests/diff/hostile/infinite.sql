CREATE OR REPLACE FUNCTION inf() RETURNS date LANGUAGE sql AS $$ SELECT '-infinity'::date $$;
