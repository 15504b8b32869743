// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {PermissionsImplementation} from './PermissionsImplementation.sol';

/// The entry point for admins and nodes. It adds the caller's address and forwards each call to the current implementation,
/// so that its own address stays the same when rules change.
abstract contract PermissionsInterface {
    address private immutable upgradable;
    PermissionsImplementation internal implementation;

    constructor(address upgradable_) {
        upgradable = upgradable_;
    }

    function setPermImplementation(address implementation_) external {
        require(msg.sender == upgradable, 'invalid caller');
        implementation = PermissionsImplementation(implementation_);
    }

    function getPermissionsImpl() external view returns (address) {
        return address(implementation);
    }

    function setPolicy(
        string calldata networkAdminOrg,
        string calldata networkAdminRole,
        string calldata orgAdminRole
    ) external {
        implementation.setPolicy(networkAdminOrg, networkAdminRole, orgAdminRole);
    }

    function init(uint256 breadth, uint256 depth) external {
        implementation.init(breadth, depth);
    }

    function addAdminAccount(address account) external {
        implementation.addAdminAccount(account);
    }

    function updateNetworkBootStatus() external returns (bool) {
        return implementation.updateNetworkBootStatus();
    }

    function updateOrgStatus(string calldata orgId, uint256 action) external {
        implementation.updateOrgStatus(orgId, action, msg.sender);
    }

    function approveOrgStatus(string calldata orgId, uint256 action) external {
        implementation.approveOrgStatus(orgId, action, msg.sender);
    }

    function addNewRole(
        string calldata roleId,
        string calldata orgId,
        uint256 access,
        bool isVoter,
        bool isAdmin
    ) external {
        implementation.addNewRole(roleId, orgId, access, isVoter, isAdmin, msg.sender);
    }

    function removeRole(string calldata roleId, string calldata orgId) external {
        implementation.removeRole(roleId, orgId, msg.sender);
    }

    function assignAdminRole(string calldata orgId, address account, string calldata roleId) external {
        implementation.assignAdminRole(orgId, account, roleId, msg.sender);
    }

    function approveAdminRole(string calldata orgId, address account) external {
        implementation.approveAdminRole(orgId, account, msg.sender);
    }

    function assignAccountRole(address account, string calldata orgId, string calldata roleId) external {
        implementation.assignAccountRole(account, orgId, roleId, msg.sender);
    }

    function updateAccountStatus(string calldata orgId, address account, uint256 action) external {
        implementation.updateAccountStatus(orgId, account, action, msg.sender);
    }

    function startBlacklistedAccountRecovery(string calldata orgId, address account) external {
        implementation.startBlacklistedAccountRecovery(orgId, account, msg.sender);
    }

    function approveBlacklistedAccountRecovery(string calldata orgId, address account) external {
        implementation.approveBlacklistedAccountRecovery(orgId, account, msg.sender);
    }

    function getNetworkBootStatus() external view returns (bool) {
        return implementation.getNetworkBootStatus();
    }

    function getPendingOp(
        string calldata authority
    ) external view returns (string memory, string memory, address, uint256) {
        return implementation.getPendingOp(authority);
    }

    function isNetworkAdmin(address account) external view returns (bool) {
        return implementation.isNetworkAdmin(account);
    }

    function isOrgAdmin(address account, string calldata orgId) external view returns (bool) {
        return implementation.isOrgAdmin(account, orgId);
    }

    function validateAccount(address account, string calldata orgId) external view returns (bool) {
        return implementation.validateAccount(account, orgId);
    }
}
