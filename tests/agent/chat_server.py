"""A server that speaks the OpenAI protocol on loopback, and breaks in the ways real ones do."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COMPLETION = {"id": "x", "object": "chat.completion", "created": 0, "model": "any"}
CHUNK = {**COMPLETION, "object": "chat.completion.chunk"}
USAGE = {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11}


def whole(message, finish_reason="stop"):
    """A reply in one piece."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish_reason}
    return json.dumps({**COMPLETION, "choices": [choice], "usage": USAGE}).encode()


def event(delta=None, finish_reason=None, **more):
    """One event of a stream; `more` in the place of a delta, such as `usage` or `error`."""
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish_reason}]
    data = more if "error" in more else {**CHUNK, "choices": choices, **more}
    return b"data: " + json.dumps(data).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"


class Answer:
    """What the server sends: a status, headers and a body; `cut` closes the connection before the body is whole."""

    def __init__(self, body=b"", status=200, kind="application/json", headers=(), cut=False):
        self.body, self.status, self.headers, self.cut = body, status, {"content-type": kind, **dict(headers)}, cut


def stream(*events, **options):
    return Answer(b"".join(events), kind="text/event-stream", **options)


@contextmanager
def chat_server(*answers):
    """Serve these answers in turn on a free port; yields the base URL and the requests as they came."""
    waiting, requests = list(answers), []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # otherwise 40 ms a reply

        def log_message(self, *_):
            pass

        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            requests.append(
                {
                    "path": self.path,
                    "headers": {name.lower(): value for name, value in self.headers.items()},
                    "body": json.loads(body),
                }
            )
            answer = waiting.pop(0)
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(answer.body) + 100 * answer.cut))
            self.end_headers()
            self.wfile.write(answer.body)
            self.close_connection = self.close_connection or answer.cut

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", requests
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
