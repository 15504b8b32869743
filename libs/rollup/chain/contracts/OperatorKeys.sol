// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {BatchData} from './BatchData.sol';

/// The encryption keys that the operator has announced, the present one last (docs/adr/0173).
///
/// An account keeps the half that it was made with, so keys are added and never removed. Their number has a bound: who
/// recovers an account may have to try each of them.
abstract contract OperatorKeys {
    event OperatorKeyAnnounced(uint256 indexed index, uint256 x, uint256 y);

    /// No point of Grumpkin, or the present key.
    error InvalidOperatorKey();
    error TooManyOperatorKeys();

    uint256 private constant MAX_KEYS = 64;

    /// The first key, with which the contract was deployed.
    uint256 public immutable operatorKeyX;
    uint256 public immutable operatorKeyY;
    uint256[2][] private keys;

    constructor(uint256[2] memory key) {
        operatorKeyX = key[0];
        operatorKeyY = key[1];
        _announceKey(key);
    }

    /// x and y of each key, in the order in which they were announced.
    function operatorKeys() external view returns (uint256[2][] memory) {
        return keys;
    }

    function _announceKey(uint256[2] memory key) internal {
        uint256 index = keys.length;
        require(index < MAX_KEYS, TooManyOperatorKeys());
        require(_isOnCurve(key[0], key[1]), InvalidOperatorKey());
        if (index != 0) {
            uint256[2] storage present = keys[index - 1];
            require(present[0] != key[0] || present[1] != key[1], InvalidOperatorKey());
        }
        keys.push(key);
        emit OperatorKeyAnnounced(index, key[0], key[1]);
    }

    /// y² = x³ − 17, without which no client could encrypt to it.
    function _isOnCurve(uint256 x, uint256 y) private pure returns (bool) {
        uint256 modulus = BatchData.FIELD_MODULUS;
        if (x >= modulus || y >= modulus) return false;
        uint256 cube = mulmod(mulmod(x, x, modulus), x, modulus);
        return mulmod(y, y, modulus) == addmod(cube, modulus - 17, modulus);
    }
}
