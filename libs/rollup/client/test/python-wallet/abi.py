"""Calls, results and events by the JSON of a contract ABI."""

from ethereum import keccak256
from vectors import vectors


class Abi:
    """In: the entries of contract.json"""

    def __init__(self, entries):
        self._functions = {entry["name"]: entry for entry in entries if entry["type"] == "function"}
        named = [entry for entry in entries if entry["type"] in ("event", "error")]
        self._events = {_digest(entry): entry for entry in named if entry["type"] == "event"}
        self._errors = {_digest(entry)[:4]: entry["name"] for entry in named if entry["type"] == "error"}

    def call(self, name, *values):
        entry = self._functions[name]
        return _digest(entry)[:4] + _encode_all(entry["inputs"], values)

    def result(self, name, data):
        outputs = self._functions[name]["outputs"]
        values = _decode_all(outputs, data, 0)
        return values[0] if len(values) == 1 else _named(outputs, values)

    def error_name(self, data):
        return self._errors.get(data[:4])

    def event(self, log):
        """Name, and values by their names; None for an event that is not in the file."""
        entry = self._events.get(bytes.fromhex(log["topics"][0][2:]))
        if entry is None:
            return None
        topics = [bytes.fromhex(topic[2:]) for topic in log["topics"][1:]]
        indexed = [part for part in entry["inputs"] if part["indexed"]]
        plain = [part for part in entry["inputs"] if not part["indexed"]]
        values = _named(plain, _decode_all(plain, bytes.fromhex(log["data"][2:]), 0))
        for part, topic in zip(indexed, topics):
            values[part["name"]] = _decode(part, topic, 0)
        return entry["name"], values


def _digest(entry):
    return keccak256(f"{entry['name']}({_types(entry['inputs'])})".encode())


def _types(parts):
    return ",".join(
        f"({_types(part['components'])}){part['type'][5:]}" if part["type"].startswith("tuple") else part["type"]
        for part in parts
    )


def _element(part):
    """Of a list: its elements, and their number when the type says it."""
    kind, _, number = part["type"].rpartition("[")
    return {**part, "type": kind}, int(number[:-1]) if number != "]" else None


def _is_dynamic(part):
    if part["type"].endswith("]"):
        element, number = _element(part)
        return number is None or _is_dynamic(element)
    return part["type"] == "bytes" or any(map(_is_dynamic, part.get("components", [])))


def _size(part):
    """Bytes in the head."""
    if _is_dynamic(part):
        return 32
    if part["type"].endswith("]"):
        element, number = _element(part)
        return number * _size(element)
    return sum(map(_size, part["components"])) if part["type"] == "tuple" else 32


def _word(value):
    return (int(value, 16) if isinstance(value, str) else int(value)).to_bytes(32, "big")


def _encode_all(parts, values):
    if len(parts) != len(values):
        raise ValueError(f"{len(values)} values for {len(parts)} parts")
    encoded = [(_is_dynamic(part), _encode(part, value)) for part, value in zip(parts, values)]
    place = sum(map(_size, parts))
    head, tail = b"", b""
    for is_dynamic, data in encoded:
        head += _word(place + len(tail)) if is_dynamic else data
        tail += data if is_dynamic else b""
    return head + tail


def _encode(part, value):
    if part["type"].endswith("]"):
        element, number = _element(part)
        listed = _encode_all([element] * (len(value) if number is None else number), value)
        return listed if number is not None else _word(len(value)) + listed
    if part["type"] == "tuple":
        return _encode_all(part["components"], value)
    if part["type"] == "bytes":
        return _word(len(value)) + value + bytes(-len(value) % 32)
    return _word(value)


def _decode_all(parts, data, start):
    values, at = [], start
    for part in parts:
        place = start + int.from_bytes(data[at : at + 32], "big") if _is_dynamic(part) else at
        values.append(_decode(part, data, place))
        at += _size(part)
    return values


def _decode(part, data, at):
    number = int.from_bytes(data[at : at + 32], "big")
    if part["type"].endswith("]"):
        element, known = _element(part)
        first = at if known is not None else at + 32
        return _decode_all([element] * (number if known is None else known), data, first)
    if part["type"] == "tuple":
        return _named(part["components"], _decode_all(part["components"], data, at))
    if part["type"] == "bytes":
        return data[at + 32 : at + 32 + number]
    return f"0x{number:040x}" if part["type"] == "address" else number


def _named(parts, values):
    return {part["name"]: value for part, value in zip(parts, values)}


CONTRACT = Abi(vectors("contract.json"))
