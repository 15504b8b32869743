// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {NodeManagerV1} from './NodeManagerV1.sol';
import {PermissionsImplementation} from './PermissionsImplementation.sol';

/// Nodes are identified by their URLs, and decide on transactions and connections by their copies of the records.
contract PermissionsImplementationV1 is PermissionsImplementation {
    NodeManagerV1 private immutable nodeManager;

    constructor(
        address upgradable,
        address orgs,
        address roles,
        address accounts,
        address voters,
        address nodes
    ) PermissionsImplementation(upgradable, orgs, roles, accounts, voters) {
        nodeManager = NodeManagerV1(nodes);
    }

    function addAdminNode(string calldata enodeId) external onlyInterface booting {
        nodeManager.addAdminNode(enodeId, adminOrg);
    }

    function addOrg(
        string calldata orgId,
        string calldata enodeId,
        address account,
        address caller
    ) external onlyInterface {
        _requireBooted();
        _requireNetworkAdmin(caller);
        _propose(orgId, enodeId, account, ADD_ORG);
        orgManager.addOrg(orgId);
        nodeManager.addNode(enodeId, orgId);
        _proposeOrgAdmin(orgId, account);
    }

    function approveOrg(
        string calldata orgId,
        string calldata enodeId,
        address account,
        address caller
    ) external onlyInterface onlyNetworkAdmin(caller) {
        _requireProposed(orgId);
        if (!_vote(caller, ADD_ORG)) return;
        _approveOrgAndRole(orgId);
        nodeManager.approveNode(enodeId, orgId);
        accountManager.addNewAdmin(orgId, account);
    }

    function addSubOrg(
        string calldata parentOrgId,
        string calldata orgId,
        string calldata enodeId,
        address caller
    ) external onlyInterface {
        _requireOrg(parentOrgId);
        _requireOrgAdmin(caller, parentOrgId);
        orgManager.addSubOrg(parentOrgId, orgId);
        if (bytes(enodeId).length > 0) {
            nodeManager.addOrgNode(enodeId, string.concat(parentOrgId, '.', orgId));
        }
    }

    function addNode(string calldata orgId, string calldata enodeId, address caller) external onlyInterface {
        _requireApproved(orgId);
        _requireOrgAdmin(caller, orgId);
        nodeManager.addOrgNode(enodeId, orgId);
    }

    function updateNodeStatus(
        string calldata orgId,
        string calldata enodeId,
        uint256 action,
        address caller
    ) external onlyInterface {
        _requireOrgAdmin(caller, orgId);
        _requireAdminAction(action);
        nodeManager.updateNodeStatus(enodeId, orgId, action);
    }

    function startBlacklistedNodeRecovery(
        string calldata orgId,
        string calldata enodeId,
        address caller
    ) external onlyInterface onlyNetworkAdmin(caller) {
        nodeManager.updateNodeStatus(enodeId, orgId, START_RECOVERY);
        _propose(orgId, enodeId, address(0), RECOVER_NODE);
    }

    function approveBlacklistedNodeRecovery(
        string calldata orgId,
        string calldata enodeId,
        address caller
    ) external onlyInterface onlyNetworkAdmin(caller) {
        if (_vote(caller, RECOVER_NODE)) nodeManager.updateNodeStatus(enodeId, orgId, FINISH_RECOVERY);
    }
}
