// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {Managed} from './Managed.sol';
import {same} from './Text.sol';

/// Nodes, each in one org. The model defines the identifier of a node and the arguments of its events.
abstract contract NodeManager is Managed {
    uint256 internal constant PROPOSED = 1;
    uint256 internal constant APPROVED = 2;
    uint256 internal constant DEACTIVATED = 3;
    uint256 internal constant DENYLISTED = 4;
    uint256 internal constant RECOVERING = 5;

    struct Node {
        string enodeId;
        string ip;
        uint16 port;
        uint16 raftPort;
        string orgId;
        uint256 status;
    }

    Node[] internal nodes;
    /// One more than the position, by the hash of the id.
    mapping(bytes32 enodeId => uint256) private places;

    constructor(address upgradable) Managed(upgradable) {}

    function getNumberOfNodes() external view returns (uint256) {
        return nodes.length;
    }

    function _exists(string memory enodeId) internal view returns (bool) {
        return places[keccak256(bytes(enodeId))] != 0;
    }

    function _find(string memory enodeId) internal view returns (Node storage) {
        require(_exists(enodeId), 'passed enode id does not exist');
        return nodes[places[keccak256(bytes(enodeId))] - 1];
    }

    function _add(Node memory node) internal {
        require(!_exists(node.enodeId), 'passed enode id exists');
        nodes.push(node);
        places[keccak256(bytes(node.enodeId))] = nodes.length;
    }

    function _findProposed(string memory enodeId, string memory orgId) internal view returns (Node storage node) {
        node = _find(enodeId);
        require(same(node.orgId, orgId), 'enode id does not belong to the passed org id');
        require(node.status == PROPOSED, 'nothing pending for approval');
    }

    /// In: action — 1 deactivate, 2 activate, 3 denylist, 4 start the recovery, 5 finish it
    function _findFor(
        uint256 action,
        string memory enodeId,
        string memory orgId
    ) internal view returns (Node storage node) {
        node = _find(enodeId);
        require(same(node.orgId, orgId), 'enode id does not belong to the passed org');
        require(action > 0 && action < 6, 'invalid operation. wrong action passed');
    }

    function _statusAfter(uint256 status, uint256 action) internal pure returns (uint256) {
        if (action == 3) return DENYLISTED;
        uint256 needed = action == 1 ? APPROVED : action == 2 ? DEACTIVATED : action;
        require(status == needed, 'operation cannot be performed');
        if (action == 1) return DEACTIVATED;
        return action == 4 ? RECOVERING : APPROVED;
    }
}
