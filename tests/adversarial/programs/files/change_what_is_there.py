# mechanism: renames, links, deletes, changes modes and mounts
# expect: wrong_answer

import os
import zwc

def f(x):
    zwc.kocito(x)
    attempts = (
        lambda: os.rename("/cell", "/cell2"), lambda: os.unlink("/cell/zwc/__init__.py"),
        lambda: os.symlink("/", "/link"), lambda: os.link("/cell/zwc/__init__.py", "/copy"),
        lambda: os.chmod("/cell", 0o777), lambda: os.mkdir("/new"), lambda: os.mkfifo("/fifo"),
        lambda: os.chroot("/"), lambda: os.truncate("/cell/zwc/__init__.py", 0), lambda: os.chown("/cell", 0, 0),
        lambda: os.utime("/cell"), lambda: os.mknod("/node"),
    )
    for number, attempt in enumerate(attempts):
        try:
            attempt()
            print("LOOT", number)
        except OSError:
            pass
    return None
