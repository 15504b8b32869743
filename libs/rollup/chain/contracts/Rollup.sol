// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {BatchData} from './BatchData.sol';
import {OperatorKeys} from './OperatorKeys.sol';
import {Payments} from './Payments.sol';
import {Turns} from './Turns.sol';

/// Verifier of the batch circuit of one size; `bb` writes it. Reverts or answers false for a proof that does not hold.
interface IBatchVerifier {
    function verify(bytes calldata proof, bytes32[] calldata publicInputs) external view returns (bool);
}

/// A payment rollup: holds tokens and the root of the state, which changes only by batches that are proved.
///
/// The operator is trusted for progress only. When a deposit is not taken in time, or an outbound transfer that was
/// requested here is not made, anyone may submit a proved batch that does it, and the operator has to wait (Turns.sol).
contract Rollup is Payments, Turns, OperatorKeys {
    /// What a batch publishes.
    struct Batch {
        uint256 nextStateRoot;
        uint256 ordersRoot;
        uint256 ciphertextCommitment;
        /// Operations in it, no-ops included: one of the sizes that there is a verifier for.
        uint256 size;
        /// As BatchData.sol reads them.
        bytes operations;
    }

    struct Deposit {
        uint32 accountId;
        uint32 tokenId;
        uint64 amount;
        uint64 registeredAt;
    }

    /// A verifier and the number of operations in the batches that it checks.
    struct SizedVerifier {
        uint256 size;
        IBatchVerifier verifier;
    }

    /// All that is needed to rebuild what is public of the state.
    event TransactionBatchAccepted(
        uint256 indexed height,
        uint256 nextStateRoot,
        address submitter,
        Batch batch
    );
    event InboundTransferRegistered(
        uint256 indexed index,
        uint32 indexed accountId,
        uint32 indexed tokenId,
        uint64 amount,
        address from
    );

    error UnknownBatchSize(uint256 size);
    error WrongAccountId(uint256 accountId, uint256 expected);
    /// The signed creation has made an account already.
    error CreationUsed(uint256 accountId);
    error WrongDeposit(uint256 index);
    error InvalidProof();
    error UnknownAccount(uint256 accountId);
    /// A batch of the operator that leaves an overdue deposit.
    error DepositOverdue(uint256 index);
    error DepositTooLow(uint256 amount, uint256 minimum);

    /// Root of a state without accounts and batches: `H(empty account tree, empty history tree)`.
    uint256 private constant EMPTY_STATE_ROOT = 
        0x0eac941877088e948f7aad90a3d7e39cfd388da73053403a3f37194698ef951f;
    uint256 private constant PUBLIC_WORDS = 10;
    uint256 private constant WORDS_PER_OPERATION = 4;
    uint256 private constant CREATE_ACCOUNT = 1;
    /// Words of a text of a creation that says whose account it is.
    uint256 private constant FULL_TEXT = 5;
    uint256 private constant OUTBOUND_TRANSFER = 4;
    uint256 private constant INBOUND_TRANSFER = 5;

    /// How a batch is written, in calls and in events. Contracts without this number have the first layout.
    uint256 public constant batchLayout = 2;
    /// Part of every signed message: which chain and which contract it is for.
    uint256 public immutable domain;
    /// Smallest deposit of any token, in units of the rollup. Contracts without this number take deposits of one unit.
    uint64 public immutable minDeposit;

    uint256 public stateRoot = EMPTY_STATE_ROOT;
    /// Batches so far; the first has height 1.
    uint256 public height;
    /// Id of the account that is created next. Account 0 is the external one.
    uint256 public nextAccountId = 1;
    Deposit[] public deposits;
    /// Deposits before it have become money orders.
    uint256 public nextDeposit;
    /// State root after each batch.
    mapping(uint256 height => uint256) public stateRootAt;
    mapping(uint256 size => IBatchVerifier) public verifiers;
    /// Hashes of the texts that accounts were made with. A text is part of what the holder signed, and names its key, so that
    /// no other creation has it; the id cannot be signed, since it depends on what comes first.
    mapping(bytes32 text => bool) private usedTexts;

    constructor(
        address operator_,
        uint256[2] memory operatorKey,
        uint256 stallTimeout_,
        uint256 turnBlocks_,
        uint256 etherUnit,
        uint64 minDeposit_,
        SizedVerifier[] memory sized
    ) Payments(etherUnit) Turns(operator_, stallTimeout_, turnBlocks_) OperatorKeys(operatorKey) {
        domain = uint256(keccak256(abi.encode(block.chainid, address(this)))) >> 8;
        minDeposit = minDeposit_;
        stateRootAt[0] = EMPTY_STATE_ROOT;
        for (uint256 index = 0; index < sized.length; index++) {
            verifiers[sized[index].size] = sized[index].verifier;
        }
    }

    /// Token that can be deposited from now on. `unit` is how many of its base units one unit of the rollup is.
    function addToken(address token, uint256 unit) external onlyOperator returns (uint256 tokenId) {
        return _addToken(token, unit);
    }

    /// The operator's half of the joint keys of accounts that are made from now on; others keep theirs.
    function announceOperatorKey(uint256[2] calldata key) external onlyOperator {
        _announceKey(key);
    }

    function depositCount() external view returns (uint256) {
        return deposits.length;
    }

    /// Ether for an account, which gets a money order from the external account in one of the next batches.
    function registerInboundTransferETH(uint32 accountId) external payable nonReentrant {
        uint64 amount = _receiveEther();
        _registerInbound(accountId, ETHER, amount);
    }

    /// In: the amount in units of the rollup; as many base units of the token must be allowed to this contract.
    function registerInboundTransferERC20(uint32 accountId, uint32 tokenId, uint64 amount) external nonReentrant {
        _receiveToken(tokenId, amount);
        _registerInbound(accountId, tokenId, amount);
    }

    /// Asks for a transfer out that the operator does not serve. It costs nothing to ask for what cannot be proved, and
    /// pays nothing: only who submits a proved batch with exactly this transfer has the right to, once it is overdue.
    function requestOutboundTransfer(
        uint32 accountId,
        address recipient,
        uint32 tokenId,
        uint64 amount
    ) external {
        require(accountId != 0 && accountId < nextAccountId, UnknownAccount(accountId));
        _request(accountId, recipient, tokenId, amount);
    }

    /// Accepts the next batch, and pays what leaves the rollup with it. From others when it serves something overdue.
    function submitBatch(Batch calldata batch, bytes calldata proof) external nonReentrant {
        IBatchVerifier verifier = _requireForm(batch);
        BatchData.Operations memory operations = BatchData.read(batch.operations, batch.size);
        (uint256 inboundTo, uint256 served) = _applyOperations(operations);
        if (msg.sender == operator) {
            _requireDeposits(inboundTo, batch.size);
            _takeOperatorTurn();
        } else {
            _takeForcedTurn(served);
        }
        _requireProof(verifier, _publicInputs(batch, operations, inboundTo), proof);
        nextDeposit = inboundTo;
        height += 1;
        stateRoot = batch.nextStateRoot;
        stateRootAt[height] = batch.nextStateRoot;
        emit TransactionBatchAccepted(height, batch.nextStateRoot, msg.sender, batch);
        _pay(operations);
    }

    function _registerInbound(uint32 accountId, uint32 tokenId, uint64 amount) private {
        require(accountId != 0 && accountId < nextAccountId, UnknownAccount(accountId));
        require(amount >= minDeposit, DepositTooLow(amount, minDeposit));
        emit InboundTransferRegistered(deposits.length, accountId, tokenId, amount, msg.sender);
        deposits.push(Deposit(accountId, tokenId, amount, uint64(block.timestamp)));
    }

    /// A size that there is a verifier for, and words below the modulus.
    function _requireForm(Batch calldata batch) private view returns (IBatchVerifier verifier) {
        verifier = verifiers[batch.size];
        require(address(verifier) != address(0), UnknownBatchSize(batch.size));
        require(
            batch.nextStateRoot < BatchData.FIELD_MODULUS && batch.ordersRoot < BatchData.FIELD_MODULUS
                && batch.ciphertextCommitment < BatchData.FIELD_MODULUS,
            BatchData.NotAFieldElement()
        );
    }

    /// What operations mean for the contract: new accounts, deposits taken, requests served, balances paid from. Out: also
    /// for whom something overdue was done, as `_takeForcedTurn` takes it; 0 when nothing was
    function _applyOperations(BatchData.Operations memory batch) private returns (uint256 inboundTo, uint256 served) {
        inboundTo = nextDeposit;
        uint256 accountId = nextAccountId;
        for (uint256 index = 0; index < batch.headers.length; index++) {
            uint256 header = batch.headers[index];
            uint256 kind = header >> 128;
            if (kind == CREATE_ACCOUNT) {
                uint256 created = (header >> 96) & type(uint32).max;
                require(created == accountId, WrongAccountId(created, accountId));
                _useText(batch.ciphertexts, index, created);
                accountId += 1;
            } else if (kind == INBOUND_TRANSFER) {
                if (_takeDeposit(inboundTo, header) && served == 0) served = _accountOf(header) + DEPOSITS_OF;
                inboundTo += 1;
            } else if (kind == OUTBOUND_TRANSFER) {
                if (_serveRequest(header, batch.recipients[index])) served = _accountOf(header);
            }
        }
        nextAccountId = accountId;
    }

    /// A signed creation names no id: without this any submitter could make further accounts of it.
    function _useText(uint256[] memory ciphertexts, uint256 index, uint256 accountId) private {
        uint256 first = BatchData.CIPHERTEXT_WORDS * index;
        if (ciphertexts[first] != FULL_TEXT) return;
        uint256 bytesOfText = 32 * BatchData.CIPHERTEXT_WORDS;
        bytes32 text;
        assembly ('memory-safe') {
            text := keccak256(add(ciphertexts, mul(32, add(first, 1))), bytesOfText)
        }
        require(!usedTexts[text], CreationUsed(accountId));
        usedTexts[text] = true;
    }

    /// The operator takes all overdue deposits, or fills half of its batch with them: whoever makes many small ones does not
    /// keep out all else.
    function _requireDeposits(uint256 inboundTo, uint256 size) private view {
        if (inboundTo == deposits.length || 2 * (inboundTo - nextDeposit) >= size) return;
        require(!_isDepositOverdue(deposits[inboundTo].registeredAt), DepositOverdue(inboundTo));
    }

    function _takeDeposit(uint256 index, uint256 header) private view returns (bool overdue) {
        require(index < deposits.length, WrongDeposit(index));
        Deposit storage deposit = deposits[index];
        uint256 expected = (INBOUND_TRANSFER << 128) | (uint256(deposit.accountId) << 96)
            | (uint256(deposit.tokenId) << 64) | deposit.amount;
        require(header == expected, WrongDeposit(index));
        return _isDepositOverdue(deposit.registeredAt);
    }

    function _serveRequest(uint256 header, address recipient) private returns (bool overdue) {
        return _answer(_accountOf(header), recipient, (header >> 64) & type(uint32).max, uint64(header));
    }

    function _accountOf(uint256 header) private pure returns (uint256) {
        return (header >> 96) & type(uint32).max;
    }

    function _requireProof(IBatchVerifier verifier, bytes32[] memory inputs, bytes calldata proof) private view {
        try verifier.verify(proof, inputs) returns (bool holds) {
            require(holds, InvalidProof());
        } catch {
            revert InvalidProof();
        }
    }

    /// In the order of the parameters of the circuit's `main`.
    function _publicInputs(
        Batch calldata batch,
        BatchData.Operations memory operations,
        uint256 inboundTo
    ) private view returns (bytes32[] memory inputs) {
        uint256 size = batch.size;
        inputs = new bytes32[](PUBLIC_WORDS + WORDS_PER_OPERATION * size);
        (uint256 challenge, uint256 evaluation) = _evaluate(batch.ciphertextCommitment, operations.ciphertexts);
        inputs[0] = bytes32(stateRoot);
        inputs[1] = bytes32(batch.nextStateRoot);
        inputs[2] = bytes32(height + 1);
        inputs[3] = bytes32(domain);
        inputs[4] = bytes32(nextDeposit);
        inputs[5] = bytes32(inboundTo);
        inputs[6] = bytes32(batch.ordersRoot);
        inputs[7] = bytes32(batch.ciphertextCommitment);
        inputs[8] = bytes32(challenge);
        inputs[9] = bytes32(evaluation);
        for (uint256 index = 0; index < size; index++) {
            uint256 place = PUBLIC_WORDS + index;
            inputs[place] = bytes32(operations.headers[index]);
            inputs[place + size] = bytes32(uint256(uint160(operations.recipients[index])));
            inputs[place + 2 * size] = bytes32(operations.leaves[index]);
            inputs[place + 3 * size] = bytes32(operations.orders[index]);
        }
    }

    /// The published ciphertexts as a polynomial, at a point that follows from them and from what was signed.
    function _evaluate(
        uint256 commitment,
        uint256[] memory words
    ) private pure returns (uint256 challenge, uint256 evaluation) {
        uint256 modulus = BatchData.FIELD_MODULUS;
        challenge = uint256(keccak256(abi.encodePacked(commitment, words))) % modulus;
        assembly ('memory-safe') {
            let word := add(words, 32)
            for { let end := add(word, mul(32, mload(words))) } lt(word, end) { word := add(word, 32) } {
                evaluation := addmod(mulmod(evaluation, challenge, modulus), mload(word), modulus)
            }
        }
    }

    function _pay(BatchData.Operations memory batch) private {
        for (uint256 index = 0; index < batch.headers.length; index++) {
            uint256 header = batch.headers[index];
            if (header >> 128 != OUTBOUND_TRANSFER) continue;
            uint256 tokenId = (header >> 64) & type(uint32).max;
            _payOut(tokenId, batch.recipients[index], uint64(header));
        }
    }
}
