CREATE OR REPLACE FUNCTION seats(the_room text, the_layout text) RETURNS integer
LANGUAGE sql STABLE AS $$
    SELECT round(r.size * l.percent / 100.0)::integer
      FROM rooms AS r, layouts AS l WHERE r.name = the_room AND l.name = the_layout
$$;
