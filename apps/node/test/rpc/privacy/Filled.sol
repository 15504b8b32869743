// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// A contract of many slots.
contract Filled {
    mapping(uint256 => uint256) public slots;

    function fill(uint256 from, uint256 count) external {
        for (uint256 index = from; index < from + count; index++) slots[index] = index + 1;
    }

    function sum(uint256 from, uint256 count) external view returns (uint256 total) {
        for (uint256 index = from; index < from + count; index++) total += slots[index];
    }
}
