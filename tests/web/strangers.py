"""A site that is not ours, on another port of the same machine, with a page that tries what a hostile page would."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

EMPTY = b"<!doctype html><title>elsewhere</title><body>elsewhere</body>"


class _Elsewhere(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(EMPTY)))
        self.end_headers()
        self.wfile.write(EMPTY)

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


@contextmanager
def elsewhere() -> Iterator[int]:
    """The port of a site without any rules of its own."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Elsewhere)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


READING = {
    "fetch": "(at) => fetch(at + '/api/v1/memories').then((answer) => answer.text())",
    "fetch with cookies": """(at) => fetch(at + '/api/v1/memories', {credentials: 'include'})
        .then((answer) => answer.text())""",
    "fetch with the header": """(at) => fetch(at + '/api/v1/memories',
        {credentials: 'include', headers: {'x-commonplace-half': 'AAAA'}}).then((answer) => answer.text())""",
    "fetch without an answer": """(at) => fetch(at + '/api/v1/memories', {mode: 'no-cors', credentials: 'include'})
        .then((answer) => answer.text())""",
    "the shell": "(at) => fetch(at + '/').then((answer) => answer.text())",
    "script": """(at) => new Promise((done, failed) => {
        const made = document.createElement('script');
        made.src = at + '/api/v1/memories'; made.onload = () => done('loaded'); made.onerror = failed;
        document.body.append(made);
    })""",
    "module": "(at) => import(at + '/page/main.js').then(() => 'loaded')",
    "stylesheet": """(at) => new Promise((done, failed) => {
        const made = document.createElement('link');
        made.rel = 'stylesheet'; made.href = at + '/page/style.css';
        made.onload = () => done('loaded'); made.onerror = failed;
        document.head.append(made);
    })""",
    "events": """(at) => new Promise((done, failed) => {
        const made = new EventSource(at + '/api/v1/memories', {withCredentials: true});
        made.onmessage = (event) => done(event.data); made.onerror = failed;
    })""",
    "socket": """(at) => new Promise((done, failed) => {
        const made = new WebSocket(at.replace('http', 'ws') + '/api/v1/memories');
        made.onopen = () => done('open'); made.onerror = failed;
    })""",
    "window": """(at) => new Promise((done, failed) => {
        const made = window.open(at + '/');
        setTimeout(() => { try { done(made.document.body.innerText); } catch (error) { failed(error); } }, 500);
    })""",
    "storage": """(at) => {
        const kept = [...Object.entries(localStorage), ...Object.entries(sessionStorage), document.cookie].join('');
        if (kept === '') throw new Error('nothing here');
        return kept;
    }""",
}
"""Ways to read what is not one's own; each gives a text if it worked and fails if it did not."""

FORGED = "forged by another page"
WRITING = {
    "fetch": """(at, body) => fetch(at + '/api/v1/memories', {method: 'POST', credentials: 'include', body,
        headers: {'content-type': 'application/json'}}).catch(() => null)""",
    "fetch with the header": """(at, body) => fetch(at + '/api/v1/memories', {method: 'POST', body,
        credentials: 'include', headers: {'content-type': 'application/json', 'x-commonplace-half': 'AAAA'}})
        .catch(() => null)""",
    "simple fetch": """(at, body) => fetch(at + '/api/v1/memories', {method: 'POST', mode: 'no-cors', body,
        credentials: 'include'}).catch(() => null)""",
    "beacon": "(at, body) => navigator.sendBeacon(at + '/api/v1/memories', body)",
    "undo": """(at, body) => fetch(at + '/api/v1/undo', {method: 'POST', mode: 'no-cors', body: '{}',
        credentials: 'include'}).catch(() => null)""",
    "sign-out": """(at, body) => fetch(at + '/api/v1/sign-out', {method: 'POST', mode: 'no-cors', body: '{}',
        credentials: 'include'}).catch(() => null)""",
    "text form": """(at, body) => new Promise((done) => {
        const frame = document.createElement('iframe');
        frame.name = 'hidden'; frame.onload = done; document.body.append(frame);
        const form = document.createElement('form');
        form.method = 'POST'; form.action = at + '/api/v1/memories';
        form.enctype = 'text/plain'; form.target = 'hidden';
        const field = document.createElement('input');
        field.name = body.slice(0, -1) + ',"x":"'; field.value = '"}';
        form.append(field); document.body.append(form); form.submit(); setTimeout(done, 1000);
    })""",
    "plain form": """(at, body) => new Promise((done) => {
        const frame = document.createElement('iframe');
        frame.name = 'hidden2'; frame.onload = done; document.body.append(frame);
        const form = document.createElement('form');
        form.method = 'POST'; form.action = at + '/api/v1/memories'; form.target = 'hidden2';
        const field = document.createElement('input'); field.name = 'text'; field.value = JSON.parse(body).text;
        form.append(field); document.body.append(form); form.submit(); setTimeout(done, 1000);
    })""",
    "image": """(at, body) => new Promise((done) => {
        const image = new Image(); image.onload = image.onerror = done; image.src = at + '/api/v1/undo?force=true';
    })""",
}
"""Ways to change what is not one's own, without asking whether it worked: the book tells."""
