"""An account from the events of the contract and its keys alone, with proofs of what it has."""

from curve import GRUMPKIN
from poseidon2 import H, P, Tree
from wallet import consent_of, fifteen, opened, opened_by

ATTEMPTS = 4096
ORDERS = 2**16
_FIELDS = {
    0: {},
    1: {"account": 4, "leaf": 32},
    2: {"account": 4, "leaf": 32, "order": 32},
    3: {"account": 4, "leaf": 32},
    4: {"account": 4, "token": 4, "amount": 8, "recipient": 20, "leaf": 32},
    5: {"account": 4, "token": 4, "amount": 8, "order": 32},
    6: {"account": 4, "leaf": 32},
    7: {"account": 4, "leaf": 32},
}
CREATION, PAYMENT, REDEMPTION, TRANSFER, DEPOSIT, CONSENT, CREDIT = 1, 2, 3, 4, 5, 6, 7


def operations_of(data, size):
    """The operations of a batch, docs/spec/rollup-batch.md."""
    at, found = 0, []

    def number(length):
        nonlocal at
        at += length
        if at > len(data):
            raise ValueError("an operation is not complete")
        return int.from_bytes(data[at - length : at], "big")

    for _ in range(size):
        kind, words = number(1), number(1)
        operation = {"kind": kind, **{name: number(length) for name, length in _FIELDS[kind].items()}}
        found.append({**operation, "text": fifteen([number(32) for _ in range(words)])})
    if at != len(data):
        raise ValueError("there are bytes after the last operation")
    return found


class Account:
    def __init__(self, account_id, keys, operator, blinding):
        self.id, self.keys, self.operator, self.blinding = account_id, keys, operator, blinding
        self.nonce, self.redemption_index = 0, 0
        self.consent, self.terms = 0, None
        self.balances = Tree(8)
        self.amounts = {}

    def change(self, token, amount):
        self.amounts[token] = self.amounts.get(token, 0) + amount
        self.balances.write(token, self.amounts[token])

    def fields(self):
        """In the order of the leaf."""
        numbers = [self.balances.root(), self.nonce, self.redemption_index, self.blinding, self.consent]
        return [self.id, *self.keys.public, H(*self.keys.user, *self.operator), *numbers]

    def leaf(self):
        return H(*self.fields())


class History:
    """In: operators — the keys that the operator has announced"""

    def __init__(self, keys, domain, operators):
        self.keys, self.domain, self._operators = keys, domain, operators
        self.accounts, self.history, self.orders = Tree(28), Tree(32), {}
        self.height, self.root, self.account, self.received = 0, None, None, {}
        self._deposits = 0

    def apply(self, event):
        """In: values of the next event TransactionBatchAccepted"""
        batch = event["batch"]
        if event["height"] != self.height + 1:
            raise ValueError(f"batch {self.height + 1} is next, not {event['height']}")
        self.height += 1
        operations = operations_of(batch["operations"], batch["size"])
        orders = Tree(12, [operation.get("order", 0) for operation in operations])
        for place, operation in enumerate(operations):
            if operation.get("leaf"):
                self.accounts.write(operation["account"], operation["leaf"])
            self._follow(operation, self.height * ORDERS + place)
            self._receive(operation, self.height * ORDERS + place)
        self.history.write(self.height, orders.root())
        self.orders[self.height] = orders
        self.root = H(self.accounts.root(), self.history.root())
        if [orders.root(), self.root] != [batch["ordersRoot"], batch["nextStateRoot"]]:
            raise ValueError(f"batch {self.height} does not lead to its roots")

    def _follow(self, operation, total_index):
        kind, text = operation["kind"], operation["text"]
        if kind == CREATION and self.account is None:
            blinding, *points = opened_by(self.keys, text) or [0]
            if points == [*self.keys.public, *self.keys.user]:
                # Anyone can write such a text: the leaf tells whether the account is that of the keys.
                candidates = [Account(operation["account"], self.keys, key, blinding) for key in self._operators]
                self.account = next((one for one in candidates if one.leaf() == operation["leaf"]), None)
        elif self.account is not None and kind == CREDIT:
            if operation["account"] == self.account.id:
                self._credit(operation, total_index)
        elif self.account is not None and kind in (PAYMENT, REDEMPTION, TRANSFER, CONSENT):
            if operation["account"] == self.account.id:
                self._advance(kind, operation, text)

    def _credit(self, operation, total_index):
        account = self.account
        if account.terms is None:
            raise ValueError("a credit to an account without a consent that its text opens")
        _, _, token, secret = account.terms
        pad = H((secret + operation["leaf"]) % P, total_index, *account.keys.public, account.consent)
        said = (operation["text"][0] - pad) % P
        account.change(token, said % 2**64)
        if said >> 96 or account.leaf() != operation["leaf"]:
            raise ValueError(f"the credit {total_index} is not what its word says")

    def _advance(self, kind, operation, text):
        account = self.account
        account.nonce += 1
        if kind == TRANSFER:
            account.change(operation["token"], -operation["amount"])
        elif kind == CONSENT:
            account.consent, *terms = opened_by(self.keys, text)
            account.terms = terms if consent_of(self.domain, terms) == account.consent else None
        elif kind == REDEMPTION:
            _, _, token, amount, _, account.redemption_index = opened_by(self.keys, text)
            account.change(token, amount)
        else:
            _, _, token, amount, _ = self._paid(operation, text)
            account.change(token, -amount)
        if account.leaf() != operation["leaf"]:
            raise ValueError(f"the operation with nonce {account.nonce} is not what its text says")

    def _paid(self, operation, text):
        """An order of the account, whose receiver's key is not needed."""
        for attempt in range(ATTEMPTS):
            factor = self.keys.factor(self.domain, self.account.nonce, attempt)
            if list(GRUMPKIN.multiply(factor)) != text[1:3]:
                continue
            for key in self._operators:
                order = opened(text, GRUMPKIN.multiply(factor, key), half=1)
                # Of a payment that was credited there is no order, and the leaf says whether it is the one.
                if operation["order"] in (0, H(*order)):
                    return order
        raise ValueError(f"the payment with nonce {self.account.nonce} cannot be read")

    def _receive(self, operation, total_index):
        order = None
        if operation["kind"] == DEPOSIT:
            order = [0, operation["account"], operation["token"], operation["amount"], self._deposits]
            self._deposits += 1
        elif operation["kind"] == PAYMENT:
            order = opened_by(self.keys, operation["text"])
        is_true = order is not None and len(order) == 5 and H(*order) == operation["order"]
        if is_true and self.account is not None and order[1] == self.account.id:
            self.received[total_index] = order

    def open_orders(self):
        """By their total index."""
        redeemed = self.account.redemption_index
        return {index: order for index, order in self.received.items() if index > redeemed}
