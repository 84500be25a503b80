"""Stands in for a process that `tests.warm` forks: passes its streams on, waits for it, ends as it ended.

python -I -S warm_launcher.py SOCKET WORD…
"""

import json
import os
import signal
import socket
import sys

client = socket.socket(socket.AF_UNIX)
client.connect(sys.argv[1])
request = {"words": sys.argv[2:], "cwd": os.getcwd(), "environment": dict(os.environ)}
socket.send_fds(client, [json.dumps(request).encode()], [0, 1, 2])
client.sendall(b"\n")
for number in (signal.SIGTERM, signal.SIGINT):
    signal.signal(number, lambda number, _: client.sendall(bytes([number])))
for stream in (0, 1, 2):
    os.close(stream)
code = int(client.makefile("rb").readline() or b"-9")
if code < 0:  # ended by a signal: end the same way
    signal.signal(-code, signal.SIG_DFL) if -code not in (signal.SIGKILL, signal.SIGSTOP) else None
    os.kill(os.getpid(), -code)
sys.exit(code)
