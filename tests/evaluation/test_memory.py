from seminar.evaluation.memory import peak_megabytes, reset_peak


def test_the_peak_rises_with_what_is_held():
    reset_peak()
    before = peak_megabytes()
    held = bytearray(64 * 1024 * 1024)
    held[::4096] = b"x" * len(held[::4096])
    assert peak_megabytes() >= before + 50
