CREATE OR REPLACE FUNCTION withdraw(p_id bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    s submissions;
BEGIN
    s := transit(p_id, '{draft,submitted,in_review,revising,appealed,accepted}', 'withdrawn');
    IF s.state IN ('in_review', 'revising', 'accepted') THEN
        PERFORM release(s.editor);
    END IF;
END $$;
