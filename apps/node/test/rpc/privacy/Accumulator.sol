// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

/// Adds up, and emits an event with each sum.
contract Accumulator {
    uint256 private sum;

    event IncEvent(uint256 value);

    constructor(uint256 first) {
        sum = first;
    }

    function inc(uint256 more) external {
        sum += more;
        emit IncEvent(sum);
    }

    function get() external view returns (uint256) {
        return sum;
    }
}
