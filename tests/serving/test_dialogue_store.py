"""Dialogues in both databases: found by words, listed by cursors, numbered without gaps."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine
from sqlalchemy.orm import Session, sessionmaker

from seminar.serving.dialogues import store
from seminar.serving.identity.callers import Caller
from seminar.serving.identity.local import caller_of, local_account
from seminar.serving.storage.engines import open_engine
from seminar.serving.storage.schema import Collection, StoredTurn, Table
from tests.serving.postgres import MISSING, is_installed, postgres_server

REPLY = {"text": "In 1921, says the 100% true_record."}


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest, tmp_path_factory) -> Iterator[Engine]:
    if request.param == "sqlite":
        yield _tables(f"sqlite:///{tmp_path_factory.mktemp('store') / 'db.sqlite'}")
    elif not is_installed():
        pytest.skip(MISSING)
    else:
        with postgres_server() as url:
            made = _tables(url)
            yield made
            made.dispose()


def _tables(url: str) -> Engine:
    engine = open_engine(url)
    Table.metadata.create_all(engine)
    return engine


@pytest.fixture
def session(engine: Engine) -> Iterator[Session]:
    with sessionmaker(engine, expire_on_commit=False)() as session:
        yield session
        session.rollback()


@pytest.fixture
def caller(session: Session) -> Caller:
    return caller_of(local_account(session))


@pytest.fixture
def collection(session: Session, caller: Caller) -> Collection:
    made = Collection(owner_id=caller.account_id, name="notes")
    session.add(made)
    session.flush()
    return made


def turn(number: int, question: str = "When was it?", key: str | None = None) -> StoredTurn:
    return StoredTurn(number=number, question=question, reply=REPLY, key=key)


@pytest.mark.parametrize("q", ["WAS IT", "in 1921", "100%", "true_r"])
def test_words_of_questions_and_answers_find_their_dialogue(
    session: Session, caller: Caller, collection: Collection, q: str
):
    dialogue = store.begin(session, caller, collection)
    store.begin(session, caller, collection)
    store.add_turn(session, dialogue, turn(1))
    found, last = store.list_dialogues(session, caller, store.Wanted(q=q))
    assert [one.dialogue.id for one in found] == [dialogue.id]
    assert found[0].turn is not None
    assert q.lower() in store.excerpt(found[0].turn, q).lower()
    assert last is None


def test_signs_of_patterns_are_plain_signs(
    session: Session, caller: Caller, collection: Collection
):
    store.add_turn(session, store.begin(session, caller, collection), turn(1))
    for q in ("1%1", "tru_", "%", "\\"):
        found, _ = store.list_dialogues(session, caller, store.Wanted(q=q))
        assert len(found) == (1 if q == "%" else 0)


def test_cursor_goes_through_all_dialogues_once(
    session: Session, caller: Caller, collection: Collection
):
    names = [store.begin(session, caller, collection).id for _ in range(5)]
    seen: list[str] = []
    after: str | None = ""
    while after is not None:
        wanted = store.Wanted(limit=2, after=after)
        found, after = store.list_dialogues(session, caller, wanted)
        seen += [one.dialogue.id for one in found]
    assert seen == names[::-1]


@pytest.mark.parametrize("other", [turn(1), turn(2, key="k")])
def test_number_and_key_are_taken_once(
    session: Session, caller: Caller, collection: Collection, other: StoredTurn
):
    dialogue = store.begin(session, caller, collection)
    store.add_turn(session, dialogue, turn(1, key="k"))
    session.expunge_all()  # as another process, which has not seen the turn
    copy = StoredTurn(number=other.number, question="?", reply=REPLY, key=other.key)
    with pytest.raises(store.NumberTaken):
        store.add_turn(session, store.find_dialogue(session, caller, dialogue.id), copy)


def test_feedback_of_others_is_not_shown(session: Session, caller: Caller, collection: Collection):
    dialogue = store.begin(session, caller, collection)
    store.add_turn(session, dialogue, turn(1))
    said = {"right": True, "span": None, "comment": ""}
    store.put_feedback(session, caller, store.find_turn(session, dialogue, 1), said)
    assert set(store.feedback_of(session, caller, dialogue)) == {1}
    assert store.feedback_of(session, Caller(account_id="0" * 32), dialogue) == {}
