import json
import shutil
import subprocess
from pathlib import Path

from tests.cli.terminal import COMMAND, terminal


def pipe(
    folder: Path, *lines: str, options: tuple[str | Path, ...] = (), where: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a conversation whose lines come through a pipe."""
    return subprocess.run(
        [*COMMAND, str(folder), *map(str, options)],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        errors="surrogateescape",
        cwd=where,
        check=False,
    )


def converse(folder: Path, *lines: str) -> str:
    """Return what a conversation without errors printed."""
    ended = pipe(folder, *lines)
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


def test_why_shows_what_was_searched(folder: Path):
    out = converse(folder, "How long is the crossing?", "/why", "/quit", "never read")
    assert "The crossing takes 55 minutes." in out
    assert "— [1] ferry.md" in out
    assert ", The ferry > Crossing" in out
    assert out.count("searched: How long is the crossing?") == 2
    assert "never read" not in out


def test_commands_print_their_results(folder: Path, tmp_path: Path):
    ended = pipe(
        folder,
        "/why", "", "Who finished the tower?", "/sources", "/save turns.jsonl",
        "/reset", "/save turns.jsonl", "/save empty.jsonl", "/hlp", "/help",
        where=tmp_path,
    )  # fmt: skip
    assert "Nothing was asked yet." in ended.stdout
    assert "\n» Who finished the tower?\n" in ended.stdout
    assert "ferry.md\ntower.html\n2 sources" in ended.stdout
    assert "1 turn in turns.jsonl" in ended.stdout
    assert "begin a new conversation" in ended.stdout
    first, second = ended.stderr.splitlines()
    assert first == "turns.jsonl exists already; save it under another name"
    assert second.startswith("unknown command '/hlp'. Did you mean '/help'? Known: /export")
    assert ended.returncode == 2
    [record] = map(json.loads, (tmp_path / "turns.jsonl").read_text().splitlines())
    assert record["literal"][0]["source"] == "tower.html"
    assert (tmp_path / "empty.jsonl").read_text() == ""


def test_invalid_lines_do_not_end_the_conversation(folder: Path, tmp_path: Path):
    ended = pipe(
        folder,
        "Wie lang ist die \udcdcberfahrt?", "9" * 5000, "/save ~nobodyhere/turns.jsonl",
        f"/save {'a' * 300}", "/save turns\0.jsonl", "/scope \x1b[31mferry", "/save turns.jsonl",
        where=tmp_path,
    )  # fmt: skip
    no_home, too_long, null, no_scope = ended.stderr.splitlines()
    assert no_home.startswith("~nobodyhere/turns.jsonl can't be written (Could not determine home")
    assert too_long.endswith("(File name too long); save it under another name")
    assert null.startswith("turns.jsonl can't be written (embedded null byte)")
    assert no_scope.startswith("nothing is indexed under '[31mferry'")
    assert "2 turns in turns.jsonl" in ended.stdout
    first, _ = map(json.loads, (tmp_path / "turns.jsonl").read_text("utf-8").splitlines())
    assert first["question"] == "Wie lang ist die \ufffdberfahrt?"


def test_resume_continues_a_saved_conversation(folder: Path, tmp_path: Path):
    file = tmp_path / "turns.jsonl"
    pipe(folder, "Who finished the tower?", "How long is the crossing?", f"/save {file}")
    (folder / "ferry.md").write_text("# The ferry\n\n## Crossing\n\nIt takes an hour.\n")
    ended = pipe(
        folder, "And what about it?", f"/save {file}", "/reset", f"/save {file}",
        options=("--resume", file, "--history", "all"),
    )  # fmt: skip
    assert f"Going on after 2 turns of {file}.\n" in ended.stdout
    assert "searched: Who finished the tower? [SEP] Edda Thornquist [SEP] How long" in ended.stdout
    assert f"3 turns in {file}" in ended.stdout
    lost, refused = ended.stderr.splitlines()
    assert lost.startswith("“How long is the crossing?”: words of its answer are no longer in")
    assert refused.startswith(f"{file} exists already")
    first, *_, last = map(json.loads, file.read_text().splitlines())
    assert (first["text"], last["question"]) == ("Edda Thornquist", "And what about it?")
    assert first["hits"]


def test_reload_reads_changed_files_and_keeps_the_conversation(folder: Path, tmp_path: Path):
    with terminal(folder) as person:

        def say(line: str, answer: str) -> None:
            person.see("»", seconds=120)
            person.type(f"{line}\r")
            person.see(answer, seconds=120)

        say("How long is the crossing?", "55 minutes")
        person.see("searched:")
        shutil.rmtree(tmp_path / "home")
        (folder / "light.txt").write_text("The lighthouse is kept by Mara Voss.\n")
        (folder / "tower.html").unlink()
        say("Who keeps the lighthouse?", "failed: ")
        say("/reload", "Up to date: 2 sources.")
        say("Who keeps the lighthouse?", "Mara Voss")
        say("/save turns.jsonl", "2 turns in turns.jsonl")


def test_scope_limits_questions_to_a_part_until_it_is_cleared(folder: Path):
    (folder / "panel.txt").write_text(
        "ADA: The late boat sails at nine.\n\nBO: Could we have a survey of the pier?\n\n"
        "ADA: We could have one in May.\n\nBO: Then I am content.\n\nADA: So am I.\n"
    )
    ended = pipe(
        folder, "/scopes", "/scope panel.txt", "How long is the crossing?", "/scope towr.html",
        "Who asked for a survey of the pier?", "/scope", "/reset", "How long is the crossing?",
    )  # fmt: skip
    first, _, second = ended.stdout.partition("Asking everything.")
    assert "ferry.md: 1\npanel.txt: 1\ntower.html: 1" in first
    assert "Asking panel.txt." in first
    assert "Did you mean 'tower.html'?" in ended.stderr
    assert "55 minutes" not in first
    assert "BO\n  “Could we have a survey of the pier?”" in first
    assert "— [1] BO, panel.txt" in first
    assert "55 minutes" in second


def test_ctrl_c_drops_the_line_and_ctrl_d_ends_the_chat(folder: Path):
    with terminal(folder) as person:
        person.see("»", seconds=120)
        person.type("Who fini")
        person.see("Who fini")
        person.interrupt("(stopped; Ctrl-D or /quit ends)")
        person.see("»", seconds=120)
        person.type("Do dogs travel free?\r")
        person.see("Dogs travel free.")
        person.see("»", seconds=120)
        person.type("\x04")
        assert person.process.wait(timeout=30) == 0
