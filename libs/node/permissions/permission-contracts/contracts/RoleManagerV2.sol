// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {RoleManager} from './RoleManager.sol';

/// Access: 0 none, 1 transfers, 2 deployment, 3 everything, 4 calls, 5 transfers and calls, 6 transfers and
/// deployment, 7 calls and deployment.
contract RoleManagerV2 is RoleManager {
    /// Bits: 1 transfer, 2 deployment, 4 call. One digit for each access, the last one for access 0.
    uint256 private constant ALLOWED = 0x63547210;

    constructor(address upgradable) RoleManager(upgradable, 8) {}

    function roleAccess(
        string calldata roleId,
        string calldata orgId,
        string calldata ultimateParent
    ) external view returns (uint256) {
        return _access(roleId, orgId, ultimateParent);
    }

    /// In: kind — 1 transfer, 2 deployment, 3 call
    function transactionAllowed(
        string calldata roleId,
        string calldata orgId,
        string calldata ultimateParent,
        uint256 kind
    ) external view returns (bool) {
        if (kind == 0 || kind > 3) return false;
        uint256 allowed = ALLOWED >> (4 * _access(roleId, orgId, ultimateParent));
        return allowed & (1 << (kind - 1)) != 0;
    }
}
