"""Takes the network from a process for good, as far as the system can do that: on Linux, by a filter of system calls.

https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

from __future__ import annotations

import ctypes
import errno
import platform
import socket
import struct
import sys
from dataclasses import dataclass

_NO_NEW_PRIVILEGES, _FILTER, _ALL_THREADS = 38, 1, 1
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _ARCHITECTURE = 0, 4
"""Where in its description of a call the kernel puts the number of the call, and that of the architecture."""
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x80000000
_X32 = 0x40000000
"""From here on calls are numbered anew, by another convention."""
_RINGS = (425, 426, 427)
"""io_uring, by which calls are made without being seen; the same numbers everywhere."""


@dataclass(frozen=True, slots=True)
class _Machine:
    """An architecture as the kernel knows it: its name, its number of `seccomp`, and the calls that lead out of the
    process: to addresses, to other programs, into other processes."""

    name: int
    seccomp: int
    refused: tuple[int, ...]


_MACHINES = {
    # socket connect accept bind listen accept4, execve execveat, ptrace process_vm_writev pidfd_getfd
    "x86_64": _Machine(0xC000003E, 317, (41, 42, 43, 49, 50, 288, 59, 322, 101, 311, 438, *_RINGS)),
    "aarch64": _Machine(0xC00000B7, 277, (198, 203, 202, 200, 201, 242, 221, 281, 117, 271, 438, *_RINGS)),
}


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def seal() -> bool:
    """Takes the network from this process and all its threads; whether it is gone, which is tried out."""
    machine = _MACHINES.get(platform.machine())
    if sys.platform != "linux" or machine is None or sys.maxsize < 1 << 32:
        return False
    return _filter(machine) and not _reaches_out()


def _filter(machine: _Machine) -> bool:
    instructions = _instructions(machine)
    program = _Program(len(instructions) // 8, instructions)
    kernel = ctypes.CDLL(None, use_errno=True)
    if kernel.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return False
    return int(kernel.syscall(machine.seccomp, _FILTER, _ALL_THREADS, ctypes.byref(program))) == 0


def _instructions(machine: _Machine) -> bytes:
    """The filter: calls of another architecture end the process, those that lead out are refused."""
    calls = machine.refused
    code = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, machine.name),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, len(calls) + 1, 0, _X32),
        *((_EQUAL, len(calls) - place, 0, call) for place, call in enumerate(calls)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    ]
    return b"".join(struct.pack("=HBBI", *one) for one in code)


def _reaches_out() -> bool:
    for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX):
        try:
            socket.socket(family).close()
        except OSError:
            continue
        return True
    return False
