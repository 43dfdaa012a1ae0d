"""Shows machines of pgfsm as tests of pytest: each property is an item."""

import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import threading

import pytest

NOT_INSTALLED = (
    "pgfsm is not installed: put it on the PATH, run `npm install --save-dev pgfsm`, "
    "or name it in the ini option pgfsm_program"
)


def pytest_addoption(parser):
    group = parser.getgroup("pgfsm", "machines of pgfsm")
    group.addoption("--pgfsm-seed", type=int, metavar="N", help="the same seed gives the same run")
    group.addoption("--pgfsm-examples", type=int, metavar="N", help="number of sequences to try")
    parser.addini("pgfsm_machines", "patterns of machine files besides *.pgfsm.yaml", "args")
    parser.addini("pgfsm_args", "other options of `pgfsm run`", "args")
    parser.addini("pgfsm_program", "the program; by default pgfsm on the PATH or in node_modules")


def pytest_collect_file(file_path, parent):
    config = parent.config
    path = file_path.relative_to(config.rootpath) if file_path.is_relative_to(config.rootpath) else file_path
    patterns = ["*.pgfsm.yaml", "*.pgfsm.yml", *config.getini("pgfsm_machines")]
    if any(fnmatch.fnmatch(path.as_posix(), pattern) for pattern in patterns):
        return MachineFile.from_parent(parent, path=file_path)
    return None


def find_program(config):
    """The program's path, and the name that reports call it by."""
    named = config.getini("pgfsm_program")
    if named:
        return named, named
    found = shutil.which("pgfsm")
    if found:
        return found, "pgfsm"
    installed = config.rootpath / "node_modules" / ".bin" / "pgfsm"
    if installed.exists():
        return str(installed), "npx pgfsm"
    raise MachineError(NOT_INSTALLED)


def path_from(folder, path):
    """As reports name it: relative to the folder that pgfsm runs in."""
    return os.path.relpath(path, folder)


class MachineError(Exception):
    """A text to show without a traceback."""


class MachineFile(pytest.File):
    """A machine's file. It runs once, when the first of its items does."""

    ran = None

    def collect(self):
        root = self.config.rootpath
        program, _ = find_program(self.config)
        try:
            listed = subprocess.run(
                [program, "list", "--format", "json", path_from(root, self.path)],
                cwd=root, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace", check=False,
            )
        except OSError as error:
            raise MachineError(f"{program}: {error.strerror}; {NOT_INSTALLED}") from error
        if not listed.stdout:
            raise MachineError(listed.stderr.strip() or f"pgfsm list ended with {listed.returncode}")
        machine = json.loads(listed.stdout)
        if "errors" in machine:
            raise MachineError("".join(error["text"] for error in machine["errors"]))
        for entry in machine["properties"]:
            kind, name = entry["kind"], entry["name"]
            yield Property.from_parent(self, name=f"{kind}:{name}" if name else kind, entry=entry)

    def repr_failure(self, excinfo):
        if isinstance(excinfo.value, MachineError):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def run_once(self):
        if self.ran is None:
            self.ran = Run(self)
        return self.ran


class Property(pytest.Item):
    """A property of a machine: a rule, an invariant, a pinned example, …"""

    def __init__(self, *, entry, **rest):
        super().__init__(**rest)
        self.entry = entry

    def runtest(self):
        self.parent.run_once().tell(self)

    def reportinfo(self):
        line = self.entry.get("line")
        return self.config.rootpath / self.entry["file"], line - 1 if line else None, self.name

    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, MachineError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)


class Run:
    """One run of pgfsm, and what it said of each property."""

    def __init__(self, machine):
        self.cases = {}
        self.path = machine.nodeid
        self.told = False  # what went wrong with the machine as a whole
        whole = None
        status, out, err = self.start(machine)
        for event in map(json.loads, out.splitlines()):
            if event["type"] == "case":
                case = dict(event, failures=[])
                self.cases[event["kind"], event["name"]] = case
            elif event["type"] == "failure":
                case["failures"].append(event["text"])
            elif event["type"] == "machine":
                whole = event
        stopped = self.cases.get(("machine", ""), {})
        self.error = None
        if stopped.get("outcome") == "error":
            self.error = stopped.get("text") or stopped["message"]
        elif whole is None:
            self.error = err.strip() or f"pgfsm ended with {status}"
        elif whole.get("cut_short") and status == 130:
            self.error = "the run was interrupted"

    @staticmethod
    def start(machine):
        config = machine.config
        root = config.rootpath
        program, called = find_program(config)
        path = path_from(root, machine.path)
        page = pathlib.Path(".pgfsm", f"{machine.path.stem}.html")
        (root / page).parent.mkdir(exist_ok=True)
        words = [called, "run", path, "--until-eof", "--report=json", f"--report=html={page}"]
        for name in ("seed", "examples"):
            value = config.getoption(f"pgfsm_{name}")
            if value is not None:
                words.append(f"--{name}={value}")
        words += config.getini("pgfsm_args")
        # The rules make the steps; if only invariants are selected, no other need hold.
        entries = [item.entry for item in machine.session.items if item.parent is machine]
        if all(entry["kind"] == "invariant" for entry in entries):
            words += [f"--invariant={glob_escape(entry['name'])}" for entry in entries]
        environment = {"COLUMNS": str(shutil.get_terminal_size().columns), **os.environ}
        # However this process ends, standard input closes, and pgfsm ends in good order.
        with subprocess.Popen(
            words, executable=program, cwd=root, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, encoding="utf-8", errors="replace",
        ) as process:
            try:
                out, err = communicate(process)
            except KeyboardInterrupt:
                process.stdin.close()
                process.stdout.read()
                raise
        return process.returncode, out, err

    def tell(self, item):
        """Fails or skips the item; returns if its property held."""
        if self.error:
            again, self.told = self.told, True
            raise MachineError(f"{self.error.splitlines()[0]} (see above)" if again else self.error.rstrip())
        case = self.cases.get((item.entry["kind"], item.entry["name"]))
        if case is None:
            raise skipped("the run says nothing of it")
        item.user_properties.append(("pgfsm_count", case["count"]))
        if case["outcome"] == "known":
            pytest.xfail(case.get("message", ""))
        if case["outcome"] == "skipped":
            raise skipped(case.get("message", ""))
        if case["outcome"] != "passed":
            raise MachineError("\n".join(case["failures"]) or case.get("text") or case["message"])


def glob_escape(name):
    """A pattern that matches the name alone."""
    return re.sub(r"([*?\\[\\\\])", r"\\\1", name)


def skipped(reason):
    """Says where the property is stated, not where this is."""
    return pytest.skip.Exception(reason, _use_item_location=True)


def communicate(process):
    """Both streams, without closing standard input first."""
    said = []
    reader = threading.Thread(target=lambda: said.append(process.stderr.read()))
    reader.start()
    out = process.stdout.read()
    reader.join()
    process.wait()
    return out, "".join(said)
