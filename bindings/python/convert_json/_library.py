"""The functions of libconvert.so, which convert.h describes."""

import ctypes
import json
from pathlib import Path
from typing import Any, Optional

_library = ctypes.CDLL(str(Path(__file__).with_name("libconvert.so")))

_handle = ctypes.c_void_p
_size = ctypes.c_size_t
_bytes = ctypes.c_char_p

for _name, _result, *_arguments in [
    ("version", _bytes),
    ("profile_new", _size, _bytes, _size, _size, _size, ctypes.POINTER(_handle), _bytes, _size),
    ("profile_free", None, _handle),
    ("check", _size, _bytes, _size, _bytes, _size, ctypes.c_int, _bytes, _size),
    ("converter_new", _size, _handle, ctypes.c_int, ctypes.c_int, ctypes.POINTER(_handle), _bytes, _size),
    ("converter_free", None, _handle),
    ("feed", ctypes.c_int64, _handle, _bytes, _size),
    ("finish", ctypes.c_int64, _handle, _bytes, _size),
    ("read", _size, _handle, _handle, _size),
    ("reset", None, _handle),
    ("skipped", ctypes.c_uint64, _handle),
]:
    _function = getattr(_library, f"convert_{_name}")
    _function.restype = _result
    _function.argtypes = _arguments

feed = _library.convert_feed
finish = _library.convert_finish
reset = _library.convert_reset
skipped = _library.convert_skipped
free_profile = _library.convert_profile_free
free_converter = _library.convert_converter_free


def version() -> str:
    return str(_library.convert_version().decode())


class ConvertError(ValueError):
    """An error in a profile or in a payload. It contains keys of the payload, but no values.

    ``code`` is the kind of error of a payload, or ``profile``. The other members are None if they are not known.
    """

    def __init__(self, members: dict[str, Any]) -> None:
        super().__init__(members["message"])
        self.code: str = members["code"]
        self.message: str = members["message"]
        #: JSON Pointer to the value in the payload.
        self.pointer: Optional[str] = members.get("pointer")
        #: From 1, in the payload; in the profile for the code ``profile``.
        self.line: Optional[int] = members.get("line")
        #: From 1, in bytes.
        self.column: Optional[int] = members.get("column")
        #: Bytes from the start of the payload.
        self.offset: Optional[int] = members.get("offset")
        #: JSON Pointer to the rule in the profile.
        self.rule: Optional[str] = members.get("rule")
        #: What to write instead.
        self.hint: Optional[str] = members.get("hint")
        #: All errors of a profile, each with message, line, column, pointer and hint.
        self.faults: list[dict[str, Any]] = members.get("faults", [])

    def __str__(self) -> str:
        place = f"line {self.line}, column {self.column}: " if self.line is not None else ""
        pointer = self.rule if self.code == "profile" else self.pointer
        text = place + self.message + (f" ({pointer})" if pointer else "") + (f"; {self.hint}" if self.hint else "")
        others = len(self.faults) - 1
        return text if others < 1 else f"{text} (and {others} more error{'s' if others > 1 else ''})"

    def __reduce__(self) -> Any:
        return ConvertError, ({name: value for name, value in vars(self).items() if value is not None},)


def check(document: bytes, payload: Optional[bytes], direction: int) -> dict[str, Any]:
    """The report of convert_check."""
    report: dict[str, Any] = _text(
        _library.convert_check, document, len(document), payload, len(payload or b""), direction)
    return report


def new_profile(document: bytes, max_depth: int, max_held_bytes: int) -> int:
    return _new(_library.convert_profile_new, document, len(document), max_depth, max_held_bytes)


def new_converter(profile: int, direction: int, framing: int) -> int:
    return _new(_library.convert_converter_new, profile, direction, framing)


def _new(function: Any, *arguments: Any) -> int:
    handle = _handle()
    error = _text(function, *arguments, ctypes.byref(handle))
    if error is not None:
        raise ConvertError(error)
    assert handle.value is not None
    return handle.value


def _text(function: Any, *arguments: Any) -> Any:
    """The JSON that a call writes into a buffer; None if it writes nothing."""
    capacity = 4096
    while True:
        text = ctypes.create_string_buffer(capacity)
        length = function(*arguments, text, capacity)
        if length <= capacity:
            return json.loads(text.raw[:length]) if length else None
        capacity = length


class Output:
    """A buffer for the output of one converter."""

    _max_kept_bytes = 4 << 20

    def __init__(self) -> None:
        self._buffer = ctypes.create_string_buffer(4096)

    def read(self, converter: int, ready: int) -> bytes:
        """The output or error that a call of ``feed`` or ``finish`` has announced."""
        buffer = self._buffer
        if abs(ready) > len(buffer):
            buffer = ctypes.create_string_buffer(1 << abs(ready).bit_length())
            if len(buffer) <= self._max_kept_bytes:
                self._buffer = buffer
        count = _library.convert_read(converter, ctypes.addressof(buffer), len(buffer))
        # Not ctypes.string_at: before Python 3.12, its length is a C int.
        output = memoryview(buffer)[:count].tobytes()
        if ready < 0:
            raise ConvertError(json.loads(output))
        return output
