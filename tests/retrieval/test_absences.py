from seminar.retrieval.absences import Absences, is_hidden, sort_absences
from seminar.retrieval.file_index import FileRecord


def records(*paths: str) -> dict[str, FileRecord]:
    return {path: FileRecord(path, f"hash of {path}") for path in paths}


TEN = records(*(f"{n}.md" for n in range(10)))


def current(*absent: str) -> dict[str, str]:
    return {path: record.hash for path, record in TEN.items() if path not in absent}


def test_up_to_a_fifth_is_forgotten():
    gone = ("1.md", "2.md")
    assert sort_absences(gone, TEN, current(*gone)) == Absences(gone)


def test_more_than_a_fifth_is_withheld_until_it_is_confirmed():
    gone = ("1.md", "2.md", "3.md")
    assert sort_absences(gone, TEN, current(*gone)) == Absences((), (), gone)
    assert sort_absences(gone, TEN, current(*gone), forget=True) == Absences(gone)


def test_one_file_of_few_is_forgotten_but_not_the_last():
    two = records("a.md", "b.md")
    assert sort_absences(["a.md"], two, {"b.md": "1"}) == Absences(("a.md",))
    assert sort_absences(["a.md"], records("a.md"), {}) == Absences((), (), ("a.md",))


def test_files_with_another_name_are_forgotten_under_the_old_one():
    gone = tuple(f"{n}.md" for n in range(8))
    moved = current() | {f"new/{path}": TEN[path].hash for path in gone}
    for path in gone:
        del moved[path]
    assert sort_absences(gone, TEN, moved) == Absences(gone)


def test_what_is_below_a_hidden_place_is_neither_gone_nor_counted():
    known = records("a.md", "deep/b.md", "deep/er/c.md")
    absent = ["deep/b.md", "deep/er/c.md"]
    sorted_ = sort_absences(absent, known, {"a.md": "1"}, hidden={"deep"})
    assert sorted_ == Absences((), tuple(absent))
    assert sort_absences(absent, known, {"a.md": "1"}, hidden={"deep"}, forget=True) == sorted_


def test_a_hidden_folder_of_several_hides_its_own_files():
    assert is_hidden("notes/a.md", {"notes/."})
    assert not is_hidden("other/a.md", {"notes/."})
    assert is_hidden("a.md", {"."})
