# mechanism: runs machine code of its own in mapped memory
# expect: crashed|answer_independent|wrong_answer

import ctypes
import mmap
import zwc

def f(x):
    zwc.kocito(x)
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(b"\xb8\x3c\x00\x00\x00\x31\xff\x0f\x05")  # exit(0) on x86-64
    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
    return sum(x) / len(x)
