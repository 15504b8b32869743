// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {Managed} from './Managed.sol';

/// Roles of orgs. A role is looked up in the org itself, then in its master org. A removed role stays in storage, so that its
/// id cannot be used again.
abstract contract RoleManager is Managed {
    struct Role {
        string roleId;
        string orgId;
        uint256 access;
        bool isVoter;
        bool isAdmin;
        bool active;
    }

    uint256 private immutable accessTypes;
    Role[] private roles;
    /// One more than the position, by the hash of role and org.
    mapping(bytes32 role => uint256) private places;

    event RoleCreated(string roleId, string orgId, uint256 access, bool isVoter, bool isAdmin);
    event RoleRevoked(string roleId, string orgId);

    constructor(address upgradable, uint256 accessTypes_) Managed(upgradable) {
        accessTypes = accessTypes_;
    }

    function addRole(
        string calldata roleId,
        string calldata orgId,
        uint256 access,
        bool isVoter,
        bool isAdmin
    ) external onlyImplementation {
        require(access < accessTypes, 'invalid access value');
        bytes32 key = _key(roleId, orgId);
        require(places[key] == 0, 'role exists for the org');
        roles.push(Role(roleId, orgId, access, isVoter, isAdmin, true));
        places[key] = roles.length;
        emit RoleCreated(roleId, orgId, access, isVoter, isAdmin);
    }

    function removeRole(string calldata roleId, string calldata orgId) external onlyImplementation {
        uint256 place = places[_key(roleId, orgId)];
        require(place != 0, 'role does not exist');
        roles[place - 1].active = false;
        emit RoleRevoked(roleId, orgId);
    }

    function isVoterRole(
        string calldata roleId,
        string calldata orgId,
        string calldata ultimateParent
    ) external view onlyImplementation returns (bool) {
        uint256 place = _place(roleId, orgId, ultimateParent);
        return place != 0 && roles[place - 1].active && roles[place - 1].isVoter;
    }

    function isAdminRole(
        string calldata roleId,
        string calldata orgId,
        string calldata ultimateParent
    ) external view onlyImplementation returns (bool) {
        uint256 place = _place(roleId, orgId, ultimateParent);
        return place != 0 && roles[place - 1].active && roles[place - 1].isAdmin;
    }

    /// An unknown or removed role has no org.
    function getRoleDetails(
        string calldata roleId,
        string calldata orgId
    ) external view returns (string memory, string memory, uint256, bool, bool, bool) {
        uint256 place = places[_key(roleId, orgId)];
        if (place == 0 || !roles[place - 1].active) return (roleId, '', 0, false, false, false);
        return getRoleDetailsFromIndex(place - 1);
    }

    function getRoleDetailsFromIndex(
        uint256 index
    ) public view returns (string memory, string memory, uint256, bool, bool, bool) {
        Role storage role = roles[index];
        return (role.roleId, role.orgId, role.access, role.isVoter, role.isAdmin, role.active);
    }

    function getNumberOfRoles() external view returns (uint256) {
        return roles.length;
    }

    /// Whether the role is active in the first org in which it is found.
    function roleExists(
        string calldata roleId,
        string calldata orgId,
        string calldata ultimateParent
    ) external view returns (bool) {
        uint256 place = _place(roleId, orgId, ultimateParent);
        return place != 0 && roles[place - 1].active;
    }

    /// Access of a role, removed or not; none without a role.
    function _access(
        string calldata roleId,
        string calldata orgId,
        string calldata ultimateParent
    ) internal view returns (uint256) {
        uint256 place = _place(roleId, orgId, ultimateParent);
        return place == 0 ? 0 : roles[place - 1].access;
    }

    function _place(
        string calldata roleId,
        string calldata orgId,
        string calldata ultimateParent
    ) private view returns (uint256) {
        uint256 own = places[_key(roleId, orgId)];
        return own == 0 ? places[_key(roleId, ultimateParent)] : own;
    }

    function _key(string calldata roleId, string calldata orgId) private pure returns (bytes32) {
        return keccak256(abi.encode(roleId, orgId));
    }
}
