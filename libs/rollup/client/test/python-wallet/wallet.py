"""Keys, texts, operations and signatures of an account holder."""

import hmac
import secrets

from curve import GRUMPKIN
from ethereum import keccak256
from poseidon2 import H, P
from vectors import bytes_of, hex_of, words_of

N = GRUMPKIN.order
KINDS = {"createAccount": 1, "createMoneyOrder": 2, "redeemMoneyOrder": 3, "outboundTransfer": 4, "setConsent": 6}
_CLAIM = 2**252


def _scalar(digest):
    return int.from_bytes(digest, "big") % (N - 1) + 1


def random_scalar():
    return 1 + secrets.randbelow(N - 1)


def random_word():
    return secrets.randbelow(P)


def _derived(secret, info):
    """HKDF (RFC 5869) with SHA-512, whose output is one block."""
    extracted = hmac.digest(bytes(64), bytes.fromhex(secret[2:]), "sha512")
    return _scalar(hmac.digest(extracted, info + b"\x01", "sha512"))


def keys_of(secret):
    """Of one secret of 32 bytes, as hex, which is the key of an Ethereum account too."""
    infos = b"tetrad rollup account key", b"tetrad rollup encryption key"
    return Keys(*[_derived(secret, info) for info in infos])


class Keys:
    """In: two scalars, however they were drawn"""

    def __init__(self, account, encryption):
        self.account, self.encryption = account, encryption
        self.public, self.user = GRUMPKIN.multiply(account), GRUMPKIN.multiply(encryption)

    def factor(self, domain, nonce, attempt):
        """Of the text of a payment."""
        return _scalar(hmac.digest(bytes_of(self.account), bytes_of(domain, nonce, attempt), "sha512"))


def domain_of(chain_id, contract):
    return int.from_bytes(keccak256(bytes_of(chain_id, int(contract, 16))), "big") >> 8


def encrypted(words, joint_key, factor):
    """The words of a text: count, C0, words of the user, words of the operator."""
    masked = []
    for half in joint_key:
        shared = GRUMPKIN.multiply(factor, half)
        masked += [(word + H(*shared, place)) % P for place, word in enumerate(words)]
    return [len(words), *GRUMPKIN.multiply(factor), *masked]


def opened(text, shared, half=0):
    """In: shared — K; half — 0 for the words of the user, 1 for those of the operator"""
    count = text[0]
    masked = text[3 + half * count : 3 + (half + 1) * count]
    return [(word - H(*shared, place)) % P for place, word in enumerate(masked)]


def opened_by(keys, text):
    """What the words of the user say to the keys; None for fifteen words that are no text, which others may publish."""
    if not (1 <= text[0] <= 6 and GRUMPKIN.contains(*text[1:3])) or any(text[3 + 2 * text[0] :]):
        return None
    return opened(text, GRUMPKIN.multiply(keys.encryption, (text[1], text[2])))


def fifteen(text):
    return text + [0] * (15 - len(text))


def text_hex(text):
    return "0x" + (text[0].to_bytes(8, "big") + bytes_of(*text[1:])).hex()


def operation_hash(domain, kind, fields, text=()):
    return H(domain * 8 + KINDS[kind], *fields, *[0] * (7 - len(fields)), H(*fifteen(list(text))))


def consent_of(domain, terms):
    """The ninth word of a leaf. In: terms — minimum, until height, token, secret; None for no consent"""
    return 0 if terms is None else H(domain * 8 + 7, *terms, 0, 0, 0, 0)


def claim_hash(domain, account_id, recipient):
    return H(_CLAIM + domain, account_id, int(recipient, 16))


def sign(keys, message, k=None):
    """In: k — for vectors alone"""
    k = k or random_scalar()
    x, y = GRUMPKIN.multiply(k)
    return x, y, (k + H(x, y, *keys.public, message) * keys.account) % N


def is_signature(public, message, signature):
    x, y, s = signature
    challenge = H(x, y, *public, message) % N
    right = GRUMPKIN.add(GRUMPKIN.point(x, y), GRUMPKIN.multiply(challenge, public))
    return 0 < s < N and GRUMPKIN.multiply(s) == right


class Signer:
    """Operations of one holder in one rollup, as requests to its operator."""

    def __init__(self, keys, domain, operator):
        self.keys, self.domain, self.own = keys, domain, (keys.user, operator)

    def _signed(self, kind, fields, text=(), k=None):
        message = operation_hash(self.domain, kind, fields, text)
        return message, hex_of(*sign(self.keys, message, k))

    def create(self, blinding, factor, k=None):
        public, joint = self.keys.public, [*self.own[0], *self.own[1]]
        text = encrypted([blinding, *public, *self.own[0]], self.own, factor)
        message, signature = self._signed("createAccount", [*public, *joint, blinding], text, k)
        params = [hex_of(*public), hex_of(*joint), hex_of(blinding), text_hex(text), hex_of(factor), signature]
        return message, "pazkp_createAccount", params

    def pay(self, order, joint_key, nonce, attempt=0, k=None, direct=False):
        """In: order — from, to, token, amount, blinding; joint_key — of the receiver; direct — it may be credited"""
        factor = self.keys.factor(self.domain, nonce, attempt)
        text = encrypted(order, joint_key, factor)
        message, signature = self._signed("createMoneyOrder", [*order, nonce, int(direct)], text, k)
        params = [*order[:4], hex_of(order[4]), text_hex(text), hex_of(factor), nonce, signature]
        return message, "rollup_createDirectMoneyOrder" if direct else "pazkp_createMoneyOrder", params

    def redemption(self, order, total_index, nonce, factor, k=None):
        """Message, text and signature of a redemption."""
        text = encrypted([*order, total_index], self.own, factor)
        message, signature = self._signed("redeemMoneyOrder", [*order, total_index, nonce], text, k)
        return message, text, signature

    def redeem(self, order, total_index, nonce, factor, k=None):
        message, text, signature = self.redemption(order, total_index, nonce, factor, k)
        params = [*order[:4], hex_of(order[4]), total_index, nonce, text_hex(text), hex_of(factor), signature, None]
        return message, "pazkp_redeemMoneyOrder", params

    def transfer(self, account_id, recipient, token, amount, nonce, k=None):
        fields = [account_id, int(recipient, 16), token, amount, nonce]
        message, signature = self._signed("outboundTransfer", fields, k=k)
        return message, "pazkp_createOutboundTransfer", [account_id, recipient, token, amount, nonce, signature]

    def set_consent(self, account_id, terms, nonce, factor, k=None):
        """In: terms — minimum, until height, token, secret; None to end the consent"""
        consent = consent_of(self.domain, terms)
        text = encrypted([consent, *(terms or [0] * 4)], self.own, factor)
        message, signature = self._signed("setConsent", [account_id, consent, 0, 0, nonce], text, k)
        shown = [text_hex(text), hex_of(factor), nonce, signature]
        if terms is None:
            return message, "rollup_revokeConsent", [account_id, *shown]
        minimum, until, token, secret = terms
        return message, "rollup_setConsent", [account_id, token, minimum, until, hex_of(secret), *shown]

    def claim(self, account_id, recipient, k=None):
        return words_of(hex_of(*sign(self.keys, claim_hash(self.domain, account_id, recipient), k)))
