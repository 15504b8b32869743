// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {BatchData} from './BatchData.sol';
import {Deposits} from './Deposits.sol';
import {Operator} from './Operator.sol';
import {OperatorKeys} from './OperatorKeys.sol';
import {Payments} from './Payments.sol';
import {Requests} from './Requests.sol';
import {Withdrawals} from './Withdrawals.sol';

/// Verifier of the batch circuit of one size; `bb` writes it. Reverts or answers false for a proof that does not hold.
interface IBatchVerifier {
    function verify(bytes calldata proof, bytes32[] calldata publicInputs) external view returns (bool);
}

/// A payment rollup: holds tokens and the root of the state, which changes only by batches that are proved.
///
/// The operator is trusted for progress only. When a deposit is not taken in time, or an operation that was requested here is not
/// made, anyone may freeze the contract (Requests.sol, Deposits.sol), and holders withdraw by proofs alone (Withdrawals.sol).
contract Rollup is Operator, OperatorKeys, Deposits, Withdrawals {
    /// What was fixed when the contract was deployed.
    struct Terms {
        uint256 stallTimeout;
        uint256 requestsPerTimeout;
        uint256 depositsPerTimeout;
        uint256 etherUnit;
        uint64 minDeposit;
    }

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

    error UnknownBatchSize(uint256 size);
    error WrongAccountId(uint256 accountId, uint256 expected);
    /// The signed creation has made an account already.
    error CreationUsed(uint256 accountId);
    /// A creation whose text does not say whose account it is.
    error IncompleteCreation(uint256 accountId);
    error InvalidProof();

    uint256 private constant PUBLIC_WORDS = 10;
    uint256 private constant WORDS_PER_OPERATION = 4;
    uint256 private constant NO_OP = 0;
    uint256 private constant CREATE_ACCOUNT = 1;
    /// Words of a text of a creation that says whose account it is.
    uint256 private constant FULL_TEXT = 5;
    uint256 private constant OUTBOUND_TRANSFER = 4;
    uint256 private constant INBOUND_TRANSFER = 5;
    uint256 private constant CREDIT = 7;

    /// How a batch is written, in calls and in events. Contracts without this number have the first layout.
    uint256 public constant batchLayout = 3;
    /// How holders leave. Contracts without this number have no requests with proofs, and do not freeze.
    uint256 public constant exitRules = 4;

    mapping(uint256 size => IBatchVerifier) public verifiers;
    /// Hashes of the texts that accounts were made with. A text is part of what the holder signed, and names its key, so that
    /// no other creation has it; the id cannot be signed, since it depends on what comes first.
    mapping(bytes32 text => bool) private usedTexts;

    constructor(
        address operator_,
        uint256[2] memory operatorKey,
        Terms memory terms,
        SizedVerifier[] memory sized
    )
        Operator(operator_)
        OperatorKeys(operatorKey)
        Payments(terms.etherUnit)
        Requests(terms.stallTimeout, terms.requestsPerTimeout, terms.minDeposit)
        Deposits(terms.depositsPerTimeout)
    {
        for (uint256 index = 0; index < sized.length; index++) {
            verifiers[sized[index].size] = sized[index].verifier;
        }
    }

    /// Token that can be deposited from now on. `unit` is how many of its base units one unit of the rollup is.
    function addToken(address token, uint256 unit) external onlyOperator whileServed returns (uint256 tokenId) {
        return _addToken(token, unit);
    }

    /// The operator's half of the joint keys of accounts that are made from now on; others keep theirs.
    function announceOperatorKey(uint256[2] calldata key) external onlyOperator {
        _announceKey(key);
    }

    /// Accepts the next batch, and pays what leaves the rollup with it.
    function submitBatch(
        Batch calldata batch,
        bytes calldata proof
    ) external onlyOperator nonReentrant whileServed {
        IBatchVerifier verifier = _requireForm(batch);
        BatchData.Operations memory operations = BatchData.read(batch.operations, batch.size);
        uint256 inboundTo = _applyOperations(operations);
        _requireProof(verifier, _publicInputs(batch, operations, inboundTo), proof);
        nextDeposit = inboundTo;
        uint256 newHeight = _append(batch.nextStateRoot);
        emit TransactionBatchAccepted(newHeight, batch.nextStateRoot, msg.sender, batch);
        _pay(operations);
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

    /// What operations mean for the contract: new accounts, deposits taken, requests answered. Out: the next deposit
    function _applyOperations(BatchData.Operations memory batch) private returns (uint256 inboundTo) {
        inboundTo = nextDeposit;
        uint256 accountId = nextAccountId;
        uint256 newHeight = height + 1;
        for (uint256 index = 0; index < batch.headers.length; index++) {
            uint256 header = batch.headers[index];
            uint256 kind = header >> 128;
            if (kind == CREATE_ACCOUNT) {
                uint256 created = _accountOf(header);
                require(created == accountId, WrongAccountId(created, accountId));
                _useText(batch.ciphertexts, index, created);
                accountId += 1;
            } else if (kind == INBOUND_TRANSFER) {
                _takeDeposit(inboundTo, header);
                inboundTo += 1;
            } else if (kind != NO_OP && kind != CREDIT) {
                // Nobody signs a credit, which only adds: a request stays open, and can still be made.
                _answer(_accountOf(header), newHeight);
            }
        }
        nextAccountId = accountId;
    }

    /// A signed creation names no id: without this any submitter could make further accounts of it.
    function _useText(uint256[] memory ciphertexts, uint256 index, uint256 accountId) private {
        uint256 first = BatchData.CIPHERTEXT_WORDS * index;
        require(ciphertexts[first] == FULL_TEXT, IncompleteCreation(accountId));
        uint256 bytesOfText = 32 * BatchData.CIPHERTEXT_WORDS;
        bytes32 text;
        assembly ('memory-safe') {
            text := keccak256(add(ciphertexts, mul(32, add(first, 1))), bytesOfText)
        }
        require(!usedTexts[text], CreationUsed(accountId));
        usedTexts[text] = true;
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
