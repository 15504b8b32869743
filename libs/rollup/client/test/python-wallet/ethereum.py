"""What is Ethereum's and not the rollup's: Keccak-256, transactions with a signature, and JSON-RPC."""

import json
import secrets
import time
from itertools import count
from urllib.request import Request, urlopen

from curve import Curve

# SEC 2, section 2.4.1.
SECP256K1 = Curve(
    p=2**256 - 2**32 - 977,
    b=7,
    order=0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141,
    generator=(
        0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
        0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
    ),
)
_RATE = 136
_SECONDS = 60


def keccak256(data):
    """FIPS 202 with the padding of Keccak, as Ethereum has it."""
    lanes = [0] * 25
    padded = data + b"\x01" + bytes(-(len(data) + 1) % _RATE)
    padded = padded[:-1] + bytes([padded[-1] | 0x80])
    for start in range(0, len(padded), _RATE):
        for lane in range(_RATE // 8):
            lanes[lane] ^= int.from_bytes(padded[start + 8 * lane : start + 8 * lane + 8], "little")
        lanes = _keccak_f(lanes)
    return b"".join(lane.to_bytes(8, "little") for lane in lanes[:4])


def _rotated(lane, bits):
    bits %= 64
    return (lane << bits | lane >> (64 - bits)) & (2**64 - 1)


def _keccak_f(lanes):
    """Lane x, y is at x + 5 · y."""
    register = 1
    for _ in range(24):
        parity = [lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20] for x in range(5)]
        mixed = [parity[x - 1] ^ _rotated(parity[(x + 1) % 5], 1) for x in range(5)]
        lanes = [lane ^ mixed[place % 5] for place, lane in enumerate(lanes)]
        x, y, current = 1, 0, lanes[1]
        for step in range(24):
            x, y = y, (2 * x + 3 * y) % 5
            place = x + 5 * y
            current, lanes[place] = lanes[place], _rotated(current, (step + 1) * (step + 2) // 2)
        for row in range(0, 25, 5):
            before = lanes[row : row + 5]
            for x in range(5):
                lanes[row + x] = before[x] ^ (~before[(x + 1) % 5] & before[(x + 2) % 5])
        for bit in range(7):
            register = (register << 1) ^ (register >> 7) * 0x171
            if register & 2:
                lanes[0] ^= 1 << ((1 << bit) - 1)
    return lanes


def address_of(secret):
    x, y = SECP256K1.multiply(int(secret, 16))
    return "0x" + keccak256(x.to_bytes(32, "big") + y.to_bytes(32, "big"))[12:].hex()


def rlp(item):
    if isinstance(item, int):
        item = item.to_bytes((item.bit_length() + 7) // 8, "big")
    if isinstance(item, list):
        return _with_length(b"".join(map(rlp, item)), 0xC0)
    return item if len(item) == 1 and item[0] < 0x80 else _with_length(item, 0x80)


def _with_length(data, first):
    if len(data) < 56:
        return bytes([first + len(data)]) + data
    length = len(data).to_bytes((len(data).bit_length() + 7) // 8, "big")
    return bytes([first + 55 + len(length)]) + length + data


def signed_transaction(secret, chain_id, fields):
    """EIP-155. In: nonce, gas price, gas limit, recipient, value, data"""
    digest = int.from_bytes(keccak256(rlp([*fields, chain_id, 0, 0])), "big")
    k = 1 + secrets.randbelow(SECP256K1.order - 1)
    r, y = SECP256K1.multiply(k)
    s = pow(k, -1, SECP256K1.order) * (digest + r * int(secret, 16)) % SECP256K1.order
    is_odd = y & 1
    if s > SECP256K1.order // 2:
        s, is_odd = SECP256K1.order - s, is_odd ^ 1
    return rlp([*fields, 2 * chain_id + 35 + is_odd, r, s])


class RpcError(Exception):
    """The answer of a service is an error."""

    def __init__(self, error):
        super().__init__(json.dumps(error))
        self.data = error.get("data")


class JsonRpc:
    """JSON-RPC 2.0 over HTTP."""

    def __init__(self, url):
        self._url, self._ids = url, count(1)

    def ask(self, method, *params):
        question = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params}
        headers = {"content-type": "application/json"}
        request = Request(self._url, data=json.dumps(question).encode(), headers=headers)
        with urlopen(request, timeout=_SECONDS) as answer:
            said = json.load(answer)
        if "error" in said:
            raise RpcError(said["error"])
        return said["result"]

    def send(self, secret, to, data, value=0):
        """Signs, sends and awaits a transaction."""
        sender = address_of(secret)
        call = {"from": sender, "to": to, "data": "0x" + data.hex(), "value": hex(value)}
        numbers = [self.ask("eth_getTransactionCount", sender, "pending"), self.ask("eth_gasPrice")]
        nonce, price, gas, chain_id = (
            int(number, 16) for number in [*numbers, self.ask("eth_estimateGas", call), self.ask("eth_chainId")]
        )
        # What a call inside of it may not have is not in an estimate.
        fields = [nonce, price, gas + gas // 4 + 200_000, bytes.fromhex(to[2:]), value, data]
        sent = self.ask("eth_sendRawTransaction", "0x" + signed_transaction(secret, chain_id, fields).hex())
        while (receipt := self.ask("eth_getTransactionReceipt", sent)) is None:
            time.sleep(0.05)
        if receipt["status"] != "0x1":
            raise ValueError(f"transaction {sent} was reverted")
        return receipt
