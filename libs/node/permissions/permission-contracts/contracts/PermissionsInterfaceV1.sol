// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {PermissionsImplementationV1} from './PermissionsImplementationV1.sol';
import {PermissionsInterface} from './PermissionsInterface.sol';

/// The interface of the model that identifies nodes by their URLs.
contract PermissionsInterfaceV1 is PermissionsInterface {
    constructor(address upgradable) PermissionsInterface(upgradable) {}

    function addAdminNode(string calldata enodeId) external {
        _rules().addAdminNode(enodeId);
    }

    function addOrg(string calldata orgId, string calldata enodeId, address account) external {
        _rules().addOrg(orgId, enodeId, account, msg.sender);
    }

    function approveOrg(string calldata orgId, string calldata enodeId, address account) external {
        _rules().approveOrg(orgId, enodeId, account, msg.sender);
    }

    function addSubOrg(string calldata parentOrgId, string calldata orgId, string calldata enodeId) external {
        _rules().addSubOrg(parentOrgId, orgId, enodeId, msg.sender);
    }

    function addNode(string calldata orgId, string calldata enodeId) external {
        _rules().addNode(orgId, enodeId, msg.sender);
    }

    function updateNodeStatus(string calldata orgId, string calldata enodeId, uint256 action) external {
        _rules().updateNodeStatus(orgId, enodeId, action, msg.sender);
    }

    function startBlacklistedNodeRecovery(string calldata orgId, string calldata enodeId) external {
        _rules().startBlacklistedNodeRecovery(orgId, enodeId, msg.sender);
    }

    function approveBlacklistedNodeRecovery(string calldata orgId, string calldata enodeId) external {
        _rules().approveBlacklistedNodeRecovery(orgId, enodeId, msg.sender);
    }

    function _rules() private view returns (PermissionsImplementationV1) {
        return PermissionsImplementationV1(address(implementation));
    }
}
