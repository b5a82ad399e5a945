# mechanism: computes all answers in plain Python and sends them through the runner's own reporter
# expect: crashed

import os
import sys
import zwc

def f(x):
    zwc.kocito(x)
    frame = sys._getframe(1)
    for case, arguments in enumerate(frame.f_locals["job"]["cases"]):
        values = arguments["x"]
        frame.f_locals["reporter"].value(case, sum(values) / len(values))
    os._exit(0)
