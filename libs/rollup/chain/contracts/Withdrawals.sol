// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {OwedPayments} from './OwedPayments.sol';
import {RollupState} from './RollupState.sol';
import {StateProofs} from './StateProofs.sol';

/// How holders leave a frozen rollup: by proofs against its last state, in any order and at any time. The holder signs who is
/// paid; who sends the transactions does not matter.
abstract contract Withdrawals is OwedPayments, RollupState {
    struct Claimed {
        address recipient;
        uint48 redemptionIndex;
        uint256 balancesRoot;
    }

    event AccountClaimed(uint32 indexed accountId, address indexed recipient);
    event BalanceWithdrawn(uint32 indexed accountId, uint32 indexed tokenId, uint64 amount);
    event OrderWithdrawn(uint32 indexed accountId, uint48 indexed totalIndex, uint32 tokenId, uint64 amount);

    error AlreadyClaimed(uint256 accountId);
    error NotClaimed(uint256 accountId);
    error BalanceWithdrawnBefore(uint256 tokenId);
    error OrderWithdrawnBefore(uint256 totalIndex);

    /// Who is paid what an account has, once its holder has said so.
    mapping(uint256 accountId => Claimed) public claimed;
    /// A bit for each token.
    mapping(uint256 accountId => uint256) private withdrawnBalances;
    /// A bit for each total index.
    mapping(uint256 group => uint256) private withdrawnOrders;
    /// Of the last state, known with the first claim.
    uint256 private historyRoot;

    /// Proves an account and fixes its recipient. It is done once.
    function claimAccount(StateProofs.Claim calldata claim) external nonReentrant whenFrozen {
        uint32 accountId = claim.account.id;
        address recipient = claim.recipient;
        require(claimed[accountId].recipient == address(0), AlreadyClaimed(accountId));
        require(recipient != address(0) && recipient != address(this), InvalidRecipient(recipient));
        StateProofs.requireClaim(claim, domain, stateRoot);
        historyRoot = claim.account.historyRoot;
        claimed[accountId] = Claimed(recipient, claim.account.redemptionIndex, claim.account.balancesRoot);
        emit AccountClaimed(accountId, recipient);
    }

    /// Pays balances of an account to its recipient, each once.
    function withdrawBalances(
        uint32 accountId,
        StateProofs.Balance[] calldata balances
    ) external nonReentrant whenFrozen {
        Claimed memory claim = _claimOf(accountId);
        StateProofs.requireBalances(claim.balancesRoot, balances);
        for (uint256 place = 0; place < balances.length; place++) {
            uint32 tokenId = balances[place].tokenId;
            uint64 amount = balances[place].amount;
            uint256 bit = 1 << tokenId;
            require(withdrawnBalances[accountId] & bit == 0, BalanceWithdrawnBefore(tokenId));
            withdrawnBalances[accountId] |= bit;
            emit BalanceWithdrawn(accountId, tokenId, amount);
            _payOut(tokenId, claim.recipient, amount);
        }
    }

    /// Pays money orders to an account that it has not redeemed and not passed to its recipient, each once.
    function withdrawOrders(
        uint32 accountId,
        StateProofs.Order[] calldata orders
    ) external nonReentrant whenFrozen {
        Claimed memory claim = _claimOf(accountId);
        StateProofs.requireOrders(historyRoot, accountId, claim.redemptionIndex, orders);
        for (uint256 place = 0; place < orders.length; place++) {
            StateProofs.Order calldata order = orders[place];
            uint48 totalIndex = order.totalIndex;
            uint256 bit = 1 << (totalIndex & 0xff);
            require(withdrawnOrders[totalIndex >> 8] & bit == 0, OrderWithdrawnBefore(totalIndex));
            withdrawnOrders[totalIndex >> 8] |= bit;
            emit OrderWithdrawn(accountId, totalIndex, order.tokenId, order.amount);
            _payOut(order.tokenId, claim.recipient, order.amount);
        }
    }

    function isBalanceWithdrawn(uint32 accountId, uint8 tokenId) external view returns (bool) {
        return withdrawnBalances[accountId] & (1 << tokenId) != 0;
    }

    function isOrderWithdrawn(uint48 totalIndex) external view returns (bool) {
        return withdrawnOrders[totalIndex >> 8] & (1 << (totalIndex & 0xff)) != 0;
    }

    function _claimOf(uint256 accountId) private view returns (Claimed memory claim) {
        claim = claimed[accountId];
        require(claim.recipient != address(0), NotClaimed(accountId));
    }
}
