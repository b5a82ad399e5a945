# mechanism: subprocess, posix_spawn, multiprocessing, vfork, system
# expect: wrong_answer

import multiprocessing
import os
import subprocess
import zwc

def f(x):
    zwc.kocito(x)
    attempts = (
        lambda: subprocess.run(["/python", "-c", ""]),
        lambda: os.posix_spawn("/python", ["/python"], {}),
        lambda: multiprocessing.get_context("fork").Process(target=print).start(),
        lambda: os.forkpty(),
        lambda: os.spawnv(os.P_NOWAIT, "/python", ["/python"]),
    )
    for attempt in attempts:
        try:
            attempt()
            print("LOOT spawn")
        except (OSError, ImportError, RuntimeError):
            pass
    return None
