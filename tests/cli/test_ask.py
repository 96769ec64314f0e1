import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.completions import Response, listed, serving

Command = Callable[..., object]


def test_json_is_one_object_a_question_and_nothing_else(seminar, folder: Path):
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


def test_a_dialogue_file_is_one_conversation(seminar, folder: Path, tmp_path: Path):
    script = tmp_path / "script.txt"
    script.write_text(
        "How long is the crossing?\n\nDo dogs travel free?\nWho finished the tower?\n"
    )
    ended = seminar("ask", folder, "--dialogue", script, "--history", "all", "--json")
    records = [json.loads(line) for line in ended.out.splitlines()]
    assert [record["switch"] for record in records] == [None, "no-switch", "switch-to-new"]
    assert records[1]["query"].startswith("How long is the crossing? [SEP] 55 minutes [SEP]")


def test_people_get_the_answer_its_place_and_what_was_searched(seminar, folder: Path):
    ended = seminar("ask", folder, "-q", "Who finished the tower?")
    assert "The tower was finished in 1911 by Edda Thornquist." in ended.out
    assert "— tower.html, The tower" in ended.out
    assert "searched: Who finished the tower?" in ended.out


def test_what_is_not_there_is_said(seminar, folder: Path):
    ended = seminar("ask", folder, "-q", "What is the capital of Mongolia?", "--json")
    record = json.loads(ended.out)
    assert (record["text"], record["answerable"]) == ("I can't find that in these files.", False)


def test_a_hostile_text_cannot_drive_the_terminal(seminar, tmp_path: Path):
    folder = tmp_path / "hostile"
    folder.mkdir()
    (folder / "a.txt").write_text("The password\x1b[2J of the [red]vault[/red] is swordfish.\n")
    ended = seminar("ask", folder, "-q", "What is the password of the vault?")
    assert "\x1b[2J" not in ended.out
    assert "[red]vault[/red]" in ended.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["-q", "  "], "nothing to ask"),
        ([], "nothing to ask"),
        (["--dialogue", "none.txt"], "none.txt: can't be read (No such file or directory)"),
        (["-q", "x", "--encoder", "statc"], "unknown encoder 'statc'. Did you mean 'static'?"),
        (["-q", "x", "--history", "al"], "unknown history 'al'. Did you mean 'all'?"),
        (["-q", "x", "--threshold", "2"], "2.0 is not in the range"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(seminar, folder: Path, arguments, told: str):
    ended = seminar("ask", folder, *arguments)
    assert ended.code == 2
    assert ended.out == ""
    assert told in ended.err
    assert "Traceback" not in ended.err


def test_a_missing_path_is_named(seminar, tmp_path: Path):
    ended = seminar("ask", tmp_path / "nowhere", "-q", "x")
    assert ended.code == 2
    assert f"{tmp_path / 'nowhere'}: no such file or folder" in ended.err


def test_a_question_that_is_not_utf_8_is_asked(seminar, folder: Path):
    question = os.fsdecode(b"How long is the crossing to the caf\xe9?")
    ended = seminar("ask", folder, "-q", question, "--json")
    assert ended.code == 0
    assert json.loads(ended.out)["question"] == "How long is the crossing to the caf??"


def test_a_folder_is_asked_whose_name_is_not_utf_8(seminar, tmp_path: Path):
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    (folder / "ferry.txt").write_text("The crossing takes 55 minutes.\n")
    ended = seminar("ask", folder, "-q", "How long is the crossing?", "--json")
    assert (ended.code, json.loads(ended.out)["text"]) == (0, "55 minutes")


def test_a_path_that_no_system_takes_is_named(seminar):
    ended = seminar("ask", "a" * 300, "-q", "x")
    assert ended.code == 2
    assert ended.err.startswith(f"seminar: {'a' * 300}")
    assert ended.err.endswith(": File name too long\n")


def test_a_folder_without_text_is_refused(seminar, tmp_path: Path):
    (tmp_path / "void").mkdir()
    ended = seminar("ask", tmp_path / "void", "-q", "x")
    assert ended.code == 2
    assert "no file there holds readable text" in ended.err


def test_debug_shows_the_traceback(seminar, tmp_path: Path):
    with pytest.raises(Exception, match="no such file or folder"):
        seminar("ask", tmp_path / "nowhere", "-q", "x", "--debug")


def test_a_closed_pipe_ends_quietly(folder: Path):
    command = [sys.executable, "-m", "seminar.cli.main", "ask", str(folder), "--json"]
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
    assert process.wait() == 1
    assert "Traceback" not in errors


def test_a_dead_language_model_is_told_apart_from_the_answer(seminar, folder: Path):
    with socket.socket() as held:  # bound but not listening: nobody answers there
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}/v1"
        asked = ("ask", folder, "-q", "How long is the crossing?", "--llm", url, "--model", "m")
        as_json, for_people = seminar(*asked, "--json"), seminar(*asked)
    note = f"note: {url}: it can't be reached (ConnectError): is it running at this address? (tried"
    assert json.loads(as_json.out)["text"] == "55 minutes"
    assert "notes" not in json.loads(as_json.out)
    assert note in as_json.err
    assert "The crossing takes 55 minutes." in for_people.out
    assert note in for_people.out
    assert (as_json.code, for_people.code) == (0, 0)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--llm", "http://host:8080"), "--model NAME (http://host:8080/v1/models lists them)"),
        (("--llm", "host:8080", "--model", "m"), "must be like http://localhost:8080/v1"),
        (("--llm", "http://host/?key=s3cret", "--model", "m"), "set SEMINAR_LLM_KEY instead"),
        (("--model", "m"), "model 'm' needs the address of its endpoint: --llm URL"),
    ],
)
def test_what_lacks_for_a_language_model_is_one_line(
    seminar, folder: Path, options: tuple[str, ...], told: str
):
    ended = seminar("ask", folder, "-q", "How long is the crossing?", *options)
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert told in ended.err
    assert "s3cret" not in ended.err


def test_a_model_that_the_endpoint_lacks_is_told_with_those_it_has(seminar, folder: Path):
    pages = {"/v1/models": listed("small:latest", "large")}
    with serving(lambda _, __: Response(b"", 404), pages) as (url, _):
        model = ("--llm", url, "--model", "small")
        ended = seminar("ask", folder, "-q", "How long is the crossing?", *model)
    assert "it has no model 'small'. Did you mean 'small:latest'?" in ended.out
    assert "The crossing takes 55 minutes." in ended.out
