"""The documents of `make bench-spellings`: each one of a corpus in nine spellings, and kinds of documents that are not in the corpus."""

import json
import random
import re
import uuid

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+')
SEED = 20_261_124


class Style:
    """A way to spell a JSON text. Tokens stay unchanged, except strings if there is a function `string` for them."""

    def __init__(self, indent=None, newline="\n", comma=",", colon=":", string=None):
        self.indent, self.newline, self.comma, self.colon, self.string = indent, newline, comma, colon, string

    def spelled(self, tokens):
        output, depth = [], 0
        for index, token in enumerate(tokens):
            if token in "{[":
                depth += 1
                output.append(token)
                if tokens[index + 1] not in "}]":
                    output.append(self._line(depth))
            elif token in "}]":
                depth -= 1
                if tokens[index - 1] not in "{[":
                    output.append(self._line(depth))
                output.append(token)
            elif token == ",":
                output += [self.comma, self._line(depth)]
            elif token == ":":
                output.append(self.colon)
            else:
                output.append(self.string(token) if self.string and token[0] == '"' else token)
        return "".join(output)

    def _line(self, depth):
        return "" if self.indent is None else self.newline + self.indent * depth


def ascii_only(token):
    return json.dumps(json.loads(token), ensure_ascii=True)


def escaped_slashes(token):
    return re.sub(r"(?<!\\)/", r"\\/", token)


STYLES = {
    "compact": Style(),
    "python": Style(comma=", ", colon=": "),
    "indent2": Style(indent="  ", colon=": "),
    "indent8": Style(indent=" " * 8, colon=": "),
    "tabs": Style(indent="\t", colon=": "),
    "crlf": Style(indent="  ", newline="\r\n", colon=": "),
    "spaced": Style(indent="  ", colon=" : "),
    "ascii": Style(string=ascii_only),
    "slashes": Style(string=escaped_slashes),
}


def write(corpus, directory):
    """Writes the documents of the directory `corpus` in every spelling to another directory."""
    directory.mkdir(parents=True, exist_ok=True)
    for path in sorted(corpus.glob("*.*json")):
        text = path.read_text("utf-8")
        is_lines = path.suffix == ".ndjson"
        texts = [TOKEN.findall(line) for line in (text.splitlines() if is_lines else [text]) if line]
        for name, style in STYLES.items():
            # An indented text would need more than one line.
            if not is_lines or style.indent is None:
                spelled = "\n".join(map(style.spelled, texts))
                (directory / f"{path.stem}.{name}{path.suffix}").write_bytes(spelled.encode())
    for name, text in others():
        (directory / name).write_bytes(text.encode())


# Kinds of documents


def others():
    """Pairs of a name and a text."""
    randomly = random.Random(SEED)
    for language, words in WORDS.items():
        yield f"{language}.json", dumped(messages(randomly, words, 600_000))
    yield "long_strings.json", dumped([{"body_text": sentence(randomly, LATIN, 20_000)} for _ in range(30)])
    yield "numbers.json", dumped([{"first_reading": randomly.randrange(10**9), "last_reading": randomly.random()} for _ in range(9_000)])
    for kind, key in KEYS.items():
        yield f"map_{kind}.json", dumped({key(randomly, index): {"user_id": index} for index in range(10_000)})
    for size in (200, 1_000):
        records = [record(randomly, size) for _ in range(500)]
        yield f"small_{size}.json", dumped(records[0])
        yield f"small_{size}.ndjson", "\n".join(map(dumped, records))


def dumped(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def sentence(randomly, words, length):
    text = ""
    while len(text) < length:
        text += randomly.choice(words) + " "
    return text[:length].strip()


def messages(randomly, words, size):
    count = size // 400
    return [
        {
            "message_id": index,
            "sender_name": sentence(randomly, words, 16),
            "full_text": sentence(randomly, words, randomly.randrange(40, 280)),
            "reply_count": randomly.randrange(100),
        }
        for index in range(count)
    ]


def record(randomly, size):
    fields = ["order_id", "customer_name", "created_at", "is_paid", "total_price", "shipping_address", "line_items", "notes"]
    value = {
        fields[0]: randomly.randrange(10**6),
        fields[1]: sentence(randomly, LATIN, 14),
        fields[2]: f"2026-{randomly.randrange(1, 13):02}-{randomly.randrange(1, 29):02}T10:15:00Z",
        fields[3]: randomly.random() < 0.5,
        fields[4]: round(randomly.random() * 100, 2),
    }
    if size > 500:
        value[fields[5]] = {"street_name": sentence(randomly, LATIN, 20), "zip_code": str(randomly.randrange(10**4, 10**5))}
        value[fields[6]] = [{"product_id": randomly.randrange(10**5), "unit_price": randomly.randrange(1000)} for _ in range(10)]
    value[fields[7]] = sentence(randomly, LATIN, max(8, size - len(dumped(value)) - 12))
    return value


LATIN = "the order was sent to another place and came back late so we ask for a new one with more care this time".split()
WORDS = {
    "cyrillic": "заказ был отправлен вчера вечером поэтому мы просим подождать ещё немного спасибо за терпение и понимание".split(),
    "chinese": "您的订单 昨天晚上 已经 发货 因此 我们 请您 再等 一会儿 感谢 您的 耐心 和 理解 祝您 生活 愉快".split(),
    "emoji": "😀 great 👍🏽 thanks 🎉🎉 see you 🚀 soon ❤️ ok 👨‍👩‍👧 yes 🌍".split(),
}
KEYS = {
    "identifiers": lambda randomly, index: f"user_{randomly.randrange(10**9)}_{index}",
    "uuids": lambda randomly, index: str(uuid.UUID(int=randomly.getrandbits(128), version=4)),
    "mails": lambda randomly, index: f"{randomly.choice(LATIN)}.{randomly.choice(LATIN)}{index}@example{randomly.randrange(50)}.com",
}
