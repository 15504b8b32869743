// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {Poseidon2} from './Poseidon2.sol';

/// Schnorr signatures over Grumpkin, y² = x³ − 17 over the scalar field of BN254 (docs/spec/rollup-wallets.md).
///
/// Accepts at most what the batch circuit accepts: each coordinate is below the modulus, the key is on the curve, and s and e are
/// from 1 to the order less one.
library Grumpkin {
    struct Signature {
        uint256 rx;
        uint256 ry;
        uint256 s;
    }

    /// As `Poseidon2.MODULUS`: assembly takes numbers only.
    uint256 private constant P = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001;
    /// Number of points, a prime.
    uint256 private constant ORDER = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47;
    uint256 private constant GENERATOR_X = 1;
    uint256 private constant GENERATOR_Y = 0x2cf135e7506a45d632d270d45f1181294833fc48d823f272c;

    /// Whether s · G = R + e · P with e = H(R.x, R.y, P.x, P.y, message).
    function isSigned(
        uint256 table,
        uint256[2] memory key,
        uint256 message,
        Signature memory signature
    ) internal view returns (bool) {
        uint256 s = signature.s;
        if (s == 0 || s >= ORDER || signature.rx >= P || signature.ry >= P) return false;
        if (!isOnCurve(key[0], key[1])) return false;
        uint256[] memory words = new uint256[](5);
        (words[0], words[1]) = (signature.rx, signature.ry);
        (words[2], words[3], words[4]) = (key[0], key[1], message);
        uint256 e = Poseidon2.hashWords(table, words);
        if (e == 0) return false;
        (uint256 x, uint256 y, uint256 z) = _difference(s, e, key[0], key[1]);
        return _isPoint(x, y, z, signature.rx, signature.ry);
    }

    /// Infinity has no coordinates, and (0, 0) is not on the curve.
    function isOnCurve(uint256 x, uint256 y) internal pure returns (bool) {
        if (x >= P || y >= P) return false;
        return mulmod(y, y, P) == addmod(mulmod(mulmod(x, x, P), x, P), P - 17, P);
    }

    /// s · G − e · (keyX, keyY), Jacobian: (X / Z², Y / Z³), and Z is 0 at infinity. In: a point of the curve
    function _difference(
        uint256 s,
        uint256 e,
        uint256 keyX,
        uint256 keyY
    ) private view returns (uint256 x, uint256 y, uint256 z) {
        keyY = P - keyY; // The order is odd: no point has y = 0.
        (uint256 sumX, uint256 sumY, bool isFinite) = _sumWithGenerator(keyX, keyY);
        for (uint256 bit = 1 << 253; bit != 0; bit >>= 1) {
            (x, y, z) = _double(x, y, z);
            if (s & bit == 0) {
                if (e & bit != 0) (x, y, z) = _add(x, y, z, keyX, keyY);
            } else if (e & bit == 0) {
                (x, y, z) = _add(x, y, z, GENERATOR_X, GENERATOR_Y);
            } else if (isFinite) {
                (x, y, z) = _add(x, y, z, sumX, sumY);
            }
        }
    }

    /// G + (x, y) with Z = 1.
    function _sumWithGenerator(uint256 x, uint256 y) private view returns (uint256, uint256, bool) {
        (uint256 sumX, uint256 sumY, uint256 z) = _add(x, y, 1, GENERATOR_X, GENERATOR_Y);
        if (z == 0) return (0, 0, false);
        uint256 inverse = _invert(z);
        uint256 square = mulmod(inverse, inverse, P);
        return (mulmod(sumX, square, P), mulmod(sumY, mulmod(square, inverse, P), P), true);
    }

    function _double(
        uint256 x,
        uint256 y,
        uint256 z
    ) private pure returns (uint256 x3, uint256 y3, uint256 z3) {
        assembly ('memory-safe') {
            let p := P
            z3 := mulmod(add(y, y), z, p)
            let b := mulmod(y, y, p)
            let d := mulmod(mulmod(x, 4, p), b, p)
            let e := mulmod(mulmod(x, x, p), 3, p)
            x3 := addmod(mulmod(e, e, p), sub(add(p, p), add(d, d)), p)
            y3 := addmod(mulmod(e, add(d, sub(p, x3)), p), sub(p, mulmod(mulmod(b, b, p), 8, p)), p)
        }
    }

    /// (x, y, z) + (qx, qy), whichever points they are.
    function _add(
        uint256 x,
        uint256 y,
        uint256 z,
        uint256 qx,
        uint256 qy
    ) private pure returns (uint256 x3, uint256 y3, uint256 z3) {
        if (z == 0) return (qx, qy, 1);
        uint256 h;
        uint256 r;
        assembly ('memory-safe') {
            let p := P
            let square := mulmod(z, z, p)
            h := addmod(mulmod(qx, square, p), sub(p, x), p)
            r := addmod(mulmod(qy, mulmod(square, z, p), p), sub(p, y), p)
            let h2 := mulmod(h, h, p)
            let h3 := mulmod(h2, h, p)
            let v := mulmod(x, h2, p)
            x3 := addmod(mulmod(r, r, p), sub(mul(p, 3), add(h3, add(v, v))), p)
            y3 := addmod(mulmod(r, add(v, sub(p, x3)), p), sub(p, mulmod(y, h3, p)), p)
            z3 := mulmod(z, h, p)
        }
        if (h == 0 && r == 0) return _double(x, y, z);
    }

    function _isPoint(uint256 x, uint256 y, uint256 z, uint256 rx, uint256 ry) private pure returns (bool) {
        if (z == 0) return false;
        uint256 square = mulmod(z, z, P);
        return x == mulmod(rx, square, P) && y == mulmod(ry, mulmod(square, z, P), P);
    }

    /// By Fermat: the precompiled contract 5 raises it to p − 2. In: not 0
    function _invert(uint256 value) private view returns (uint256 inverse) {
        (bool success, bytes memory answer) =
            address(5).staticcall(abi.encode(uint256(32), uint256(32), uint256(32), value, P - 2, P));
        assert(success && answer.length == 32);
        return abi.decode(answer, (uint256));
    }
}
