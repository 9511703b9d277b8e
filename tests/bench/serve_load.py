"""Plays a study by many players at once, and checks that what the server acknowledged is in its database.

    python3 tests/bench/serve_load.py PLAYERS SECONDS KILLS DATABASE crux serve move LEVELS --port PORT --database DATABASE

Starts the server by the words from `crux` on. Each player makes a move about every two seconds and rates solved levels. The server
is killed (SIGKILL) and started again KILLS times, evenly spread. Prints the requests, the quantiles of the times of answers in
milliseconds, the largest memory of the server, and what is missing in the database: nothing, or the exit status is 1.
"""
import asyncio
import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.parse

PAUSE = 2.0  # seconds between two moves of a player


class Player:
    def __init__(self, port):
        self.port, self.token, self.view = port, None, None
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
        await asyncio.sleep(random.random() * PAUSE)
        status, self.view, headers, _ = await self.post("/begin", {"consent": "yes"})
        if status != 200:
            problems.append(f"/begin: {status}")
            return
        self.token = headers["Set-Cookie"].split(";")[0].split("=")[1]
        while time.monotonic() < until and self.view["stage"] != "thanks":
            await asyncio.sleep(PAUSE * random.uniform(0.9, 1.1))
            asked = self.view["stage"] == "question"
            act, value = ("answer", "5") if asked else ("key", random.choice(["up", "down", "left", "right"]))
            number = self.view["acts"] + 1
            status, self.view, _, seconds = await self.post("/act", {"number": number, "act": act, "value": value, "time": 2000})
            times.append(seconds)
            if status != 200 or self.view["acts"] != number:
                problems.append(f"/act {number}: {status}")
            self.acknowledged = number
            self.ratings += asked


def start(words):
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    return process


def memory(process):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))


async def main(count, seconds, kills, words):
    server, most = start(words), 0
    port = int(words[words.index("--port") + 1])
    players, times, problems = [Player(port) for _ in range(count)], [], []
    until = time.monotonic() + seconds
    running = [asyncio.create_task(player.play(until, times, problems)) for player in players]
    for _ in range(kills):
        await asyncio.sleep(seconds / (kills + 1))
        most = max(most, memory(server))
        server.send_signal(signal.SIGKILL)
        server.wait()
        server = await asyncio.get_running_loop().run_in_executor(None, start, words)
    await asyncio.gather(*running)
    most = max(most, memory(server))
    server.kill()
    server.wait()
    return players, sorted(times), problems, most


def check(database, players):
    """The sums of acts and ratings that were acknowledged and those in the database; levels that a player played twice."""
    connection = sqlite3.connect(database)
    acts = dict(connection.execute("SELECT player, max(number) FROM act GROUP BY player"))
    ratings = connection.execute("SELECT count(*) FROM attempt WHERE rating IS NOT NULL").fetchone()[0]
    twice = connection.execute("SELECT count(*) FROM (SELECT 1 FROM play GROUP BY player, level HAVING count(*) > 1)").fetchone()[0]
    said, kept = sum(player.acknowledged for player in players), sum(acts.values())
    print(f"acts: {said} acknowledged, {kept} in the database; ratings: {sum(p.ratings for p in players)}, {ratings}; "
          f"levels played twice: {twice}")
    return kept >= said and ratings >= sum(p.ratings for p in players) and twice == 0


if __name__ == "__main__":
    result = asyncio.run(main(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]), sys.argv[5:]))
    found, waits, failures, kilobytes = result
    quantiles = [f"{100 * q:g} %: {1000 * waits[int(q * (len(waits) - 1))]:.1f} ms" for q in (0.5, 0.9, 0.99, 1)]
    print(f"{len(waits)} acts, {', '.join(quantiles)}; {kilobytes} kB; problems: {failures[:5]}")
    sys.exit(0 if check(sys.argv[4], found) and not failures else 1)
