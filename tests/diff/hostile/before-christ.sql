CREATE OR REPLACE FUNCTION bc() RETURNS timestamptz LANGUAGE sql AS $$ SELECT '0044-03-15'::timestamptz $$;
