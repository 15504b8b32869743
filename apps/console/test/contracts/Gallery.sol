// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

/// Works of art as ERC-721 has them, as far as explorers ask: it says by ERC-165 what it is, and refuses by an error of its own.
contract Gallery {
    string public constant name = 'Works of the <b>Gallery</b>';
    string public constant symbol = 'ART';
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    error NotForSale(uint256 tokenId, string reason);

    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == 0x01ffc9a7 || interfaceId == 0x80ac58cd;
    }

    function mint(address to, uint256 tokenId) external {
        if (ownerOf[tokenId] != address(0)) revert NotForSale(tokenId, 'it has an owner');
        move(address(0), to, tokenId);
    }

    function transferFrom(address from, address to, uint256 tokenId) external {
        if (ownerOf[tokenId] != msg.sender) revert NotForSale(tokenId, 'the sender is not its owner');
        balanceOf[from] -= 1;
        move(from, to, tokenId);
    }

    function move(address from, address to, uint256 tokenId) private {
        ownerOf[tokenId] = to;
        balanceOf[to] += 1;
        emit Transfer(from, to, tokenId);
    }
}
