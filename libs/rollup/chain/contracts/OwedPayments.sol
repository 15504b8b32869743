// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {Payments} from './Payments.sol';

/// Payments that failed. Their recipient can have another address paid, for one that a token has blocked, or a contract that
/// takes no ether, would never get them.
abstract contract OwedPayments is Payments {
    /// What is owed to a recipient was paid to another address, as the recipient wanted.
    event OwedRedirected(address indexed recipient, uint256 indexed tokenId, address indexed to, uint256 amount);

    error NothingOwed();
    error InvalidRecipient(address recipient);
    error InvalidRedirection();

    bytes32 private constant DOMAIN_TYPE =
        keccak256('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)');
    bytes32 private constant REDIRECTION_TYPE =
        keccak256('RedirectOwed(address recipient,uint256 tokenId,address to,uint256 nonce,uint256 deadline)');
    bytes32 private constant NAME = keccak256('Tetrad Rollup');
    bytes32 private constant VERSION = keccak256('3');
    /// Of a signature with the lower s: half of the order of secp256k1.
    uint256 private constant MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    /// Redirections that a recipient has signed and somebody has sent.
    mapping(address recipient => uint256) public redirectionNonces;

    /// Pays what is owed to a recipient; any caller may ask for it. Fails when it cannot be paid this time either.
    function payOwed(address recipient, uint256 tokenId) external nonReentrant {
        _payOwed(recipient, tokenId, recipient);
    }

    /// Pays what is owed to the caller to another address.
    function payOwedTo(uint256 tokenId, address to) external nonReentrant {
        _redirect(msg.sender, tokenId, to);
    }

    /// The same with a signature of the recipient in place of its call (EIP-712): any caller may send it until the deadline.
    function redirectOwed(
        address recipient,
        uint256 tokenId,
        address to,
        uint256 deadline,
        bytes calldata signature
    ) external nonReentrant {
        require(block.timestamp <= deadline, InvalidRedirection());
        uint256 nonce = redirectionNonces[recipient]++;
        bytes32 content = keccak256(abi.encode(REDIRECTION_TYPE, recipient, tokenId, to, nonce, deadline));
        bytes32 domain = keccak256(abi.encode(DOMAIN_TYPE, NAME, VERSION, block.chainid, address(this)));
        bytes32 digest = keccak256(abi.encodePacked(hex'1901', domain, content));
        require(recipient != address(0) && _signerOf(digest, signature) == recipient, InvalidRedirection());
        _redirect(recipient, tokenId, to);
    }

    function _redirect(address recipient, uint256 tokenId, address to) private {
        require(to != address(0) && to != address(this), InvalidRecipient(to));
        emit OwedRedirected(recipient, tokenId, to, owed[recipient][tokenId]);
        _payOwed(recipient, tokenId, to);
    }

    function _payOwed(address recipient, uint256 tokenId, address to) private {
        uint256 amount = owed[recipient][tokenId];
        require(amount != 0, NothingOwed());
        delete owed[recipient][tokenId];
        require(_transfer(tokenList[tokenId], to, amount, gasleft()), TransferFailed());
        emit OutboundTransferPaid(to, tokenId, amount);
    }

    /// `r(32) ‖ s(32) ‖ v(1)` with the lower s. Out: the zero address for what is no signature
    function _signerOf(bytes32 digest, bytes calldata signature) private pure returns (address) {
        if (signature.length != 65) return address(0);
        bytes32 s = bytes32(signature[32:64]);
        if (uint256(s) > MAX_S) return address(0);
        return ecrecover(digest, uint8(signature[64]), bytes32(signature[:32]), s);
    }
}
