import pytest

from seminar.errors import EndpointError
from seminar.models.llm.chat import Completion, Message
from seminar.models.llm.metering import Meter, Metered
from tests.completions import ScriptedChat

ASKED = [Message("user", "Who is it?")]


def test_a_spent_budget_ends_the_calls_of_all_that_share_it():
    meter = Meter()
    model = ScriptedChat(lambda _: "Ann Lee.")
    one, other = Metered(model, 200, meter), Metered(model, 200, meter)
    one.chat(ASKED, lambda _: None)
    other.chat(ASKED, lambda _: None)
    assert meter.tokens == 204  # the last call may go beyond it
    with pytest.raises(EndpointError, match="budget of 200 tokens is spent"):
        one.chat(ASKED, lambda _: None)
    assert len(model.chats) == 2


def test_without_a_budget_nothing_ends():
    model = Metered(ScriptedChat(lambda _: "Ann."), 0)
    for _ in range(5):
        model.chat(ASKED, lambda _: None)
    assert model.meter.tokens == 505


def test_tokens_are_estimated_where_a_server_does_not_count():
    class Silent:
        def chat(self, messages: object, listen: object) -> Completion:
            return Completion("Ann Lee.")

    model = Metered(Silent(), 0)
    model.chat(ASKED, lambda _: None)
    assert model.meter.tokens == 3 + 2
