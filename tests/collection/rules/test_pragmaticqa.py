from seminar.collection.rules.pragmaticqa import may_leave


def test_both_may_leave_after_six_rounds():
    assert [may_leave(rounds) for rounds in (0, 5, 6, 7)] == [False, False, True, True]
    assert [may_leave(rounds, least=2) for rounds in (1, 2)] == [False, True]
