// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

contract SimpleStorage {
    uint256 private value;

    constructor(uint256 first) {
        value = first;
    }

    function set(uint256 x) external {
        value = x;
    }

    function get() external view returns (uint256) {
        return value;
    }
}

/// Creates a child alone, or two children in one transaction, and calls both.
contract StorageMaster {
    SimpleStorage private c2;
    SimpleStorage private c3;
    SimpleStorage public child;

    function createSimpleStorage(uint256 first) external {
        child = new SimpleStorage(first);
    }

    function createSimpleStorageC2C3(uint256 first) external {
        c2 = new SimpleStorage(first);
        c3 = new SimpleStorage(first);
    }

    function setC2C3Value(uint256 x) external {
        c2.set(x);
        c3.set(x);
    }

    function getC2C3Value() external view returns (uint256) {
        return c2.get() + c3.get();
    }
}
