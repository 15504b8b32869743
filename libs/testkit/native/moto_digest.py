"""Moto with the one thing that its KMS lacks: a message of the type DIGEST is signed as it is, and not hashed again."""

import sys

from cryptography.hazmat.primitives.asymmetric import ec, utils
from moto.kms import utils as kms
from moto.server import main

hash_of = kms.ECDSAPrivateKey._ECDSAPrivateKey__hash_algorithm


def sign_digest(self, message, signing_algorithm):
    kms.validate_signing_algorithm(signing_algorithm, self.valid_signing_algorithms)
    algorithm = utils.Prehashed(hash_of(self, signing_algorithm))
    return self.private_key.sign(message, ec.ECDSA(algorithm))


kms.ECDSAPrivateKey.sign = sign_digest
main(sys.argv[1:])
