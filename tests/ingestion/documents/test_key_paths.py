import pytest

from seminar.errors import IngestionError
from seminar.ingestion.documents import json_paths, toml_paths, yaml_paths
from seminar.ingestion.documents.key_paths import Leaf, compose, shown
from seminar.types import LineMark


def test_values_stand_behind_their_paths_with_a_paragraph_for_each_outer_key():
    leaves = [Leaf(("a", "b"), "1", 1), Leaf(("a", "c", 0), "x  y", 2), Leaf(("d",), "2", 4)]
    document = compose(leaves, "conf/app.json")
    assert document.text == "a.b: 1\na.c[0]: x y\n\nd: 2"
    assert document.title == "app.json"
    assert document.lines == (LineMark(0, 1), LineMark(7, 2), LineMark(20, 4))


def test_long_path_loses_its_beginning():
    assert shown(("k" * 500, "port")) == "…" + "k" * 195 + ".port"


def test_json_gives_every_value_as_it_is_written():
    text = (
        '{"server": {"port": 8080, // the port\n "on": true, "none": null, "e": [],},\n"l": [1.50]}'
    )
    assert json_paths.parse(text, "a.json").text == (
        "server.port: 8080\nserver.on: true\nserver.none: null\n\nl[0]: 1.50"
    )
    assert json_paths.parse('"alone"', "a.json").text == "alone"
    assert json_paths.parse('{"a": "\\ud800 half"}', "a.json").text == "a: ? half"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": 1', "cut off: its JSON ends too early"),
        ('{"a": 1}\n}', "damaged JSON in line 2"),
        ('{"a" 1}', "damaged JSON in line 1"),
        ("[1 2]", "damaged JSON in line 1"),
        ('{"a": "open', "damaged JSON in line 1"),
        ("[]", "empty: it holds no text"),
        ("[" * 100_000, "nested more than 100 deep"),
    ],
)
def test_damaged_json_is_one_line_that_names_the_place(text: str, reason: str):
    with pytest.raises(IngestionError, match="^" + reason.replace("[", r"\[")):
        json_paths.parse(text, "a.json")


def test_yaml_values_are_as_they_are_written_and_tags_make_nothing():
    text = "on: yes\nversion: 1.10\nrun: !!python/object/apply:os.system ['id']\n"
    text += "note: |\n  one\n  two\n"
    assert yaml_paths.parse(text, "a.yaml").text == (
        "on: yes\n\nversion: 1.10\n\nrun[0]: id\n\nnote: one two"
    )


def test_yaml_aliases_repeat_values_and_own_keys_replace_merged_ones():
    text = "a: &a {x: 1, y: [2]}\nb:\n  <<: *a\n  x: 3\nc: *a\n---\nd: 4\n"
    document = yaml_paths.parse(text, "a.yaml")
    assert document.text == "a.x: 1\na.y[0]: 2\n\nb.y[0]: 2\nb.x: 3\n\nc.x: 1\nc.y[0]: 2\n\nd: 4"
    assert document.lines[-1] == LineMark(document.text.index("d: 4"), 7)


def test_yaml_alias_bomb_is_refused():
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    levels += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    with pytest.raises(IngestionError, match="aliases repeat more than 10,000 values"):
        yaml_paths.parse("\n".join(levels), "a.yaml")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a: [1, 2", "damaged YAML in line \\d: "),
        ("a: b\n c: d: e", "damaged YAML in line 2: "),
        ("a: *nothing", r"alias \*nothing names nothing before it"),
        ("a: &x [*x]", r"alias \*x names nothing before it"),
        ("- " * 500 + "x", "nested more than 100 deep"),
        ("# only a comment", "empty: it holds no text"),
    ],
)
def test_damaged_yaml_is_one_line_that_names_the_place(text: str, reason: str):
    with pytest.raises(IngestionError, match="^" + reason) as error:
        yaml_paths.parse(text, "a.yaml")
    assert "\n" not in str(error.value)


def test_toml_tables_and_arrays_of_tables_are_paths():
    text = (
        'title = "Harbour"\n[server]  # main\nports = [\n  8000,  # ]\n  8001,\n]\n'
        "[[boat]]\nname = 'Ada'\n[[boat]]\nname = 'Bo'\n[boat.crew]\nsize = 3\n"
    )
    document = toml_paths.parse(text, "a.toml")
    assert document.text == (
        "title: Harbour\n\nserver.ports[0]: 8000\nserver.ports[1]: 8001\n\n"
        "boat[0].name: Ada\nboat[1].name: Bo\nboat[1].crew.size: 3"
    )
    assert [mark.line for mark in document.lines] == [1, 4, 5, 8, 10, 12]


@pytest.mark.parametrize("text", ["a = ", "a = 1\na = 2", "[a\n", 'a = """open', "x" * 10_000])
def test_damaged_toml_is_one_line(text: str):
    with pytest.raises(
        IngestionError, match=r"^damaged TOML: .*(line \d+|end of document)"
    ) as error:
        toml_paths.parse(text, "a.toml")
    assert "\n" not in str(error.value)
