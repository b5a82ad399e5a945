"""A worker behind HTTP that starts a new Python with NumPy for each solution posted to it, on loopback.

The reference implementation runs solutions in this manner, in a container. Without one, as here, it is faster.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import _program
from _protocol import Prepared, Program, serve


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        posted = self.rfile.read(int(self.headers["Content-Length"]))
        done = subprocess.run(
            _program.command(), env=_program.environment(), input=posted, capture_output=True, check=False
        )
        body = json.dumps({"status": done.returncode, "printed": done.stdout.decode("utf-8", "replace")}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _prepare() -> Prepared:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}/"
    clients = ThreadPoolExecutor(int(sys.argv[1]))

    def post(program: Program) -> bool:
        with urllib.request.urlopen(address, data=json.dumps(program).encode()) as response:
            answer = json.load(response)
        return _program.answers(answer["printed"]) == len(program["cases"])

    return Prepared(lambda batch: sum(clients.map(post, batch)))


if __name__ == "__main__":
    serve("new Python with NumPy per solution, behind HTTP", _prepare)
