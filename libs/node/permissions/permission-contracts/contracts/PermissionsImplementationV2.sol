// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {NodeManagerV2} from './NodeManagerV2.sol';
import {PermissionsImplementation} from './PermissionsImplementation.sol';
import {RoleManagerV2} from './RoleManagerV2.sol';

/// Nodes are identified by id, host and ports, and call this contract to decide on transactions and connections.
contract PermissionsImplementationV2 is PermissionsImplementation {
    uint256 private constant ACTIVE = 2;
    uint256 private constant TRANSFER = 1;
    uint256 private constant DEPLOYMENT = 2;
    uint256 private constant CALL = 3;

    NodeManagerV2 private immutable nodeManager;

    constructor(
        address upgradable,
        address orgs,
        address roles,
        address accounts,
        address voters,
        address nodes
    ) PermissionsImplementation(upgradable, orgs, roles, accounts, voters) {
        nodeManager = NodeManagerV2(nodes);
    }

    function addAdminNode(
        string memory enodeId,
        string memory ip,
        uint16 port,
        uint16 raftPort
    ) external onlyInterface booting {
        nodeManager.addAdminNode(enodeId, ip, port, raftPort, adminOrg);
    }

    function addOrg(
        string memory orgId,
        string memory enodeId,
        string memory ip,
        uint16 port,
        uint16 raftPort,
        address account,
        address caller
    ) external onlyInterface {
        _requireBooted();
        _requireNetworkAdmin(caller);
        _propose(orgId, enodeId, account, ADD_ORG);
        orgManager.addOrg(orgId);
        nodeManager.addNode(enodeId, ip, port, raftPort, orgId);
        _proposeOrgAdmin(orgId, account);
    }

    function approveOrg(
        string memory orgId,
        string memory enodeId,
        string memory ip,
        uint16 port,
        uint16 raftPort,
        address account,
        address caller
    ) external onlyInterface onlyNetworkAdmin(caller) {
        _requireProposed(orgId);
        if (!_vote(caller, ADD_ORG)) return;
        _approveOrgAndRole(orgId);
        nodeManager.approveNode(enodeId, ip, port, raftPort, orgId);
        accountManager.addNewAdmin(orgId, account);
    }

    function addSubOrg(
        string memory parentOrgId,
        string memory orgId,
        string memory enodeId,
        string memory ip,
        uint16 port,
        uint16 raftPort,
        address caller
    ) external onlyInterface {
        _requireOrg(parentOrgId);
        _requireOrgAdmin(caller, parentOrgId);
        orgManager.addSubOrg(parentOrgId, orgId);
        if (bytes(enodeId).length > 0) {
            nodeManager.addOrgNode(enodeId, ip, port, raftPort, string.concat(parentOrgId, '.', orgId));
        }
    }

    function addNode(
        string memory orgId,
        string memory enodeId,
        string memory ip,
        uint16 port,
        uint16 raftPort,
        address caller
    ) external onlyInterface {
        _requireApproved(orgId);
        _requireOrgAdmin(caller, orgId);
        nodeManager.addOrgNode(enodeId, ip, port, raftPort, orgId);
    }

    function updateNodeStatus(
        string memory orgId,
        string memory enodeId,
        string memory ip,
        uint16 port,
        uint16 raftPort,
        uint256 action,
        address caller
    ) external onlyInterface {
        _requireOrgAdmin(caller, orgId);
        _requireAdminAction(action);
        nodeManager.updateNodeStatus(enodeId, ip, port, raftPort, orgId, action);
    }

    function startBlacklistedNodeRecovery(
        string memory orgId,
        string memory enodeId,
        string memory ip,
        uint16 port,
        uint16 raftPort,
        address caller
    ) external onlyInterface onlyNetworkAdmin(caller) {
        nodeManager.updateNodeStatus(enodeId, ip, port, raftPort, orgId, START_RECOVERY);
        _propose(orgId, enodeId, address(0), RECOVER_NODE);
    }

    function approveBlacklistedNodeRecovery(
        string memory orgId,
        string memory enodeId,
        string memory ip,
        uint16 port,
        uint16 raftPort,
        address caller
    ) external onlyInterface onlyNetworkAdmin(caller) {
        if (_vote(caller, RECOVER_NODE)) {
            nodeManager.updateNodeStatus(enodeId, ip, port, raftPort, orgId, FINISH_RECOVERY);
        }
    }

    function connectionAllowed(
        string calldata enodeId,
        string calldata ip,
        uint16 port
    ) external view returns (bool) {
        return !networkBoot || nodeManager.connectionAllowed(enodeId, ip, port);
    }

    /// In: target — the zero address for a deployment; value, gas price and gas limit are ignored
    function transactionAllowed(
        address sender,
        address target,
        uint256,
        uint256,
        uint256,
        bytes calldata payload
    ) external view returns (bool) {
        if (!networkBoot) return true;
        if (accountManager.getAccountStatus(sender) != ACTIVE) return false;
        (string memory orgId, string memory roleId) = accountManager.getAccountOrgRole(sender);
        if (!orgManager.checkOrgActive(orgId)) return false;
        if (isNetworkAdmin(sender) || isOrgAdmin(sender, orgId)) return true;
        uint256 kind = target == address(0) ? DEPLOYMENT : payload.length > 0 ? CALL : TRANSFER;
        string memory master = orgManager.getUltimateParent(orgId);
        return RoleManagerV2(address(roleManager)).transactionAllowed(roleId, orgId, master, kind);
    }
}
