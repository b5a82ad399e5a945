# mechanism: calls that a filter may have forgotten
# expect: wrong_answer

import ctypes
import platform
import zwc

libc = ctypes.CDLL(None, use_errno=True)
RARE = {"x86_64": {"io_uring_setup": 425, "bpf": 321, "userfaultfd": 323, "perf_event_open": 298, "keyctl": 250,
                   "add_key": 248, "pidfd_open": 434, "pidfd_getfd": 438, "kcmp": 312, "memfd_secret": 447,
                   "open_by_handle_at": 304, "fanotify_init": 300, "inotify_init1": 294, "timerfd_create": 283,
                   "landlock_create_ruleset": 444, "mount": 165, "ioctl": 16, "personality": 135, "modify_ldt": 154,
                   "tkill": 200, "rt_sigqueueinfo": 129, "process_madvise": 440, "seccomp": 317, "splice": 275,
                   "vmsplice": 278, "sched_setattr": 314, "ptrace": 101, "signalfd4": 289}}

def f(x):
    zwc.kocito(x)
    for name, number in RARE.get(platform.machine(), {}).items():
        ctypes.set_errno(0)
        if libc.syscall(number, 1, 0, 0, 0, 0) >= 0 or ctypes.get_errno() not in (1, 38):
            print("LOOT", name, ctypes.get_errno())
    return None
