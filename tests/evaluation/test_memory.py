import subprocess
import sys

HOLDING = """
from seminar.evaluation.memory import peak_megabytes, reset_peak
reset_peak()
before = peak_megabytes()
held = bytearray(64 * 1024 * 1024)
held[::4096] = b"x" * len(held[::4096])
print(peak_megabytes() - before)
"""


def test_the_peak_rises_with_allocated_memory():
    # In a process of its own: the system may take memory back from a large one meanwhile.
    asked = [sys.executable, "-c", HOLDING]
    risen = float(subprocess.run(asked, capture_output=True, text=True, check=True).stdout)
    assert 50 <= risen <= 100
