// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {NodeManager} from './NodeManager.sol';

/// Nodes by their whole URL, as it was submitted.
contract NodeManagerV1 is NodeManager {
    event NodeProposed(string enodeId, string orgId);
    event NodeApproved(string enodeId, string orgId);
    event NodeDeactivated(string enodeId, string orgId);
    event NodeActivated(string enodeId, string orgId);
    event NodeBlacklisted(string enodeId, string orgId);
    event NodeRecoveryInitiated(string enodeId, string orgId);
    event NodeRecoveryCompleted(string enodeId, string orgId);

    constructor(address upgradable) NodeManager(upgradable) {}

    function addAdminNode(string calldata enodeId, string calldata orgId) external onlyImplementation {
        _addApproved(enodeId, orgId);
    }

    function addOrgNode(string calldata enodeId, string calldata orgId) external onlyImplementation {
        _addApproved(enodeId, orgId);
    }

    function addNode(string calldata enodeId, string calldata orgId) external onlyImplementation {
        _add(Node(enodeId, '', 0, 0, orgId, PROPOSED));
        emit NodeProposed(enodeId, orgId);
    }

    function approveNode(string calldata enodeId, string calldata orgId) external onlyImplementation {
        _findProposed(enodeId, orgId).status = APPROVED;
        emit NodeApproved(enodeId, orgId);
    }

    function updateNodeStatus(
        string calldata enodeId,
        string calldata orgId,
        uint256 action
    ) external onlyImplementation {
        Node storage node = _findFor(action, enodeId, orgId);
        node.status = _statusAfter(node.status, action);
        if (action == 1) emit NodeDeactivated(enodeId, orgId);
        else if (action == 2) emit NodeActivated(enodeId, orgId);
        else if (action == 3) emit NodeBlacklisted(enodeId, orgId);
        else if (action == 4) emit NodeRecoveryInitiated(enodeId, orgId);
        else emit NodeRecoveryCompleted(enodeId, orgId);
    }

    /// An unknown node has status 0.
    function getNodeDetails(string calldata id) external view returns (string memory, string memory, uint256) {
        if (!_exists(id)) return ('', id, 0);
        Node storage node = _find(id);
        return (node.orgId, node.enodeId, node.status);
    }

    function getNodeDetailsFromIndex(uint256 index) external view returns (string memory, string memory, uint256) {
        Node storage node = nodes[index];
        return (node.orgId, node.enodeId, node.status);
    }

    function _addApproved(string calldata enodeId, string calldata orgId) private {
        _add(Node(enodeId, '', 0, 0, orgId, APPROVED));
        emit NodeApproved(enodeId, orgId);
    }
}
