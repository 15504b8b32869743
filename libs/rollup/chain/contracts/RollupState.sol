// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

/// Roots of the state after each batch, and whether further batches are accepted.
abstract contract RollupState {
    /// From now on holders withdraw from the state after this batch, for good.
    event Frozen(uint256 indexed height, uint256 stateRoot);

    error RollupFrozen();
    error NotFrozen();

    /// Root of a state without accounts and batches: `H(empty account tree, empty history tree)`.
    uint256 private constant EMPTY_STATE_ROOT =
        0x0eac941877088e948f7aad90a3d7e39cfd388da73053403a3f37194698ef951f;

    /// Part of every signed message: which chain and which contract it is for.
    uint256 public immutable domain;

    uint256 public stateRoot = EMPTY_STATE_ROOT;
    /// Batches so far; the first has height 1.
    uint256 public height;
    /// State root after each batch.
    mapping(uint256 height => uint256) public stateRootAt;
    bool public frozen;

    constructor() {
        domain = uint256(keccak256(abi.encode(block.chainid, address(this)))) >> 8;
        stateRootAt[0] = EMPTY_STATE_ROOT;
    }

    modifier whileServed() {
        require(!frozen, RollupFrozen());
        _;
    }

    modifier whenFrozen() {
        require(frozen, NotFrozen());
        _;
    }

    function _append(uint256 nextStateRoot) internal returns (uint256 newHeight) {
        newHeight = height + 1;
        height = newHeight;
        stateRoot = nextStateRoot;
        stateRootAt[newHeight] = nextStateRoot;
    }

    function _freeze() internal {
        frozen = true;
        emit Frozen(height, stateRoot);
    }
}
