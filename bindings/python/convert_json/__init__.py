"""Converts JSON by a mapping profile: keys, dates, values, structure, in both directions.

    >>> profile = Profile({"keys": {"case": "camelCase", "from": "snake_case"}})
    >>> profile.convert('{"user_id": 7}')
    b'{"userId":7}'
    >>> profile.inverse(b'{"userId":7}')
    b'{"user_id":7}'
"""

import json
import operator
import sys
import threading
import weakref
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _library
from ._library import ConvertError

if TYPE_CHECKING:
    from typing_extensions import Buffer, TypeIs  # type checkers have them without the package
elif sys.version_info >= (3, 12):
    from collections.abc import Buffer
else:
    Buffer = Any  # no class of an older Python has all bytes-like objects

__all__ = ["ConvertError", "Converter", "Profile", "__version__"]
__version__ = _library.version()

#: UTF-8, also in a bytearray, memoryview, mmap or array, or a text. A text with half of a surrogate pair has no UTF-8: it is a
#: UnicodeEncodeError.
Payload = Union[Buffer, str]

_DIRECTIONS = {"forward": 0, "inverse": 1}
_FRAMINGS = {"document": 0, "lines": 1}


def _to_bytes(value: Payload) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode()
    try:
        return memoryview(value).tobytes()
    except TypeError:
        hint = ": pass json.dumps(value)" if isinstance(value, Mapping) else ""
        raise TypeError(f"expected str or bytes-like, found {type(value).__name__}{hint}") from None


def _is_payload(value: Union[Payload, Iterable[Payload]]) -> "TypeIs[Payload]":
    if isinstance(value, str):
        return True
    try:
        memoryview(value)  # type: ignore[arg-type]
    except TypeError:
        return False
    return True


def _limit(name: str, value: int, maximum: int) -> int:
    value = operator.index(value)
    if not 0 <= value <= maximum:
        raise ValueError(f"{name}: expected a whole number from 0 to {maximum}")
    return value


def _choice(choices: dict[str, int], name: str) -> int:
    if name not in choices:
        raise ValueError(f"expected one of {', '.join(choices)}")
    return choices[name]


class Converter:
    """Converts payloads one after another, each in pieces. ``Profile.converter`` makes it.

    Threads may share it, but all pieces of a payload must come one after another.
    """

    def __init__(self, profile: "Profile", direction: str = "forward", framing: str = "document") -> None:
        self._handle = _library.new_converter(
            profile._handle, _choice(_DIRECTIONS, direction), _choice(_FRAMINGS, framing))
        self._output = _library.Output()
        # A converter is used by one thread at a time.
        self._lock = threading.Lock()
        weakref.finalize(self, _library.free_converter, self._handle).atexit = False

    def __reduce__(self) -> Any:
        raise TypeError("a Converter cannot be copied or pickled: make one with Profile.converter")

    def feed(self, piece: Payload) -> bytes:
        """Converts the next piece of a payload. Returns the output that is ready.

        Raises ConvertError for the first error. After it, and after an exception in a handler of a signal, the converter begins another
        payload.
        """
        return self._run(_library.feed, piece)

    def finish(self, piece: Payload = b"") -> bytes:
        """Converts the last piece, or a whole payload. After it the converter begins another payload."""
        return self._run(_library.finish, piece)

    def reset(self) -> None:
        """Ends a payload that is not converted further."""
        with self._lock:
            _library.reset(self._handle)

    @property
    def skipped_records(self) -> int:
        """How many bad records were skipped, or replaced by null, in this payload, or in the last one if none has begun."""
        with self._lock:
            return int(_library.skipped(self._handle))

    def _run(self, function: Any, piece: Payload) -> bytes:
        piece = _to_bytes(piece)
        with self._lock:
            try:
                return self._output.read(self._handle, function(self._handle, piece, len(piece)))
            except ConvertError:
                raise
            except BaseException:
                # The handler of a signal raised it, or memory was short. Output that was not read would go into the next payload.
                _library.reset(self._handle)
                raise


class Profile:
    """A checked profile. It converts any number of payloads. Threads may share it.

    ``document`` is the profile: its JSON text, or an object that ``json`` writes as this text. ``max_depth`` is the maximum number of
    open objects and arrays in a payload (0: 512; at most 32,768). ``max_held_bytes`` is the maximum memory for what must be buffered of a
    payload (0: 256 MiB). Raises ConvertError with the code ``profile`` and all errors in ``faults``.
    """

    def __init__(
        self, document: Union[Payload, Mapping[str, Any]], *, max_depth: int = 0, max_held_bytes: int = 0
    ) -> None:
        self._document = _to_bytes(json.dumps(dict(document)) if isinstance(document, Mapping) else document)
        self._limits = _limit("max_depth", max_depth, 32_768), _limit("max_held_bytes", max_held_bytes, sys.maxsize)
        self._load()

    def _load(self) -> None:
        self._handle = _library.new_profile(self._document, *self._limits)
        weakref.finalize(self, _library.free_profile, self._handle).atexit = False
        # Converters that no thread uses now.
        self._idle: dict[tuple[str, str], list[Converter]] = {}

    def __getstate__(self) -> dict[str, Any]:
        # A copy, also in another process, gets a handle of its own: two owners would free one handle twice.
        return {name: value for name, value in vars(self).items() if name not in ("_handle", "_idle")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._load()

    def convert(self, payload: Payload, *, framing: str = "document") -> bytes:
        """Converts a whole payload. ``framing`` is ``document`` for one JSON text, ``lines`` for NDJSON.

        Raises ConvertError for the first error.
        """
        return self._convert(payload, "forward", framing)

    def inverse(self, payload: Payload, *, framing: str = "document") -> bytes:
        """Converts a whole payload back. Raises ConvertError for the first error, also if the profile has no inverse."""
        return self._convert(payload, "inverse", framing)

    def converter(self, direction: str = "forward", *, framing: str = "document") -> Converter:
        """A converter for payloads in pieces. ``direction`` is ``forward`` or ``inverse``."""
        return Converter(self, direction, framing)

    def stream(
        self, pieces: Union[Payload, Iterable[Payload]], direction: str = "forward", *, framing: str = "document"
    ) -> Iterator[bytes]:
        """Converts one payload while its pieces arrive. Gives output as soon as it is ready. A bytes-like object or a text is one piece."""
        parts = [pieces] if _is_payload(pieces) else pieces
        return _stream(self.converter(direction, framing=framing), iter(parts))

    def check(self, payload: Optional[Payload] = None, *, direction: str = "forward") -> dict[str, Any]:
        """The report of ``POST /v1/profiles/check``: warnings, and whether the profile has an inverse.

        With a payload, its member ``explanation`` says what the profile does to the payload.
        """
        return _library.check(
            self._document, None if payload is None else _to_bytes(payload), _choice(_DIRECTIONS, direction))

    def _convert(self, payload: Payload, direction: str, framing: str) -> bytes:
        idle = self._idle.setdefault((direction, framing), [])
        try:
            converter = idle.pop()
        except IndexError:
            converter = Converter(self, direction, framing)
        try:
            return converter.finish(payload)
        finally:
            idle.append(converter)


def _stream(converter: Converter, pieces: Iterator[Payload]) -> Iterator[bytes]:
    for piece in pieces:
        output = converter.feed(piece)
        if output:
            yield output
    output = converter.finish()
    if output:
        yield output
