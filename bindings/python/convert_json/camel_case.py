"""``camelize`` and ``underscoreize`` of djangorestframework-camel-case: the results of its main branch, but each key is converted only once.

Their rules differ from those of ``keys`` in a profile. For example, ``_id`` becomes ``Id``, ``userID`` stays, and ``key10`` becomes
``key_10``.
"""

import json
import re
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from functools import lru_cache
from typing import Any, Optional
from uuid import UUID

from django.core.files import File
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.encoding import force_str
from django.utils.functional import Promise
from rest_framework.utils.encoders import JSONEncoder
from rest_framework.utils.serializer_helpers import ReturnDict

try:
    from . import _render
except ImportError:  # not CPython, or CPython without the GIL
    _render = None  # type: ignore[assignment]

__all__ = ["camelize", "underscoreize"]

_SCALARS = frozenset([str, int, float, bool, type(None), Decimal, datetime, date, time, UUID])


def camelize(data: Any, **options: Any) -> Any:
    """Data with the keys of all dictionaries in camelCase. ``options`` are those of ``JSON_UNDERSCOREIZE``."""
    return _camelize(data, _configured(_camelized, options))


def underscoreize(data: Any, **options: Any) -> Any:
    """Data with the keys of all dictionaries in snake_case. ``options`` are those of ``JSON_UNDERSCOREIZE``."""
    return _underscoreize(data, _keys_to_underscores(options))


def parse(text: str, **options: Any) -> Any:
    """``underscoreize(json.loads(text), **options)``."""
    keys = _keys_to_underscores(options)
    if options.get("ignore_fields"):
        return _underscoreize(json.loads(text), keys)
    return json.loads(text, object_hook=lambda members: {keys[key]: value for key, value in members.items()})


def render(data: Any, **options: Any) -> Optional[bytes]:
    """The JSON of ``camelize(data, **options)`` as ``JSONRenderer`` writes it by default, in one pass.

    None if this function does not support the data or the options, and if the data has an error.
    """
    if _render is None or options.get("ignore_fields"):
        return None
    try:
        return _render.render(data, _configured(_camelized, options).texts, _replacement)
    except Exception:
        return None


def _replacement(value: Any) -> Any:
    """A value of another type as data that has a JSON text, or the bytes of this text."""
    if isinstance(value, Promise):
        return force_str(value)
    if isinstance(value, dict):
        return dict(value.items())
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int.__int__(value)
    if isinstance(value, float):
        return float.__float__(value)
    if _is_iterable(value):
        if iter(value) is value:
            raise TypeError("an iterator cannot be read again, if that becomes necessary")
        return list(value)
    text = _encoder.default(value)
    return text if isinstance(text, str) else _encoded(text)


def _encoded(value: Any) -> bytes:
    text: str = _encoder.encode(value).replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return text.encode()


_encoder = JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _camelize(data: Any, keys: "_Keys") -> Any:
    if isinstance(data, Promise):
        return force_str(data)
    if isinstance(data, dict):
        members = {
            keys[key]: value if type(value) in _SCALARS or keys.are_opaque[key] else _camelize(value, keys)
            for key, value in data.items()
        }
        return ReturnDict(members, serializer=data.serializer) if isinstance(data, ReturnDict) else members
    if isinstance(data, str) or not _is_iterable(data):
        return data
    return [value if type(value) in _SCALARS else _camelize(value, keys) for value in data]


def _underscoreize(data: Any, keys: "_Keys") -> Any:
    if isinstance(data, MultiValueDict):
        query = MultiValueDict()
        if isinstance(data, QueryDict):
            query = QueryDict(mutable=True)
        else:
            # Uploaded files: djangorestframework-camel-case does not apply `ignore_fields` and `ignore_keys` to their names.
            keys = _keys(keys.convert, frozenset(), frozenset())
        for key, values in data.lists():
            query.setlist(keys[key], values)
        return query
    if isinstance(data, dict):
        return {
            keys[key]: value if type(value) in _SCALARS or keys.are_opaque[key] else _underscoreize(value, keys)
            for key, value in data.items()
        }
    if isinstance(data, (str, File)) or not _is_iterable(data):
        return data
    return [value if type(value) in _SCALARS else _underscoreize(value, keys) for value in data]


