// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

/// Ether and ERC-20 tokens that a contract receives and pays. A payment that fails is owed: its recipient can fetch it
/// later, and other recipients are not delayed.
abstract contract Payments {
    struct Token {
        /// The zero address for ether.
        address token;
        /// Base units of the token in one unit of the rollup, which has amounts below 2^64.
        uint256 unit;
    }

    event TokenAdded(uint256 indexed tokenId, address indexed token, uint256 unit);
    event OutboundTransferPaid(address indexed recipient, uint256 indexed tokenId, uint256 amount);
    event OutboundTransferOwed(address indexed recipient, uint256 indexed tokenId, uint256 amount);

    error UnknownToken(uint256 tokenId);
    error TooManyTokens();
    error InvalidToken(address token);
    error InvalidAmount(uint256 amount);
    error LimitExceeded(uint256 tokenId);
    error TransferFailed();
    /// The rest of the gas would not pay a recipient that may have it.
    error TooLittleGas();
    error Reentered();

    uint32 internal constant ETHER = 0;
    uint256 private constant MAX_TOKENS = 256;
    /// Enough for a contract that keeps records; a recipient that takes more has to fetch its payment.
    uint256 private constant ETHER_GAS = 50_000;
    uint256 private constant TOKEN_GAS = 200_000;
    /// What a payment takes besides: the call itself, and the record of one that failed.
    uint256 private constant PAYMENT_GAS = 80_000;
    /// Progress in a second, in parts of a unit, when one unit is held.
    uint256 internal constant PROGRESS = 2 ** 72;

    /// What the rollup holds of a token, in one word, which each change of it writes.
    struct Holding {
        /// Units: below 2^64, so that no balance in the rollup can be more.
        uint64 held;
        /// When it changed last.
        uint64 time;
        /// How far each unit had come then: the sum of seconds divided by the units that were held in them.
        uint128 progress;
    }

    Token[] internal tokenList;
    mapping(uint256 tokenId => Holding) private holdings;
    mapping(address token => bool) private isAdded;
    /// Units that could not be paid, which are not held any more.
    mapping(address recipient => mapping(uint256 tokenId => uint256)) public owed;
    bool private entered;

    constructor(uint256 etherUnit) {
        require(etherUnit != 0, InvalidAmount(0));
        tokenList.push(Token(address(0), etherUnit));
        emit TokenAdded(ETHER, address(0), etherUnit);
    }

    modifier nonReentrant() {
        require(!entered, Reentered());
        entered = true;
        _;
        entered = false;
    }

    function tokenCount() external view returns (uint256) {
        return tokenList.length;
    }

    /// `held` in units of the rollup, each of which is `unit` base units of the token.
    function tokens(uint256 tokenId) external view returns (address token, uint256 unit, uint256 held) {
        require(tokenId < tokenList.length, UnknownToken(tokenId));
        return (tokenList[tokenId].token, tokenList[tokenId].unit, holdings[tokenId].held);
    }

    /// How far each unit of a token has come: a request has its share when this is its `progress`.
    function progressOf(uint256 tokenId) external view returns (uint256) {
        return _progressOf(tokenId);
    }

    function _addToken(address token, uint256 unit) internal returns (uint256 tokenId) {
        tokenId = tokenList.length;
        require(tokenId < MAX_TOKENS, TooManyTokens());
        require(!isAdded[token] && _isToken(token), InvalidToken(token));
        require(unit != 0 && unit < 2 ** 192, InvalidAmount(unit));
        isAdded[token] = true;
        tokenList.push(Token(token, unit));
        emit TokenAdded(tokenId, token, unit);
    }

    /// Another contract than this one, which answers as a token does. Verifiers and libraries do not.
    function _isToken(address token) private view returns (bool) {
        if (token == address(this) || token.code.length == 0) return false;
        (bool success, bytes memory answer) = token.staticcall(abi.encodeWithSignature('decimals()'));
        if (!success || answer.length != 32 || abi.decode(answer, (uint256)) > type(uint8).max) return false;
        (success, answer) = token.staticcall(abi.encodeWithSignature('balanceOf(address)', address(this)));
        return success && answer.length == 32;
    }

    /// Takes the ether of the call. Out: its amount in units.
    function _receiveEther() internal returns (uint64 amount) {
        Token storage etherToken = tokenList[ETHER];
        require(msg.value != 0 && msg.value % etherToken.unit == 0, InvalidAmount(msg.value));
        uint256 units = msg.value / etherToken.unit;
        _hold(ETHER, units);
        return uint64(units);
    }

    /// Takes tokens from the caller. A token that delivers less than it was asked for is refused.
    function _receiveToken(uint32 tokenId, uint64 amount) internal {
        require(tokenId != ETHER && tokenId < tokenList.length, UnknownToken(tokenId));
        require(amount != 0, InvalidAmount(amount));
        _hold(tokenId, amount);
        Token storage token = tokenList[tokenId];
        uint256 before = _balance(token.token);
        uint256 total = amount * token.unit;
        bytes memory call = abi.encodeWithSignature(
            'transferFrom(address,address,uint256)', msg.sender, address(this), total
        );
        require(_call(token.token, 0, call, gasleft()), TransferFailed());
        require(_balance(token.token) == before + total, TransferFailed());
    }

    /// Pays now, or owes. Never fails for a reason of the recipient's.
    function _payOut(uint256 tokenId, address recipient, uint256 amount) internal {
        require(tokenId < tokenList.length, UnknownToken(tokenId));
        if (amount == 0) return;
        Token storage token = tokenList[tokenId];
        _setHeld(tokenId, holdings[tokenId].held - amount);
        uint256 gasLimit = tokenId == ETHER ? ETHER_GAS : TOKEN_GAS;
        // A call gets at most 63/64 of the gas that is left (EIP-150).
        require(gasleft() >= gasLimit + gasLimit / 32 + PAYMENT_GAS, TooLittleGas());
        if (_transfer(token, recipient, amount, gasLimit)) {
            emit OutboundTransferPaid(recipient, tokenId, amount);
        } else {
            owed[recipient][tokenId] += amount;
            emit OutboundTransferOwed(recipient, tokenId, amount);
        }
    }

    function _hold(uint256 tokenId, uint256 amount) private {
        uint256 held = holdings[tokenId].held + amount;
        require(held <= type(uint64).max, LimitExceeded(tokenId));
        _setHeld(tokenId, held);
    }

    function _setHeld(uint256 tokenId, uint256 held) private {
        holdings[tokenId] = Holding(uint64(held), uint64(block.timestamp), uint128(_progressOf(tokenId)));
    }

    /// Below 2^112 for any time below 2^40 seconds.
    function _progressOf(uint256 tokenId) internal view returns (uint256) {
        Holding memory holding = holdings[tokenId];
        if (holding.held == 0) return holding.progress;
        return holding.progress + ((block.timestamp - holding.time) * PROGRESS) / holding.held;
    }

    /// When the progress of a token reaches a value if no more and no less is held; any earlier time when it was reached before
    /// something last changed.
    function _timeOf(uint256 tokenId, uint256 progress) internal view returns (uint256) {
        Holding memory holding = holdings[tokenId];
        if (progress <= holding.progress) return holding.time;
        uint256 left = (progress - holding.progress) * holding.held;
        return holding.time + (left + PROGRESS - 1) / PROGRESS;
    }

    function _transfer(
        Token storage token,
        address recipient,
        uint256 amount,
        uint256 gasLimit
    ) internal returns (bool) {
        uint256 total = amount * token.unit;
        if (token.token == address(0)) return _call(recipient, total, '', gasLimit);
        return _call(token.token, 0, abi.encodeWithSignature('transfer(address,uint256)', recipient, total), gasLimit);
    }

    /// Out: whether the call succeeded, and what it returned, if anything, is true. No more than one word of the answer is
    /// read, however long it is.
    function _call(address target, uint256 value, bytes memory data, uint256 gasLimit) private returns (bool success) {
        uint256 returned;
        uint256 size;
        assembly ('memory-safe') {
            mstore(0, 0)
            success := call(gasLimit, target, value, add(data, 32), mload(data), 0, 32)
            returned := mload(0)
            size := returndatasize()
        }
        if (data.length == 0) return success;
        return success && (size == 0 ? target.code.length != 0 : returned == 1);
    }

    function _balance(address token) private view returns (uint256) {
        (bool success, bytes memory answer) =
            token.staticcall(abi.encodeWithSignature('balanceOf(address)', address(this)));
        require(success && answer.length >= 32, InvalidToken(token));
        return abi.decode(answer, (uint256));
    }
}
