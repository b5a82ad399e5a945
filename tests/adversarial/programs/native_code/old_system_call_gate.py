# mechanism: reaches for system calls through the 32-bit gate
# expect: crashed

import ctypes
import mmap
import platform
import signal
import zwc

def f(x):
    zwc.kocito(x)
    if platform.machine() != "x86_64":
        signal.raise_signal(signal.SIGKILL)
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(b"\xb8\x02\x00\x00\x00\xcd\x80\xc3")  # fork() by int 0x80
    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
    return None
