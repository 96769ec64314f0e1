"""Which files an update reads, removes and keeps."""

from seminar.retrieval.file_index import FileRecord, UpdatePlan, plan_update

INDEXED = {"a.md": FileRecord("a.md", "1", passages=2), "scan.pdf": FileRecord("scan.pdf", "9")}


def test_changed_and_new_files_are_read_and_deleted_ones_removed():
    plan = plan_update(INDEXED, {"a.md": "2", "c.md": "1"})
    assert plan == UpdatePlan(read=("a.md", "c.md"), remove=("scan.pdf",), keep=())


def test_unchanged_files_are_kept_also_without_passages():
    plan = plan_update(INDEXED, {"a.md": "1", "scan.pdf": "9"})
    assert plan == UpdatePlan(read=(), remove=(), keep=("a.md", "scan.pdf"))
