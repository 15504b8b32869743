// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

/// What the other contracts ask PermissionsUpgradable.
interface Upgradable {
    function getPermImpl() external view returns (address);

    function getPermInterface() external view returns (address);
}

/// A keeper of records that takes orders from the current implementation alone.
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
