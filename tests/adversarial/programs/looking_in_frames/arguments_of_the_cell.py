# mechanism: looks for the answers in the job that the runner holds
# expect: wrong_answer

import sys
import zwc

def f(x):
    zwc.kocito(x)
    frame = sys._getframe(1)
    job = frame.f_locals.get("job") or {}
    for name in job:
        if name not in ("code", "entry_point", "cases"):
            print("LOOT job", name)
    for case in job.get("cases", ()):
        if set(case) != {"x"}:
            print("LOOT case", list(case))
    return None
