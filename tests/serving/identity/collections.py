"""Collections in the database, for tests of who may do what with them."""

from seminar.serving.identity.callers import Caller
from seminar.serving.storage.schema import Collection, StoredDialogue, StoredTurn
from tests.serving.identity.people import People, Person


def collection_of(people: People, owner: Person, name: str = "Papers") -> str:
    """A new collection without files."""
    with people.service.state.transactions.begin() as db:
        made = Collection(owner_id=owner.id, name=name)
        db.add(made)
        db.flush()
        return made.id


def dialogue_of(people: People, caller: Caller, collection: str, question: str) -> str:
    """A dialogue with one turn."""
    with people.service.state.transactions.begin() as db:
        made = StoredDialogue(
            account_id=caller.account_id,
            link_id=caller.link_id,
            visitor_id=caller.visitor_id,
            collection_id=collection,
            title=question,
        )
        db.add(made)
        db.flush()
        db.add(StoredTurn(dialogue_id=made.id, number=1, question=question, reply={}))
        return made.id
