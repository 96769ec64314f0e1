"""The first minute in the browser: an empty start, files, progress, problems."""

import re

from playwright.sync_api import expect

from tests.serving.web.steps import ROWING, begin, make_collection, text_file, wait_for_index
from tests.serving.web.watching import expect_console


def test_first_start_says_what_to_do_and_leads_to_an_answer(new_page, empty, screenshot):
    page = new_page(empty.url)
    page.goto("/")
    page.get_by_text("Put your files here, then ask them").wait_for()
    screenshot(page, "first-start")
    id = make_collection(page, "Rowing", [text_file("club.md", f"# The Rowing Club\n\n{ROWING}")])
    assert "1 file · 1 passage" in page.locator(".page-title").inner_text()
    turn = begin(page, id, "Who founded the Rowing Club?")
    assert "Edith Marlow" in turn.locator(".answer-text").inner_text()


def test_dropped_folder_keeps_its_paths_and_unreadable_files_tell_why(new_page, empty):
    page = new_page(empty.url)
    broken = {"name": "broken.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.4 no more"}
    make_collection(page, "Problems", [text_file("a.txt", ROWING), broken])
    page.locator(".file-problem").wait_for()
    assert page.locator(".file-item", has_text="broken.pdf").locator(".file-problem").inner_text()
    page.evaluate(
        """(text) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([text], "dropped.txt"));
          for (const name of ["dragenter", "dragover", "drop"])
            document.body.dispatchEvent(
              new DragEvent(name, {dataTransfer: transfer, bubbles: true, cancelable: true}));
        }""",
        "The boathouse has a red door.\n",
    )
    page.locator(".file-item", has_text="dropped.txt").wait_for()
    wait_for_index(page)
    page.locator(".file-item", has_text="dropped.txt").get_by_text("1 passage").wait_for()


def test_folder_is_uploaded_with_its_paths(new_page, empty, tmp_path):
    (tmp_path / "letters" / "old").mkdir(parents=True)
    (tmp_path / "letters" / "old" / "first.txt").write_text(ROWING)
    page = new_page(empty.url)
    page.goto("/")
    page.locator('input[type="file"]').nth(1).set_input_files(tmp_path / "letters")
    assert page.get_by_label("Name", exact=True).input_value() == "letters"
    page.get_by_role("button", name="Create").click()
    page.get_by_text("letters/old/first.txt").wait_for()
    wait_for_index(page)


def test_interrupted_upload_goes_on_where_it_stopped(new_page, empty):
    page = new_page(empty.url)
    offsets: list[int] = []

    def chunk(route, request) -> None:
        offsets.append(int(request.headers["upload-offset"]))
        if len(offsets) == 2:
            route.fulfill(status=403, json={"title": "Forbidden", "status": 403, "detail": "Stop."})
        else:
            route.continue_()

    expect_console(page, "403")
    page.route("**/api/v1/uploads/*", chunk)
    page.goto("/")
    page.locator('input[type="file"]').first.set_input_files(
        [text_file("long.txt", ROWING * 60_000)]  # five megabytes, two chunks
    )
    page.get_by_role("button", name="Create").click()
    page.get_by_text("1 file was not uploaded").wait_for()
    expect(page.locator(".uploads").get_by_text("Stop.")).to_be_visible()
    page.get_by_role("button", name="Continue the upload").click()
    page.get_by_text("1 file uploaded").wait_for()
    assert offsets == [0, 4_000_000, 4_000_000]


def test_collection_is_renamed_and_deleted_after_a_question(new_page, empty):
    page = new_page(empty.url)
    page.goto("/")
    page.get_by_role("button", name="New collection").click()
    page.get_by_label("Name", exact=True).fill("Passing")
    page.get_by_role("button", name="Create").click()
    page.get_by_role("button", name="Actions for Passing").click()
    page.get_by_role("menuitem", name="Rename").click()
    page.get_by_label("Name", exact=True).fill("Gone soon")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Actions for Gone soon").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("button", name="Delete").click()
    page.wait_for_url(re.compile(r"/$"))
    page.locator(".card, .first-minute").first.wait_for()
    expect(page.get_by_text("Gone soon")).to_have_count(0)
