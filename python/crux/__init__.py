"""crux rates how hard puzzle levels are: its tasks as functions.

Each task of crux, such as fit, evaluate and compare, is a function of this module. Its arguments are the options of the command
of that name: `crux compare --folds-by order` is compare(..., folds_by="order"), a flag such as --loo is loo=True. The options
without dashes come first, in the order of the command line; --with is with_. A dataset is the path of a CSV file, a
pandas.DataFrame, or a dict of lists by column. help(crux.compare) tells the options. task("mine.lua", ...) calls a task of your own.

Each function also takes progress=f: f(done, total, noun) is then called ten times a second at most, with total None if it is not
known: 12, 40, "levels". In a terminal, progress=crux.show writes a line. Ctrl-C stops a call.

A function returns a Result: a dict of what the command prints with --format json, with `tables`, `notes` and `remarks`. Tables
are pandas.DataFrames where pandas is installed, else lists of dicts. Mistakes raise crux.Fault, whose text is one line.
"""

import atexit
import csv
import ctypes
import inspect
import json
import keyword
import os
import re
import signal
import sys
import tempfile
import threading

try:
    import pandas
except ImportError:
    pandas = None


class Fault(Exception):
    """A mistake in data, a script or an argument. Its text says in one line what was found and what was expected."""


class _Message(ctypes.Structure):
    _fields_ = [("message", ctypes.c_char * 512)]


_Progress = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_longlong, ctypes.c_longlong, ctypes.c_char_p, ctypes.c_void_p)


def show(done, total, noun):
    """Writes how far a call is on standard error, over the line before: progress=crux.show."""
    print("\r\033[K%d%s %s" % (done, " of %d" % total if total else "", noun), end="", file=sys.stderr, flush=True)


class Result(dict):
    """What a task computed: the fields of the JSON that the command of that name prints.

    tables   a list of (title, table), as the command prints them, with every column; title is None for the first
    notes    sentences about the result
    remarks  lines about the data, such as how many rows were left out
    """

    def __init__(self, answer):
        result = answer["result"]
        super().__init__(result if isinstance(result, dict) else {"rows": result})
        self.tables = [(part["title"], _table(part["rows"])) for part in answer["tables"]]
        self.notes = answer["notes"]
        self.remarks = answer["remarks"]

    def __str__(self):
        shown = [table.to_string(max_rows=60) if pandas else "\n".join(map(str, table)) for _, table in self.tables]
        parts = [shown[0], *self.notes]
        parts += ["\n%s\n%s" % (title, text) for (title, _), text in zip(self.tables[1:], shown[1:])]
        return "\n".join(parts)


def _table(rows):
    return pandas.DataFrame(rows) if pandas else rows


def _library():
    """Loads libcrux: the file that CRUX_LIBRARY names, that of the source tree, or the system's."""
    here = os.path.dirname(os.path.abspath(__file__))
    beside = os.path.join(here, "..", "..", "libcrux.so")
    path = os.environ.get("CRUX_LIBRARY") or (beside if os.path.exists(beside) else "libcrux.so.0.2")
    try:
        library = ctypes.CDLL(path)
    except OSError as problem:
        raise ImportError("%s; expected libcrux: run make, install it, or set CRUX_LIBRARY" % problem) from None
    library.crux_engine_new.restype = ctypes.c_void_p
    library.crux_engine_new.argtypes = [ctypes.c_char_p, ctypes.POINTER(_Message)]
    library.crux_engine_free.argtypes = [ctypes.c_void_p]
    library.crux_engine_interrupt.argtypes = [ctypes.c_void_p]
    library.crux_engine_watch.argtypes = [ctypes.c_void_p, _Progress, ctypes.c_void_p]
    library.crux_tasks.restype = ctypes.c_char_p
    library.crux_tasks.argtypes = [ctypes.c_void_p, ctypes.POINTER(_Message)]
    library.crux_call.restype = ctypes.c_char_p
    texts = ctypes.POINTER(ctypes.c_char_p)
    library.crux_call.argtypes = [ctypes.c_void_p, ctypes.c_char_p, texts, texts, ctypes.c_size_t, ctypes.POINTER(_Message)]
    return library


def _interruptible(function, *arguments):
    """Calls a function; in the main thread in such a way that Ctrl-C stops it."""
    if threading.current_thread() is not threading.main_thread():
        return function(*arguments)
    results, ended, gate, pressed = [], threading.Event(), threading.Lock(), []

    def run():
        results.append(function(*arguments))
        with gate:  # a thread that has ended must not be interrupted
            ended.set()

    before = signal.signal(signal.SIGINT, lambda *_: pressed.append(True))
    try:
        threading.Thread(target=run).start()
        while not ended.wait(0.05):
            with gate:
                if pressed and not ended.is_set():
                    _crux.crux_engine_interrupt(_engine)
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt
    return results[0]


def _checked(function, *arguments):
    """Calls a function of crux.h that returns NULL after a fault."""
    fault = _Message()
    result = _interruptible(function, *arguments, ctypes.byref(fault))
    if result is None:
        raise Fault(fault.message.decode("utf-8", "replace"))
    return result


