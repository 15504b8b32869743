"""Calls of the contract with which a holder leaves, by docs/spec/rollup-exits.md."""

from history import ORDERS
from vectors import words_of
from wallet import Signer, fifteen


class Exit:
    """In: history — the state that the proofs are of, to the last batch; k of what is signed: for vectors alone"""

    def __init__(self, history):
        self._history, self._account = history, history.account
        self._signer = Signer(history.keys, history.domain, history.account.operator)

    def request_transfer(self, recipient, token, amount, k=None):
        nonce = self._account.nonce + 1
        _, _, params = self._signer.transfer(self._account.id, recipient, token, amount, nonce, k)
        transfer = [self._account_proof(), self._balance(token), amount, recipient, words_of(params[-1])]
        return "requestTransfer", self._history.height, transfer

    def request_redemption(self, total_index, factor, k=None):
        order, nonce = self._history.received[total_index], self._account.nonce + 1
        _, text, signature = self._signer.redemption(order, total_index, nonce, factor, k)
        proofs = self._account_proof(), self._balance(order[2]), self._order(total_index)
        return "requestRedemption", self._history.height, [*proofs, fifteen(text), words_of(signature)]

    def claim(self, recipient, k=None):
        signature = self._signer.claim(self._account.id, recipient, k)
        return "claimAccount", [self._account_proof(), recipient, signature]

    def withdraw_balances(self, tokens):
        return "withdrawBalances", self._account.id, [self._balance(token) for token in tokens]

    def withdraw_orders(self, total_indexes):
        return "withdrawOrders", self._account.id, [self._order(index) for index in total_indexes]

    def _account_proof(self):
        account_id, x, y, *rest = self._account.fields()
        siblings = self._history.accounts.siblings(account_id)
        return [account_id, [x, y], *rest, siblings, self._history.history.root()]

    def _balance(self, token):
        return [token, self._account.amounts.get(token, 0), self._account.balances.siblings(token)]

    def _order(self, total_index):
        sender, _, token, amount, blinding = self._history.received[total_index]
        height, place = divmod(total_index, ORDERS)
        siblings = self._history.orders[height].siblings(place), self._history.history.siblings(height)
        return [sender, token, amount, blinding, total_index, *siblings]
