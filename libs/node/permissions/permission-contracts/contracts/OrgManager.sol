// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {Managed} from './Managed.sol';

/// Orgs and the trees below them. Master orgs are voted on; sub-orgs are created at once.
contract OrgManager is Managed {
    uint256 private constant PROPOSED = 1;
    uint256 private constant APPROVED = 2;
    uint256 private constant PENDING_SUSPENSION = 3;
    uint256 private constant SUSPENDED = 4;
    uint256 private constant PENDING_REVOCATION = 5;

    uint256 private constant SUSPEND = 1;
    uint256 private constant ACTIVATE = 2;

    struct Org {
        /// The last part of the full id; the parent's is full.
        string orgId;
        string parentOrgId;
        string ultimateParent;
        uint256 level;
        uint256 status;
        /// Positions of the direct children.
        uint256[] subOrgs;
    }

    uint256 private depthLimit = 4;
    uint256 private breadthLimit = 4;
    Org[] private orgs;
    /// One more than the position, by the hash of the full id.
    mapping(bytes32 fullOrgId => uint256) private places;

    event OrgPendingApproval(string orgId, string parentOrgId, string ultimateParent, uint256 level, uint256 status);
    event OrgApproved(string orgId, string parentOrgId, string ultimateParent, uint256 level, uint256 status);
    event OrgSuspended(string orgId, string parentOrgId, string ultimateParent, uint256 level);
    event OrgSuspensionRevoked(string orgId, string parentOrgId, string ultimateParent, uint256 level);

    constructor(address upgradable) Managed(upgradable) {}

    /// Sets the org of the network's admins, and the maximum breadth and depth of trees.
    function setUpOrg(string calldata orgId, uint256 breadth, uint256 depth) external onlyImplementation {
        _addMaster(orgId, APPROVED);
        breadthLimit = breadth;
        depthLimit = depth;
    }

    function addOrg(string calldata orgId) external onlyImplementation {
        _addMaster(orgId, PROPOSED);
    }

    function addSubOrg(string calldata parentOrgId, string calldata orgId) external onlyImplementation {
        string memory fullOrgId = string.concat(parentOrgId, '.', orgId);
        require(!checkOrgExists(fullOrgId), 'org exists');
        Org storage parent = _find(parentOrgId);
        require(parent.subOrgs.length < breadthLimit, 'breadth level exceeded');
        require(parent.level < depthLimit, 'depth level exceeded');
        parent.subOrgs.push(orgs.length);
        _add(fullOrgId, orgId, parentOrgId, parent.ultimateParent, parent.level + 1, APPROVED);
    }

    /// Proposes the suspension of a master org, or the end of a suspension. Out: the operation to be voted on.
    function updateOrg(string calldata orgId, uint256 action) external onlyImplementation returns (uint256) {
        Org storage org = _find(orgId);
        require(action == SUSPEND || action == ACTIVATE, 'invalid action. operation not allowed');
        require(org.level == 1, 'not a master org. operation not allowed');
        uint256 needed = action == SUSPEND ? APPROVED : SUSPENDED;
        require(org.status == needed, 'org status does not allow the operation');
        org.status = action == SUSPEND ? PENDING_SUSPENSION : PENDING_REVOCATION;
        emit OrgPendingApproval(org.orgId, org.parentOrgId, org.ultimateParent, org.level, org.status);
        return action + 1;
    }

    function approveOrg(string calldata orgId) external onlyImplementation {
        require(checkOrgStatus(orgId, PROPOSED), 'nothing to approve');
        Org storage org = _find(orgId);
        org.status = APPROVED;
        emit OrgApproved(org.orgId, org.parentOrgId, org.ultimateParent, org.level, APPROVED);
    }

    function approveOrgStatusUpdate(string calldata orgId, uint256 action) external onlyImplementation {
        Org storage org = _find(orgId);
        uint256 needed = action == SUSPEND ? PENDING_SUSPENSION : PENDING_REVOCATION;
        require(org.status == needed, 'nothing to approve');
        if (action == SUSPEND) {
            org.status = SUSPENDED;
            emit OrgSuspended(org.orgId, org.parentOrgId, org.ultimateParent, org.level);
        } else {
            org.status = APPROVED;
            emit OrgSuspensionRevoked(org.orgId, org.parentOrgId, org.ultimateParent, org.level);
        }
    }

    function getOrgInfo(
        uint256 index
    ) external view returns (string memory, string memory, string memory, uint256, uint256) {
        Org storage org = orgs[index];
        return (org.orgId, org.parentOrgId, org.ultimateParent, org.level, org.status);
    }

    /// An unknown org has level and status 0.
    function getOrgDetails(
        string calldata orgId
    ) external view returns (string memory, string memory, string memory, uint256, uint256) {
        if (!checkOrgExists(orgId)) return (orgId, '', '', 0, 0);
        Org storage org = _find(orgId);
        return (org.orgId, org.parentOrgId, org.ultimateParent, org.level, org.status);
    }

    function getSubOrgIndexes(string calldata orgId) external view returns (uint256[] memory) {
        return _find(orgId).subOrgs;
    }

    function getUltimateParent(string calldata orgId) external view onlyImplementation returns (string memory) {
        return _find(orgId).ultimateParent;
    }

    function getNumberOfOrgs() external view returns (uint256) {
        return orgs.length;
    }

    function checkOrgStatus(string memory orgId, uint256 status) public view returns (bool) {
        return checkOrgExists(orgId) && _find(orgId).status == status;
    }

    function checkOrgExists(string memory orgId) public view returns (bool) {
        return places[keccak256(bytes(orgId))] != 0;
    }

    /// Whether accounts of the org may act: neither it nor its master is proposed, suspended or waits for the end of that.
    function checkOrgActive(string calldata orgId) external view returns (bool) {
        if (!checkOrgExists(orgId)) return false;
        Org storage org = _find(orgId);
        return _isActive(org) && _isActive(_find(org.ultimateParent));
    }

    function _isActive(Org storage org) private view returns (bool) {
        return org.status == APPROVED || org.status == PENDING_SUSPENSION;
    }

    function _find(string memory fullOrgId) private view returns (Org storage) {
        uint256 place = places[keccak256(bytes(fullOrgId))];
        require(place != 0, 'org does not exist');
        return orgs[place - 1];
    }

    function _addMaster(string memory orgId, uint256 status) private {
        require(!checkOrgExists(orgId), 'org exists');
        _add(orgId, orgId, '', orgId, 1, status);
    }

    function _add(
        string memory fullOrgId,
        string memory orgId,
        string memory parentOrgId,
        string memory ultimateParent,
        uint256 level,
        uint256 status
    ) private {
        orgs.push(Org(orgId, parentOrgId, ultimateParent, level, status, new uint256[](0)));
        places[keccak256(bytes(fullOrgId))] = orgs.length;
        if (status == PROPOSED) emit OrgPendingApproval(orgId, parentOrgId, ultimateParent, level, status);
        else emit OrgApproved(orgId, parentOrgId, ultimateParent, level, status);
    }
}
