"""Opens a page in a headless Chromium over the DevTools protocol's pipe, does what the steps say, and prints what it finds, as JSON.

    python3 tests/support/browser.py PAGE STEPS.json

PAGE is a file or an address of HTTP. A step is one of

    {"visit": {"width": 360, "height": 640, "touch": true, "scheme": "dark", "motion": "reduce", "language": "de", "script": "JavaScript"}}
                                       as somebody without cookies; the script runs before those of each page
    {"tab": 2}                         goes to another tab of this visitor, which is opened if need be
    {"reload": true}
    {"evaluate": "JavaScript"}         its value is printed
    {"key": "Enter"}
    {"drag": [x, y, x, y, ...], "touch": true}   a mouse or finger goes from point to point; two equal points are a click or tap.
                                       A text is JavaScript whose value is the points
    {"tree": true}                     prints the accessibility tree: "role: name" of each node that has a name
    {"press": "Undo"}                  presses the button that has this name in the accessibility tree
    {"go": [2, 1]}                     presses arrows until the tree tells this column and row, or that the level is solved
    {"hear": true}                     waits until the tree tells something else than at the last such step, and prints it
    {"offline": true}                  requests fail, until false
    {"lose": "/act"}                   the next answer of this path is lost, after the server made it
    {"screenshot": "FILE.png", "width": 390, "height": 844, "scheme": "dark"}

Prints {"console": [...], "values": [...]}: what the page logged or violated, and the values of expressions. Exits with 77 where
there is no Chromium.
"""
import base64
import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

PATIENCE = float(os.environ.get("CRUX_TEST_PATIENCE", 300))  # seconds for a step, however much the browser says meanwhile
KEYS = {"Tab": 9, "Enter": 13, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}


