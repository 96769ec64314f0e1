"""Writing compound files, the container of .msg files: sectors of 512 bytes in chains.

[MS-CFB] gives their layout, [MS-OXMSG] the names of streams and the table of properties.
"""

import struct
from datetime import UTC, datetime

_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_SECTOR, _SMALL, _CUTOFF = 512, 64, 4096
_STRING, _TIME = 0x001F, 0x0040
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)


def saved_mail(strings: dict[int, str], *, sent: datetime | None = None) -> bytes:
    """A .msg file with these properties, by their number."""
    streams = {
        f"__substg1.0_{pid:04X}001F": text.encode("utf-16-le") for pid, text in strings.items()
    }
    table = bytes(32)
    for pid, text in strings.items():
        table += struct.pack("<HHIII", _STRING, pid, 6, len(text) * 2 + 2, 0)
    if sent:
        ticks = int((sent - _EPOCH).total_seconds()) * 10_000_000
        table += struct.pack("<HHIQ", _TIME, 0x0039, 6, ticks)
    return compound_file({"__properties_version1.0": table, **streams})


def compound_file(streams: dict[str, bytes]) -> bytes:
    """A compound file with these streams in its root."""
    names = sorted(streams, key=lambda name: (len(name), name.upper()))
    small, sectors = b"", b""
    chains: list[int] = []  # of sectors
    small_chains: list[int] = []
    places = {}
    for name in names:
        content = streams[name]
        if len(content) < _CUTOFF:
            places[name] = _chain(small_chains, content, _SMALL)
            small += _padded(content, _SMALL)
        else:
            places[name] = _chain(chains, content, _SECTOR)
            sectors += _padded(content, _SECTOR)
    small_at = _chain(chains, small, _SECTOR)
    sectors += _padded(small, _SECTOR)
    small_table = struct.pack(f"<{len(small_chains)}I", *small_chains)
    small_table_at = _chain(chains, small_table, _SECTOR)
    sectors += _padded(small_table, _SECTOR, b"\xff")
    root = _entry(
        "Root Entry", 5, child=len(names) if names else _FREE, at=small_at, size=len(small)
    )
    entries = [root]
    for number, name in enumerate(names, start=1):  # each the right neighbour's left one
        left = number - 1 if number > 1 else _FREE
        entries.append(_entry(name, 2, left=left, at=places[name], size=len(streams[name])))
    folder = b"".join(entries)
    folder_at = _chain(chains, folder, _SECTOR)
    sectors += _padded(folder, _SECTOR)
    chains.append(_FAT)
    assert len(chains) <= _SECTOR // 4, "one sector of chains is all that is written"
    table = _padded(struct.pack(f"<{len(chains)}I", *chains), _SECTOR, b"\xff")
    return _header(folder_at, small_table_at, len(small_table), len(chains) - 1) + sectors + table


def _header(folder_at: int, small_table_at: int, small_table: int, table_at: int) -> bytes:
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    head += struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    head += struct.pack("<IIIII", 0, 1, folder_at, 0, _CUTOFF)
    head += struct.pack("<IIII", small_table_at, -(-small_table // _SECTOR), _END, 0)
    return head + struct.pack("<109I", table_at, *[_FREE] * 108)


def _chain(chains: list[int], content: bytes, size: int) -> int:
    """Append the chain of a content, and return its first sector."""
    count = -(-len(content) // size)
    first = len(chains)
    chains += [*range(first + 1, first + count), _END] if count else []
    return first if count else _END


def _padded(content: bytes, size: int, filler: bytes = b"\0") -> bytes:
    return content + filler * (-len(content) % size)


def _entry(
    name: str, kind: int, *, left: int = _FREE, child: int = _FREE, at: int, size: int
) -> bytes:
    encoded = name.encode("utf-16-le") + b"\0\0"
    entry = encoded.ljust(64, b"\0") + struct.pack("<HBB", len(encoded), kind, 1)
    entry += struct.pack("<III", left, _FREE, child) + bytes(36)
    return entry + struct.pack("<IQ", at, size)
