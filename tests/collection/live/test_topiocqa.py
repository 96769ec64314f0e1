"""TopiOCQA over a real server: pages by links, titles alone for the questioner, timeouts."""

import json
from pathlib import Path

from tests.collection.small_corpus import HOLM, SECRET, TIDE
from tests.collection.studies import Person, Running, Socket, serving, write_study

OPTIONS = "[options]\nown_first_questions = 0\nleast_turns = 1\n"


def paired(study: Running) -> tuple[tuple[Person, Socket], tuple[Person, Socket]]:
    """A questioner and an answerer about the only page that has a first question."""
    found = []
    for role in ("questioner", "answerer"):
        person = study.join()
        socket = person.socket()
        socket.send(type="enter", role=role)
        found.append((person, socket))
    for _, socket in found:
        socket.until("view")
    return found[0], found[1]


def test_answerer_follows_a_link_and_the_questioner_sees_its_titles_alone(tmp_path: Path):
    with serving(write_study(tmp_path, "topiocqa", OPTIONS)) as study:
        (asker, questioner), (reader, answerer) = paired(study)
        answerer.until_turn()
        assert answerer.view["turns"][0]["question"] == "when was the tide choir founded"
        dialog = answerer.view["frame"]["dialog"]

        def status(person: Person, page: str) -> int:
            return person.get(f"dialogs/{dialog}/page", page=page).status_code

        assert (status(reader, "tide"), status(reader, "holm"), status(asker, "tide")) == (
            200,
            404,
            404,
        )
        links = reader.get(f"dialogs/{dialog}/page", page="tide").json()["links"]
        assert "holm" in [link["target"] for link in links]
        assert answerer.act("open", page="nowhere")["code"] == "page"
        assert answerer.act("open", page="holm")["type"] == "accepted"
        assert status(reader, "holm") == 200
        start = TIDE.text.index("1987")
        rationale = {"page": "tide", "start": start, "end": start + 4}
        assert answerer.act("answer free", text="In 1987.", rationale=rationale)["number"] == 2
        questioner.until_turn()
        titles = [(one["title"], one["sections"]) for one in questioner.view["documents"]]
        assert titles == [("Tide Choir", ["History", "Repertoire"]), ("Ada Holm", ["Life"])]
        questioner.send(type="check", dialog=dialog, question="What is its repertoire?")
        assert "Repertoire" in questioner.until("notes")["notes"][0]
        answerer.send(type="check", dialog=dialog, question="What is its repertoire?")
        assert answerer.until("refused")["code"] == "turn"
        questioner.act("end")
        answerer.until_end()
        questioner.drain()
        received = json.dumps(questioner.received)
        assert SECRET not in received
        assert HOLM.text[20:40] not in received


def test_worker_who_does_not_act_ends_the_dialog(tmp_path: Path):
    more = OPTIONS + "[times]\nidle = 0.6\n"
    with serving(write_study(tmp_path, "topiocqa", more)) as study:
        (_, questioner), (idler, answerer) = paired(study)
        assert questioner.until_end()["reason"] == "partner idle"
        assert answerer.until_end()["reason"] == "idle"
        [flag] = study.admin("GET", "overview").json()["flags"]
        assert (flag["kind"], flag["worker"]) == ("idle", idler.id)


def test_worker_without_a_subject_left_is_done(tmp_path: Path):
    more = OPTIONS + "[times]\nidle = 0.6\n"
    with serving(write_study(tmp_path, "topiocqa", more)) as study:
        (asker, questioner), (reader, _) = paired(study)
        questioner.until_end()
        assert reader.standing()["step"] == "done"  # who has read the only page
        assert asker.standing()["step"] == "lobby"
