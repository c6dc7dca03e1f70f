from collections.abc import Callable
from typing import Any

def render(data: Any, keys: dict[Any, bytes], other: Callable[[Any], Any]) -> bytes: ...
