"""Runs machines whose model is a class in Python: a binding of libpgfsm by ctypes, to be copied and adapted.

    class Ledger(pgfsm.Model):
        def __init__(self):
            self.balances = {0: 100, 1: 100}

        @pgfsm.look                     # may be called in any expression of the machine
        def covers(self, payer, amount):
            return self.balances[payer] >= amount

        @pgfsm.change                   # may be called in `model`
        def transfer(self, payer, payee, amount):
            ...

    with pgfsm.Database() as database, pgfsm.Machine("ledger.yaml", Ledger) as machine:
        with machine.run(database, seed=1) as run:
            print(run.report())

In the machine, ledger() makes a Ledger. An exception in a method ends the run, with its text as the error.
"""

import ctypes as c
import decimal
import inspect
import itertools
import os
import traceback

_library = c.CDLL(os.environ.get("LIBPGFSM", "libpgfsm.so.0.1"))

NONE, BOOL, INT, NUMERIC, FLOAT, TEXT, BYTES, LIST, SET, DICT, OTHER = range(11)  # enum pgfsm_type
PASSED, FAILED, UNMET, NOTHING = range(4)  # enum pgfsm_outcome


class _Struct(c.Structure):
    """A struct that begins with its size, so its last members may be left out here."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if self._fields_[0][0] == "struct_size":
            self.struct_size = c.sizeof(self)


_LOOK = c.CFUNCTYPE(c.c_void_p, c.c_void_p, c.c_void_p)
_INIT = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p)


class _Function(c.Structure):
    _fields_ = [("name", c.c_char_p), ("params", c.c_char_p), ("look", _LOOK), ("change", _LOOK)]


class _ModelStruct(_Struct):
    _fields_ = [("struct_size", c.c_size_t), ("name", c.c_char_p), ("state_size", c.c_size_t),
                ("functions", c.POINTER(_Function)), ("host", c.c_void_p), ("init", _INIT), ("free", _INIT),
                ("show", _LOOK)]


class _DatabaseOptions(_Struct):
    _fields_ = [("struct_size", c.c_size_t), ("embedded", c.c_bool), ("dbname", c.c_char_p)]


class _RunOptions(_Struct):
    _fields_ = [("struct_size", c.c_size_t)] + [(name, c.c_int64) for name in (
        "examples", "steps", "seed", "max_time_ms", "jobs", "shard", "shard_count")] + [
        ("profile", c.c_char_p), ("derandomize", c.c_bool), ("rules", c.c_void_p), ("rule_count", c.c_size_t),
        ("invariants", c.c_void_p), ("invariant_count", c.c_size_t),
        ("strict", c.c_bool), ("in_place", c.c_bool), ("keep", c.c_bool), ("store", c.c_char_p),
        ("last_failed", c.c_bool), ("no_pipeline", c.c_bool), ("all_invariants", c.c_bool), ("schema", c.c_void_p),
        ("schema_count", c.c_size_t), ("apply", c.POINTER(c.c_char_p)), ("apply_count", c.c_size_t),
        ("out", c.c_char_p)]


class _ReportOptions(_Struct):
    _fields_ = [("struct_size", c.c_size_t), ("format", c.c_char_p)]


class _Error(c.Structure):
    _fields_ = [("code", c.c_int), ("sqlstate", c.c_char_p), ("file", c.c_char_p), ("line", c.c_size_t),
                ("column", c.c_size_t), ("message", c.c_char_p), ("detail", c.c_char_p), ("hint", c.c_char_p),
                ("text", c.c_char_p)]


class _Summary(c.Structure):
    _fields_ = [("outcome", c.c_int), ("seed", c.c_uint64), ("examples", c.c_uint64)]


class _Failure(c.Structure):
    _fields_ = [(name, c.c_char_p) for name in ("identity", "rule", "invariant", "sqlstate", "message", "file")] + [
        ("line", c.c_size_t), ("column", c.c_size_t), ("example", c.c_uint64), ("step", c.c_size_t),
        ("flaky", c.c_bool), ("leftover", c.c_bool), ("script", c.c_char_p), ("pinned", c.c_char_p),
        ("trace", c.c_char_p), ("steps", c.POINTER(c.c_char_p)), ("step_count", c.c_size_t)]


_P, _S, _Z = c.c_void_p, c.c_char_p, c.c_size_t
for _name, _result, _arguments in [
        ("errors_new", _P, []), ("errors_count", _Z, [_P]), ("errors_at", c.POINTER(_Error), [_P, _Z]),
        ("errors_free", None, [_P]), ("machine_load", c.c_bool, [_P, _S, _P, _P]), ("machine_free", None, [_P]),
        ("database_open", c.c_bool, [_P, _P, _P, _P]), ("database_free", None, [_P]),
        ("machine_run", c.c_bool, [_P, _P, _P, _P, _P, _P]), ("run_free", None, [_P]),
        ("run_summary", c.POINTER(_Summary), [_P]), ("run_failure", c.POINTER(_Failure), [_P, _Z]),
        ("report", c.c_bool, [_P, _P, _P, _P, _P]), ("free", None, [_P]),
        ("call_fail", None, [_P, _S]), ("call_function", c.POINTER(_Function), [_P]),
        ("arg", _P, [_P, _S]), ("value_type", c.c_int, [_P]), ("value_count", _Z, [_P]), ("value_item", _P, [_P, _Z]),
        ("value_item_value", _P, [_P, _Z]), ("value_to_bool", c.c_bool, [_P, _P]),
        ("value_to_double", c.c_double, [_P, _P]), ("value_to_text", _S, [_P, _P]),
        ("value_to_bytes", _P, [_P, _P, _P]), ("value_bool", _P, [_P, c.c_bool]), ("value_int", _P, [_P, c.c_int64]),
        ("value_numeric", _P, [_P, _S]), ("value_double", _P, [_P, c.c_double]), ("value_text", _P, [_P, _S]),
        ("value_bytes", _P, [_P, _S, _Z]), ("value_tuple", _P, [_P, _P, _Z]), ("value_list", _P, [_P]),
        ("value_set", _P, [_P]), ("value_dict", _P, [_P]), ("value_add", None, [_P, _P, _P]),
        ("value_put", None, [_P, _P, _P, _P])]:
    _function = getattr(_library, "pgfsm_" + _name)
    _function.restype, _function.argtypes = _result, _arguments
    globals()["_" + _name] = _function


class Error(Exception):
    """What could not be done, and why: the library's messages."""


