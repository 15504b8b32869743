// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {AccountManager} from './AccountManager.sol';
import {Upgradable} from './Managed.sol';
import {OrgManager} from './OrgManager.sol';
import {RoleManager} from './RoleManager.sol';
import {same} from './Text.sol';
import {VoterManager} from './VoterManager.sol';

/// The rules: who may ask for what, what is voted on, and which records change together. It keeps the policy and
/// nothing else, so that another implementation can take its place. What has to do with nodes is up to the model.
abstract contract PermissionsImplementation {
    uint256 internal constant ADD_ORG = 1;
    uint256 internal constant SUSPEND_ORG = 2;
    uint256 internal constant REVOKE_SUSPENSION = 3;
    uint256 internal constant ASSIGN_ADMIN = 4;
    uint256 internal constant RECOVER_NODE = 5;
    uint256 internal constant RECOVER_ACCOUNT = 6;

    uint256 internal constant START_RECOVERY = 4;
    uint256 internal constant FINISH_RECOVERY = 5;
    uint256 private constant FULL_ACCESS = 3;

    Upgradable private immutable upgradable;
    OrgManager internal immutable orgManager;
    RoleManager internal immutable roleManager;
    AccountManager internal immutable accountManager;
    VoterManager private immutable voterManager;

    string internal adminOrg;
    string private adminRole;
    string private orgAdminRole;
    /// Whether the first records are complete; until then anybody may write them, and nothing is denied.
    bool internal networkBoot;

    event PermissionsInitialized(bool networkBoot);

    modifier onlyInterface() {
        require(msg.sender == upgradable.getPermInterface(), 'can be called by interface contract only');
        _;
    }

    modifier booting() {
        require(!networkBoot, 'Incorrect network boot status');
        _;
    }

    modifier onlyNetworkAdmin(address caller) {
        _requireNetworkAdmin(caller);
        _;
    }

    constructor(address upgradable_, address orgs, address roles, address accounts, address voters) {
        upgradable = Upgradable(upgradable_);
        orgManager = OrgManager(orgs);
        roleManager = RoleManager(roles);
        accountManager = AccountManager(accounts);
        voterManager = VoterManager(voters);
    }

    // The start of a network.

    function setPolicy(
        string calldata networkAdminOrg,
        string calldata networkAdminRole,
        string calldata orgAdminRole_
    ) external onlyInterface booting {
        _setPolicy(networkAdminOrg, networkAdminRole, orgAdminRole_);
    }

    /// For the successor of an implementation.
    function setMigrationPolicy(
        string calldata networkAdminOrg,
        string calldata networkAdminRole,
        string calldata orgAdminRole_,
        bool networkBoot_
    ) external booting {
        require(msg.sender == address(upgradable), 'invalid caller');
        _setPolicy(networkAdminOrg, networkAdminRole, orgAdminRole_);
        networkBoot = networkBoot_;
    }

    function init(uint256 breadth, uint256 depth) external onlyInterface booting {
        orgManager.setUpOrg(adminOrg, breadth, depth);
        roleManager.addRole(adminRole, adminOrg, FULL_ACCESS, true, true);
        accountManager.setDefaults(adminRole, orgAdminRole);
    }

    function addAdminAccount(address account) external onlyInterface booting {
        voterManager.addVoter(adminOrg, account);
        accountManager.assignAdminRole(account, adminOrg, adminRole, 2);
    }

    function updateNetworkBootStatus() external onlyInterface booting returns (bool) {
        networkBoot = true;
        emit PermissionsInitialized(true);
        return true;
    }

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

    /// An org has one admin: the one before loses its rights.
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

    // Views.

    function getNetworkBootStatus() external view returns (bool) {
        return networkBoot;
    }

    function getPolicyDetails() external view returns (string memory, string memory, string memory, bool) {
        return (adminOrg, adminRole, orgAdminRole, networkBoot);
    }

    function getPendingOp(
        string calldata authority
    ) external view returns (string memory, string memory, address, uint256) {
        return voterManager.getPendingOpDetails(authority);
    }

    /// Whatever its status is, and whatever org it is in.
    function isNetworkAdmin(address account) public view returns (bool) {
        return same(accountManager.getAccountRole(account), adminRole);
    }

    /// Whether it is the admin of the org or its master, or has a role that is an admin's there.
    function isOrgAdmin(address account, string memory orgId) public view returns (bool) {
        string memory master = orgManager.getUltimateParent(orgId);
        return
            accountManager.checkOrgAdmin(account, orgId, master) ||
            roleManager.isAdminRole(accountManager.getAccountRole(account), orgId, master);
    }

    function validateAccount(address account, string memory orgId) public view returns (bool) {
        return accountManager.validateAccount(account, orgId);
    }

    // What the models share of the operations with nodes.

    function _requireNetworkAdmin(address caller) internal view {
        require(isNetworkAdmin(caller), 'account is not a network admin account');
    }

    function _requireOrgAdmin(address caller, string memory orgId) internal view {
        require(isOrgAdmin(caller, orgId), 'account is not a org admin account');
    }

    function _requireOrg(string memory orgId) internal view {
        require(orgManager.checkOrgExists(orgId), 'org does not exist');
    }

    function _requireApproved(string memory orgId) internal view {
        require(orgManager.checkOrgStatus(orgId, 2), 'org not in approved status');
    }

    function _requireProposed(string memory orgId) internal view {
        require(orgManager.checkOrgStatus(orgId, 1), 'Nothing to approve');
    }

    /// Recoveries have operations of their own.
    function _requireAdminAction(uint256 action) internal pure {
        require(action > 0 && action < 4, 'invalid action. operation not allowed');
    }

    function _requireBooted() internal view {
        require(networkBoot, 'Incorrect network boot status');
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

    function _setPolicy(
        string calldata networkAdminOrg,
        string calldata networkAdminRole,
        string calldata orgAdminRole_
    ) private {
        adminOrg = networkAdminOrg;
        adminRole = networkAdminRole;
        orgAdminRole = orgAdminRole_;
    }
}
