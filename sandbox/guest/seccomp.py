"""A system-call filter for the cells: what pure computation needs, and nothing else.

No new process, no program, no network, no file change, no shared memory, no signal or trace of another process, no
change of priority. A refused call gives EPERM; `clone3` gives ENOSYS, so that the C library falls back to `clone`,
which is allowed for threads only. `fcntl` may not name a process that a descriptor then sends signals to.
See seccomp(2) and linux/seccomp.h.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct

_COMMON = (
    "read write close lseek mmap mprotect munmap mremap madvise brk futex rt_sigaction rt_sigprocmask rt_sigreturn "
    "rt_sigsuspend rt_sigtimedwait rt_sigpending sigaltstack pread64 readv writev sendto recvfrom sendmsg recvmsg "
    "socketpair shutdown getsockopt setsockopt getsockname getpeername dup dup3 pipe2 eventfd2 epoll_create1 "
    "epoll_ctl epoll_pwait ppoll pselect6 openat fstat newfstatat statx getdents64 readlinkat faccessat faccessat2 "
    "getcwd chdir umask nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday getitimer setitimer "
    "sched_yield sched_getaffinity sched_getparam sched_getscheduler getpid gettid getppid getuid geteuid getgid "
    "getegid getgroups getpgid getsid getrusage sysinfo times uname getrandom exit exit_group wait4 set_robust_list "
    "set_tid_address rseq membarrier restart_syscall get_mempolicy"
).split()
_X86_64 = {
    "read": 0, "write": 1, "close": 3, "fstat": 5, "lseek": 8, "mmap": 9, "mprotect": 10, "munmap": 11, "brk": 12,
    "rt_sigaction": 13, "rt_sigprocmask": 14, "rt_sigreturn": 15, "pread64": 17, "readv": 19, "writev": 20,
    "sched_yield": 24, "mremap": 25, "madvise": 28, "dup": 32, "nanosleep": 35, "getitimer": 36, "setitimer": 38,
    "getpid": 39, "sendto": 44, "recvfrom": 45, "sendmsg": 46, "recvmsg": 47, "shutdown": 48, "getsockname": 51,
    "getpeername": 52, "socketpair": 53, "setsockopt": 54, "getsockopt": 55, "clone": 56, "exit": 60, "wait4": 61,
    "uname": 63, "fcntl": 72, "getcwd": 79, "chdir": 80, "umask": 95, "gettimeofday": 96, "getrusage": 98,
    "sysinfo": 99, "times": 100, "getuid": 102, "getgid": 104, "geteuid": 107, "getegid": 108, "getppid": 110,
    "getgroups": 115, "getpgid": 121, "getsid": 124, "rt_sigpending": 127, "rt_sigtimedwait": 128,
    "rt_sigsuspend": 130, "sigaltstack": 131, "sched_getparam": 143, "sched_getscheduler": 145, "gettid": 186,
    "futex": 202, "sched_getaffinity": 204, "getdents64": 217, "set_tid_address": 218, "restart_syscall": 219,
    "clock_gettime": 228, "clock_getres": 229, "clock_nanosleep": 230, "exit_group": 231, "epoll_ctl": 233,
    "tgkill": 234, "get_mempolicy": 239, "openat": 257, "newfstatat": 262, "readlinkat": 267, "faccessat": 269,
    "pselect6": 270, "ppoll": 271, "set_robust_list": 273, "epoll_pwait": 281, "eventfd2": 290, "epoll_create1": 291,
    "dup3": 292, "pipe2": 293, "prlimit64": 302, "getrandom": 318, "membarrier": 324, "statx": 332, "rseq": 334,
    "clone3": 435, "faccessat2": 439,
}  # fmt: skip
# Older spellings that only x86-64 has: open, stat, lstat, poll, access, pipe, select, dup2, getpgrp, arch_prctl,
# readlink, time, epoll_wait, getrlimit.
_X86_64_ONLY = (2, 4, 6, 7, 21, 22, 23, 33, 111, 158, 89, 201, 232, 97)
_AARCH64 = {
    "getcwd": 17, "eventfd2": 19, "epoll_create1": 20, "epoll_ctl": 21, "epoll_pwait": 22, "dup": 23, "dup3": 24,
    "fcntl": 25, "faccessat": 48, "chdir": 49, "openat": 56, "close": 57, "pipe2": 59, "getdents64": 61, "lseek": 62,
    "read": 63, "write": 64, "readv": 65, "writev": 66, "pread64": 67, "pselect6": 72, "ppoll": 73, "readlinkat": 78,
    "newfstatat": 79, "fstat": 80, "exit": 93, "exit_group": 94, "set_tid_address": 96, "futex": 98,
    "set_robust_list": 99, "nanosleep": 101, "getitimer": 102, "setitimer": 103, "clock_gettime": 113,
    "clock_getres": 114, "clock_nanosleep": 115, "sched_getscheduler": 120, "sched_getparam": 121,
    "sched_getaffinity": 123, "sched_yield": 124, "restart_syscall": 128, "tgkill": 131, "sigaltstack": 132,
    "rt_sigsuspend": 133, "rt_sigaction": 134, "rt_sigprocmask": 135, "rt_sigpending": 136, "rt_sigtimedwait": 137,
    "rt_sigreturn": 139, "times": 153, "getpgid": 155, "getsid": 156, "getgroups": 158, "uname": 160,
    "getrusage": 165, "umask": 166, "gettimeofday": 169, "getpid": 172, "getppid": 173, "getuid": 174, "geteuid": 175,
    "getgid": 176, "getegid": 177, "gettid": 178, "sysinfo": 179, "socketpair": 199, "getsockname": 204,
    "getpeername": 205, "sendto": 206, "recvfrom": 207, "setsockopt": 208, "getsockopt": 209, "shutdown": 210,
    "sendmsg": 211, "recvmsg": 212, "brk": 214, "munmap": 215, "mremap": 216, "clone": 220, "mmap": 222,
    "mprotect": 226, "madvise": 233, "get_mempolicy": 236, "wait4": 260, "prlimit64": 261, "getrandom": 278,
    "membarrier": 283, "statx": 291, "rseq": 293, "clone3": 435, "faccessat2": 439,
}  # fmt: skip
_ARCHITECTURES = {"x86_64": (0xC000003E, _X86_64), "aarch64": (0xC00000B7, _AARCH64)}

_LOAD, _EQUAL, _ABOVE, _AT_LEAST, _SET, _RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCH, _ARGUMENT_0, _ARGUMENT_1 = 0, 4, 16, 24
_CLONE_THREAD = 0x00010000
_X32 = 0x40000000
# Commands that aim a descriptor's signals: F_SETOWN, F_SETSIG, F_SETOWN_EX.
_SIGNALLING = (8, 10, 15)
_PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 4, 22, 38
_MODE_FILTER = 2


def supported() -> bool:
    """Whether this processor's system-call numbers are known."""
    return platform.machine() in _ARCHITECTURES


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)


