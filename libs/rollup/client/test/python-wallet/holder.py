"""An account holder with an operator and a contract: creates, pays, redeems, checks what it is told, and leaves."""

from abi import CONTRACT
from ethereum import JsonRpc, RpcError
from exits import Exit
from history import ORDERS, History
from poseidon2 import H, Tree, root_of
from vectors import hex_of, words_of
from wallet import Signer, domain_of, keys_of, random_scalar, random_word

_ORDER = ["fromAccountId", "toAccountId", "tokenId", "amount", "blindingFactor"]
_ETHER = 0


def _number(value):
    """Of an answer: a JSON integer, or text."""
    return int(value, 0) if isinstance(value, str) else value


class Contract:
    def __init__(self, url, address):
        self.chain, self.address = JsonRpc(url), address
        self.domain = domain_of(int(self.chain.ask("eth_chainId"), 16), address)
        if self.domain != self.read("domain"):
            raise ValueError(f"{address} is another rollup")
        if self.read("exitRules") != 4:
            raise ValueError(f"{address} has other rules of exits")
        self.operators = [tuple(key) for key in self.read("operatorKeys")]

    def read(self, name, *values):
        data = "0x" + CONTRACT.call(name, *values).hex()
        answer = self.chain.ask("eth_call", {"to": self.address, "data": data}, "latest")
        return CONTRACT.result(name, bytes.fromhex(answer[2:]))

    def send(self, secret, name, *values, wei=0):
        try:
            return self.chain.send(secret, self.address, CONTRACT.call(name, *values), wei)
        except RpcError as error:
            refusal = error.data if isinstance(error.data, str) else "0x"
            name_of_error = CONTRACT.error_name(bytes.fromhex(refusal[2:]))
            raise error if name_of_error is None else ValueError(f"the contract refuses: {name_of_error}") from error

    def batches(self):
        """Values of the events of accepted batches, in order."""
        logs = self.chain.ask("eth_getLogs", {"address": self.address, "fromBlock": "0x0", "toBlock": "latest"})
        events = [event for event in map(CONTRACT.event, logs) if event is not None]
        return [values for name, values in events if name == "TransactionBatchAccepted"]


