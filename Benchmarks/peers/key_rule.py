"""The work of every comparison: each snake_case key to camelCase, and five renames."""

RENAMES = {"created_at": "ca", "screen_name": "sn", "id_str": "is", "name": "n", "type": "t"}


def rewritten(key):
    if key in RENAMES:
        return RENAMES[key]
    core = key.lstrip("_")
    if "_" not in core:
        return key
    first, *others = [word for word in core.split("_") if word]
    return key[: len(key) - len(core)] + first.lower() + "".join(map(str.capitalize, others))


def converted(value):
    """The value with every key rewritten."""
    if isinstance(value, dict):
        return {rewritten(key): converted(member) for key, member in value.items()}
    if isinstance(value, list):
        return [converted(element) for element in value]
    return value
