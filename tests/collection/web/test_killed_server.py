"""Pages over a server that is killed in mid-turn, and started again at the same address."""

from pathlib import Path
from urllib.parse import urlsplit

from tests.collection.processes import process
from tests.collection.studies import write_study
from tests.collection.web.steps import ask, choose, drag, heard, send
from tests.collection.web.test_quac import pair
from tests.serving.web.watching import expect_console


def test_killed_server_loses_nothing_of_what_was_sent(new_page, tmp_path: Path):
    file = write_study(tmp_path / "killed", "quac")
    with process(file) as (server, url, _):
        student, teacher = new_page(url), new_page(url)
        for page in (student, teacher):
            expect_console(page, "WebSocket")
            expect_console(page, "ERR_")
        pair(student, teacher)
        ask(student, "When was it founded?")
        heard(teacher, "When was it founded?")
        drag(teacher, "founded in 1987")
        choose(teacher, "Maybe")
        send(teacher)
        server.kill()  # perhaps before the answer was stored, perhaps after
        for page in (student, teacher):
            page.get_by_text("Connecting again").wait_for()
    with process(file, urlsplit(url).port or 0):
        heard(student, "founded in 1987")
        ask(student, "Who founded it?")
        heard(teacher, "Who founded it?")
        for page in (student, teacher):
            assert page.locator(".message", has_text="founded in 1987").count() == 1
            assert page.locator(".message", has_text="When was it founded?").count() == 1
