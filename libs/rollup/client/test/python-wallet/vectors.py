"""The data files of the page for authors of wallets, docs/spec/rollup-wallets.md."""

import json
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[3] / "vectors"


def vectors(name):
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def words_of(text):
    """Words of 32 bytes from hex."""
    data = bytes.fromhex(text.removeprefix("0x"))
    if len(data) % 32 != 0:
        raise ValueError(f"{len(data)} bytes are not words of 32 bytes")
    return [int.from_bytes(data[at : at + 32], "big") for at in range(0, len(data), 32)]


def bytes_of(*words):
    return b"".join(word.to_bytes(32, "big") for word in words)


def hex_of(*words):
    return "0x" + bytes_of(*words).hex()
