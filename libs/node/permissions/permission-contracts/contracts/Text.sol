// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

/// Whether two texts have the same bytes.
function same(string memory one, string memory other) pure returns (bool) {
    return keccak256(bytes(one)) == keccak256(bytes(other));
}
