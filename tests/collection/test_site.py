"""The files of a study's pages, beside those that they share with the web chat."""

import re

from seminar.collection.site import FOLDER, site
from seminar.serving.site import TYPES, WEB


def test_document_loads_modules_of_both_folders_that_exist():
    document = site().document.decode()
    names = re.findall(rf'"/static/{site().version}/([^"]+)"', document)
    assert {"collection/main.js", "collection/connection.js", "parts/dialog.js"} <= set(names)
    assert "conversation/asking.js" not in names  # of the web chat alone
    assert set(names) <= set(site().files)


def test_modules_import_only_files_that_exist():
    for module in FOLDER.rglob("*.js"):
        place = (WEB / "collection" / module.relative_to(FOLDER)).parent
        text = module.read_text(encoding="utf-8")
        for target in re.findall(r'^(?:import|export|\}).*?"(\.[^"]+)";$', text, re.MULTILINE):
            name = (place / target).resolve().relative_to(WEB.resolve()).as_posix()
            assert name in site().files, f"{module.name}: {target}"


def test_no_file_names_another_server_or_writes_markup():
    for path in FOLDER.rglob("*"):
        if path.suffix in TYPES:
            text = path.read_text(encoding="utf-8")
            assert not {"http://", "https://", "innerHTML", "InnerHTML"} & set(
                re.findall(r"https?://|[iI]nnerHTML", text)
            ), path.name


def test_document_has_no_script_or_style_of_its_own():
    document = site().document.decode()
    assert "<style" not in document
    assert re.findall(r"<script[^>]*>(?!</script>)", document) == []
