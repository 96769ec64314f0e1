from pathlib import Path


def test_missing_folder_is_an_error_before_the_server_starts(seminar, tmp_path: Path):
    ended = seminar("mcp", tmp_path / "nowhere")
    assert ended.code == 2
    assert ended.err == f"seminar: {tmp_path / 'nowhere'}: no such file or folder\n"
    assert ended.out == ""
