-- The timetable of a dance school. Week A and week B alternate; a lesson is in one of them, or in both ('every').
CREATE TABLE course (
    id     integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    style  text NOT NULL,
    closed boolean NOT NULL DEFAULT false
);

CREATE TABLE teaches (
    teacher text NOT NULL,
    style   text NOT NULL,
    PRIMARY KEY (teacher, style)
);

CREATE TABLE lesson (
    id      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    course  integer NOT NULL REFERENCES course,
    teacher text NOT NULL,
    studio  text NOT NULL,
    day     text NOT NULL CHECK (day IN ('mon', 'tue', 'wed', 'thu', 'fri', 'sat')),
    hour    integer NOT NULL CHECK (hour BETWEEN 14 AND 21),
    week    text NOT NULL CHECK (week IN ('A', 'B', 'every'))
);
CREATE INDEX ON lesson (day, hour);

CREATE FUNCTION schedule(p_course integer, p_teacher text, p_studio text, p_day text, p_hour integer, p_week text)
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
                                    AND (week = p_week OR week = 'every')) THEN
        RAISE EXCEPTION 'course has another lesson then' USING ERRCODE = 'DS005';
    END IF;
    INSERT INTO lesson (course, teacher, studio, day, hour, week)
    VALUES (p_course, p_teacher, p_studio, p_day, p_hour, p_week)
    RETURNING id INTO new_id;
    RETURN new_id;
END $$;

CREATE FUNCTION change_studio(p_lesson integer, p_studio text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE lesson l SET studio = p_studio
    WHERE id = p_lesson
      AND NOT EXISTS (SELECT FROM lesson o
                      WHERE o.id <> l.id AND o.studio = p_studio AND o.day = l.day AND o.hour = l.hour
                        AND (o.week = l.week OR 'every' IN (o.week, l.week)));
    RETURN FOUND;
END $$;

CREATE FUNCTION close_course(p_course integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE n integer;
BEGIN
    UPDATE course SET closed = true WHERE id = p_course;
    DELETE FROM lesson WHERE course = p_course;
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;

-- A teacher stops teaching a style; the lessons that need it are cancelled.
CREATE FUNCTION drop_style(p_teacher text, p_style text) RETURNS SETOF integer LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM teaches WHERE teacher = p_teacher AND style = p_style;
    RETURN QUERY DELETE FROM lesson USING course
                 WHERE course.id = lesson.course AND teacher = p_teacher AND style = p_style
                 RETURNING lesson.id;
END $$;
