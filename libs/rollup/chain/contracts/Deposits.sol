// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {Requests} from './Requests.sol';

/// Deposits wait in a queue until a batch takes them. Each is due a time-out after it was made, or a share of it after the one
/// before: a flood of them moves only what is behind it.
abstract contract Deposits is Requests {
    struct Deposit {
        uint32 accountId;
        uint32 tokenId;
        uint64 amount;
        uint64 overdueAt;
        address from;
        /// 0 when no freeze by it was announced.
        uint40 announcedAt;
    }

    event InboundTransferRegistered(
        uint256 indexed index,
        uint32 indexed accountId,
        uint32 indexed tokenId,
        uint64 amount,
        address from
    );
    /// A deposit that no batch has taken went back to who made it.
    event DepositReturned(uint256 indexed index, address indexed from);

    error UnknownAccount(uint256 accountId);
    error DepositTooLow(uint256 amount, uint256 minimum);
    error WrongDeposit(uint256 index);

    uint256 private constant INBOUND_TRANSFER = 5;

    /// Deposits that the operator takes in a time-out at least, when so many are made.
    uint256 public immutable depositsPerTimeout;
    uint256 private immutable interval;

    /// Id of the account that is created next. Account 0 is the external one.
    uint256 public nextAccountId = 1;
    Deposit[] public deposits;
    /// Deposits before it have become money orders.
    uint256 public nextDeposit;

    constructor(uint256 depositsPerTimeout_) {
        require(depositsPerTimeout_ != 0, InvalidTerms());
        depositsPerTimeout = depositsPerTimeout_;
        interval = (stallTimeout + depositsPerTimeout_ - 1) / depositsPerTimeout_;
    }

    function depositCount() external view returns (uint256) {
        return deposits.length;
    }

    /// Ether for an account, which gets a money order from the external account in one of the next batches.
    function registerInboundTransferETH(uint32 accountId) external payable nonReentrant whileServed {
        uint64 amount = _receiveEther();
        _register(accountId, ETHER, amount);
    }

    /// In: the amount in units of the rollup; as many base units of the token must be allowed to this contract.
    function registerInboundTransferERC20(
        uint32 accountId,
        uint32 tokenId,
        uint64 amount
    ) external nonReentrant whileServed {
        _receiveToken(tokenId, amount);
        _register(accountId, tokenId, amount);
    }

    /// Says that a deposit that waits will freeze the rollup; as `announceByRequest`. Any caller may.
    function announceByDeposit(uint256 index) external nonReentrant whileServed {
        Deposit storage deposit = _waiting(index);
        deposit.announcedAt = _announce(deposit.announcedAt, deposit.overdueAt);
    }

    /// Ends the rollup when a deposit is overdue, and that was announced. Any caller may.
    function freezeByDeposit(uint256 index) external nonReentrant whileServed {
        Deposit storage deposit = _waiting(index);
        _freezeAfter(deposit.announcedAt, deposit.overdueAt);
    }

    /// Pays back deposits that no batch has taken. Any caller may ask for it.
    function returnDeposits(uint256[] calldata indexes) external nonReentrant whenFrozen {
        for (uint256 place = 0; place < indexes.length; place++) {
            uint256 index = indexes[place];
            require(index >= nextDeposit && index < deposits.length, WrongDeposit(index));
            Deposit storage deposit = deposits[index];
            uint64 amount = deposit.amount;
            require(amount != 0, WrongDeposit(index));
            deposit.amount = 0;
            emit DepositReturned(index, deposit.from);
            _payOut(deposit.tokenId, deposit.from, amount);
        }
    }

    function _waiting(uint256 index) private view returns (Deposit storage) {
        require(index >= nextDeposit && index < deposits.length, NotRequested());
        return deposits[index];
    }

    function _register(uint32 accountId, uint32 tokenId, uint64 amount) private {
        require(accountId != 0 && accountId < nextAccountId, UnknownAccount(accountId));
        require(amount >= minDeposit, DepositTooLow(amount, minDeposit));
        uint256 index = deposits.length;
        uint256 due = block.timestamp + stallTimeout;
        if (index > nextDeposit) {
            uint256 next = deposits[index - 1].overdueAt + interval;
            if (next > due) due = next;
        }
        emit InboundTransferRegistered(index, accountId, tokenId, amount, msg.sender);
        deposits.push(Deposit(accountId, tokenId, amount, uint64(due), msg.sender, 0));
    }

    /// In: the header of an operation that takes the next deposit
    function _takeDeposit(uint256 index, uint256 header) internal view {
        require(index < deposits.length, WrongDeposit(index));
        Deposit storage deposit = deposits[index];
        uint256 expected = (INBOUND_TRANSFER << 128) | (uint256(deposit.accountId) << 96)
            | (uint256(deposit.tokenId) << 64) | deposit.amount;
        require(header == expected, WrongDeposit(index));
    }
}
