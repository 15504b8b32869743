// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

contract SimpleStorage {
    uint256 private storedData;

    constructor(uint256 initial) {
        storedData = initial;
    }

    function set(uint256 value) external {
        storedData = value;
    }

    function get() external view returns (uint256) {
        return storedData;
    }
}

contract C1 {
    uint256 private x;

    constructor(uint256 initial) {
        x = initial;
    }

    function set(uint256 value) external {
        x = value;
    }

    function get() external view returns (uint256) {
        return x;
    }
}

/// Has a value of its own, and reads and writes that of a C1.
contract C2 {
    C1 private immutable c1;
    uint256 public y;

    constructor(C1 first) {
        c1 = first;
    }

    function set(uint256 value) external {
        y = value;
        c1.set(value);
    }

    function get() external view returns (uint256) {
        return c1.get();
    }

    function restoreFromC1() external {
        y = c1.get();
    }
}
