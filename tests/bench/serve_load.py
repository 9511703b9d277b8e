"""Plays a study by many players at once, and checks that what the server acknowledged is in its database.

    python3 tests/bench/serve_load.py PLAYERS PAUSE SECONDS KILLS crux serve move LEVELS --port PORT --database DATABASE

Starts the server by the words from `crux` on. Each player makes a move about every PAUSE seconds and rates solved levels. The server
is killed (SIGKILL) and started again KILLS times, evenly spread. Prints the acts, the quantiles of the times of answers in
milliseconds, the largest memory of the server and its processor time for an act, and compares the database with what was
acknowledged, player by player: if anything is missing, the exit status is 1.
"""
import asyncio
import hashlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.parse


class Player:
    def __init__(self, port, pause):
        self.port, self.pause, self.token, self.view = port, pause, None, None
        self.reader = self.writer = None
        self.acknowledged = 0  # number of the last act that the server answered
        self.ratings = 0

    async def post(self, path, fields):
        """Sends until there is an answer, as the page does; returns the status, the value and the time of the last attempt."""
        body = urllib.parse.urlencode(fields)
        cookie = f"Cookie: crux={self.token}\r\n" if self.token else ""
        text = (f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{cookie}Content-Type: application/x-www-form-urlencoded\r\n"
                f"Content-Length: {len(body)}\r\n\r\n{body}")
        while True:
            try:
                if not self.writer:
                    self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
                began = time.monotonic()
                self.writer.write(text.encode())
                head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
                headers = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if line)
                value = json.loads(await self.reader.readexactly(int(headers["Content-Length"])))
                return int(head.split()[1]), value, headers, time.monotonic() - began
            except (OSError, asyncio.IncompleteReadError):
                self.writer = None
                await asyncio.sleep(0.2)

    async def play(self, until, times, problems):
        await asyncio.sleep(random.random() * self.pause)
        status, self.view, headers, _ = await self.post("/begin", {"consent": "yes"})
        if status != 200:
            problems.append(f"/begin: {status}")
            return
        self.token = headers["Set-Cookie"].split(";")[0].split("=")[1]
        while time.monotonic() < until and self.view["stage"] != "thanks":
            await asyncio.sleep(self.pause * random.uniform(0.9, 1.1))
            is_played, asked = self.view["stage"] == "play", bool(self.view["asked"])
            act, value = ("answer", "5") if asked else ("key", random.choice(["up", "down", "left", "right"]) if is_played else "enter")
            number = self.view["acts"] + 1
            status, self.view, _, seconds = await self.post("/act", {"number": number, "act": act, "value": value, "time": 2000})
            times.append(seconds)
            if status != 200 or self.view["acts"] != number:
                problems.append(f"/act {number}: {status}")
            self.acknowledged = number
            self.ratings += asked


def start(words):
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    if not process.stdout.readline():
        raise RuntimeError("the server does not start")
    return process


def processes_of(pid):
    """The numbers of a process and of the processes that it started."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [pid] + [found for child in file.read().split() for found in processes_of(child)]


def memory_and_time(server):
    """The sum of the most kilobytes that each process of the server had, and their seconds of processor time.

    Pages that processes share count once for each, so that the sum is an upper bound.
    """
    kilobytes, ticks = 0, 0
    for pid in processes_of(server.pid):
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            kilobytes += next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            ticks += sum(map(int, file.read().rsplit(")", 1)[1].split()[11:15]))
    return kilobytes, ticks / os.sysconf("SC_CLK_TCK")


async def main(count, pause, seconds, kills, words):
    server, ends = start(words), []
    port = int(words[words.index("--port") + 1])
    players, times, problems = [Player(port, pause) for _ in range(count)], [], []
    until = time.monotonic() + seconds
    running = [asyncio.create_task(player.play(until, times, problems)) for player in players]
    for _ in range(kills):
        await asyncio.sleep(seconds / (kills + 1))
        ends.append(memory_and_time(server))
        server.send_signal(signal.SIGKILL)
        server.wait()
        server = await asyncio.get_running_loop().run_in_executor(None, start, words)
    await asyncio.gather(*running)
    ends.append(memory_and_time(server))
    server.kill()
    server.wait()
    return players, sorted(times), problems, max(end[0] for end in ends), sum(end[1] for end in ends)


def check(database, players):
    """Tells whether the database has each act and rating that was acknowledged, and no player a level twice."""
    connection = sqlite3.connect(database)
    kept = {digest: (acts, ratings) for digest, acts, ratings in connection.execute(
        "SELECT token, (SELECT count(*) FROM act WHERE player = id), (SELECT count(rating) FROM attempt WHERE player = id) FROM player")}
    twice = connection.execute("SELECT count(*) FROM (SELECT 1 FROM play GROUP BY player, level HAVING count(*) > 1)").fetchone()[0]
    missing = 0
    for player in players:
        acts, ratings = kept.get(hashlib.sha256((player.token or "").encode()).hexdigest(), (0, 0))
        missing += max(0, player.acknowledged - acts) + max(0, player.ratings - ratings)
    print(f"{sum(p.acknowledged for p in players)} acts and {sum(p.ratings for p in players)} ratings acknowledged; "
          f"missing in the database: {missing}; levels played twice: {twice}")
    return missing == 0 and twice == 0


if __name__ == "__main__":
    program = sys.argv[5:]
    found, waits, failures, most, processor = asyncio.run(
        main(int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]), program))
    quantiles = [f"{100 * q:g} %: {1000 * waits[int(q * (len(waits) - 1))]:.1f} ms" for q in (0.5, 0.9, 0.99, 1)]
    print(f"{len(waits)} acts, {', '.join(quantiles)}; {most} kB, {1000 * processor / len(waits):.2f} ms of processor time an act; "
          f"problems: {failures[:5]}")
    sys.exit(0 if check(program[program.index("--database") + 1], found) and not failures else 1)
