// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {PermissionsImplementation} from './PermissionsImplementation.sol';
import {PermissionsInterface} from './PermissionsInterface.sol';

/// Holds the address of the current implementation. Managers accept calls from it only, and nodes call the interface only, so
/// that the guardian can replace the rules while all records stay.
contract PermissionsUpgradable {
    address private immutable guardian;
    address private implementation;
    address private permissionsInterface;
    bool private initialized;

    modifier onlyGuardian() {
        require(msg.sender == guardian, 'invalid caller');
        _;
    }

    constructor(address guardian_) {
        guardian = guardian_;
    }

    /// Connects the contracts, once.
    function init(address interface_, address implementation_) external onlyGuardian {
        require(!initialized, 'can be executed only once');
        initialized = true;
        permissionsInterface = interface_;
        _use(implementation_);
    }

    /// The new implementation gets the policy and the boot status of the previous one.
    function confirmImplChange(address proposed) external onlyGuardian {
        (string memory org, string memory role, string memory orgRole, bool booted) = PermissionsImplementation(implementation)
            .getPolicyDetails();
        PermissionsImplementation(proposed).setMigrationPolicy(org, role, orgRole, booted);
        _use(proposed);
    }

    function getGuardian() external view returns (address) {
        return guardian;
    }

    function getPermImpl() external view returns (address) {
        return implementation;
    }

    function getPermInterface() external view returns (address) {
        return permissionsInterface;
    }

    function _use(address implementation_) private {
        implementation = implementation_;
        PermissionsInterface(permissionsInterface).setPermImplementation(implementation_);
    }
}
