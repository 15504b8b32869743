// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

/// One extension of a private contract to a new party: the vote of both sides, then the state that is shared.
///
/// It is private, and each party has its own copy, which lacks votes that were not sent to the party.
/// Interface, order of events and texts are those of the nodes that existing networks run.
contract ExtensionManagement {
    event NewContractExtensionContractCreated(address toExtend, string recipientPTMKey, address recipientAddress);
    event NewVote(bool vote, address voter);
    event AllNodesHaveAccepted(bool outcome);
    event CanPerformStateShare();
    event StateShared(address toExtend, string tesserahash, string uuid);
    event UpdateMembers(address toExtend, string uuid);
    event ExtensionFinished();

    address public immutable creator;
    address public immutable contractToExtend;
    string public targetRecipientPTMKey;
    address[] public walletAddressesToVote;
    mapping(address => bool) public votes;
    bool public voteOutcome = true;
    bool public isFinished;
    string public sharedDataHash;

    mapping(address => bool) private hasVoted;
    uint256 private votesCast;
    /// Payloads by which the managers of voters know that they approved.
    string[] private uuids;

    modifier onlyCreator() {
        require(msg.sender == creator, "only leader may perform this action");
        _;
    }

    modifier whileActive() {
        require(!isFinished, "extension has been marked as finished");
        _;
    }

    constructor(address contractAddress, address recipientAddress, string memory recipientPTMKey) {
        creator = msg.sender;
        contractToExtend = contractAddress;
        targetRecipientPTMKey = recipientPTMKey;
        walletAddressesToVote.push(msg.sender);
        walletAddressesToVote.push(recipientAddress);
        emit NewContractExtensionContractCreated(contractAddress, recipientPTMKey, recipientAddress);
    }

    function totalNumberOfVoters() external view returns (uint256) {
        return walletAddressesToVote.length;
    }

    function haveAllNodesVoted() public view returns (bool) {
        return votesCast == walletAddressesToVote.length;
    }

    function checkIfVoted() external view returns (bool) {
        return hasVoted[msg.sender];
    }

    function checkIfExtensionFinished() external view returns (bool) {
        return isFinished;
    }

    function doVote(bool vote, string calldata nextuuid) external {
        require(!isFinished, "extension process completed. cannot vote");
        require(isVoter(msg.sender), "not allowed to vote");
        require(!hasVoted[msg.sender], "already voted");
        require(voteOutcome, "voting already declined");
        hasVoted[msg.sender] = true;
        votes[msg.sender] = vote;
        votesCast++;
        if (vote) uuids.push(nextuuid);
        else voteOutcome = false;
        announceOutcome();
        emit NewVote(vote, msg.sender);
    }

    function setUuid(string calldata nextuuid) external whileActive {
        uuids.push(nextuuid);
    }

    /// A party that executes this applies the shared state in the same transaction, by its events.
    function setSharedStateHash(string calldata hash) external onlyCreator whileActive {
        require(bytes(sharedDataHash).length == 0, "state hash already set");
        require(bytes(hash).length != 0, "new hash cannot be empty");
        sharedDataHash = hash;
        for (uint256 index = 0; index < uuids.length; index++) emit StateShared(contractToExtend, hash, uuids[index]);
        end();
    }

    function updatePartyMembers() external {
        for (uint256 index = 0; index < uuids.length; index++) emit UpdateMembers(contractToExtend, uuids[index]);
    }

    function finish() external onlyCreator whileActive {
        end();
    }

    function announceOutcome() private {
        if (!voteOutcome) {
            emit AllNodesHaveAccepted(false);
            end();
        } else if (haveAllNodesVoted()) {
            emit AllNodesHaveAccepted(true);
            emit CanPerformStateShare();
        }
    }

    function end() private {
        isFinished = true;
        emit ExtensionFinished();
    }

    function isVoter(address account) private view returns (bool) {
        for (uint256 index = 0; index < walletAddressesToVote.length; index++) {
            if (walletAddressesToVote[index] == account) return true;
        }
        return false;
    }
}
