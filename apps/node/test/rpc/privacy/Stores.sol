// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

contract StoreC {
    uint256 private c;

    constructor(uint256 first) {
        c = first;
    }

    function setc(uint256 x) external {
        c = x;
    }

    function getc() external view returns (uint256) {
        return c;
    }
}

/// Keeps products with what StoreC has.
contract StoreB {
    uint256 private b;
    StoreC private immutable storec;

    constructor(uint256 first, StoreC inner) {
        b = first;
        storec = inner;
    }

    function setb(uint256 x) external {
        b = x * storec.getc();
    }

    function setc(uint256 x) external {
        storec.setc(x);
    }

    function getb() external view returns (uint256) {
        return b;
    }

    function getc() external view returns (uint256) {
        return storec.getc();
    }
}

/// Keeps products with what StoreB has, and sets both through it.
contract StoreA {
    uint256 private a;
    StoreB private immutable storeb;

    constructor(uint256 first, StoreB inner) {
        a = first;
        storeb = inner;
    }

    function seta(uint256 x) external {
        a = x * storeb.getb();
    }

    function setb(uint256 x) external {
        storeb.setb(x);
    }

    function setc(uint256 x) external {
        storeb.setc(x);
    }

    function geta() external view returns (uint256) {
        return a;
    }

    function getb() external view returns (uint256) {
        return storeb.getb();
    }

    function getc() external view returns (uint256) {
        return storeb.getc();
    }
}
