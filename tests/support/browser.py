"""Opens a page in a headless Chromium over the DevTools protocol's pipe and prints what is found, as JSON.

    python3 tests/support/browser.py PAGE SCRIPT.json

PAGE is a file or an address of HTTP. SCRIPT is a list of steps: {"evaluate": "JavaScript"}, {"key": "Enter"}, {"drag": [x, y, x,
y], "touch": true}, {"reload": true}, {"screenshot": "FILE.png", "width": 390, "height": 844, "scheme": "dark"}. Prints
{"console": [...], "values": [...]}: what the page logged or violated, and what the evaluated expressions are. Exits with 77 where there is no Chromium.
"""
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile

KEYS = {"Tab": 9, "Enter": 13, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}


class Browser:
    def __init__(self, program, folder):
        to_browser, to_self = os.pipe(), os.pipe()
        self.next, self.console = 1, []
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                 "--no-first-run", "--disable-extensions", "--remote-debugging-pipe", "--user-data-dir=" + folder,
                 "about:blank"]

        def place():  # Chromium reads 3 and writes 4
            first, second = os.dup(to_browser[0]), os.dup(to_self[1])
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen([program, *flags], preexec_fn=place, close_fds=False, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(to_browser[0])
        os.close(to_self[1])
        self.write, self.read, self.rest = to_browser[1], to_self[0], b""
        self.session = None

    def message(self):
        while b"\0" not in self.rest:
            chunk = os.read(self.read, 65536)
            if not chunk:
                sys.exit("the browser ended")
            self.rest += chunk
        text, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(text)
        method, params = message.get("method"), message.get("params", {})
        if method == "Log.entryAdded":
            self.console.append(params["entry"]["text"])
        elif method == "Runtime.exceptionThrown":
            self.console.append(params["exceptionDetails"]["text"])
        elif method == "Runtime.consoleAPICalled":
            self.console.append(" ".join(str(arg.get("value")) for arg in params["args"]))
        return message

    def call(self, method, **params):
        number, self.next = self.next, self.next + 1
        call = {"id": number, "method": method, "params": params}
        if self.session:
            call["sessionId"] = self.session
        data = json.dumps(call).encode() + b"\0"
        while data:
            data = data[os.write(self.write, data):]
        while True:
            message = self.message()
            if message.get("id") == number:
                if "error" in message:
                    sys.exit(f"{method}: {message['error']}")
                return message["result"]

    def open(self, path):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Log":
            self.call(domain + ".enable")
        self.call("Page.navigate", url=path if path.startswith("http://") else "file://" + os.path.abspath(path))
        self.wait_for_load()

    def wait_for_load(self):
        while self.message().get("method") != "Page.loadEventFired":
            pass

    def reload(self):
        self.call("Page.reload")
        self.wait_for_load()

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            sys.exit(result["exceptionDetails"]["exception"].get("description", expression))
        return result["result"].get("value")

    def key(self, name):
        text = {"Enter": "\r", " ": " "}.get(name, "")
        common = {"key": name, "code": "Space" if name == " " else name, "windowsVirtualKeyCode": KEYS[name]}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def drag(self, points, touch):
        """Puts the mouse or a finger down at a point and takes it up at another; the same point is a click or tap."""
        (x, y), end = points[:2], points[2:]
        places = [(x, y), ((x + end[0]) / 2, (y + end[1]) / 2), tuple(end)]
        for kind, place in zip(("touchStart", "touchMove", "touchMove"), places):
            if touch:
                self.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": place[0], "y": place[1]}])
            else:
                self.call("Input.dispatchMouseEvent", type="mousePressed" if kind == "touchStart" else "mouseMoved",
                          x=place[0], y=place[1], button="left", clickCount=1)
        if touch:
            self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        else:
            self.call("Input.dispatchMouseEvent", type="mouseReleased", x=end[0], y=end[1], button="left", clickCount=1)

    def screenshot(self, step):
        self.call("Emulation.setDeviceMetricsOverride", width=step["width"], height=step.get("height", 800),
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": step["scheme"]}])
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
        browser, values = Browser(program, folder), []
        try:
            browser.open(page)
            for step in steps:
                if "evaluate" in step:
                    values.append(browser.evaluate(step["evaluate"]))
                elif "key" in step:
                    browser.key(step["key"])
                elif "reload" in step:
                    browser.reload()
                elif "drag" in step:
                    browser.drag(step["drag"], step.get("touch", False))
                elif "screenshot" in step:
                    browser.screenshot(step)
            print(json.dumps({"console": browser.console, "values": values}))
        finally:
            browser.process.terminate()
            browser.process.wait()


main(*sys.argv[1:])
