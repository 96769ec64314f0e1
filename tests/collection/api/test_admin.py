"""The admin's requests over a real server."""

from pathlib import Path

from tests.collection.studies import serving, write_study

NO_ANSWER = {"span": None, "continuation": "don't", "affirmation": "neither"}


def test_admin_needs_the_token(tmp_path: Path):
    with serving(write_study(tmp_path, "quac")) as study:
        person = study.join()
        for headers in ({}, person.headers, {"Authorization": "Bearer wrong"}):
            for path in ("overview", "workers", "dialogs", "exports/records"):
                answer = study.client.get(f"/api/v1/admin/{path}", headers=headers)
                assert answer.status_code == 401


def test_overview_follows_a_dialog_from_its_beginning_to_its_review(tmp_path: Path):
    with serving(write_study(tmp_path, "quac")) as study:
        student, teacher = study.pair("student", "teacher")
        overview = study.admin("GET", "overview").json()
        [line] = overview["live"]
        assert [seat["here"] for seat in line["seats"]] == [True, True]
        assert line["title"] == "Tide Choir: History"
        assert study.admin("POST", f"dialogs/{line['id']}/review", {"review": "approved"}).is_error
        for _ in range(3):
            student.until_turn()
            student.act("ask", question="Is there gold?")
            teacher.until_turn()
            teacher.act("answer span", **NO_ANSWER)
        teacher.until_end()
        overview = study.admin("GET", "overview").json()
        assert overview["dialogs"] == {"kept": 1, "discarded": 0, "live": 0, "wanted": 0}
        assert (overview["turns"], overview["owed"]) == (3, 60)
        counts = {step["name"]: step["workers"] for step in overview["funnel"]}
        assert counts["joined"] == counts["completed a dialog"] == 2
        details = study.admin("GET", f"dialogs/{line['id']}").json()
        assert [one["kind"] for one in details["actions"]] == ["ask", "answer span"] * 3
        rejected = study.admin("POST", f"dialogs/{line['id']}/review", {"review": "rejected"})
        assert rejected.json()["review"] == "rejected"
        assert study.admin("GET", "overview").json()["dialogs"]["kept"] == 0
        workers = study.admin("GET", "workers").json()["workers"]
        assert [(one["turns"], one["earned"], one["here"]) for one in workers] == [
            (3, 30, True)
        ] * 2
        for name in study.admin("GET", "overview").json()["exports"]:
            assert study.admin("GET", f"exports/{name}").status_code == 200


def test_paused_study_begins_nothing_and_goes_on_when_it_is_opened(tmp_path: Path):
    with serving(write_study(tmp_path, "quac")) as study:
        study.admin("POST", "state", {"state": "paused"})
        sockets = []
        for role in ("student", "teacher"):
            socket = study.join().socket()
            socket.send(type="enter", role=role)
            sockets.append(socket)
        sockets[1].until("waiting", people=2)
        sockets[1].drain(0.5)
        assert sockets[1].view == {}
        study.admin("POST", "state", {"state": "open"})
        for socket in sockets:
            socket.until("view")
        study.admin("POST", "state", {"state": "closed"})
        assert study.client.post("/api/v1/join", json={}).status_code == 409
        sockets[0].act("leave")
        assert sockets[0].until("standing")["standing"]["step"] == "closed"


def test_blocked_worker_ends_their_dialog_and_the_partner_goes_on(tmp_path: Path):
    with serving(write_study(tmp_path, "quac")) as study:
        student, teacher = study.pair("student", "teacher")
        seats = study.admin("GET", "overview").json()["live"][0]["seats"]
        [worker] = [seat["worker"] for seat in seats if seat["role"] == "student"]
        answer = study.admin("POST", f"workers/{worker}", {"blocked": True, "note": "spam"})
        assert answer.json()["step"] == "blocked"
        assert teacher.until_end()["reason"] == "stopped"
        student.send(type="enter")
        assert "blocked" in student.until("refused")["detail"]


def test_message_reaches_those_who_are_there_and_those_who_come_later(tmp_path: Path):
    with serving(write_study(tmp_path, "quac")) as study:
        person = study.join()
        socket = person.socket()
        study.admin("POST", "messages", {"text": "Thank you."})
        assert socket.until("notice")["text"] == "Thank you."
        socket.close()
        study.admin("POST", "messages", {"text": "Come back.", "worker": person.id})
        assert person.standing()["notices"] == ["Come back.", "Thank you."]
        assert study.admin("POST", "messages", {"text": "x", "worker": "no"}).status_code == 404
