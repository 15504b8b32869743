// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {Poseidon2} from './Poseidon2.sol';

/// Trees of fixed depth: nodes are H(left, right), index bits lowest first.
library MerkleTree {
    /// A sibling that is not below the modulus.
    error InvalidSibling();

    /// The root above a leaf. In: siblings — where in the call data they begin, so many as the tree is deep
    function rootOf(
        uint256 table,
        uint256 node,
        uint256 index,
        uint256 siblings,
        uint256 depth
    ) internal pure returns (uint256) {
        for (uint256 level = 0; level < depth; level++) {
            uint256 sibling;
            assembly ('memory-safe') {
                sibling := calldataload(add(siblings, mul(32, level)))
            }
            require(sibling < Poseidon2.MODULUS, InvalidSibling());
            node = (index >> level) & 1 == 0
                ? Poseidon2.hash2(table, node, sibling)
                : Poseidon2.hash2(table, sibling, node);
        }
        return node;
    }
}
