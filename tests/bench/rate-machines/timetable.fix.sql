CREATE OR REPLACE FUNCTION schedule(p_course integer, p_teacher text, p_studio text, p_day text, p_hour integer, p_week text)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    c      course;
    new_id integer;
BEGIN
    SELECT * INTO STRICT c FROM course WHERE id = p_course;
    IF c.closed THEN
        RAISE EXCEPTION 'course is closed' USING ERRCODE = 'DS001';
    END IF;
    IF NOT EXISTS (SELECT FROM teaches WHERE teacher = p_teacher AND style = c.style) THEN
        RAISE EXCEPTION 'teacher does not teach %', c.style USING ERRCODE = 'DS002';
    END IF;
    IF EXISTS (SELECT FROM lesson WHERE teacher = p_teacher AND day = p_day AND hour = p_hour
                                    AND (week = p_week OR week = 'every' OR p_week = 'every')) THEN
        RAISE EXCEPTION 'teacher is busy' USING ERRCODE = 'DS003';
    END IF;
    IF EXISTS (SELECT FROM lesson WHERE studio = p_studio AND day = p_day AND hour = p_hour
                                    AND (week = p_week OR week = 'every' OR p_week = 'every')) THEN
        RAISE EXCEPTION 'studio is taken' USING ERRCODE = 'DS004';
    END IF;
    IF EXISTS (SELECT FROM lesson WHERE course = p_course AND day = p_day AND hour = p_hour
                                    AND (week = p_week OR week = 'every' OR p_week = 'every')) THEN
        RAISE EXCEPTION 'course has another lesson then' USING ERRCODE = 'DS005';
    END IF;
    INSERT INTO lesson (course, teacher, studio, day, hour, week)
    VALUES (p_course, p_teacher, p_studio, p_day, p_hour, p_week)
    RETURNING id INTO new_id;
    RETURN new_id;
END $$;
