# mechanism: leaves modules, import hooks and patched library classes behind
# expect: wrong_answer

import sys
import types
import zwc
from zwc import _client

sys.modules["mark_module"] = types.ModuleType("mark_module")
sys.path.insert(0, "/mark")
_client.Session.MARK = 1
zwc.ZWCArray.__len__ = lambda self: 7

def f(x):
    zwc.kocito(x)
    return None
