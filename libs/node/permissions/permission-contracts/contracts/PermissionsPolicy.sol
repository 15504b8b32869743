// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {AccountManager} from './AccountManager.sol';
import {Upgradable} from './Managed.sol';
import {OrgManager} from './OrgManager.sol';
import {RoleManager} from './RoleManager.sol';
import {same} from './Text.sol';
import {VoterManager} from './VoterManager.sol';

/// The base of the rules: names of the admins' org and roles, whether the network has booted, and checks for admins. This is
/// the whole storage of an implementation, so that another one can replace it.
abstract contract PermissionsPolicy {
    uint256 internal constant FULL_ACCESS = 3;

    Upgradable private immutable upgradable;
    OrgManager internal immutable orgManager;
    RoleManager internal immutable roleManager;
    AccountManager internal immutable accountManager;
    VoterManager internal immutable voterManager;

    string internal adminOrg;
    string internal adminRole;
    string internal orgAdminRole;
    /// Whether the first records are complete; until then any account may write them, and nothing is denied.
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

    /// Sets the policy of an implementation that replaces another one.
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

    // Roles of accounts.

    function getNetworkBootStatus() external view returns (bool) {
        return networkBoot;
    }

    function getPolicyDetails() external view returns (string memory, string memory, string memory, bool) {
        return (adminOrg, adminRole, orgAdminRole, networkBoot);
    }

    /// Regardless of its status and its org.
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

    // Requirements of operations.

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

    /// The actions of a recovery are excluded: recoveries are separate operations.
    function _requireAdminAction(uint256 action) internal pure {
        require(action > 0 && action < 4, 'invalid action. operation not allowed');
    }

    function _requireBooted() internal view {
        require(networkBoot, 'Incorrect network boot status');
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
