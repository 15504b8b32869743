// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {Poseidon2Constants} from './Poseidon2Constants.sol';

/// Poseidon2 over the scalar field of BN254 with four words of state, as `bb` computes it (docs/spec/rollup-wallets.md).
///
/// 2^256 is more than five times the modulus p, so up to five words below p are added without a reduction. In: words below p
library Poseidon2 {
    uint256 internal constant MODULUS = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001;

    /// Of the internal matrix, less one.
    uint256 private constant DIAGONAL_A =
        0x10dc6e9c006ea38b04b1e03b4bd9490c0d03f98929ca1d7fb56821fd19d3b6e7;
    uint256 private constant DIAGONAL_B =
        0x0c28145b6a44df3e0149b3d0a30b3bb599df9756d4dd9b84a86b38cfb45a740b;
    uint256 private constant DIAGONAL_C =
        0x00544b8338791518b2c7645a50392798b21f75bb60e3596170067d00141cac15;
    uint256 private constant DIAGONAL_D =
        0x222c01175718386f2e2e82eb122789e352e105a3b8fa852613bc534433ee428b;

    /// In: what `Poseidon2Constants.load` gave
    function hash2(uint256 table, uint256 left, uint256 right) internal pure returns (uint256 hash) {
        (hash, , , ) = permute(table, left, right, 0, 2 << 64);
    }

    /// Of any number of words, which are in memory one after the other.
    function hashWords(uint256 table, uint256[] memory words) internal pure returns (uint256) {
        uint256 count = words.length;
        (uint256 a, uint256 b, uint256 c, uint256 d) = (0, 0, 0, count << 64);
        for (uint256 start = 0; start < count || start == 0; start += 3) {
            if (start < count) a = addmod(a, words[start], MODULUS);
            if (start + 1 < count) b = addmod(b, words[start + 1], MODULUS);
            if (start + 2 < count) c = addmod(c, words[start + 2], MODULUS);
            (a, b, c, d) = permute(table, a, b, c, d);
        }
        return a;
    }

    /// Out: words below p
    function permute(
        uint256 table,
        uint256 a,
        uint256 b,
        uint256 c,
        uint256 d
    ) internal pure returns (uint256, uint256, uint256, uint256) {
        (a, b, c, d) = _external(a, b, c, d);
        (a, b, c, d) = _fullRounds(table, a, b, c, d);
        (a, b, c, d) = _partialRounds(table + 0x200, a, b, c, d);
        return _fullRounds(table + 0x900, a, b, c, d);
    }

    function _external(
        uint256 a,
        uint256 b,
        uint256 c,
        uint256 d
    ) private pure returns (uint256, uint256, uint256, uint256) {
        assembly ('memory-safe') {
            let p := MODULUS
            let ab := add(a, b)
            let cd := add(c, d)
            let even := add(add(b, b), cd)
            let odd := add(add(d, d), ab)
            d := addmod(mulmod(cd, 4, p), odd, p)
            b := addmod(mulmod(ab, 4, p), even, p)
            a := addmod(odd, b, p)
            c := addmod(even, d, p)
        }
        return (a, b, c, d);
    }

    /// Four rounds with constants from the offset on.
    function _fullRounds(
        uint256 offset,
        uint256 a,
        uint256 b,
        uint256 c,
        uint256 d
    ) private pure returns (uint256, uint256, uint256, uint256) {
        assembly ('memory-safe') {
            let p := MODULUS
            for { let end := add(offset, 0x200) } lt(offset, end) { offset := add(offset, 0x80) } {
                a := add(a, mload(offset))
                b := add(b, mload(add(offset, 0x20)))
                c := add(c, mload(add(offset, 0x40)))
                d := add(d, mload(add(offset, 0x60)))
                let square := mulmod(a, a, p)
                a := mulmod(mulmod(square, square, p), a, p)
                square := mulmod(b, b, p)
                b := mulmod(mulmod(square, square, p), b, p)
                square := mulmod(c, c, p)
                c := mulmod(mulmod(square, square, p), c, p)
                square := mulmod(d, d, p)
                d := mulmod(mulmod(square, square, p), d, p)
                let ab := add(a, b)
                let cd := add(c, d)
                let even := add(add(b, b), cd)
                let odd := add(add(d, d), ab)
                d := addmod(mulmod(cd, 4, p), odd, p)
                b := addmod(mulmod(ab, 4, p), even, p)
                a := addmod(odd, b, p)
                c := addmod(even, d, p)
            }
        }
        return (a, b, c, d);
    }

    /// 56 rounds, two at a time: a literal that is there more often is copied from the code by the compiler, which costs more.
    /// After each round a word is the sum of two that are below p.
    function _partialRounds(
        uint256 offset,
        uint256 a,
        uint256 b,
        uint256 c,
        uint256 d
    ) private pure returns (uint256, uint256, uint256, uint256) {
        assembly ('memory-safe') {
            let p := MODULUS
            for { let end := add(offset, 0x700) } lt(offset, end) { offset := add(offset, 0x40) } {
                let sum
                let square
                a := add(a, mload(offset))
                square := mulmod(a, a, p)
                a := mulmod(mulmod(square, square, p), a, p)
                sum := addmod(add(a, b), add(c, d), p)
                a := add(mulmod(a, DIAGONAL_A, p), sum)
                b := add(mulmod(b, DIAGONAL_B, p), sum)
                c := add(mulmod(c, DIAGONAL_C, p), sum)
                d := add(mulmod(d, DIAGONAL_D, p), sum)
                a := add(a, mload(add(offset, 0x20)))
                square := mulmod(a, a, p)
                a := mulmod(mulmod(square, square, p), a, p)
                sum := addmod(add(a, b), add(c, d), p)
                a := add(mulmod(a, DIAGONAL_A, p), sum)
                b := add(mulmod(b, DIAGONAL_B, p), sum)
                c := add(mulmod(c, DIAGONAL_C, p), sum)
                d := add(mulmod(d, DIAGONAL_D, p), sum)
            }
        }
        return (a, b, c, d);
    }
}
