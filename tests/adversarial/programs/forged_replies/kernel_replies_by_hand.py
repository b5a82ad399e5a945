# mechanism: replaces the link to the kernel by one that answers from plain Python
# expect: answer_independent

import zwc
from zwc import _client

class Fake:
    def send(self, message):
        self.message = message
    def receive(self):
        if self.message[0] == "find":
            return ["ok", True]
        values = self.message[3][0]
        return ["ok", sum(values) / len(values)]

zwc.kocito([1])
_client.current()._link = Fake()

def f(x):
    return zwc.kocito(x)
