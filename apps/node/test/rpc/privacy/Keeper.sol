// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

/// Keeps a text where private text may be kept: in storage, in logs, and in the reason of a revert.
contract Keeper {
    bytes public kept;

    event Kept(bytes text);

    constructor(bytes memory text) {
        kept = text;
        emit Kept(text);
    }

    function keep(bytes calldata text) external {
        kept = text;
        emit Kept(text);
    }

    function fail(string calldata reason) external pure {
        revert(reason);
    }
}
