CREATE OR REPLACE FUNCTION correct_proof(p_paper integer, p_what text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM must_be(p_paper, 'typeset');
    CASE p_what
    WHEN 'typo', 'affiliation' THEN
        NULL;
    WHEN 'figure' THEN
        UPDATE paper SET status = 'accepted', version = version + 1, approved = false WHERE id = p_paper;
    WHEN 'data', 'authorship' THEN
        UPDATE paper SET status = 'submitted', version = version + 1, approved = false WHERE id = p_paper;
    END CASE;
END $$;
