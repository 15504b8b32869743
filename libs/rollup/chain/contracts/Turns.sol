// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

/// Whose batch is accepted when: the operator's always, until something is overdue (docs/adr/0215).
///
/// A request for a transfer out becomes overdue after the time-out, and expires one time-out later. While one is overdue the
/// operator has one batch in `turnBlocks` blocks; each account with something overdue gives others one batch in as many.
abstract contract Turns {
    event OutboundTransferRequested(
        uint32 indexed accountId,
        address indexed recipient,
        uint32 tokenId,
        uint64 amount,
        uint256 overdueAt
    );
    event OperatorChanged(address indexed previous, address indexed next);

    error AlreadyRequested();
    error NotYourTurn();
    error NotOperator();
    /// The first block in which such a batch is accepted.
    error TooEarly(uint256 blockNumber);

    /// Requests are counted in parts of the time-out, so that no list of them is ever walked through.
    uint256 private constant PERIODS = 4;

    /// Added to the id of an account that gives a turn by an overdue deposit. Any caller may deposit for an account, but only
    /// its holder can sign a transfer: deposits for it must not use up the turns that its requests give.
    uint256 internal constant DEPOSITS_OF = 2 ** 32;

    /// Seconds after which an unserved deposit is overdue; a request up to a quarter later.
    uint256 public immutable stallTimeout;
    /// Blocks from one batch to the next while something is overdue.
    uint256 public immutable turnBlocks;
    uint256 private immutable periodSeconds;

    address public operator;
    /// Block of the operator's last batch.
    uint48 public operatorBatchBlock;
    /// Period of the latest request.
    uint48 private latestPeriod;
    /// When an outbound transfer was requested, by the hash of what is requested; 0 when it was not or is served.
    mapping(bytes32 request => uint256) public requestedAt;
    /// Requests of a period that are not served.
    mapping(uint256 period => uint256) private openRequests;
    /// Block of the last batch of others that an account gave the right to.
    mapping(uint256 served => uint256) private forcedBlock;

    constructor(address operator_, uint256 stallTimeout_, uint256 turnBlocks_) {
        operator = operator_;
        stallTimeout = stallTimeout_;
        turnBlocks = turnBlocks_;
        periodSeconds = (stallTimeout_ + PERIODS - 1) / PERIODS;
    }

    modifier onlyOperator() {
        require(msg.sender == operator, NotOperator());
        _;
    }

    function setOperator(address next) external onlyOperator {
        emit OperatorChanged(operator, next);
        operator = next;
    }

    function requestHash(
        uint256 accountId,
        address recipient,
        uint256 tokenId,
        uint256 amount
    ) public pure returns (bytes32) {
        return keccak256(abi.encode(accountId, recipient, tokenId, amount));
    }

    /// When an open request is overdue and when it expires; zeros when it is not open.
    function requestTimes(bytes32 request) external view returns (uint256 overdueAt, uint256 expiresAt) {
        uint256 since = requestedAt[request];
        if (since == 0 || _isExpired(since)) return (0, 0);
        return _timesOf(since);
    }

    /// The first block in which a batch of the operator is accepted; 0 when no request is overdue.
    function operatorTurn() public view returns (uint256 blockNumber) {
        return _isRequestOverdue() ? operatorBatchBlock + turnBlocks : 0;
    }

    /// An expired request may be made again.
    function _request(uint32 accountId, address recipient, uint32 tokenId, uint64 amount) internal {
        bytes32 request = requestHash(accountId, recipient, tokenId, amount);
        uint256 since = requestedAt[request];
        require(since == 0 || _isExpired(since), AlreadyRequested());
        uint256 period = _periodOf(block.timestamp);
        requestedAt[request] = block.timestamp;
        openRequests[period] += 1;
        latestPeriod = uint48(period);
        (uint256 overdueAt, ) = _timesOf(block.timestamp);
        emit OutboundTransferRequested(accountId, recipient, tokenId, amount, overdueAt);
    }

    /// A transfer out answers its request, whoever submits it and however late it is. Out: whether it was overdue
    function _answer(
        uint256 accountId,
        address recipient,
        uint256 tokenId,
        uint256 amount
    ) internal returns (bool overdue) {
        bytes32 request = requestHash(accountId, recipient, tokenId, amount);
        uint256 since = requestedAt[request];
        if (since == 0) return false;
        delete requestedAt[request];
        openRequests[_periodOf(since)] -= 1;
        (uint256 overdueAt, uint256 expiresAt) = _timesOf(since);
        return block.timestamp >= overdueAt && block.timestamp < expiresAt;
    }

    /// After the operations were applied: a batch that answers the last overdue request is not delayed by it.
    function _takeOperatorTurn() internal {
        uint256 turn = operatorTurn();
        require(block.number >= turn, TooEarly(turn));
        operatorBatchBlock = uint48(block.number);
    }

    /// In: the account whose request the batch answers, or `DEPOSITS_OF` plus the account whose deposit it takes, when overdue
    function _takeForcedTurn(uint256 served) internal {
        require(served != 0, NotYourTurn());
        uint256 last = forcedBlock[served];
        require(last == 0 || block.number >= last + turnBlocks, TooEarly(last + turnBlocks));
        forcedBlock[served] = block.number;
    }

    function _isDepositOverdue(uint256 registeredAt) internal view returns (bool) {
        return block.timestamp >= registeredAt + stallTimeout;
    }

    /// Looks at the periods whose requests are overdue and not expired.
    function _isRequestOverdue() private view returns (bool) {
        uint256 current = _periodOf(block.timestamp);
        if (current > latestPeriod + 2 * PERIODS) return false;
        for (uint256 age = PERIODS + 1; age <= 2 * PERIODS && age <= current; age++) {
            if (openRequests[current - age] != 0) return true;
        }
        return false;
    }

    function _isExpired(uint256 since) private view returns (bool) {
        (, uint256 expiresAt) = _timesOf(since);
        return block.timestamp >= expiresAt;
    }

    function _timesOf(uint256 since) private view returns (uint256 overdueAt, uint256 expiresAt) {
        overdueAt = (_periodOf(since) + PERIODS + 1) * periodSeconds;
        expiresAt = overdueAt + PERIODS * periodSeconds;
    }

    function _periodOf(uint256 timestamp) private view returns (uint256) {
        return timestamp / periodSeconds;
    }
}
