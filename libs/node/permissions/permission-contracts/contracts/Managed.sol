// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

/// The part of PermissionsUpgradable that the other contracts call.
interface Upgradable {
    function getPermImpl() external view returns (address);

    function getPermInterface() external view returns (address);
}

/// A contract with records that only the current implementation may change.
abstract contract Managed {
    Upgradable private immutable upgradable;

    modifier onlyImplementation() {
        require(msg.sender == upgradable.getPermImpl(), 'invalid caller');
        _;
    }

    constructor(address upgradable_) {
        upgradable = Upgradable(upgradable_);
    }
}
