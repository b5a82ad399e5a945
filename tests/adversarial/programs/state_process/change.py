# mechanism: changes environment, folder, mask, locale, recursion limit, signals, alarm
# expect: wrong_answer

import locale
import os
import signal
import sys
import zwc

os.environ["MARK"] = "1"
os.umask(0o123)
sys.setrecursionlimit(50000)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for folder in ("/cell", "/usr", "/lib"):
    try:
        os.chdir(folder)
    except OSError:
        pass
for name in ("C", "POSIX", "en_US.UTF-8", "de_DE.UTF-8"):
    try:
        locale.setlocale(locale.LC_ALL, name)
    except locale.Error:
        pass

def f(x):
    zwc.kocito(x)
    return None
