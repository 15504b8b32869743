// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {Grumpkin} from './Grumpkin.sol';
import {MerkleTree} from './MerkleTree.sol';
import {Poseidon2} from './Poseidon2.sol';
import {Poseidon2Constants} from './Poseidon2Constants.sol';

/// Proofs of parts of the rollup's state by hashes alone, and what holders sign (docs/spec/rollup-exits.md). Deployed once and
/// linked: with its code the contract would be longer than a chain takes (EIP-170).
///
/// Words of the caller are below the modulus, and numbers in their range: each proof can be written in one way only, and what is
/// accepted here the batch circuit accepts.
library StateProofs {
    /// A leaf of the account tree, and what leads from it to a state root.
    struct Account {
        uint32 id;
        uint256[2] publicKey;
        uint256 jointKeyHash;
        uint256 balancesRoot;
        uint64 nonce;
        uint48 redemptionIndex;
        uint256 blindingFactor;
        /// 0 for none (docs/adr/0253).
        uint256 consent;
        uint256[28] siblings;
        uint256 historyRoot;
    }

    /// A leaf of an account's tree of balances.
    struct Balance {
        uint32 tokenId;
        uint64 amount;
        uint256[8] siblings;
    }

    /// A money order to an account, and what leads from it to a history root.
    struct Order {
        uint32 fromId;
        uint32 tokenId;
        uint64 amount;
        uint256 blindingFactor;
        uint48 totalIndex;
        uint256[12] siblings;
        uint256[32] historySiblings;
    }

    /// A signed transfer out of a balance.
    struct Transfer {
        Account account;
        Balance balance;
        uint64 amount;
        address recipient;
        Grumpkin.Signature signature;
    }

    /// A signed redemption of an order, with the text that is published and the balance that it raises.
    struct Redemption {
        Account account;
        Balance balance;
        Order order;
        uint256[15] text;
        Grumpkin.Signature signature;
    }

    /// A signed choice of who is paid what an account has.
    struct Claim {
        Account account;
        address recipient;
        Grumpkin.Signature signature;
    }

    /// A word that is not below the modulus, or a number that the state cannot have.
    error InvalidWord();
    error NotInState(uint256 accountId);
    error WrongBalance(uint256 tokenId);
    error WrongOrder(uint256 totalIndex);
    error BalanceTooLow(uint256 tokenId);
    error OrderRedeemed(uint256 totalIndex);
    error InvalidSignature();

    uint256 private constant REDEEM_MONEY_ORDER = 3;
    uint256 private constant OUTBOUND_TRANSFER = 4;
    /// Of the fifteen zeros that an operation without a text has.
    uint256 private constant NO_TEXT =
        0x0b606ea245a327a4cbce388e08844080f424903872fd4996697be5cf7ef65858;
    /// Tags of operations are below 2^251.
    uint256 private constant CLAIM_TAG = 2 ** 252;
    uint256 private constant ACCOUNTS = 2 ** 28;
    uint256 private constant TOKENS = 2 ** 8;
    /// Bits of a total index that no batch is long enough for.
    uint256 private constant UNUSED_BITS = 0xf000;

    /// A transfer that the operator can make as long as the account signs nothing else.
    function requireTransfer(Transfer calldata transfer, uint256 domain, uint256 stateRoot) external view {
        uint256 table = Poseidon2Constants.load();
        Account calldata account = transfer.account;
        Balance calldata balance = transfer.balance;
        _requireAccount(table, account, stateRoot);
        _requireBalance(table, account.balancesRoot, balance);
        require(transfer.amount <= balance.amount, BalanceTooLow(balance.tokenId));
        uint256[] memory words = new uint256[](9);
        words[0] = domain * 8 + OUTBOUND_TRANSFER;
        words[1] = account.id;
        words[2] = uint256(uint160(transfer.recipient));
        words[3] = balance.tokenId;
        words[4] = transfer.amount;
        words[5] = uint256(account.nonce) + 1;
        words[8] = NO_TEXT;
        _requireSigned(table, account, words, transfer.signature);
    }

    /// A redemption that the operator can make as long as the account signs nothing else.
    function requireRedemption(Redemption calldata redemption, uint256 domain, uint256 stateRoot) external view {
        uint256 table = Poseidon2Constants.load();
        Account calldata account = redemption.account;
        Order calldata order = redemption.order;
        _requireAccount(table, account, stateRoot);
        _requireBalance(table, account.balancesRoot, redemption.balance);
        require(redemption.balance.tokenId == order.tokenId, WrongBalance(order.tokenId));
        _requireOrder(table, account.historyRoot, account.id, account.redemptionIndex, order);
        uint256[] memory words = new uint256[](9);
        words[0] = domain * 8 + REDEEM_MONEY_ORDER;
        words[1] = order.fromId;
        words[2] = account.id;
        words[3] = order.tokenId;
        words[4] = order.amount;
        words[5] = order.blindingFactor;
        words[6] = order.totalIndex;
        words[7] = uint256(account.nonce) + 1;
        words[8] = _textHash(table, redemption.text);
        _requireSigned(table, account, words, redemption.signature);
    }

    function requireClaim(Claim calldata claim, uint256 domain, uint256 stateRoot) external view {
        uint256 table = Poseidon2Constants.load();
        _requireAccount(table, claim.account, stateRoot);
        uint256[] memory words = new uint256[](3);
        words[0] = CLAIM_TAG + domain;
        words[1] = claim.account.id;
        words[2] = uint256(uint160(claim.recipient));
        _requireSigned(table, claim.account, words, claim.signature);
    }

    function requireBalances(uint256 balancesRoot, Balance[] calldata balances) external pure {
        uint256 table = Poseidon2Constants.load();
        for (uint256 index = 0; index < balances.length; index++) {
            _requireBalance(table, balancesRoot, balances[index]);
        }
    }

    /// Orders to an account after the one that it redeemed last.
    function requireOrders(
        uint256 historyRoot,
        uint256 accountId,
        uint256 redemptionIndex,
        Order[] calldata orders
    ) external pure {
        uint256 table = Poseidon2Constants.load();
        for (uint256 index = 0; index < orders.length; index++) {
            _requireOrder(table, historyRoot, accountId, redemptionIndex, orders[index]);
        }
    }

    function _requireAccount(uint256 table, Account calldata account, uint256 stateRoot) private pure {
        require(account.id != 0 && account.id < ACCOUNTS, InvalidWord());
        uint256[] memory words = new uint256[](9);
        words[0] = account.id;
        words[1] = _element(account.publicKey[0]);
        words[2] = _element(account.publicKey[1]);
        words[3] = _element(account.jointKeyHash);
        words[4] = _element(account.balancesRoot);
        words[5] = account.nonce;
        words[6] = account.redemptionIndex;
        words[7] = _element(account.blindingFactor);
        words[8] = _element(account.consent);
        uint256 siblings;
        uint256[28] calldata path = account.siblings;
        assembly ('memory-safe') {
            siblings := path
        }
        uint256 leaf = Poseidon2.hashWords(table, words);
        uint256 root = MerkleTree.rootOf(table, leaf, account.id, siblings, 28);
        require(
            Poseidon2.hash2(table, root, _element(account.historyRoot)) == stateRoot, NotInState(account.id)
        );
    }

    function _requireBalance(uint256 table, uint256 balancesRoot, Balance calldata balance) private pure {
        require(balance.tokenId < TOKENS, InvalidWord());
        uint256 siblings;
        uint256[8] calldata path = balance.siblings;
        assembly ('memory-safe') {
            siblings := path
        }
        uint256 root = MerkleTree.rootOf(table, balance.amount, balance.tokenId, siblings, 8);
        require(root == balancesRoot, WrongBalance(balance.tokenId));
    }

    function _requireOrder(
        uint256 table,
        uint256 historyRoot,
        uint256 accountId,
        uint256 redemptionIndex,
        Order calldata order
    ) private pure {
        uint256 totalIndex = order.totalIndex;
        require(order.tokenId < TOKENS && totalIndex & UNUSED_BITS == 0, InvalidWord());
        require(totalIndex > redemptionIndex, OrderRedeemed(totalIndex));
        uint256[] memory words = new uint256[](5);
        words[0] = order.fromId;
        words[1] = accountId;
        words[2] = order.tokenId;
        words[3] = order.amount;
        words[4] = _element(order.blindingFactor);
        uint256 siblings;
        uint256[12] calldata path = order.siblings;
        assembly ('memory-safe') {
            siblings := path
        }
        uint256 node = Poseidon2.hashWords(table, words);
        node = MerkleTree.rootOf(table, node, totalIndex & 0xfff, siblings, 12);
        uint256[32] calldata history = order.historySiblings;
        assembly ('memory-safe') {
            siblings := history
        }
        node = MerkleTree.rootOf(table, node, totalIndex >> 16, siblings, 32);
        require(node == historyRoot, WrongOrder(totalIndex));
    }

    function _requireSigned(
        uint256 table,
        Account calldata account,
        uint256[] memory words,
        Grumpkin.Signature calldata signature
    ) private view {
        uint256 message = Poseidon2.hashWords(table, words);
        require(Grumpkin.isSigned(table, account.publicKey, message, signature), InvalidSignature());
    }

    function _textHash(uint256 table, uint256[15] calldata text) private pure returns (uint256) {
        uint256[] memory words = new uint256[](15);
        for (uint256 index = 0; index < 15; index++) words[index] = _element(text[index]);
        return Poseidon2.hashWords(table, words);
    }

    function _element(uint256 word) private pure returns (uint256) {
        require(word < Poseidon2.MODULUS, InvalidWord());
        return word;
    }
}
