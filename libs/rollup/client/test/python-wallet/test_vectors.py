"""All that the vectors say, made by this implementation: python3 -m unittest test_vectors"""

import unittest

from abi import CONTRACT
from curve import GRUMPKIN
from ethereum import address_of
from exits import Exit
from history import History
from poseidon2 import H, Tree, root_of
from vectors import hex_of, vectors, words_of
from wallet import Signer, consent_of, domain_of, encrypted, fifteen, is_signature, keys_of, opened_by, text_hex

OPERATIONS = vectors("operations.json")
ROLLUP = OPERATIONS["rollup"]
DOMAIN = int(ROLLUP["domain"], 16)
OPERATOR = tuple(words_of(ROLLUP["operatorKey"]))
HOLDERS = [keys_of(one["secret"]) for one in vectors("keys.json")]


def number(value):
    return int(value, 0) if isinstance(value, str) else value


class Vectors(unittest.TestCase):
    def test_hashes(self):
        for case in vectors("hash.json"):
            self.assertEqual(hex_of(H(*[int(word, 16) for word in case["words"]])), case["hash"])

    def test_products(self):
        said = vectors("products.json")
        point = GRUMPKIN.point(*words_of(said["point"]))
        for case in said["products"]:
            self.assertEqual(hex_of(*GRUMPKIN.multiply(int(case["scalar"], 16), point)), case["product"])

    def test_keys(self):
        for keys, said in zip(HOLDERS, vectors("keys.json"), strict=True):
            made = {
                **{"secret": said["secret"], "address": address_of(said["secret"])},
                **{"accountKey": hex_of(keys.account), "publicKey": hex_of(*keys.public)},
                **{"encryptionKey": hex_of(keys.encryption), "encryptionPoint": hex_of(*keys.user)},
                "randomizationFactors": [
                    {**factor, "factor": hex_of(keys.factor(DOMAIN, factor["nonce"], factor["attempt"]))}
                    for factor in said["randomizationFactors"]
                ],
            }
            self.assertEqual(made, said)
        self.assertEqual(domain_of(ROLLUP["chainId"], ROLLUP["contract"]), DOMAIN)

    def test_operations(self):
        for said in OPERATIONS["operations"]:
            keys = HOLDERS[said["signer"]]
            with self.subTest(said["kind"]):
                message, method, params = self.made(said, Signer(keys, DOMAIN, OPERATOR))
                self.assertEqual(hex_of(message), said["operationHash"])
                numbers = [number(value) if isinstance(value, int) else value for value in said["request"]["params"]]
                decimal = [int(value) if isinstance(value, str) and value.isdecimal() else value for value in numbers]
                self.assertEqual({"method": method, "params": params}, {**said["request"], "params": decimal})
                self.assertEqual(params[-2] if params[-1] is None else params[-1], said["signature"])
                signature = words_of(said["signature"])
                self.assertTrue(is_signature(keys.public, message, signature))
                self.assertFalse(is_signature(keys.public, message + 1, signature))
                self.assertFalse(is_signature(GRUMPKIN.generator, message, signature))

    @staticmethod
    def made(said, signer):
        """The operation of a vector, from what a holder chooses."""
        k, params = int(said["signingNonce"], 16), said["request"]["params"]
        factor = int(said.get("randomizationFactor", "0x0"), 16)
        order = [number(value) for value in params[:5]]
        if said["kind"] == "createAccount":
            return signer.create(int(params[2], 16), factor, k)
        if said["kind"] == "createMoneyOrder":
            receiver = HOLDERS[1 - said["signer"]]
            direct = said["request"]["method"] == "rollup_createDirectMoneyOrder"
            return signer.pay(order, (receiver.user, OPERATOR), params[7], 0, k, direct)
        if said["kind"] == "setConsent":
            account_id, token, minimum, until, secret, *_, nonce, _ = params
            return signer.set_consent(account_id, [minimum, until, token, int(secret, 16)], nonce, factor, k)
        if said["kind"] == "redeemMoneyOrder":
            return signer.redeem(order, params[5], params[6], factor, k)
        return signer.transfer(*params[:5], k)

    def test_texts(self):
        for said in OPERATIONS["operations"]:
            if "plaintext" not in said:
                self.assertEqual(hex_of(H(*[0] * 15)), said["ciphertextHash"])
                continue
            words = [int(word, 16) for word in said["plaintext"]]
            reader = HOLDERS[1] if said["kind"] == "createMoneyOrder" else HOLDERS[said["signer"]]
            other = next(keys for keys in HOLDERS if keys is not reader)
            text = encrypted(words, (reader.user, OPERATOR), int(said["randomizationFactor"], 16))
            self.assertEqual(text_hex(text), said["ciphertext"])
            self.assertEqual(hex_of(H(*fifteen(text))), said["ciphertextHash"])
            self.assertEqual(opened_by(reader, text), words)
            self.assertNotEqual(opened_by(other, text), words)

    def test_proofs(self):
        proofs = vectors("proofs.json")
        account, order = proofs["account"]["answer"], proofs["moneyOrder"]["answer"]
        balances = Tree(8)
        for token, amount in account["balances"].items():
            balances.write(int(token), int(amount))
        leaf = H(
            *[account["id"], *words_of(account["publicKey"]), H(*words_of(account["jointEncryptionKey"]))],
            *[balances.root(), account["nonce"], account["redemptionIndex"], int(account["blindingFactor"], 16)],
            int(account["consent"], 16),
        )
        self.assertEqual(hex_of(leaf), account["rootHash"])
        terms = [number(account["terms"][name]) for name in ["minimum", "untilHeight", "tokenId", "secret"]]
        self.assertEqual(hex_of(consent_of(DOMAIN, terms)), account["consent"])
        *siblings, history_root = [int(node, 16) for node in account["merkleProof"]]
        root = H(root_of(leaf, account["id"], siblings), history_root)
        self.assertEqual(hex_of(root), proofs["account"]["stateRoot"])
        words = [number(value) for value in order["moneyOrder"].values()]
        siblings = [int(node, 16) for node in order["merkleProof"]]
        orders_root = root_of(H(*words), order["moneyOrderTotalIndex"] % 2**16, siblings)
        self.assertEqual(hex_of(orders_root), proofs["moneyOrder"]["ordersRoot"])

    def test_exits(self):
        exits = vectors("exits.json")
        histories = [History(keys, DOMAIN, [OPERATOR]) for keys in HOLDERS]
        for log in exits["events"]:
            name, event = CONTRACT.event(log)
            self.assertEqual([name, event["height"]], ["TransactionBatchAccepted", log["height"]])
            for history in histories:
                history.apply(event)
                self.assertEqual(hex_of(history.root), log["stateRoot"])
        for said in exits["calls"]:
            with self.subTest(said["function"], signer=said["signer"]):
                self.assertEqual("0x" + CONTRACT.call(*self.call(said, Exit(histories[said["signer"]]))).hex(), said["data"])

    @staticmethod
    def call(said, leaving):
        k = int(said.get("signingNonce", "0x0"), 16)
        if said["function"] == "requestTransfer":
            return leaving.request_transfer(said["recipient"], said["tokenId"], said["amount"], k)
        if said["function"] == "requestRedemption":
            return leaving.request_redemption(said["totalIndex"], int(said["randomizationFactor"], 16), k)
        if said["function"] == "claimAccount":
            return leaving.claim(said["recipient"], k)
        if said["function"] == "withdrawBalances":
            return leaving.withdraw_balances(said["tokenIds"])
        return leaving.withdraw_orders(said["totalIndexes"])


if __name__ == "__main__":
    unittest.main()
