"""The wallet as a process: a call in JSON on each line of its input, the result in JSON on a line of its output."""

import json
import sys

from abi import CONTRACT
from exits import Exit
from history import History
from holder import Holder
from poseidon2 import H
from vectors import words_of
from wallet import Keys, Signer, domain_of, encrypted, is_signature, opened_by, text_hex

_holders = {}


def _pairs(words):
    return [tuple(words[at : at + 2]) for at in range(0, len(words), 2)]


def _text(words, joint_key, factor):
    return text_hex(encrypted(words, _pairs(joint_key), factor))


def _opened(text, encryption):
    """In: a text as bytes"""
    data = bytes.fromhex(text[2:])
    return opened_by(Keys(1, encryption), [int.from_bytes(data[:8], "big"), *words_of("0x" + data[8:].hex())])


def _sign(keys, rollup, operation, *values):
    """In: keys — both scalars; rollup — domain and the operator's key; operation — which of Signer"""
    domain, *operator = rollup
    if operation == "pay":
        order, joint_key, *rest = values
        values = [order, _pairs(joint_key), *rest]
    return getattr(Signer(Keys(*keys), domain, tuple(operator)), operation)(*values)


def _history(keys, rollup, logs):
    """An account after the batches of some logs, with the calls that withdraw all that it has."""
    domain, *operators = rollup
    history = History(Keys(*keys), domain, _pairs(operators))
    for log in logs:
        history.apply(CONTRACT.event(log)[1])
    account = history.account
    if account is None:
        return None
    leaving, open_orders = Exit(history), history.open_orders()
    balances = [token for token, amount in sorted(account.amounts.items()) if amount > 0]
    calls = leaving.withdraw_balances(balances), leaving.withdraw_orders(open_orders)
    return {
        **{"id": account.id, "leaf": account.leaf(), "openOrders": list(open_orders.items()), "root": history.root},
        "calls": ["0x" + CONTRACT.call(*call).hex() for call in calls],
    }


def _open(name, *values):
    _holders[name] = Holder(*values)


CALLS = {
    "hash": lambda words: H(*words),
    "domain": domain_of,
    "text": _text,
    "opened": _opened,
    "sign": _sign,
    "isSignature": lambda public, message, signature: is_signature(public, message, words_of(signature)),
    "history": _history,
    "open": _open,
    "holder": lambda name, method, *values: getattr(_holders[name], method)(*values),
}

for line in sys.stdin:
    asked = json.loads(line)
    try:
        said = {"result": CALLS[asked["call"]](*asked["values"])}
    # What goes wrong is for the caller to decide.
    except Exception as error:
        said = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(said), flush=True)
