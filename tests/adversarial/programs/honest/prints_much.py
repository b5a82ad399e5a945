# mechanism: prints on the way, also what is not text
# expect: passed

import sys
import zwc

def f(x):
    print("working" * 1000)
    sys.stdout.buffer.write(b"\xff\xfe\x00")
    print("warning", file=sys.stderr)
    return zwc.kocito(x)
