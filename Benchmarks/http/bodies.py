"""The request bodies, the same in every run, and the expected responses."""

import json
import random

PAYLOAD = "payload_7944.json"
WORDS = "account battery confirmed delivery forecast gateway mapping order product reading update".split()


def bodies(corpus):
    """Name → bytes, by growing size. Uses the payload of the corpus if it exists, and makes one otherwise."""
    path = corpus / PAYLOAD if corpus else None
    payload = path.read_bytes() if path and path.exists() else page(7_944)
    return {"1 KB": page(1_000), f"{len(payload):,} B": payload, "100 KB": page(100_000)}


def page(size):
    """A page of orders of exactly `size` bytes, without white space, with keys in snake_case."""
    generator = random.Random(size)
    document = {"request_id": f"req_{size}", "generated_at": "2024-03-01T12:00:00Z", "internal_note": "", "order_list": []}
    while True:
        order = made_order(generator, len(document["order_list"]))
        document["order_list"].append(order)
        if len(minified(document)) > size:
            document["order_list"].pop()
            break
    document["internal_note"] = "-" * (size - len(minified(document)))
    return minified(document)


def made_order(generator, number):
    def words(count):
        return " ".join(generator.choice(WORDS) for _ in range(count))

    return {
        "order_id": number,
        "created_at": f"20{generator.randint(10, 24)}-0{generator.randint(1, 9)}-1{generator.randint(0, 9)}T08:20:49Z",
        "is_active": generator.random() < 0.5,
        "customer_details": {"first_name": words(1), "email_address": f"user{generator.randint(1, 99999)}@example.com"},
        "line_items": [
            {
                "product_id": generator.randint(1, 999_999),
                "unit_price": generator.randint(1, 99_999) / 100,
                "product_name": words(2),
                "discount_code": None,
            }
            for _ in range(generator.randint(1, 3))
        ],
        "tag_list": [words(1) for _ in range(3)],
    }


def minified(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def camelised(value):
    """The value with every key in camelCase: the expected response. These rules are enough for all keys of the bodies."""
    if isinstance(value, dict):
        return {camel_case(key): camelised(member) for key, member in value.items()}
    if isinstance(value, list):
        return [camelised(element) for element in value]
    return value


def camel_case(key):
    first, *others = key.split("_")
    return first + "".join(map(str.capitalize, others))


def without_empty_arrays(value):
    """The value with `{}` for every `[]`: the output of a program that does not distinguish them."""
    if isinstance(value, dict):
        return {key: without_empty_arrays(member) for key, member in value.items()}
    if isinstance(value, list):
        return [without_empty_arrays(element) for element in value] or {}
    return value
