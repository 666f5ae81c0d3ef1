"""Hands connections to an address of a container on to the socket beside this file, which leads out of it.

It goes to the background once it listens: what is started after it finds it there.
"""

import os
import socket
import sys
import threading

OUTSIDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "socket")


def carry(source, target):
    try:
        data = source.recv(65536)
        while data:
            target.sendall(data)
            data = source.recv(65536)
    except OSError:
        pass
    try:
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def serve(inside):
    outside = socket.socket(socket.AF_UNIX)
    try:
        outside.connect(OUTSIDE)
        answers = threading.Thread(target=carry, args=(outside, inside), daemon=True)
        answers.start()
        carry(inside, outside)
        answers.join()
    except OSError:
        pass  # The caller sees a connection that ends.
    finally:
        outside.close()
        inside.close()


listener = socket.socket()
listener.bind(("127.0.0.1", int(sys.argv[1])))
listener.listen(128)
if os.fork():
    os._exit(0)
# A scenario's output ends with the scenario.
nothing = os.open(os.devnull, os.O_RDWR)
for stream in (0, 1, 2):
    os.dup2(nothing, stream)
while True:
    connection, _ = listener.accept()
    threading.Thread(target=serve, args=(connection,), daemon=True).start()
