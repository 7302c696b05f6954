"""What the same work costs in Python, for comparison with `cargo bench`.

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install jsonschema jsonschema-rs orjson pydantic rapidfuzz
    /tmp/peers/bin/python tests/benches/python_peers.py

Documents are like those of the benches: invoice-like extractions of about 900 bytes. Times are the best of
five rounds; a package that is not installed is left out, and said so.
"""

import importlib
import json
import random
import time

WORDS = ["steel", "bolt", "für", "annual", "naïve", 'a "premium"', "量子", "rack"]
TAGS = ["hardware", "software", "service"]


def corpus(count):
    rng = random.Random(1)
    for number in range(count):
        items = [
            {
                "sku": f"SKU-{rng.randrange(10**6):06}",
                "description": " ".join(rng.choice(WORDS) for _ in range(5)),
                "quantity": 1 + rng.randrange(99),
                "unit_price": rng.randrange(90000) / 100,
                "tags": [rng.choice(TAGS)],
                "discount": rng.choice([None, 0.25]),
            }
            for _ in range(4)
        ]
        yield json.dumps(
            {
                "id": f"INV-2026-{number:05}",
                "vendor": {"name": "Zoë Müller", "email": "zoe@example.com", "city": "Zürich"},
                "customer": {"name": "Bob", "email": "bob@example.com"},
                "currency": "EUR",
                "total": rng.randrange(9000) + 0.5,
                "paid": True,
                "confidence": rng.randrange(100) / 100,
                "items": items,
                "notes": None,
            },
            ensure_ascii=False,
        )


PARTY = {
    "type": "object",
    "properties": {"name": {"type": "string", "minLength": 1}, "email": {"type": "string"}, "city": {"type": "string"}},
    "required": ["name", "email"],
    "additionalProperties": False,
}
SCHEMA = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "pattern": "^INV-[0-9]{4}-[0-9]{5}$"},
        "vendor": PARTY,
        "customer": PARTY,
        "currency": {"enum": ["EUR", "USD"]},
        "total": {"type": "number", "minimum": 0},
        "paid": {"type": "boolean"},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "sku": {"type": "string"},
                    "description": {"type": "string"},
                    "quantity": {"type": "integer", "minimum": 1},
                    "unit_price": {"type": "number"},
                    "tags": {"type": "array", "items": {"enum": TAGS}},
                    "discount": {"type": ["number", "null"]},
                },
                "required": ["sku", "description", "quantity", "unit_price", "tags"],
                "additionalProperties": False,
            },
        },
        "notes": {"type": ["string", "null"]},
    },
    "required": ["id", "vendor", "currency", "total", "items"],
    "additionalProperties": False,
}


def best(run, count, rounds=5):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times) / count * 1e6


def show(name, microseconds):
    print(f"{name:<52} {microseconds:12.2f} µs")


def package(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"skipped: {name} is not installed")
        return None


def validation(texts):
    show("json.loads", best(lambda: [json.loads(text) for text in texts], len(texts)))
    jsonschema = package("jsonschema")
    if jsonschema:
        validator = jsonschema.Draft202012Validator(SCHEMA)
        few = texts[:50]
        show("json.loads and jsonschema", best(lambda: [validator.is_valid(json.loads(text)) for text in few], len(few)))
    orjson, rust = package("orjson"), package("jsonschema_rs")
    if orjson and rust:
        validator = rust.validator_for(SCHEMA)
        run = lambda: [validator.is_valid(orjson.loads(text)) for text in texts]
        show("orjson and jsonschema-rs", best(run, len(texts)))
    if package("pydantic"):
        import typing

        import pydantic

        class Party(pydantic.BaseModel):
            name: str
            email: str
            city: typing.Optional[str] = None

        class Item(pydantic.BaseModel):
            sku: str
            description: str
            quantity: int
            unit_price: float
            tags: list[str]
            discount: typing.Optional[float] = None

        class Invoice(pydantic.BaseModel):
            id: str
            vendor: Party
            customer: typing.Optional[Party] = None
            currency: str
            total: float
            paid: bool
            confidence: float
            items: list[Item]
            notes: typing.Optional[str] = None

        show("pydantic model_validate_json", best(lambda: [Invoice.model_validate_json(text) for text in texts], len(texts)))


def distances():
    rapidfuzz = package("rapidfuzz")
    if not rapidfuzz:
        return
    from rapidfuzz.distance import DamerauLevenshtein

    rng = random.Random(2)
    alphabet = "abcdefghijklmnopqrstuvwxyz \"{}:,0123456789"
    left = "".join(rng.choice(alphabet) for _ in range(5000))

    def edited(share):
        text = list(left)
        for _ in range(int(len(text) * share)):
            text[rng.randrange(len(text))] = rng.choice(alphabet)
        return "".join(text)

    unrelated = "".join(rng.choice(alphabet) for _ in range(5000))
    for name, right in [("0.5% edits", edited(0.005)), ("5% edits", edited(0.05)), ("unrelated", unrelated)]:
        time_ = best(lambda: DamerauLevenshtein.distance(left, right), 1)
        show(f"rapidfuzz Damerau-Levenshtein, 5,000, {name}", time_)


if __name__ == "__main__":
    texts = list(corpus(500))
    print(f"{len(texts)} documents of {sum(len(text.encode()) for text in texts) // len(texts)} bytes")
    validation(texts)
    distances()