class Holder:
    """In: secret of the account; URLs of an Ethereum client and of the operator; address of the contract"""

    def __init__(self, secret, chain, operator, contract):
        self.keys, self._secret = keys_of(secret), secret
        self.contract, self._operator = Contract(chain, contract), JsonRpc(operator)
        self.id = None

    def _signer(self, operator):
        """In: operator — its key in the joint key of the account"""
        return Signer(self.keys, self.contract.domain, operator)

    def create_account(self):
        _, method, params = self._signer(self.contract.operators[-1]).create(random_word(), random_scalar())
        return self._operator.ask(method, *params)

    def find_account(self):
        """Its id once the account is final."""
        found = self._operator.ask("pazkp_findAccountByPublicKey", hex_of(*self.keys.public))
        if found is None:
            return None
        self.id = found["id"]
        self.state()
        return self.id

    def deposit(self, amount):
        if amount < self.contract.read("minDeposit"):
            raise ValueError(f"{amount} units are less than the contract takes")
        unit = self.contract.read("tokens", _ETHER)["unit"]
        self.contract.send(self._secret, "registerInboundTransferETH", self.id, wei=amount * unit)

    def state(self, account_id=None):
        """A final account of the operator's answer, proved to be in a state that the contract has."""
        said = self._operator.ask("rollup_getAccountState", account_id or self.id)
        balances = Tree(8)
        for token, amount in said["balances"].items():
            balances.write(int(token), _number(amount))
        numbers = [said["nonce"], said["redemptionIndex"], int(said["blindingFactor"], 16), int(said["consent"], 16)]
        joint_key_hash = H(*words_of(said["jointEncryptionKey"]))
        leaf = H(said["id"], *words_of(said["publicKey"]), joint_key_hash, balances.root(), *numbers)
        *siblings, history_root = [int(node, 16) for node in said["merkleProof"]]
        root = H(root_of(leaf, said["id"], siblings), history_root)
        heights = range(self.contract.read("height"), -1, -1)
        if len(siblings) != 28 or not any(self.contract.read("stateRootAt", height) == root for height in heights):
            raise ValueError(f"the state of account {said['id']} is not one of the contract's")
        return said

    def received(self):
        """Orders to redeem, each with its total index, proved to be in a batch of the contract's."""
        listed = self._operator.ask(
            *["pazkp_listMoneyOrdersReceived", 0, 100, None, self.id, "AVAILABLE_TO_REDEEM", None, None]
        )
        return [self._checked_order(item["moneyOrderTotalIndex"]) for item in listed["items"]]

    def _checked_order(self, total_index):
        said = self._operator.ask("pazkp_findReceivedMoneyOrder", self.id, total_index)
        order = [_number(said["moneyOrder"][name]) for name in _ORDER]
        height, place = divmod(total_index, ORDERS)
        siblings = [int(node, 16) for node in said["merkleProof"]]
        batch = next(batch for batch in self.contract.batches() if batch["height"] == height)["batch"]
        if len(siblings) != 12 or root_of(H(*order), place, siblings) != batch["ordersRoot"]:
            raise ValueError(f"order {total_index} is not in batch {height}")
        return order, total_index

    def _next_nonce(self):
        return self._operator.ask("pazkp_getAccountNonce", self.id)["nonce"] + 1

    def redeem(self):
        """The earliest order that is open."""
        order, total_index = self.received()[0]
        operator = tuple(words_of(self.state()["jointEncryptionKey"])[2:])
        return self._submit(self._signer(operator).redeem(order, total_index, self._next_nonce(), random_scalar()))

    def _submit(self, made):
        message, method, params = made
        said = self._operator.ask(method, *params)["operationHash"]
        if said != hex_of(message):
            raise ValueError(f"the operator has taken {said} for {hex_of(message)}")
        return said

    def pay(self, to, public_key, amount):
        """In: public_key — what the receiver has told"""
        receiver = self.state(to)
        if receiver["publicKey"] != public_key:
            raise ValueError(f"account {to} has another public key than its holder said")
        x, y, *operator = words_of(receiver["jointEncryptionKey"])
        order = [self.id, to, _ETHER, amount, random_word()]
        signer = self._signer(None)
        return self._submit(signer.pay(order, ((x, y), tuple(operator)), self._next_nonce()))

    def transfer(self, recipient, amount):
        made = self._signer(None).transfer(self.id, recipient, _ETHER, amount, self._next_nonce())
        return self._submit(made)

    # From here on the operator is not asked.

    def history(self):
        history = History(self.keys, self.contract.domain, self.contract.operators)
        for batch in self.contract.batches():
            history.apply(batch)
        if history.root != self.contract.read("stateRoot"):
            raise ValueError("the events do not lead to the state of the contract")
        return history

    def request_transfer(self, recipient, amount):
        self._send(*Exit(self.history()).request_transfer(recipient, _ETHER, amount))

    def request_redemption(self):
        """Of the latest order, for which those before it are given up."""
        history = self.history()
        self._send(*Exit(history).request_redemption(max(history.open_orders()), random_scalar()))

    def overdue_at(self):
        return self.contract.read("overdueAt", self.history().account.id)

    def announce(self):
        """From `announcementTime` before the request is overdue on."""
        self.contract.send(self._secret, "announceByRequest", self.history().account.id)

    def announcement_time(self):
        return self.contract.read("announcementTime")

    def freezes_at(self):
        """Of a request that was announced."""
        announced = self.contract.read("requests", self.history().account.id)["announcedAt"]
        return max(self.overdue_at(), announced + self.announcement_time())

    def freeze(self):
        self.contract.send(self._secret, "freezeByRequest", self.history().account.id)

    def claim(self, recipient):
        self._send(*Exit(self.history()).claim(recipient))

    def withdraw_balances(self):
        history = self.history()
        tokens = [token for token, amount in history.account.amounts.items() if amount > 0]
        self._send(*Exit(history).withdraw_balances(tokens))

    def withdraw_orders(self):
        history = self.history()
        self._send(*Exit(history).withdraw_orders(history.open_orders()))

    def _send(self, name, *values):
        self.contract.send(self._secret, name, *values)
