// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {NodeManager} from './NodeManager.sol';
import {same} from './Text.sol';

/// Nodes by their ids, with host and ports on which they listen. A call with another host or port changes nothing and does
/// not revert; nodes that send calls learn the result from events.
contract NodeManagerV2 is NodeManager {
    event NodeProposed(string enodeId, string ip, uint16 port, uint16 raftPort, string orgId);
    event NodeApproved(string enodeId, string ip, uint16 port, uint16 raftPort, string orgId);
    event NodeDeactivated(string enodeId, string ip, uint16 port, uint16 raftPort, string orgId);
    event NodeActivated(string enodeId, string ip, uint16 port, uint16 raftPort, string orgId);
    event NodeBlacklisted(string enodeId, string ip, uint16 port, uint16 raftPort, string orgId);
    event NodeRecoveryInitiated(string enodeId, string ip, uint16 port, uint16 raftPort, string orgId);
    event NodeRecoveryCompleted(string enodeId, string ip, uint16 port, uint16 raftPort, string orgId);

    constructor(address upgradable) NodeManager(upgradable) {}

    function addAdminNode(
        string memory enodeId,
        string memory ip,
        uint16 port,
        uint16 raftPort,
        string memory orgId
    ) external onlyImplementation {
        _add(Node(enodeId, ip, port, raftPort, orgId, APPROVED));
        emit NodeApproved(enodeId, ip, port, raftPort, orgId);
    }

    function addOrgNode(
        string memory enodeId,
        string memory ip,
        uint16 port,
        uint16 raftPort,
        string memory orgId
    ) external onlyImplementation {
        _add(Node(enodeId, ip, port, raftPort, orgId, APPROVED));
        emit NodeApproved(enodeId, ip, port, raftPort, orgId);
    }

    function addNode(
        string memory enodeId,
        string memory ip,
        uint16 port,
        uint16 raftPort,
        string memory orgId
    ) external onlyImplementation {
        _add(Node(enodeId, ip, port, raftPort, orgId, PROPOSED));
        emit NodeProposed(enodeId, ip, port, raftPort, orgId);
    }

    function approveNode(
        string memory enodeId,
        string memory ip,
        uint16 port,
        uint16 raftPort,
        string memory orgId
    ) external onlyImplementation {
        Node storage node = _findProposed(enodeId, orgId);
        if (!_isAt(node, ip, port, raftPort)) return;
        node.status = APPROVED;
        emit NodeApproved(enodeId, ip, port, raftPort, orgId);
    }

    function updateNodeStatus(
        string memory enodeId,
        string memory ip,
        uint16 port,
        uint16 raftPort,
        string memory orgId,
        uint256 action
    ) external onlyImplementation {
        Node storage node = _findFor(action, enodeId, orgId);
        if (!_isAt(node, ip, port, raftPort)) return;
        node.status = _statusAfter(node.status, action);
        if (action == 1) emit NodeDeactivated(enodeId, ip, port, raftPort, orgId);
        else if (action == 2) emit NodeActivated(enodeId, ip, port, raftPort, orgId);
        else if (action == 3) emit NodeBlacklisted(enodeId, ip, port, raftPort, orgId);
        else if (action == 4) emit NodeRecoveryInitiated(enodeId, ip, port, raftPort, orgId);
        else emit NodeRecoveryCompleted(enodeId, ip, port, raftPort, orgId);
    }

    /// An unknown node has status 0.
    function getNodeDetails(
        string calldata id
    ) external view returns (string memory, string memory, string memory, uint16, uint16, uint256) {
        if (!_exists(id)) return ('', '', '', 0, 0, 0);
        return _details(_find(id));
    }

    function getNodeDetailsFromIndex(
        uint256 index
    ) external view returns (string memory, string memory, string memory, uint16, uint16, uint256) {
        return _details(nodes[index]);
    }

    /// The port is ignored: an inbound connection does not come from the port on which the peer listens.
    function connectionAllowed(
        string calldata enodeId,
        string calldata ip,
        uint16
    ) external view onlyImplementation returns (bool) {
        if (!_exists(enodeId)) return false;
        Node storage node = _find(enodeId);
        return node.status == APPROVED && same(node.ip, ip);
    }

    function _details(
        Node storage node
    ) private view returns (string memory, string memory, string memory, uint16, uint16, uint256) {
        return (node.orgId, node.enodeId, node.ip, node.port, node.raftPort, node.status);
    }

    function _isAt(
        Node storage node,
        string memory ip,
        uint16 port,
        uint16 raftPort
    ) private view returns (bool) {
        return same(node.ip, ip) && node.port == port && node.raftPort == raftPort;
    }
}
