import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.completions import Response, model_list, serving
from tests.ingestion.office_files import make_xlsx

Command = Callable[..., object]


def test_json_prints_one_object_per_question_and_nothing_else(seminar, folder: Path):
    ended = seminar("ask", folder, "-q", "How long is the crossing?", "-q", "Who?", "--json")
    first, second = map(json.loads, ended.out.splitlines())
    assert ended.code == 0
    assert first["question"] == "How long is the crossing?"
    [span] = first["literal"]
    assert (span["text"], span["source"], span["section"]) == (
        "55 minutes",
        "ferry.md",
        "Crossing",
    )
    assert second["question"] == "Who?"


def test_dialogue_file_is_asked_as_one_conversation(seminar, folder: Path, tmp_path: Path):
    script = tmp_path / "script.txt"
    script.write_text(
        "How long is the crossing?\n\nDo dogs travel free?\nWho finished the tower?\n"
    )
    ended = seminar("ask", folder, "--dialogue", script, "--history", "all", "--json")
    records = [json.loads(line) for line in ended.out.splitlines()]
    assert [record["switch"] for record in records] == [None, "no-switch", "switch-to-new"]
    assert records[1]["query"].startswith("How long is the crossing? [SEP] 55 minutes [SEP]")


def test_dialogue_of_saved_turns_asks_their_questions_again(seminar, folder: Path):
    asked = ("ask", folder, "-q", "How long is the crossing?", "-q", "Who finished the tower?")
    saved = folder.parent / "saved.jsonl"
    saved.write_text(seminar(*asked, "--json").out, encoding="utf-8")
    ended = seminar("ask", folder, "--dialogue", saved, "--history", "all", "--json")
    records = [json.loads(line) for line in ended.out.splitlines()]
    assert [record["question"] for record in records] == [*asked[3::2]]
    assert records[1]["query"].startswith("How long is the crossing? [SEP] 55 minutes [SEP]")


def test_dialogue_from_a_pipe_prints_unwrapped_lines_to_a_pipe(folder: Path):
    long = f"The {'very ' * 100}old pier was built in 1850."
    (folder / "pier.txt").write_text(f"{long} It is closed.\n")
    ended = subprocess.run(
        [sys.executable, "-m", "seminar", "ask", str(folder), "--dialogue", "-"],
        input="When was the old pier built?\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"“{long}”\n" in ended.stdout
    assert not [line for line in ended.stdout.splitlines() if line != line.rstrip()]


def test_output_replaces_characters_its_encoding_lacks(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    (folder / "café.txt").write_text("The café was opened by Jörg Müller.\n", encoding="utf-8")
    command = [sys.executable, "-m", "seminar", "ask", str(folder), "-q", "Who opened the café?"]
    for_people = subprocess.run(command, capture_output=True, check=True).stdout
    as_json = subprocess.run([*command, "--json"], capture_output=True, check=True).stdout
    assert b"J?rg M?ller" in for_people
    assert json.loads(as_json)["text"] == "Jörg Müller"


def test_text_output_shows_answer_place_and_searched_query(seminar, folder: Path):
    ended = seminar("ask", folder, "-q", "Who finished the tower?")
    assert "The tower was finished in 1911 by Edda Thornquist." in ended.out
    assert "— tower.html" in ended.out
    assert ", The tower\n" in ended.out
    assert "searched: Who finished the tower?" in ended.out


def test_answer_from_a_table_shows_its_cells(seminar, tmp_path: Path):
    make_xlsx(tmp_path / "fares.xlsx")
    ended = seminar("ask", tmp_path / "fares.xlsx", "-q", "How much is it for children?")
    assert "“Ticket: Child; Price: 4 pounds”" in ended.out
    assert "'Fares of the ferry'!A3:B3" in ended.out


def test_question_without_answer_is_not_answerable(seminar, folder: Path):
    ended = seminar("ask", folder, "-q", "What is the capital of Mongolia?", "--json")
    record = json.loads(ended.out)
    assert (record["text"], record["answerable"]) == ("I can't find that in these files.", False)


def test_control_codes_and_markup_of_a_file_are_not_interpreted(seminar, tmp_path: Path):
    folder = tmp_path / "hostile"
    folder.mkdir()
    (folder / "a.txt").write_text("The password\x1b[2J of the [red]vault[/red] is swordfish.\n")
    ended = seminar("ask", folder, "-q", "What is the password of the vault?")
    assert "\x1b[2J" not in ended.out
    assert "[red]vault[/red]" in ended.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-q", "  "], "nothing to ask"),
        (["-q", "Who?", "-q", "?!"], "'?!' has no letter or digit: ask in words"),
        ([], "nothing to ask"),
        (["--dialogue", "none.txt"], "none.txt: can't be read (No such file or directory)"),
        (["-q", "x", "--encoder", "statc"], "unknown encoder 'statc'. Did you mean 'static'?"),
        (["-q", "x", "--history", "al"], "unknown history 'al'. Did you mean 'all'?"),
        (["-q", "x", "--threshold", "2"], "2.0 is not in the range"),
    ],
)
def test_wrong_argument_prints_one_line_and_exits_with_2(
    seminar, folder: Path, arguments, message: str
):
    ended = seminar("ask", folder, *arguments)
    assert ended.code == 2
    assert ended.out == ""
    assert message in ended.err
    assert "Traceback" not in ended.err


