"""The files of the pages are served with their types, tags and lifetimes, and nothing else is."""

import re

import pytest

from seminar.serving.api.web import site
from seminar.serving.site import TYPES, WEB


def test_every_page_is_the_same_document(service):
    first = service.client.get("/")
    assert first.headers["content-type"] == "text/html; charset=utf-8"
    assert first.headers["cache-control"] == "no-cache"
    for address in ("/collections/some", "/ask/some", "/dialogues/some", "/login", "/link/a"):
        assert service.client.get(address).content == first.content


def test_document_loads_only_its_own_files_and_all_of_them_are_there(service):
    document = service.client.get("/").text
    addresses = re.findall(r'(?:src|href)="([^"]+)"', document)
    assert len(addresses) > 40
    for address in addresses:
        response = service.client.get(address)
        assert response.status_code == 200
        assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "<style" not in document
    assert re.findall(r"<script[^>]*>(?!</script>)", document) == []


def test_known_file_is_not_sent_again(service):
    address = f"/static/{site().version}/main.js"
    tag = service.client.get(address).headers["etag"]
    again = service.client.get(address, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "name", ["../api/web.py", "..%2fapi%2fweb.py", "vendor/README.md", "index.html", "none.js", ""]
)
def test_other_files_are_not_served(service, name):
    assert service.client.get(f"/static/{site().version}/{name}").status_code == 404


def test_modules_import_only_files_that_exist():
    for module in WEB.rglob("*.js"):
        text = module.read_text(encoding="utf-8")
        for target in re.findall(r'^(?:import|export|\}).*?"(\.[^"]+)";$', text, re.MULTILINE):
            assert (module.parent / target).resolve().is_file(), f"{module.name}: {target}"


def test_no_file_names_another_server():
    for path in WEB.rglob("*"):
        if path.suffix in TYPES and "vendor" not in path.parts:
            text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
            assert "http://" not in text
            assert "https://" not in text
            assert "innerHTML" not in text.replace("dangerouslySetInnerHTML", "innerHTML")


@pytest.mark.parametrize("address", ["/nothing", "/collections/a/b", "/tokens/a", "/constructor"])
def test_unknown_page_is_the_document_for_a_browser(service, address):
    shown = service.client.get(address, headers={"Accept": "text/html,*/*;q=0.8"})
    assert (shown.status_code, shown.content) == (404, site().document)
    assert service.client.get(address).headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("address", ["/api/v1/nothing", "/v1/nothing", f"/static/{'0' * 16}/a.js"])
def test_unknown_address_of_programs_is_no_page(service, address):
    shown = service.client.get(address, headers={"Accept": "text/html"})
    assert shown.status_code == 404
    assert shown.headers["content-type"] in ("application/problem+json", "application/json")