def _is_iterable(value: Any) -> bool:
    try:
        iter(value)
    except TypeError:
        return False
    return True


class _Memory(dict[Any, Any]):
    """Results for keys, each computed when it is first looked up. When there are too many, all are forgotten."""

    max_count = 10_000
    max_length = 128

    def __init__(self, compute: Callable[[Any], Any]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, key: Any) -> Any:
        if isinstance(key, Promise):
            return self[force_str(key)]
        result = self._compute(key)
        # Only `str` itself is remembered: 1 and True are equal keys, as are a text and a member of TextChoices. Clients choose the keys, so
        # their number and length have limits.
        if type(key) is str and len(key) <= self.max_length:
            if len(self) >= self.max_count:
                self.clear()
            self[key] = result
        return result


class _Keys(_Memory):
    """The new keys; `are_opaque` tells whether their values stay as they are, and `texts` has them as JSON, each with a colon."""

    def __init__(self, convert: Callable[[str], str], fields: Any, names: Any) -> None:
        super().__init__(self._new_key)
        self.convert, self._ignore_fields, self._ignore_keys = convert, fields, names
        self.are_opaque = _Memory(self._is_opaque)
        self.texts = _Memory(lambda key: _encoded({self[key]: 0})[1:-2])

    def _new_key(self, key: Any) -> Any:
        converted = self._converted(key)
        return key if key in self._ignore_keys or converted in self._ignore_keys else converted

    def _is_opaque(self, key: Any) -> bool:
        fields = self._ignore_fields
        return bool(fields) and (key in fields or self._converted(key) in fields)

    def _converted(self, key: Any) -> Any:
        return self.convert(key) if isinstance(key, str) else key


@lru_cache(maxsize=64)
def _keys(convert: Callable[[str], str], fields: Any, names: Any) -> _Keys:
    return _Keys(convert, fields, names)


def _configured(convert: Callable[[str], str], options: dict[str, Any]) -> _Keys:
    return _keys(convert, _names(options.get("ignore_fields")), _names(options.get("ignore_keys")))


def _names(option: Any) -> Any:
    """The keys in an option. A text, such as `("raw_data")` without its comma, has every key that is a part of it."""
    return option if isinstance(option, str) else frozenset(option or ())


def _keys_to_underscores(options: dict[str, Any]) -> _Keys:
    return _configured(_underscored_letters if options.get("no_underscore_before_number") else _underscored, options)


def _camelized(key: str) -> str:
    return re.sub("_([a-z0-9])", lambda match: match[1].upper(), key) if "_" in key else key


def _words(begin: str, followed: str) -> "re.Pattern[str]":
    """Where a word begins: at a character that matches `begin`, after a lower-case letter or a digit that does not itself begin a word, or
    if `followed` matches there. A capital before it is matched with it, so no word begins at that capital."""
    return re.compile(f"([a-z0-9]|[A-Z]?(?={followed}))({begin})")


_WORDS_WITH_NUMBERS = _words(
    begin=r"[A-Z]|(?<=[a-z])[0-9](?=[0-9A-Z]|$)|(?<=[A-Z])[0-9](?=[0-9]|$)", followed=r"[A-Z0-9][a-z0-9]|[0-9]$")
_WORDS_OF_LETTERS = _words(begin="[A-Z]", followed="[A-Z][a-z]")


def _underscored(key: str) -> str:
    return _WORDS_WITH_NUMBERS.sub(r"\1_\2", key).lower().lstrip("_")


def _underscored_letters(key: str) -> str:
    return _WORDS_OF_LETTERS.sub(r"\1_\2", key).lower().lstrip("_")
