CREATE OR REPLACE FUNCTION mk(i int) RETURNS dnest LANGUAGE sql AS $$ SELECT ROW(ARRAY[ROW(i * i + 1, 'z')::dpt]::dpts, numrange(1.50, 2), '{[1,3),[5,8)}'::int4multirange)::dnest $$;
