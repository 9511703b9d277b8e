"""Clients of `crux serve` that browsers are not: python3 tests/support/clients.py KIND [PORT COUNT [SEED]].

raw: sends COUNT requests, seeded mutations of right ones, each in pieces on a connection of its own or on that of the one before,
and then prints how many were answered by each status; 0 is a connection that was closed.
port: prints a free port that no client gets as its own, so that a server may be started there again and again.
idle: opens COUNT connections, of which half send the beginning of a request, prints `open` and waits until it is killed.
"""
import collections
import random
import signal
import socket
import sys

SEEDS = [
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /page.js HTTP/1.0\r\n\r\n",
    b"POST /begin HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\nconsent=yes",
    b"POST /view HTTP/1.1\r\nHost: x\r\nCookie: crux=00112233445566778899aabbccddeeff\r\nContent-Length: 0\r\n\r\n",
    b"POST /act HTTP/1.1\r\nHost: x\r\nCookie: a=b; crux=%TOKEN%\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 35\r\n\r\nnumber=1&act=key&value=right&time=10",
    b"POST /act HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nCookie: crux=%TOKEN%\r\n\r\n"
    b"10\r\nnumber=1&act=key\r\n14\r\n&value=right&time=10\r\n0\r\n\r\n",
    b"POST /kept HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nCookie: crux=%TOKEN%\r\nContent-Length: 2\r\n\r\nab",
    b"POST /return HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 38\r\n\r\ntoken=%TOKEN%",
]
PIECES = [b"\r\n", b"\n", b"\r", b"\0", b" ", b"%", b"%00", b"&", b"=", b";", b"../", b"-1", b"99999999999999999999", b"\xff", b": ",
          b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n", b"Cookie: crux=\r\n", b"HTTP/9.9", b"ffffffffffffffff\r\n", b"A" * 9000]


def connect(port):
    connection = socket.create_connection(("127.0.0.1", port), timeout=100)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def mutated(draw, text):
    text = bytearray(text)
    for _ in range(draw.choice([0, 1, 1, 2, 3, 8])):
        at = draw.randrange(len(text) + 1)
        kind = draw.randrange(4)
        if kind == 0:
            text[at:at] = draw.choice(PIECES)
        elif kind == 1:
            del text[at:at + draw.choice([1, 1, 2, 10, 100])]
        elif kind == 2 and at < len(text):
            text[at] = draw.randrange(256)
        else:
            other = draw.choice(SEEDS)
            text[at:] = other[draw.randrange(len(other)):]
    return bytes(text)


def token_of(port):
    with connect(port) as connection:
        connection.sendall(SEEDS[2])
        answer = connection.recv(65536)
    found = answer.find(b"crux=")
    return answer[found + 5:found + 37]


def raw(port, count, seed):
    draw, statuses, token, connection = random.Random(seed), collections.Counter(), token_of(port), None
    for _ in range(count):
        text = mutated(draw, draw.choice(SEEDS)).replace(b"%TOKEN%", token)
        try:
            connection = connection or connect(port)
            cut = draw.randrange(len(text) + 1)
            connection.sendall(text[:cut])
            connection.sendall(text[cut:])
            connection.settimeout(0.02)
            answer = connection.recv(1 << 20)
        except TimeoutError:
            answer = b"waits waits"
        except OSError:
            answer = b""
        status = answer.split()[1].decode("latin-1") if len(answer.split()) > 1 else "0"
        statuses[status] += 1
        if connection and (status != "200" or draw.randrange(3) == 0):
            connection.close()
            connection = None
    print(" ".join(f"{status}:{number}" for status, number in sorted(statuses.items())))


def idle(port, count):
    connections = [connect(port) for _ in range(count)]
    for connection in connections[::2]:
        connection.sendall(b"POST /act HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nnum")
    print("open", flush=True)
    signal.pause()


def port():
    with open("/proc/sys/net/ipv4/ip_local_port_range", encoding="ascii") as file:
        first, last = map(int, file.read().split())
    choices = [number for number in range(10000, 65536) if not first <= number <= last]
    while True:
        number = random.choice(choices)
        with socket.socket() as server:
            try:
                server.bind(("127.0.0.1", number))
            except OSError:
                continue
        return number


if __name__ == "__main__":
    if sys.argv[1] == "port":
        print(port())
    elif sys.argv[1] == "raw":
        raw(int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
    else:
        idle(int(sys.argv[2]), int(sys.argv[3]))