class Browser:
    def __init__(self, program, folder, page):
        to_browser, to_self = os.pipe(), os.pipe()
        self.next, self.console, self.loaded = 1, [], set()
        self.page = page if page.startswith("http://") else "file://" + os.path.abspath(page)
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--disable-quic", "--no-proxy-server",
                 "--no-first-run", "--disable-extensions", "--disable-background-networking", "--disable-component-update",
                 "--disable-sync", "--remote-debugging-pipe", "--user-data-dir=" + folder, "about:blank"]

        def place():  # Chromium reads 3 and writes 4
            first, second = os.dup(to_browser[0]), os.dup(to_self[1])
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen([program, *flags], preexec_fn=place, close_fds=False, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(to_browser[0])
        os.close(to_self[1])
        self.write, self.read, self.rest = to_browser[1], to_self[0], b""
        self.session = self.context = None
        self.tabs, self.looks, self.heard = {}, {}, None
        self.begin("start")

    def begin(self, step):
        self.doing, self.end = step, time.time() + PATIENCE

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def message(self):
        while b"\0" not in self.rest:
            left = self.end - time.time()
            if left <= 0 or not select.select([self.read], [], [], left)[0]:
                sys.exit(f"not done within {PATIENCE} s: {self.doing}")
            chunk = os.read(self.read, 65536)
            if not chunk:
                sys.exit("the browser ended")
            self.rest += chunk
        text, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(text)
        method, params = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self.loaded.add(message["sessionId"])
        elif method == "Fetch.requestPaused":
            self.send("Fetch.failRequest", {"requestId": params["requestId"], "errorReason": "ConnectionClosed"})
            self.send("Fetch.disable", {})
        elif method == "Log.entryAdded":
            self.console.append(params["entry"]["text"])
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.console.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled":
            self.console.append(" ".join(str(arg.get("value")) for arg in params["args"]))
        return message

    def send(self, method, params):
        number, self.next = self.next, self.next + 1
        call = {"id": number, "method": method, "params": params}
        if self.session and not method.startswith("Target."):
            call["sessionId"] = self.session
        data = json.dumps(call).encode() + b"\0"
        while data:
            data = data[os.write(self.write, data):]
        return number

    def call(self, method, **params):
        number = self.send(method, params)
        while True:
            message = self.message()
            if message.get("id") == number:
                if "error" in message:
                    sys.exit(f"{method}: {message['error']}")
                return message["result"]

    def load(self, method, **params):
        self.loaded.discard(self.session)
        self.call(method, **params)
        while self.session not in self.loaded:
            self.message()

    def visit(self, looks):
        self.context = self.call("Target.createBrowserContext")["browserContextId"]
        self.tabs, self.looks, self.heard = {}, looks, None
        self.tab(1)

    def tab(self, number):
        if number in self.tabs:
            target, self.session = self.tabs[number]
            self.call("Target.activateTarget", targetId=target)
            return
        target = self.call("Target.createTarget", url="about:blank", browserContextId=self.context)["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.tabs[number] = target, self.session
        for domain in "Page", "Runtime", "Log", "Network":
            self.call(domain + ".enable")
        self.look(self.looks)
        self.call("Page.addScriptToEvaluateOnNewDocument", source=self.looks.get("script", ""))
        self.load("Page.navigate", url=self.page)

    def lose(self, path):
        self.call("Fetch.enable", patterns=[{"urlPattern": "*" + path, "requestStage": "Response"}])
        time.sleep(0.5)  # requests of the next moment escape

    def look(self, looks):
        if "width" in looks:
            self.call("Emulation.setDeviceMetricsOverride", width=looks["width"], height=looks.get("height", 800),
                      deviceScaleFactor=1, mobile=looks.get("touch", False))
        if looks.get("touch"):
            self.call("Emulation.setTouchEmulationEnabled", enabled=True)
        if "scheme" in looks or "motion" in looks:
            self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": looks.get("scheme", "light")},
                                                              {"name": "prefers-reduced-motion", "value": looks.get("motion", "")}])
        if "language" in looks:
            agent = self.call("Runtime.evaluate", expression="navigator.userAgent")["result"]["value"]
            self.call("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=looks["language"])

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            sys.exit(result["exceptionDetails"]["exception"].get("description", expression))
        return result["result"].get("value")

    def nodes(self):
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        named = [(node["role"]["value"], node.get("name", {}).get("value"), node) for node in nodes if not node["ignored"]]
        return [(role, name, node) for role, name, node in named if name and role != "InlineTextBox"]

    def tree(self):
        return [f"{role}: {name}" for role, name, _ in self.nodes()]

    def until(self, what, seconds=PATIENCE):
        """What a function finds first; None if it finds nothing in that time."""
        end = time.time() + seconds
        found = what()
        while found is None and time.time() < end:
            time.sleep(0.03)
            found = what()
        return found

    def press(self, name):
        def find():
            nodes = [node for role, other, node in self.nodes() if other == name and role in ("button", "ToggleButton", "checkbox")]
            return nodes[0] if nodes else None

        node, self.heard = self.until(find) or sys.exit(f"no button {name}"), self.told()
        found = self.call("DOM.resolveNode", backendNodeId=node["backendDOMNodeId"])["object"]["objectId"]
        self.call("Runtime.callFunctionOn", objectId=found, functionDeclaration="function() { this.click() }")

    def told(self):
        """The line about squares; or that the level is solved."""
        for role, name, _ in self.nodes():
            if role == "StaticText" and name.startswith("Column ") or (role, name) == ("heading", "Solved!"):
                return name
        return None

    def hear(self):
        def other():
            told = self.told()
            return told if told != self.heard or told == "Solved!" else None

        self.heard = self.until(other) or sys.exit(f"nothing else is told than {self.heard}")
        return self.heard

    def go(self, goal):
        at, after = None, None

        def place():
            told = self.told() or ""
            found = re.match(r"Column (\d+), row (\d+): ", told)
            now = "Solved!" if told == "Solved!" else [int(found[1]), int(found[2])] if found else None
            return now if now in (after, "Solved!") or after is None else None

        at = self.until(place)
        for axis in (0, 1, 0):  # a way around what is in the way
            if at in (goal, "Solved!"):
                break
            way = goal[axis] - at[axis]
            for _ in range(abs(way)):
                self.key((("ArrowLeft", "ArrowRight"), ("ArrowUp", "ArrowDown"))[axis][way > 0])
            after = [goal[0], at[1]] if axis == 0 else [at[0], goal[1]]
            reached, after = self.until(place, 3), None
            at = reached or self.until(place)
        self.heard = self.told()
        if at not in (goal, "Solved!"):
            sys.exit(f"told to be at {at} on the way to {goal}")

    def key(self, name):
        text = {"Enter": "\r"}.get(name, name if len(name) == 1 else "")
        common = {"key": name, "code": "Space" if name == " " else name, "windowsVirtualKeyCode": KEYS.get(name, ord(name[0]))}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def drag(self, points, touch):
        if isinstance(points, str):
            points = self.evaluate(points)
        places = list(zip(points[::2], points[1::2]))
        # The browser takes no tap soon after a flick: a drag ends with a rest of a second.
        before = time.time() - (places[0] != places[-1])
        for i, (x, y) in enumerate(places):
            if touch:
                self.call("Input.dispatchTouchEvent", type="touchMove" if i else "touchStart", touchPoints=[{"x": x, "y": y}],
                          timestamp=before)
            else:
                self.call("Input.dispatchMouseEvent", type="mouseMoved" if i else "mousePressed", x=x, y=y, button="left",
                          buttons=1, clickCount=1)
        if touch:
            self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        else:
            x, y = places[-1]
            self.call("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y, button="left", clickCount=1)

    def screenshot(self, step):
        self.look(step)
        image = self.call("Page.captureScreenshot", captureBeyondViewport="height" not in step)
        with open(step["screenshot"], "wb") as file:
            file.write(base64.b64decode(image["data"]))


def main(page, script):
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        sys.exit(77)
    with open(script, encoding="utf-8") as file:
        steps = json.load(file)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser, values = Browser(program, folder, page), []
        actions = {
            "visit": lambda step: browser.visit(step["visit"]), "tab": lambda step: browser.tab(step["tab"]),
            "reload": lambda step: browser.load("Page.reload"),
            "evaluate": lambda step: values.append(browser.evaluate(step["evaluate"])),
            "tree": lambda step: values.append(browser.tree()),
            "press": lambda step: browser.press(step["press"]),
            "go": lambda step: browser.go(step["go"]),
            "hear": lambda step: values.append(browser.hear()),
            "key": lambda step: browser.key(step["key"]),
            "drag": lambda step: browser.drag(step["drag"], step.get("touch", False)),
            "offline": lambda step: browser.call("Network.emulateNetworkConditions", offline=step["offline"], latency=0,
                                                 downloadThroughput=-1, uploadThroughput=-1),
            "lose": lambda step: browser.lose(step["lose"]),
            "screenshot": browser.screenshot,
            "shell": lambda step: subprocess.run(step["shell"], shell=True, check=True),
        }
        try:
            if "visit" not in steps[0]:
                browser.visit({})
            for step in steps:
                browser.begin(step)
                actions[next(iter(step))](step)
            print(json.dumps({"console": browser.console, "values": values}))
        finally:
            browser.stop()


main(*sys.argv[1:])
