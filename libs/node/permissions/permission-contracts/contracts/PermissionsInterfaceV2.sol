// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {PermissionsImplementationV2} from './PermissionsImplementationV2.sol';
import {PermissionsInterface} from './PermissionsInterface.sol';

/// The interface of the model that identifies nodes by id, host and ports, and in which nodes query what is allowed.
contract PermissionsInterfaceV2 is PermissionsInterface {
    constructor(address upgradable) PermissionsInterface(upgradable) {}

    function addAdminNode(string memory enodeId, string memory ip, uint16 port, uint16 raftPort) external {
        _rules().addAdminNode(enodeId, ip, port, raftPort);
    }

    function addOrg(
        string memory orgId,
        string memory enodeId,
        string memory ip,
        uint16 port,
        uint16 raftPort,
        address account
    ) external {
        _rules().addOrg(orgId, enodeId, ip, port, raftPort, account, msg.sender);
    }

    function approveOrg(
        string memory orgId,
        string memory enodeId,
        string memory ip,
        uint16 port,
        uint16 raftPort,
        address account
    ) external {
        _rules().approveOrg(orgId, enodeId, ip, port, raftPort, account, msg.sender);
    }

    function addSubOrg(
        string memory parentOrgId,
        string memory orgId,
        string memory enodeId,
        string memory ip,
        uint16 port,
        uint16 raftPort
    ) external {
        _rules().addSubOrg(parentOrgId, orgId, enodeId, ip, port, raftPort, msg.sender);
    }

    function addNode(
        string memory orgId,
        string memory enodeId,
        string memory ip,
        uint16 port,
        uint16 raftPort
    ) external {
        _rules().addNode(orgId, enodeId, ip, port, raftPort, msg.sender);
    }

    function updateNodeStatus(
        string memory orgId,
        string memory enodeId,
        string memory ip,
        uint16 port,
        uint16 raftPort,
        uint256 action
    ) external {
        _rules().updateNodeStatus(orgId, enodeId, ip, port, raftPort, action, msg.sender);
    }

    function startBlacklistedNodeRecovery(
        string memory orgId,
        string memory enodeId,
        string memory ip,
        uint16 port,
        uint16 raftPort
    ) external {
        _rules().startBlacklistedNodeRecovery(orgId, enodeId, ip, port, raftPort, msg.sender);
    }

    function approveBlacklistedNodeRecovery(
        string memory orgId,
        string memory enodeId,
        string memory ip,
        uint16 port,
        uint16 raftPort
    ) external {
        _rules().approveBlacklistedNodeRecovery(orgId, enodeId, ip, port, raftPort, msg.sender);
    }

    function connectionAllowed(
        string calldata enodeId,
        string calldata ip,
        uint16 port
    ) external view returns (bool) {
        return _rules().connectionAllowed(enodeId, ip, port);
    }

    function transactionAllowed(
        address sender,
        address target,
        uint256 value,
        uint256 gasPrice,
        uint256 gasLimit,
        bytes calldata payload
    ) external view returns (bool) {
        return _rules().transactionAllowed(sender, target, value, gasPrice, gasLimit, payload);
    }

    function _rules() private view returns (PermissionsImplementationV2) {
        return PermissionsImplementationV2(address(implementation));
    }
}
