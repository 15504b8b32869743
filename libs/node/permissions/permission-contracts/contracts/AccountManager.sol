// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {Managed} from './Managed.sol';
import {same} from './Text.sol';

/// Accounts: each in one org, with one role there.
contract AccountManager is Managed {
    uint256 private constant UNKNOWN = 0;
    uint256 private constant PENDING = 1;
    uint256 private constant ACTIVE = 2;
    uint256 private constant SUSPENDED = 4;
    uint256 private constant DENYLISTED = 5;
    uint256 private constant REVOKED = 6;
    uint256 private constant RECOVERING = 7;

    struct Access {
        address account;
        string orgId;
        string roleId;
        uint256 status;
        bool isOrgAdmin;
    }

    string private networkAdminRole;
    string private orgAdminRole;
    Access[] private accounts;
    /// One more than the position.
    mapping(address account => uint256) private places;
    /// The account that was approved last with the role of org admins, by the hash of the org.
    mapping(bytes32 orgId => address) private orgAdmins;

    event AccountAccessModified(address account, string orgId, string roleId, bool isOrgAdmin, uint256 status);
    /// Part of the interface for nodes; never emitted.
    event AccountAccessRevoked(address account, string orgId, string roleId, bool isOrgAdmin);
    event AccountStatusChanged(address account, string orgId, uint256 status);

    constructor(address upgradable) Managed(upgradable) {}

    function setDefaults(
        string calldata networkAdminRole_,
        string calldata orgAdminRole_
    ) external onlyImplementation {
        networkAdminRole = networkAdminRole_;
        orgAdminRole = orgAdminRole_;
    }

    function assignAdminRole(
        address account,
        string calldata orgId,
        string calldata roleId,
        uint256 status
    ) external onlyImplementation {
        require(_isAdminRole(roleId), 'can be called to assign admin roles only');
        _assign(account, orgId, roleId, status, true);
    }

    function assignAccountRole(
        address account,
        string calldata orgId,
        string calldata roleId,
        bool isAdmin
    ) external onlyImplementation {
        require(!_isAdminRole(roleId), 'cannot be called fro assigning org admin and network admin roles');
        _assign(account, orgId, roleId, ACTIVE, isAdmin);
    }

    /// Takes the rights of the org's admin, if it has an active one, to make room for another.
    /// Out: whether it was a network admin, which loses its vote; its account
    function removeExistingAdmin(
        string calldata orgId
    ) external onlyImplementation returns (bool voterUpdate, address account) {
        if (!orgAdminExists(orgId)) return (false, address(0));
        Access storage admin = _find(orgAdmins[keccak256(bytes(orgId))]);
        admin.status = REVOKED;
        admin.isOrgAdmin = false;
        _emitAccess(admin);
        return (same(admin.roleId, networkAdminRole), admin.account);
    }

    /// Gives a proposed admin its rights. Out: whether it is a network admin, which may vote from now on
    function addNewAdmin(
        string calldata orgId,
        address account
    ) external onlyImplementation returns (bool voterUpdate) {
        Access storage admin = _find(account);
        if (admin.status == PENDING && same(admin.roleId, orgAdminRole)) {
            orgAdmins[keccak256(bytes(orgId))] = account;
        }
        admin.status = ACTIVE;
        admin.isOrgAdmin = true;
        _emitAccess(admin);
        return same(admin.roleId, networkAdminRole);
    }

    /// In: action — 1 suspend, 2 activate, 3 denylist, 4 start the recovery, 5 finish it
    function updateAccountStatus(
        string calldata orgId,
        address account,
        uint256 action
    ) external onlyImplementation {
        Access storage access = _find(account);
        require(same(access.orgId, orgId), 'account in different org');
        require(action > 0 && action < 6, 'invalid status change request');
        require(!checkOrgAdmin(account, orgId, ''), 'status change not possible for org admin accounts');
        access.status = _statusAfter(access.status, action);
        emit AccountStatusChanged(account, orgId, access.status);
    }

    /// An unknown account is in the org "NONE".
    function getAccountDetails(
        address account
    ) external view returns (address, string memory, string memory, uint256, bool) {
        if (places[account] == 0) return (account, 'NONE', '', UNKNOWN, false);
        return getAccountDetailsFromIndex(places[account] - 1);
    }

    function getAccountDetailsFromIndex(
        uint256 index
    ) public view returns (address, string memory, string memory, uint256, bool) {
        Access storage access = accounts[index];
        return (access.account, access.orgId, access.roleId, access.status, access.isOrgAdmin);
    }

    function getNumberOfAccounts() external view returns (uint256) {
        return accounts.length;
    }

    function getAccountOrgRole(address account) external view returns (string memory, string memory) {
        if (places[account] == 0) return ('NONE', '');
        Access storage access = _find(account);
        return (access.orgId, access.roleId);
    }

    function getAccountRole(address account) public view returns (string memory) {
        return getAccountStatus(account) == UNKNOWN ? 'NONE' : _find(account).roleId;
    }

    function getAccountStatus(address account) public view returns (uint256) {
        return places[account] == 0 ? UNKNOWN : _find(account).status;
    }

    /// Whether it may be assigned in the org: it has no org yet, or is in this one.
    function validateAccount(address account, string calldata orgId) external view returns (bool) {
        return places[account] == 0 || same(_find(account).orgId, orgId);
    }

    function orgAdminExists(string memory orgId) public view returns (bool) {
        return getAccountStatus(orgAdmins[keccak256(bytes(orgId))]) == ACTIVE;
    }

    /// Whether it is the admin of the org or of its master; a network admin, whether it is of that org.
    function checkOrgAdmin(
        address account,
        string memory orgId,
        string memory ultimateParent
    ) public view returns (bool) {
        if (places[account] == 0) return false;
        if (same(getAccountRole(account), networkAdminRole)) {
            string memory own = _find(account).orgId;
            return same(own, orgId) || same(own, ultimateParent);
        }
        return
            orgAdmins[keccak256(bytes(orgId))] == account || orgAdmins[keccak256(bytes(ultimateParent))] == account;
    }

    function _statusAfter(uint256 status, uint256 action) private pure returns (uint256) {
        if (action == 1) {
            require(status == ACTIVE, 'account is not in active status. operation cannot be done');
            return SUSPENDED;
        }
        if (action == 2) {
            require(status == SUSPENDED, 'account is not in suspended status. operation cannot be done');
            return ACTIVE;
        }
        if (action == 3) {
            require(status != DENYLISTED, 'account is already blacklisted. operation cannot be done');
            return DENYLISTED;
        }
        if (action == 4) {
            require(status == DENYLISTED, 'account is not blacklisted. operation cannot be done');
            return RECOVERING;
        }
        require(status == RECOVERING, 'account recovery not initiated. operation cannot be done');
        return ACTIVE;
    }

    function _isAdminRole(string memory roleId) private view returns (bool) {
        return same(roleId, networkAdminRole) || same(roleId, orgAdminRole);
    }

    /// An existing account stays in its org, whatever org it is assigned in.
    function _assign(
        address account,
        string memory orgId,
        string memory roleId,
        uint256 status,
        bool isOrgAdmin
    ) private {
        if (places[account] == 0) {
            accounts.push(Access(account, orgId, roleId, status, isOrgAdmin));
            places[account] = accounts.length;
        } else {
            Access storage access = _find(account);
            access.roleId = roleId;
            access.status = status;
            access.isOrgAdmin = isOrgAdmin;
        }
        emit AccountAccessModified(account, orgId, roleId, isOrgAdmin, status);
    }

    function _find(address account) private view returns (Access storage) {
        uint256 place = places[account];
        require(place != 0, 'account does not exists');
        return accounts[place - 1];
    }

    function _emitAccess(Access storage access) private {
        emit AccountAccessModified(
            access.account,
            access.orgId,
            access.roleId,
            access.isOrgAdmin,
            access.status
        );
    }
}
