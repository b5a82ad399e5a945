# mechanism: writes what looks like the guest's summary
# expect: crashed|answer_independent|wrong_answer

import json
import os
import struct
import zwc

SUMMARY = json.dumps({"stopped": None, "wall_s": 0.1, "solution": {"status": 0, "cpu_s": 0, "peak_bytes": 0},
                      "kernel": None, "witness": {"succeeded": {"mean": 8}}}).encode()

def f(x):
    for descriptor in range(64):
        try:
            os.write(descriptor, struct.pack(">I", len(SUMMARY)) + SUMMARY)
        except OSError:
            pass
    return sum(x) / len(x)
