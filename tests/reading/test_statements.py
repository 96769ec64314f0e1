from seminar.reading.readers import load_span_model
from seminar.reading.statements import Claim, Support, supports

TEXT = "Dogs travel free on the ferry. The crossing takes 55 minutes."


def test_a_statement_is_read_as_a_question_of_its_evidence():
    claims = [
        Claim("The crossing takes 55 minutes.", TEXT),
        Claim("The mayor is called Ann Lee.", TEXT),
    ]
    true, absent = supports(load_span_model(), claims)
    assert true.answered > absent.answered
    assert true.yes > 0


def test_without_words_nothing_is_supported():
    assert supports(load_span_model(), []) == []
    assert supports(load_span_model(), [Claim("Dogs travel.", "")]) == [Support(0.0, 0.0)]
