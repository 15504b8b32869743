// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {Payments} from './Payments.sol';
import {RollupState} from './RollupState.sol';
import {StateProofs} from './StateProofs.sol';

/// Operations that holders ask for on the chain, which the operator has to make in time (docs/adr/0241).
///
/// A request is a signed operation that the operator can make, proved to be one. It is answered by the next batch with an
/// operation of its account: the holder alone signs those. While it is open it moves a sum of money of its own, so at any time all
/// that is held is a bound on the sums of open requests. Each has its share of `requestsPerTimeout` operations in a time-out,
/// and is overdue when its share has come to one operation, and not before the time-out.
///
/// A freeze is announced a quarter of the time-out before (docs/adr/0257): the operator has that long on a chain that makes blocks
/// again after it stood still until everything was overdue.
abstract contract Requests is Payments, RollupState {
    /// In one word.
    struct Request {
        uint8 tokenId;
        uint40 since;
        /// Height of the last batch when it was made.
        uint40 height;
        /// Of its token, at which it has had its share.
        uint128 progress;
        /// 0 when no freeze by it was announced.
        uint40 announcedAt;
    }

    event TransferRequested(uint32 indexed accountId, uint256 overdueAt, StateProofs.Transfer transfer);
    event RedemptionRequested(uint32 indexed accountId, uint256 overdueAt, StateProofs.Redemption redemption);

    /// The account has an open request, and this one would not have half of what is left of its time.
    error AlreadyRequested();
    /// The proof is of a state before the last operation of the account, or of none.
    error StaleProof(uint256 height);
    error AmountTooLow(uint256 amount, uint256 minimum);
    error NotRequested();
    /// The call is accepted from that time on.
    error NotOverdue(uint256 from);
    error NotAnnounced();
    error AlreadyAnnounced();
    error InvalidTerms();

    uint256 private constant LIMIT = 2 ** 32;
    /// Announcements are so many parts of the time-out long.
    uint256 private constant ANNOUNCEMENTS = 4;

    /// Seconds that the operator has at least.
    uint256 public immutable stallTimeout;
    /// Operations that holders of a token can ask for in a time-out.
    uint256 public immutable requestsPerTimeout;
    /// Smallest deposit and request, in units of the rollup and the same for every token.
    uint64 public immutable minDeposit;

    /// The latest of each account, also when it is answered.
    mapping(uint256 accountId => Request) public requests;
    /// Height of the batch with the last operation of an account, creations left out.
    mapping(uint256 accountId => uint256) public lastOperationHeight;

    constructor(uint256 stallTimeout_, uint256 requestsPerTimeout_, uint64 minDeposit_) {
        require(stallTimeout_ != 0 && stallTimeout_ < LIMIT, InvalidTerms());
        require(requestsPerTimeout_ != 0 && requestsPerTimeout_ < LIMIT, InvalidTerms());
        require(minDeposit_ != 0, InvalidTerms());
        stallTimeout = stallTimeout_;
        requestsPerTimeout = requestsPerTimeout_;
        minDeposit = minDeposit_;
    }

    /// Asks for a transfer out of a balance. In: the height of the state that the proof is of
    function requestTransfer(
        uint256 provedHeight,
        StateProofs.Transfer calldata transfer
    ) external nonReentrant whileServed {
        uint32 accountId = transfer.account.id;
        StateProofs.requireTransfer(transfer, domain, _provedRoot(accountId, provedHeight));
        uint256 due = _request(accountId, transfer.balance.tokenId, transfer.amount);
        emit TransferRequested(accountId, due, transfer);
    }

    /// Asks for the redemption of a money order, which may not be the earliest that is open.
    function requestRedemption(
        uint256 provedHeight,
        StateProofs.Redemption calldata redemption
    ) external nonReentrant whileServed {
        uint32 accountId = redemption.account.id;
        StateProofs.requireRedemption(redemption, domain, _provedRoot(accountId, provedHeight));
        uint256 due = _request(accountId, redemption.order.tokenId, redemption.order.amount);
        emit RedemptionRequested(accountId, due, redemption);
    }

    /// When the open request of an account is overdue if as much is held as now; it is 0 when none is open.
    function overdueAt(uint32 accountId) external view returns (uint256) {
        return _isOpen(accountId) ? _overdueAt(requests[accountId]) : 0;
    }

    /// Seconds from the announcement of a freeze to the freeze.
    function announcementTime() public view returns (uint256) {
        return (stallTimeout + ANNOUNCEMENTS - 1) / ANNOUNCEMENTS;
    }

    /// Says that an open request will freeze the rollup; accepted as long before it is overdue. Any caller may.
    function announceByRequest(uint32 accountId) external nonReentrant whileServed {
        Request storage request = _openOf(accountId);
        request.announcedAt = _announce(request.announcedAt, _overdueAt(request));
    }

    /// Ends the rollup when a request is overdue, and that was announced. Any caller may.
    function freezeByRequest(uint32 accountId) external nonReentrant whileServed {
        Request storage request = _openOf(accountId);
        _freezeAfter(request.announcedAt, _overdueAt(request));
    }

    function _announce(uint256 announcedAt, uint256 due) internal view returns (uint40) {
        require(announcedAt == 0, AlreadyAnnounced());
        uint256 from = due - announcementTime();
        require(block.timestamp >= from, NotOverdue(from));
        return uint40(block.timestamp);
    }

    function _freezeAfter(uint256 announcedAt, uint256 due) internal {
        require(announcedAt != 0, NotAnnounced());
        uint256 from = announcedAt + announcementTime();
        if (due > from) from = due;
        require(block.timestamp >= from, NotOverdue(from));
        _freeze();
    }

    /// A batch with an operation of the account answers its request.
    function _answer(uint256 accountId, uint256 batchHeight) internal {
        lastOperationHeight[accountId] = batchHeight;
    }

    function _provedRoot(uint256 accountId, uint256 provedHeight) private view returns (uint256) {
        require(
            provedHeight <= height && provedHeight >= lastOperationHeight[accountId], StaleProof(provedHeight)
        );
        return stateRootAt[provedHeight];
    }

    /// Replaces an open request of the account that would be open for twice as long or more: the operator may have made that one
    /// of an operation which the holder signed earlier, of dust.
    function _request(uint32 accountId, uint32 tokenId, uint64 amount) private returns (uint256 due) {
        require(amount >= minDeposit, AmountTooLow(amount, minDeposit));
        uint256 before = _isOpen(accountId) ? _overdueAt(requests[accountId]) : type(uint256).max;
        uint256 divisor = requestsPerTimeout * amount;
        uint256 share = (stallTimeout * PROGRESS + divisor - 1) / divisor;
        requests[accountId] = Request(
            uint8(tokenId), uint40(block.timestamp), uint40(height), uint128(_progressOf(tokenId) + share), 0
        );
        due = _overdueAt(requests[accountId]);
        require(2 * due - block.timestamp <= before, AlreadyRequested());
    }

    function _openOf(uint256 accountId) private view returns (Request storage) {
        require(_isOpen(accountId), NotRequested());
        return requests[accountId];
    }

    function _isOpen(uint256 accountId) private view returns (bool) {
        Request storage request = requests[accountId];
        return request.since != 0 && lastOperationHeight[accountId] <= request.height;
    }

    function _overdueAt(Request storage request) private view returns (uint256) {
        uint256 earliest = request.since + stallTimeout;
        uint256 fair = _timeOf(request.tokenId, request.progress);
        return fair > earliest ? fair : earliest;
    }
}