def _watched(progress, *arguments):
    """Calls crux_call, which tells progress, unless None, how far it is; an exception of progress ends the call, and is raised."""
    problems = []

    def tell(done, total, noun, _):
        try:
            progress(done, total or None, noun.decode())
        except BaseException as problem:
            problems.append(problem)
        return not problems

    watcher = _Progress(tell) if progress else _Progress()
    _crux.crux_engine_watch(_engine, watcher, None)
    try:
        return _checked(_crux.crux_call, _engine, *arguments)
    except Fault:
        if problems:
            raise problems[0] from None
        raise
    finally:
        _crux.crux_engine_watch(_engine, _Progress(), None)


class _Files:
    """Temporary CSV files for the datasets of one call that are no files."""

    def __init__(self):
        self.paths = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for path in self.paths:
            os.unlink(path)

    def path_of(self, data):
        """The path of a file with the rows of a DataFrame, or of a dict of lists by column."""
        handle, path = tempfile.mkstemp(suffix=".csv", prefix="crux-")
        self.paths.append(path)
        with open(handle, "w", newline="", encoding="utf-8") as file:
            if pandas and isinstance(data, pandas.DataFrame):
                data.to_csv(file, index=False)
            else:
                rows = csv.writer(file)
                rows.writerow(data)
                rows.writerows(zip(*data.values(), strict=True))
        return path

    def named(self, text):
        """A text that tells of the datasets as data, not by the paths of their files."""
        for path in self.paths:
            text = re.sub(re.escape(path) + r"(:(?=\d))?", lambda found: "data, line " if found[1] else "data", text)
        return text

    def text_of(self, value):
        """The value of an option as the command line takes it."""
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, dict) or pandas and isinstance(value, pandas.DataFrame):
            return self.path_of(value)
        if isinstance(value, (list, tuple)):
            return ",".join(map(self.text_of, value))
        return repr(value) if isinstance(value, float) else str(value)


def _pairs(options, given, files):
    """The names and texts of the options of a call; a list that the task takes as such is given item by item."""
    pairs = []
    for name, value in given.items():
        is_list = options.get(name, {}).get("is_list") and isinstance(value, (list, tuple))
        for one in value if is_list else [value]:
            if one is not None:
                pairs.append((name, files.text_of(one)))
    return pairs


def _call(name, options, given):
    """Calls a task with values by name."""
    progress = given.pop("progress", None)
    with _Files() as files:
        pairs = _pairs(options, {key.removesuffix("_"): value for key, value in given.items()}, files)
        names = (ctypes.c_char_p * len(pairs))(*[key.encode() for key, _ in pairs])
        texts = (ctypes.c_char_p * len(pairs))(*[text.encode() for _, text in pairs])
        try:
            with _lock:
                answer = _watched(progress, name.encode(), names, texts, len(pairs))
        except Fault as fault:
            raise Fault(files.named(str(fault))) from None
    return Result(json.loads(files.named(answer.decode())))


def task(path, **given):
    """Calls the task of a script that returns crux.task { ... }, with its arguments and options by name."""
    return _call(path, {}, given)


def _described(name, row):
    """An option in the documentation of a function: its doc, what it takes, its unit and its default."""
    takes = "one of " + ", ".join(row["choices"]) if row["choices"] else row["takes"] or row["type"]
    facts = [takes + (" (%s)" % row["unit"] if row["unit"] else "")] + (["default " + row["default"]] if row["default"] else [])
    return "%s: %s [%s]" % (name, row["doc"], ", ".join(facts))


def _function(name, task):
    """The function of a task."""
    options = task["options"]
    arguments = [key for key in options if options[key]["is_argument"]]

    def call(*values, **given):
        if len(values) > len(arguments):
            raise TypeError("%s: found %d arguments without a name, expected at most %d" % (name, len(values), len(arguments)))
        return _call(name, options, {**dict(zip(arguments, values)), **given})

    kinds, spelled = inspect.Parameter, {key: key + "_" if keyword.iskeyword(key) else key for key in options}
    call.__signature__ = inspect.Signature(
        [kinds(key, kinds.POSITIONAL_OR_KEYWORD, default=None) for key in arguments]
        + [kinds(spelled[key], kinds.KEYWORD_ONLY, default=options[key]["default"]) for key in options if key not in arguments]
        + [kinds("progress", kinds.KEYWORD_ONLY, default=None)])
    call.__name__ = call.__qualname__ = name
    call.__doc__ = "\n\n".join([task["summary"], task["details"], "\n".join(_described(spelled[key], options[key])
                                                                         for key in options)]) + "\n"
    return call


_lock = threading.Lock()  # one thread at a time may use an engine
_crux = _library()
_engine = _checked(_crux.crux_engine_new, None)
atexit.register(_crux.crux_engine_free, _engine)

__all__ = ["Fault", "Result", "show", "task"]
for _name, _task in json.loads(_checked(_crux.crux_tasks, _engine)).items():
    globals()[_name] = _function(_name, _task)
    __all__.append(_name)
