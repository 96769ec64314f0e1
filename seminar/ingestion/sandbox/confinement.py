"""Giving up, for good, what a reader of files never needs: network, writing, other programs.

On Linux, without root. Each layer holds where the kernel and the machine have it; docs/security.md
has the table.
"""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import struct
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyseccomp import SyscallFilter

FILE_BYTES = 2_000_000_000  # of a file that a reader unpacks
OPEN_FILES = 256

_NO_NEW_PRIVILEGES = 38  # prctl
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # Landlock's system calls
_PATH_BENEATH = 1
_O_PATH = 0o10000000
# Rights of Landlock: to execute, read files and list folders; the others change something.
_EXECUTE, _READ = 1, 1 << 2 | 1 << 3
_WRITE_FILE, _TRUNCATE = 1 << 1, 1 << 14
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}  # how many rights each version knows; later ones 16
_LATEST_RIGHTS = 16
_NETWORK_VERSION = 4  # from which on TCP is restricted as well
_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000  # unshare
_THREAD = 0x10000  # clone's flag of a thread

_NEVER = """
socket socketpair connect bind listen accept accept4 ptrace process_vm_readv process_vm_writev
pidfd_getfd io_uring_setup bpf perf_event_open userfaultfd mount umount2 move_mount fsopen
open_tree pivot_root chroot setns unshare keyctl add_key request_key init_module finit_module
delete_module kexec_load open_by_handle_at swapon swapoff reboot
chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat setxattr lsetxattr fsetxattr
""".split()
_PROGRAMS = "execve execveat fork vfork kill".split()


def confine(writable: Path | None = None, *, programs: bool = False) -> tuple[str, ...]:
    """Give up rights until the end of the process, and return the names of what holds.

    Only files below `writable` can be changed. With `programs` others can be started, as OCR
    needs; they have no more rights.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    if not sys.platform.startswith("linux"):
        return ()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return ()
    held = ["no new privileges"]
    rules = _seccomp(programs=programs)  # its library is looked for with a program
    if _landlock(libc, writable, programs=programs):
        held.append("landlock")
    if rules is not None and _load(rules):
        held.append("seccomp")
    elif _leave_network(libc):
        held.append("network namespace")
    return tuple(held)


def _landlock(libc: ctypes.CDLL, writable: Path | None, *, programs: bool) -> bool:
    """Allow reading everywhere and writing in one folder; no TCP."""
    version = libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return False
    every = (1 << _RIGHTS.get(version, _LATEST_RIGHTS)) - 1
    network = 3 if version >= _NETWORK_VERSION else 0
    attributes = struct.pack("QQ", every, network)
    size = len(attributes) if version >= _NETWORK_VERSION else 8
    ruleset = libc.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(size), 0)
    if ruleset < 0:
        return False
    allowed = [(Path("/"), _READ | (_EXECUTE if programs else 0))]
    allowed.append((Path("/dev/null"), (_WRITE_FILE | _TRUNCATE) & every))
    if writable is not None:
        allowed.append((writable, every & ~_EXECUTE))
    try:
        for path, rights in allowed:
            folder = os.open(path, _O_PATH | os.O_CLOEXEC)
            rule = struct.pack("=Qi", rights, folder)
            added = libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0)
            os.close(folder)
            if added != 0:
                return False
        return bool(libc.syscall(_RESTRICT_SELF, ruleset, 0) == 0)
    finally:
        os.close(ruleset)


def _seccomp(*, programs: bool) -> SyscallFilter | None:
    """The rules that refuse connections, programs and other processes; None without libseccomp."""
    try:
        import pyseccomp as seccomp
    except (ImportError, OSError, RuntimeError):
        return None
    refused = seccomp.ERRNO(errno.EPERM)
    rules = seccomp.SyscallFilter(seccomp.ALLOW)
    for name in _NEVER if programs else [*_NEVER, *_PROGRAMS]:
        try:
            rules.add_rule(refused, name)
        except (OSError, ValueError):  # a call that this library or processor doesn't know
            continue
    if not programs:
        flags = seccomp.Arg(0, seccomp.MASKED_EQ, _THREAD, 0)
        rules.add_rule(refused, "clone", flags)
        rules.add_rule(seccomp.ERRNO(errno.ENOSYS), "clone3")  # its flags can't be looked at
    return rules


def _load(rules: SyscallFilter) -> bool:
    try:
        rules.load()
    except (OSError, ValueError):
        return False
    return True


def _leave_network(libc: ctypes.CDLL) -> bool:
    """Go to a network of one's own, which has no way out."""
    as_root = os.geteuid() == 0  # who keeps the rights to files of others only in this namespace
    return bool(libc.unshare(_NEW_NETWORK if as_root else _NEW_USER | _NEW_NETWORK) == 0)
