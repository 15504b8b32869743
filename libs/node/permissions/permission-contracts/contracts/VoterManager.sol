// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {Managed} from './Managed.sol';

/// Voters, the pending item and its votes. At most one item is pending at a time, and it cannot be withdrawn.
contract VoterManager is Managed {
    struct Item {
        string orgId;
        string enodeId;
        address account;
        /// 0 none, 1 add org, 2 suspend it, 3 end the suspension, 4 admin role, 5 recover a node, 6 recover an account
        uint256 operation;
    }

    struct Voter {
        bool active;
        /// Number of the item that it voted on last.
        uint256 votedOn;
    }

    struct Authority {
        uint256 activeVoters;
        mapping(address account => Voter) voters;
        Item item;
        /// Items are counted from 1.
        uint256 itemNumber;
        uint256 votes;
    }

    mapping(bytes32 orgId => Authority) private authorities;

    event VoterAdded(string orgId, address voter);
    event VoterDeleted(string orgId, address voter);
    event VotingItemAdded(string orgId);
    event VoteProcessed(string orgId);

    constructor(address upgradable) Managed(upgradable) {}

    function addVoter(string calldata orgId, address account) external onlyImplementation {
        Authority storage authority = _authority(orgId);
        require(!authority.voters[account].active, 'already a voter');
        authority.voters[account].active = true;
        authority.activeVoters++;
        emit VoterAdded(orgId, account);
    }

    function deleteVoter(string calldata orgId, address account) external onlyImplementation {
        Authority storage authority = _authority(orgId);
        require(authority.voters[account].active, 'must be a voter');
        authority.voters[account].active = false;
        authority.activeVoters--;
        emit VoterDeleted(orgId, account);
    }

    /// In: authority — the org whose voters decide; the other parameters describe the item
    function addVotingItem(
        string calldata authorityId,
        string calldata orgId,
        string calldata enodeId,
        address account,
        uint256 operation
    ) external onlyImplementation {
        Authority storage authority = _authority(authorityId);
        require(authority.item.operation == 0, 'items pending for approval. new item cannot be added');
        authority.item = Item(orgId, enodeId, account, operation);
        authority.itemNumber++;
        authority.votes = 0;
        emit VotingItemAdded(authorityId);
    }

    /// Out: whether more than half of the voters have approved; the item is then removed
    function processVote(
        string calldata authorityId,
        address account,
        uint256 operation
    ) external onlyImplementation returns (bool) {
        Authority storage authority = _authority(authorityId);
        Voter storage voter = authority.voters[account];
        require(voter.active, 'must be a voter');
        require(authority.item.operation == operation, 'nothing to approve');
        require(voter.votedOn != authority.itemNumber, 'cannot double vote');
        voter.votedOn = authority.itemNumber;
        authority.votes++;
        emit VoteProcessed(authorityId);
        if (authority.votes <= authority.activeVoters / 2) return false;
        delete authority.item;
        return true;
    }

    function getPendingOpDetails(
        string calldata authorityId
    ) external view onlyImplementation returns (string memory, string memory, address, uint256) {
        Item storage item = _authority(authorityId).item;
        return (item.orgId, item.enodeId, item.account, item.operation);
    }

    function _authority(string calldata orgId) private view returns (Authority storage) {
        return authorities[keccak256(bytes(orgId))];
    }
}
