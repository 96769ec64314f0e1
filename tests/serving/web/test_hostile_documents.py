"""Documents that try to run, style or disguise something are shown as their text."""

from tests.serving.web.steps import begin, make_collection, text_file

MARKUP = """# Zebra report

The zebra keeper is <script>window.broken = 1</script> Otto
<img src=x onerror="window.broken=1"> Vale.

The zebra stable has <svg onload="window.broken=1"></svg> eleven
<style>body{display:none}</style> stalls.

Ask the zebra office at [the office](javascript:window.broken=1) before Monday.
"""
BIDI = "The giraffe password is \u202egnp.exe\u202c and the giraffe house opens at nine.\n"
CONTROLS = "The walrus pool \x1b[31mholds\x07 forty tonnes of water.\n"
LINE = "The okapi lives in the long line. " * 150_000  # five megabytes without a line break
NAME = "<img src=x onerror=window.broken=1>.txt"


def test_hostile_documents_are_inert(new_page, empty):
    page = new_page(empty.url)
    files = [
        text_file("zebra.md", MARKUP),
        text_file("giraffe.txt", BIDI),
        text_file("walrus.txt", CONTROLS),
        text_file("okapi.txt", LINE),
        text_file(NAME, "The heron stands in a file with an odd name.\n"),
    ]
    id = make_collection(page, "<b onclick=window.broken=1>Zoo</b>", files)
    assert page.locator("h1").inner_text() == "<b onclick=window.broken=1>Zoo</b>"
    assert page.get_by_text(NAME).count() == 1
    for question in (
        "Who is the zebra keeper?",
        "What is the giraffe password?",
        "How much water does the walrus pool hold?",
        "Where does the okapi live?",
        "Where does the heron stand?",
    ):
        turn = begin(page, id, question)
        turn.get_by_role("button", name="Why").click()
        turn.locator(".hit .citation").first.click()
        page.locator(".source .block-text").first.wait_for()
        check_is_inert(page)


def check_is_inert(page) -> None:
    """No script ran, no element came from a document, no control character is left."""
    assert page.evaluate("window.broken") is None
    assert page.locator(":is(.turn, .source) :is(script, style, iframe, object, img)").count() == 0
    assert page.locator("[onerror], [onload], [onclick]").count() == 0
    text = page.locator("body").inner_text()
    assert not {"\u202e", "\u202c", "\x1b", "\x07"} & set(text)
    assert page.evaluate("getComputedStyle(document.body).display") != "none"
    origins = page.evaluate("[...document.links].map((one) => new URL(one.href).origin)")
    assert set(origins) == {page.evaluate("location.origin")}
    assert page.evaluate("document.querySelectorAll('*').length") < 3_000