def _check(done, errors):
    """Frees the errors, and raises them if it was not done."""
    texts = [_errors_at(errors, i).contents.text.decode() for i in range(_errors_count(errors))]
    _errors_free(errors)
    if not done:
        raise Error("".join(texts).rstrip())


def _items(call, value):
    return [_read(call, _value_item(value, i)) for i in range(_value_count(value))]


def _read(call, value):
    """A value of the machine in Python. Lists and rows become tuples, so that they can be keys."""
    kind = _value_type(value)
    if kind == BOOL:
        return _value_to_bool(call, value)
    if kind == INT:
        return int(_value_to_text(call, value))
    if kind == NUMERIC:
        return decimal.Decimal(_value_to_text(call, value).decode())
    if kind == FLOAT:
        return _value_to_double(call, value)
    if kind == TEXT:
        return _value_to_text(call, value).decode()
    if kind == BYTES:
        size = c.c_size_t()
        return c.string_at(_value_to_bytes(call, value, c.byref(size)), size.value)
    if kind == LIST:
        return tuple(_items(call, value))
    if kind == SET:
        return frozenset(_items(call, value))
    if kind == DICT:
        values = [_read(call, _value_item_value(value, i)) for i in range(_value_count(value))]
        return dict(zip(_items(call, value), values))
    if kind == NONE:
        return None
    raise TypeError("the argument has a type that Python does not know")


def _make(call, value):
    """A value of Python for the machine."""
    if value is None:
        return None
    if isinstance(value, bool):
        return _value_bool(call, value)
    if isinstance(value, int):
        return _value_int(call, value) if -2**63 <= value < 2**63 else _value_numeric(call, str(value).encode())
    if isinstance(value, float):
        return _value_double(call, value)
    if isinstance(value, decimal.Decimal):
        return _value_numeric(call, format(value, "f").encode())
    if isinstance(value, str):
        return _value_text(call, value.encode())
    if isinstance(value, bytes):
        return _value_bytes(call, value, len(value))
    if isinstance(value, tuple):
        return _value_tuple(call, (c.c_void_p * len(value))(*[_make(call, item) for item in value]), len(value))
    if isinstance(value, dict):
        out = _value_dict(call)
        for key, item in value.items():
            _value_put(call, out, _make(call, key), _make(call, item))
        return out
    if isinstance(value, (list, set, frozenset)):
        out = _value_list(call) if isinstance(value, list) else _value_set(call)
        for item in value:
            _value_add(call, out, _make(call, item))
        return out
    raise TypeError(f"a machine has no values of type {type(value).__name__}")


def look(method):
    """A method that only looks at the state."""
    method.pgfsm = "look"
    return method


