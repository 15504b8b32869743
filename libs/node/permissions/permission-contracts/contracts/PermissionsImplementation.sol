// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {PermissionsPolicy} from './PermissionsPolicy.sol';
import {same} from './Text.sol';

/// The rules: the required rights of each operation, the operations that need votes, and the records that change together.
/// The models implement the operations on nodes.
abstract contract PermissionsImplementation is PermissionsPolicy {
    uint256 internal constant ADD_ORG = 1;
    uint256 internal constant SUSPEND_ORG = 2;
    uint256 internal constant REVOKE_SUSPENSION = 3;
    uint256 internal constant ASSIGN_ADMIN = 4;
    uint256 internal constant RECOVER_NODE = 5;
    uint256 internal constant RECOVER_ACCOUNT = 6;

    uint256 internal constant START_RECOVERY = 4;
    uint256 internal constant FINISH_RECOVERY = 5;

    constructor(
        address upgradable,
        address orgs,
        address roles,
        address accounts,
        address voters
    ) PermissionsPolicy(upgradable, orgs, roles, accounts, voters) {}

    // Orgs.

    function updateOrgStatus(
        string calldata orgId,
        uint256 action,
        address caller
    ) external onlyInterface onlyNetworkAdmin(caller) {
        _propose(orgId, '', address(0), orgManager.updateOrg(orgId, action));
    }

    function approveOrgStatus(
        string calldata orgId,
        uint256 action,
        address caller
    ) external onlyInterface onlyNetworkAdmin(caller) {
        require(action == 1 || action == 2, 'Operation not allowed');
        require(orgManager.checkOrgStatus(orgId, action == 1 ? 3 : 5), 'operation not allowed');
        if (_vote(caller, action == 1 ? SUSPEND_ORG : REVOKE_SUSPENSION)) {
            orgManager.approveOrgStatusUpdate(orgId, action);
        }
    }

    // Roles.

    function addNewRole(
        string calldata roleId,
        string calldata orgId,
        uint256 access,
        bool isVoter,
        bool isAdmin,
        address caller
    ) external onlyInterface {
        _requireApproved(orgId);
        _requireOrgAdmin(caller, orgId);
        roleManager.addRole(roleId, orgId, access, isVoter, isAdmin);
    }

    function removeRole(string calldata roleId, string calldata orgId, address caller) external onlyInterface {
        _requireApproved(orgId);
        _requireOrgAdmin(caller, orgId);
        require(!same(roleId, adminRole) && !same(roleId, orgAdminRole), 'admin roles cannot be removed');
        roleManager.removeRole(roleId, orgId);
    }

    // Accounts.

    function assignAdminRole(
        string calldata orgId,
        address account,
        string calldata roleId,
        address caller
    ) external onlyInterface {
        _requireOrg(orgId);
        _requireNetworkAdmin(caller);
        accountManager.assignAdminRole(account, orgId, roleId, 1);
        _propose(orgId, '', account, ASSIGN_ADMIN);
    }

    /// An org has one admin: the previous one loses its rights.
    function approveAdminRole(
        string calldata orgId,
        address account,
        address caller
    ) external onlyInterface onlyNetworkAdmin(caller) {
        if (!_vote(caller, ASSIGN_ADMIN)) return;
        (bool wasVoter, address former) = accountManager.removeExistingAdmin(orgId);
        if (wasVoter) voterManager.deleteVoter(adminOrg, former);
        if (accountManager.addNewAdmin(orgId, account)) voterManager.addVoter(adminOrg, account);
    }

    function assignAccountRole(
        address account,
        string calldata orgId,
        string calldata roleId,
        address caller
    ) external onlyInterface {
        _requireOrgAdmin(caller, orgId);
        _requireApproved(orgId);
        require(validateAccount(account, orgId), 'operation cannot be performed');
        string memory master = orgManager.getUltimateParent(orgId);
        require(roleManager.roleExists(roleId, orgId, master), 'role does not exists');
        bool isAdmin = roleManager.isAdminRole(roleId, orgId, master);
        accountManager.assignAccountRole(account, orgId, roleId, isAdmin);
    }

    function updateAccountStatus(
        string calldata orgId,
        address account,
        uint256 action,
        address caller
    ) external onlyInterface {
        _requireOrgAdmin(caller, orgId);
        _requireAdminAction(action);
        accountManager.updateAccountStatus(orgId, account, action);
    }

    function startBlacklistedAccountRecovery(
        string calldata orgId,
        address account,
        address caller
    ) external onlyInterface onlyNetworkAdmin(caller) {
        accountManager.updateAccountStatus(orgId, account, START_RECOVERY);
        _propose(orgId, '', account, RECOVER_ACCOUNT);
    }

    function approveBlacklistedAccountRecovery(
        string calldata orgId,
        address account,
        address caller
    ) external onlyInterface onlyNetworkAdmin(caller) {
        if (_vote(caller, RECOVER_ACCOUNT)) {
            accountManager.updateAccountStatus(orgId, account, FINISH_RECOVERY);
        }
    }

    // Votes.

    function getPendingOp(
        string calldata authority
    ) external view returns (string memory, string memory, address, uint256) {
        return voterManager.getPendingOpDetails(authority);
    }

    function _propose(string memory orgId, string memory enodeId, address account, uint256 operation) internal {
        voterManager.addVotingItem(adminOrg, orgId, enodeId, account, operation);
    }

    /// Out: whether the item is decided.
    function _vote(address caller, uint256 operation) internal returns (bool) {
        return voterManager.processVote(adminOrg, caller, operation);
    }

    function _proposeOrgAdmin(string memory orgId, address account) internal {
        require(validateAccount(account, orgId), 'Operation cannot be performed');
        accountManager.assignAdminRole(account, orgId, orgAdminRole, 1);
    }

    function _approveOrgAndRole(string memory orgId) internal {
        orgManager.approveOrg(orgId);
        roleManager.addRole(orgAdminRole, orgId, FULL_ACCESS, true, true);
    }
}
