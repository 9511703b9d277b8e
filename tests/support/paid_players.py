"""Simulated paid players of tests/serve/paid_test.lua: python3 tests/support/paid_players.py PLAYERS KILLS SECONDS crux serve STUDY
--port PORT --database DATABASE

Each player comes by a link with a PROLIFIC_PID. Some are screened out, some fail the check of understanding, some stop by the button,
some just go; the others play to the end. The server is killed (SIGKILL) and started again KILLS times in SECONDS. Then each row of the
database is compared with what its player was told. Prints how many ended how; the exit status is 1 if a row is not as it should be.
"""
import asyncio
import collections
import json
import os
import random
import secrets
import signal
import sqlite3
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "bench"))
import serve_load  # noqa: E402

KEYS = {"one": "right", "two": "a", "three": "right"}
CODES = {"finished": "DONE", "screened": "OUT", "left": "LEFT", "gone": None}


class Paid(serve_load.Player):
    def __init__(self, port, number, draw, pause):
        super().__init__(port, pause)
        self.number, self.draw = number, draw
        self.kind = ["finished", "finished", "child", "fails", "left", "gone", "finished", "finished", "gone", "finished"][number % 10]
        self.stops_after = draw.randrange(1, 20)  # acts
        self.outcome, self.code, self.ratings, self.pages = "gone", None, [], []

    async def act(self, act, value):
        await asyncio.sleep(self.draw.random() * 2 * self.pause)
        number = self.view["acts"] + 1
        status, self.view, _, _ = await self.post("/act", {"number": number, "act": act, "value": value, "time": 50,
                                                           "subject": self.view["subject"]})
        assert status == 200 and self.view["acts"] == number, (status, self.view)
        self.acknowledged = number

    async def play(self):
        await asyncio.sleep(self.draw.random() * 20 * self.pause)
        status, self.view, headers, _ = await self.post("/begin", {
            "consent": "yes", "fresh": secrets.token_hex(16), "link_PROLIFIC_PID": f"pid{self.number}",
            "age": 17 if self.kind == "child" else 18 + self.number})
        assert status == 200, self.view
        self.token = headers["Set-Cookie"].split(";")[0].split("=")[1]
        while self.view["stage"] != "thanks":
            if self.kind in ("left", "gone") and self.acknowledged >= self.stops_after:
                if self.kind == "gone":
                    return
                _, self.view, _, _ = await self.post("/leave", {})
            elif self.view["stage"] == "page":
                self.pages.append(self.view["subject"].split()[1])
                answers = {"goal": "goal=" + ("X" if self.kind == "fails" else "O"), "colour": f"colour={self.colour()}"}
                await self.act("page", answers[self.view["items"][0]["name"]])
            elif self.view["stage"] == "question":
                rating = 1 + (self.number + self.view["position"]) % 10
                if self.view["asked"]:
                    self.ratings.append((self.view["position"], rating))
                await self.act(*(("answer", rating) if self.view["asked"] else ("key", "enter")))
            else:
                await self.act("key", "a" if "a" in [keys for keys, _ in self.view["keys"]] else "right")
        self.outcome, self.code = self.view["outcome"], self.view["completion"]

    def colour(self):
        return "red" if self.number % 7 == 0 else "blue"


async def main(count, kills, seconds, words):
    server, draw = serve_load.start(words), random.Random(40)
    port = int(words[words.index("--port") + 1])
    players = [Paid(port, number, random.Random(number), seconds / 35) for number in range(count)]
    running = [asyncio.create_task(player.play()) for player in players]
    for _ in range(kills):
        await asyncio.sleep(seconds / kills * draw.uniform(0.5, 1.5))
        server.send_signal(signal.SIGKILL)
        server.wait()
        server = await asyncio.get_running_loop().run_in_executor(None, serve_load.start, words)
    went_on = sum(not task.done() for task in running)
    await asyncio.gather(*running)
    server.kill()
    server.wait()
    return players, went_on


def faults_of(player, database):
    """What in the database is not as the player was told, or as the study says."""
    one = lambda sql, *values: database.execute(sql, values).fetchall()  # noqa: E731
    rows = one("SELECT id, condition, outcome, blocks, acts FROM player JOIN identifier ON player = id WHERE value = ?",
               f"pid{player.number}")
    if len(rows) != 1:
        return [f"{len(rows)} rows of player {player.number}"]
    number, condition, outcome, blocks, acts = rows[0]
    faults, designed = [], {"ab": ["rules", "one", "two", "three", "end"], "ba": ["rules", "two", "one", "three", "end"]}[condition]

    def expect(what, found, expected):
        if found != expected:
            faults.append(f"player {player.number}: {what}: found {found}, expected {expected}")

    expect("outcome", outcome, player.outcome if player.outcome in ("finished", "screened") else None)
    expect("code", player.code, CODES[player.outcome])
    expect("blocks", json.loads(blocks), designed)
    expect("acts", (acts, one("SELECT count(*) FROM act WHERE player = ?", number)[0][0]), (player.acknowledged, player.acknowledged))
    expect("ratings", one("SELECT position, rating FROM attempt WHERE player = ? AND rating IS NOT NULL ORDER BY 1", number),
           player.ratings)
    order = [block for block, in one("SELECT block FROM play WHERE player = ? ORDER BY position", number)]
    whole = [block for block in designed if block in KEYS for _ in range({"one": 3, "two": 1, "three": 2}[block])]
    expect("order", order, whole if player.outcome == "finished" else whole[:len(order)])
    expect("levels", one("SELECT count(*) - count(DISTINCT block || level) FROM play WHERE player = ?", number), [(0,)])
    visits = one("SELECT block, page, try, wrong FROM visit WHERE player = ? AND page > 0 AND ended IS NOT NULL ORDER BY began", number)
    expect("pages", [visit[0] for visit in visits], player.pages)
    expect("attention", [visit[3] for visit in visits if visit[0] == "end"],
           ["colour" if player.colour() == "red" else ""] * player.pages.count("end"))
    expect("age", one("SELECT answer FROM answer WHERE player = ? AND item = 'age'", number),
           [("17" if player.kind == "child" else str(18 + player.number),)])
    return faults


if __name__ == "__main__":
    program = sys.argv[4:]
    started = time.monotonic()
    found, late = asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), program))
    with sqlite3.connect(program[program.index("--database") + 1]) as connection:
        wrong = [fault for player in found for fault in faults_of(player, connection)]
        total = connection.execute("SELECT count(*) FROM player").fetchone()[0]
        sizes = [n for n, in connection.execute("SELECT count(*) FROM player WHERE outcome IS NOT 'screened' GROUP BY condition")]
        began = [n for n, in connection.execute("SELECT count(*) FROM player GROUP BY condition")]
    ends = collections.Counter(player.outcome for player in found)
    print(", ".join(f"{name} {ends[name]}" for name in sorted(ends)), f"rows {total}",
          f"acts {sum(player.acknowledged for player in found)}", f"conditions {sizes} of {began}",
          f"playing after the last kill {late}", f"seconds {time.monotonic() - started:.1f}", sep="; ")
    print("\n".join(wrong[:20]))
    sys.exit(1 if wrong or total != len(found) else 0)