def change(method):
    """A method that changes the state."""
    method.pgfsm = "change"
    return method


class Model:
    """The base of models. Each example makes an object of the class."""


class _Bound:
    """A class as the library's model. All its methods are one function in C, which asks what was called."""

    def __init__(self, cls):
        self.cls = cls
        self.states = {}  # by the number that the library's state holds
        self.numbers = itertools.count(1)
        methods = [(name, method) for name, method in vars(cls).items() if hasattr(method, "pgfsm")]
        self.params = {name: list(inspect.signature(method).parameters)[1:] for name, method in methods}
        called = _LOOK(self.called)
        self.table = (_Function * (len(methods) + 1))()
        for row, (name, method) in zip(self.table, methods):
            row.name, row.params = name.encode(), ", ".join(self.params[name]).encode()
            setattr(row, method.pgfsm, called)
        self.struct = _ModelStruct(name=cls.__name__.lower().encode(), state_size=c.sizeof(c.c_uint64),
                                   functions=self.table, init=_INIT(self.init), free=_INIT(self.free))
        if "show" in vars(cls):
            self.struct.show = _LOOK(lambda state, call: self.guarded(call, lambda: self.at(state).show()))

    def at(self, state):
        return self.states[c.c_uint64.from_address(state).value]

    @staticmethod
    def guarded(call, function):
        """Its result. No exception may leave a model's function: it becomes the error of the run."""
        try:
            return _make(call, function())
        except Exception:  # whatever it is, the user has to see it
            _call_fail(call, traceback.format_exc(limit=-1).encode())
            return None

    def called(self, state, call):
        name = _call_function(call).contents.name.decode()

        def method():
            arguments = [_read(call, _arg(call, param.encode())) for param in self.params[name]]
            return getattr(self.at(state), name)(*arguments)

        return self.guarded(call, method)

    def init(self, state, call):
        def begin():
            number = next(self.numbers)
            self.states[number] = self.cls()
            c.c_uint64.from_address(state).value = number

        self.guarded(call, begin)

    def free(self, state, _):
        self.states.pop(c.c_uint64.from_address(state).value, None)


class _Owned:
    """An object of the library that is freed at the end of a `with`."""

    def __init__(self, free):
        self.pointer, self._free = c.c_void_p(), free

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._free(self.pointer)
        self.pointer = c.c_void_p()


class Database(_Owned):
    """The named database, or else the one of the environment, or else an embedded server."""

    def __init__(self, dbname=None):
        super().__init__(_database_free)
        options = _DatabaseOptions(dbname=dbname and dbname.encode())
        errors = _errors_new()
        _check(_database_open(c.byref(self.pointer), c.byref(options), None, errors), errors)


class Machine(_Owned):
    """A machine file, with the class of its model. Free its runs first."""

    def __init__(self, path, model=None):
        super().__init__(_machine_free)
        self.bound = _Bound(model) if model else None
        errors = _errors_new()
        given = c.byref(self.bound.struct) if model else None
        _check(_machine_load(c.byref(self.pointer), path.encode(), given, errors), errors)

    def run(self, database, apply=(), **options):
        """Runs it. Options are members of struct pgfsm_run_options: seed=1, examples=50, out="folder"."""
        given = _RunOptions(examples=-1, steps=-1, seed=-1, max_time_ms=-1, jobs=-1)
        given.apply = (c.c_char_p * len(apply))(*[path.encode() for path in apply])
        given.apply_count = len(apply)
        for name, value in options.items():
            setattr(given, name, value.encode() if isinstance(value, str) else value)
        run = Run()
        errors = _errors_new()
        _check(_machine_run(c.byref(run.pointer), self.pointer, database.pointer, c.byref(given), None, errors), errors)
        return run


class Run(_Owned):
    """The results of a run."""

    def __init__(self):
        super().__init__(_run_free)

    @property
    def outcome(self):
        return _run_summary(self.pointer).contents.outcome

    @property
    def failures(self):
        """A list of (identity, steps)."""
        found = itertools.takewhile(bool, (_run_failure(self.pointer, i) for i in itertools.count()))
        return [(f.contents.identity.decode(), [f.contents.steps[i].decode() for i in range(f.contents.step_count)])
                for f in found]

    def report(self, name="text"):
        text, size, errors = c.c_void_p(), c.c_size_t(), _errors_new()
        options = _ReportOptions(format=name.encode())
        _check(_report(c.byref(text), c.byref(size), self.pointer, c.byref(options), errors), errors)
        out = c.string_at(text, size.value).decode()
        _free(text)
        return out
