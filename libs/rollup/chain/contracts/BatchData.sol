// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

/// Reads the operations of a batch, which are written one after the other, each with what its kind has
/// (docs/spec/rollup-batch.md). Each batch can be written in one way only.
library BatchData {
    /// What is published of each operation; `ciphertexts` has 15 words for each, zeros where fewer are written.
    struct Operations {
        /// `kind(8) ‖ account(32) ‖ token(32) ‖ amount(64)`
        uint256[] headers;
        address[] recipients;
        uint256[] leaves;
        uint256[] orders;
        uint256[] ciphertexts;
    }

    error WrongLength();
    error NotAFieldElement();
    error UnknownKind(uint256 kind);

    uint256 internal constant FIELD_MODULUS =
        0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001;
    uint256 internal constant CIPHERTEXT_WORDS = 15;

    uint256 private constant NO_OP = 0;
    uint256 private constant CREATE_ACCOUNT = 1;
    uint256 private constant CREATE_MONEY_ORDER = 2;
    uint256 private constant REDEEM_MONEY_ORDER = 3;
    uint256 private constant OUTBOUND_TRANSFER = 4;
    uint256 private constant INBOUND_TRANSFER = 5;
    uint256 private constant SET_CONSENT = 6;
    uint256 private constant CREDIT = 7;
    /// Bytes of the kind and of the number of words of the ciphertext.
    uint256 private constant PREFIX = 2;

    /// In: size, the operations in it. Reverts when the data is not exactly that of so many.
    function read(bytes calldata data, uint256 size) internal pure returns (Operations memory operations) {
        operations.headers = new uint256[](size);
        operations.recipients = new address[](size);
        operations.leaves = new uint256[](size);
        operations.orders = new uint256[](size);
        operations.ciphertexts = new uint256[](CIPHERTEXT_WORDS * size);
        uint256 at = 0;
        for (uint256 index = 0; index < size; index++) {
            at = _readOperation(data, at, operations, index);
        }
        require(at == data.length, WrongLength());
    }

    /// Out: where the next one begins.
    function _readOperation(
        bytes calldata data,
        uint256 at,
        Operations memory operations,
        uint256 index
    ) private pure returns (uint256 next) {
        require(at + PREFIX <= data.length, WrongLength());
        uint256 kind = _take(data, at, 1);
        uint256 words = _take(data, at + 1, 1);
        at += PREFIX;
        next = at + _fieldBytes(kind) + 32 * words;
        require(words <= CIPHERTEXT_WORDS && next <= data.length, WrongLength());
        _readFields(data, at, kind, operations, index);
        _readText(data, next - 32 * words, words, operations.ciphertexts, CIPHERTEXT_WORDS * index);
    }

    function _fieldBytes(uint256 kind) private pure returns (uint256) {
        if (kind == NO_OP) return 0;
        if (kind == CREATE_ACCOUNT || kind == REDEEM_MONEY_ORDER) return 4 + 32;
        if (kind == SET_CONSENT || kind == CREDIT) return 4 + 32;
        if (kind == CREATE_MONEY_ORDER) return 4 + 32 + 32;
        if (kind == OUTBOUND_TRANSFER) return 4 + 4 + 8 + 20 + 32;
        require(kind == INBOUND_TRANSFER, UnknownKind(kind));
        return 4 + 4 + 8 + 32;
    }

    function _readFields(
        bytes calldata data,
        uint256 at,
        uint256 kind,
        Operations memory operations,
        uint256 index
    ) private pure {
        if (kind == NO_OP) return;
        uint256 header = (kind << 128) | (_take(data, at, 4) << 96);
        at += 4;
        if (kind == OUTBOUND_TRANSFER || kind == INBOUND_TRANSFER) {
            header |= _take(data, at, 12);
            at += 12;
        }
        operations.headers[index] = header;
        if (kind == OUTBOUND_TRANSFER) {
            operations.recipients[index] = address(uint160(_take(data, at, 20)));
            at += 20;
        }
        if (kind != INBOUND_TRANSFER) {
            operations.leaves[index] = _takeElement(data, at);
            at += 32;
        }
        if (kind == CREATE_MONEY_ORDER || kind == INBOUND_TRANSFER) {
            operations.orders[index] = _takeElement(data, at);
        }
    }

    /// The words of a ciphertext up to the last that is not zero.
    function _readText(
        bytes calldata data,
        uint256 at,
        uint256 words,
        uint256[] memory ciphertexts,
        uint256 first
    ) private pure {
        if (words == 0) return;
        for (uint256 index = 0; index < words; index++) {
            ciphertexts[first + index] = _takeElement(data, at + 32 * index);
        }
        require(ciphertexts[first + words - 1] != 0, WrongLength());
    }

    function _takeElement(bytes calldata data, uint256 at) private pure returns (uint256 word) {
        word = _take(data, at, 32);
        require(word < FIELD_MODULUS, NotAFieldElement());
    }

    /// A number of so many bytes. The caller has checked that they are there.
    function _take(bytes calldata data, uint256 at, uint256 size) private pure returns (uint256 value) {
        assembly ('memory-safe') {
            value := shr(sub(256, mul(8, size)), calldataload(add(data.offset, at)))
        }
    }
}