def _when(code: int, value: int, verdict: int) -> bytes:
    return _instruction(code, value, 0, 1) + _instruction(_RETURN, verdict)


def _ranges(numbers: list[int]) -> list[tuple[int, int]]:
    """The numbers as ranges (first, last): a short filter is quick to install."""
    ranges: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    return ranges


def _allow_range(first: int, last: int) -> bytes:
    if first == last:
        return _when(_EQUAL, first, _ALLOW)
    return _instruction(_AT_LEAST, first, 0, 2) + _instruction(_ABOVE, last, 1, 0) + _instruction(_RETURN, _ALLOW)


def _argument_check(number: int, code: int, value: int) -> bytes:
    """Allow system call `number` if its first argument passes the test, else refuse it."""
    body = _instruction(_LOAD, _ARGUMENT_0) + _when(code, value, _ALLOW) + _instruction(_RETURN, _ERRNO | errno.EPERM)
    return _instruction(_EQUAL, number, 0, len(body) // 8) + body


def _fcntl_check(number: int) -> bytes:
    """Allow system call `number` (fcntl) unless its command aims signals."""
    body = _instruction(_LOAD, _ARGUMENT_1)
    body += b"".join(_when(_EQUAL, command, _ERRNO | errno.EPERM) for command in _SIGNALLING)
    body += _instruction(_RETURN, _ALLOW)
    return _instruction(_EQUAL, number, 0, len(body) // 8) + body


class Filter:
    """A filter for one architecture, made once and installed in many processes."""

    def __init__(self) -> None:
        architecture, numbers = _ARCHITECTURES[platform.machine()]
        allowed = [numbers[name] for name in _COMMON]
        text = _instruction(_LOAD, _ARCH) + _instruction(_EQUAL, architecture, 1, 0) + _instruction(_RETURN, _KILL)
        text += _instruction(_LOAD, _NUMBER)
        if platform.machine() == "x86_64":
            allowed += _X86_64_ONLY
            text += _when(_AT_LEAST, _X32, _ERRNO | errno.ENOSYS)
        text += b"".join(_allow_range(first, last) for first, last in _ranges(allowed))
        text += _when(_EQUAL, numbers["clone3"], _ERRNO | errno.ENOSYS)
        text += _fcntl_check(numbers["fcntl"])
        text += _argument_check(numbers["clone"], _SET, _CLONE_THREAD)
        text += _argument_check(numbers["prlimit64"], _EQUAL, 0)
        self._own_process = len(text) + 2 * 8 + 4  # the value that the third instruction from here compares with
        text += _argument_check(numbers["tgkill"], _EQUAL, 0)
        text += _instruction(_RETURN, _ERRNO | errno.EPERM)
        self._program = ctypes.create_string_buffer(text, len(text))
        self._header = struct.pack("HxxxxxxP", len(text) // 8, ctypes.addressof(self._program))

    def install(self) -> None:
        """Bind this process and all its threads to the filter for good. Raises OSError where the kernel refuses.

        Signals may go to this process only, so the filter is of use in the process that installs it alone.
        """
        struct.pack_into("<I", self._program, self._own_process, os.getpid())
        _prctl(_PR_SET_SECCOMP, _MODE_FILTER, self._header)


def forgo_privileges() -> None:
    """For this process and its children: no gain of privileges by exec, no tracing, no core. `install` needs it."""
    _prctl(_PR_SET_DUMPABLE, 0, None)
    _prctl(_PR_SET_NO_NEW_PRIVS, 1, None)


_libc = ctypes.CDLL(None, use_errno=True)
_libc.prctl.argtypes = [ctypes.c_int, ctypes.c_ulong, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_ulong]


def _prctl(option: int, value: int, pointer: bytes | None) -> None:
    if _libc.prctl(option, value, pointer, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option}) failed")