def test_missing_path_is_named(seminar, tmp_path: Path):
    ended = seminar("ask", tmp_path / "nowhere", "-q", "x")
    assert ended.code == 2
    assert f"{tmp_path / 'nowhere'}: no such file or folder" in ended.err


def test_question_that_is_not_utf_8_is_answered(seminar, folder: Path):
    question = os.fsdecode(b"How long is the crossing to the caf\xe9?")
    ended = seminar("ask", folder, "-q", question, "--json")
    assert ended.code == 0
    assert json.loads(ended.out)["question"] == "How long is the crossing to the caf??"


def test_folder_with_a_name_that_is_not_utf_8_is_answered_from(seminar, tmp_path: Path):
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    (folder / "ferry.txt").write_text("The crossing takes 55 minutes.\n")
    ended = seminar("ask", folder, "-q", "How long is the crossing?", "--json")
    assert ended.code == 0
    assert json.loads(ended.out)["text"].endswith("55 minutes")


def test_path_that_is_too_long_is_named(seminar):
    ended = seminar("ask", "a" * 300, "-q", "x")
    assert ended.code == 2
    assert ended.err.startswith(f"seminar: {'a' * 300}")
    assert ended.err.endswith(": File name too long\n")


def test_dialogue_with_a_broken_record_names_its_line(seminar, folder: Path):
    script = folder.parent / "saved.jsonl"
    script.write_text('{"question": "Who?"}\n\n{"text": "Ada"}\n')
    ended = seminar("ask", folder, "--dialogue", script)
    assert ended.code == 2
    assert f"{script}:3: not a turn as /save or seminar ask --json writes it" in ended.err


def test_options_without_effect_on_an_index_are_noted(seminar, folder: Path, tmp_path: Path):
    index = tmp_path / "index"
    seminar("index", folder, "--to", index, "--encoder", "static")
    asked = ("ask", index, "-q", "How long is the crossing?")
    ended = seminar(*asked, "--encoder", "minilm", "--no-threads")
    assert ended.err.splitlines() == [
        f"note: {index}: built with 'static'; --encoder has no effect",
        f"note: {index}: its conversations are fixed; --threads and --no-threads have no effect",
    ]
    assert (ended.code, seminar(*asked, "--encoder", "static").err) == (0, "")


def test_folder_without_text_is_an_error(seminar, tmp_path: Path):
    (tmp_path / "void").mkdir()
    ended = seminar("ask", tmp_path / "void", "-q", "x")
    assert ended.code == 2
    assert "no file there holds readable text" in ended.err


def test_debug_shows_the_traceback_of_an_error(seminar, tmp_path: Path):
    with pytest.raises(Exception, match="no such file or folder"):
        seminar("ask", tmp_path / "nowhere", "-q", "x", "--debug")


@pytest.mark.parametrize("form", [["--json"], []])
def test_closed_pipe_ends_without_an_error(folder: Path, form: list[str]):
    command = [sys.executable, "-m", "seminar.cli.main", "ask", str(folder), *form]
    questions = [part for n in range(200) for part in ("-q", f"How long is crossing {n}?")]
    process = subprocess.Popen(
        [*command, *questions], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 141
    assert errors == ""


def test_unreachable_language_model_is_noted_beside_the_answer(seminar, folder: Path):
    with socket.socket() as held:  # bound but not listening: nobody answers there
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}/v1"
        asked = ("ask", folder, "-q", "How long is the crossing?", "--llm", url, "--model", "m")
        as_json, for_people = seminar(*asked, "--json"), seminar(*asked)
    note = f"note: {url}: it can't be reached (ConnectError): is it running at this address? (tried"
    assert json.loads(as_json.out)["text"] == "55 minutes"
    assert f"note: {json.loads(as_json.out)['notes'][0]}".startswith(note)
    assert note in as_json.err
    assert "The crossing takes 55 minutes." in for_people.out
    assert note in for_people.out
    assert (as_json.code, for_people.code) == (0, 0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--llm", "http://host:8080"), "--model NAME (http://host:8080/v1/models lists them)"),
        (("--llm", "host:8080", "--model", "m"), "must be like http://localhost:8080/v1"),
        (("--llm", "http://host/?key=s3cret", "--model", "m"), "set SEMINAR_LLM_KEY instead"),
        (("--model", "m"), "model 'm' needs the address of its endpoint: --llm URL"),
    ],
)
def test_incomplete_language_model_options_print_one_line(
    seminar, folder: Path, options: tuple[str, ...], message: str
):
    ended = seminar("ask", folder, "-q", "How long is the crossing?", *options)
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert message in ended.err
    assert "s3cret" not in ended.err


def test_model_unknown_to_the_endpoint_is_noted_with_known_ones(seminar, folder: Path):
    pages = {"/v1/models": model_list("small:latest", "large")}
    with serving(lambda _, __: Response(b"", 404), pages) as (url, _):
        model = ("--llm", url, "--model", "small")
        ended = seminar("ask", folder, "-q", "How long is the crossing?", *model)
    assert "it has no model 'small'. Did you mean 'small:latest'?" in ended.out
    assert "The crossing takes 55 minutes." in ended.out
