// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {OwedPayments} from './OwedPayments.sol';
import {Payments} from './Payments.sol';

/// Payments as a contract of its own, so that they are tested without proofs.
contract Till is OwedPayments {
    constructor() Payments(1 gwei) {}

    function addToken(address token, uint256 unit) external {
        _addToken(token, unit);
    }

    function depositEther() external payable nonReentrant {
        _receiveEther();
    }

    function depositToken(uint32 tokenId, uint64 amount) external nonReentrant {
        _receiveToken(tokenId, amount);
    }

    function payAll(address[] calldata recipients, uint256 tokenId, uint256 amount) external nonReentrant {
        for (uint256 index = 0; index < recipients.length; index++) _payOut(tokenId, recipients[index], amount);
    }
}

contract Reverting {
    receive() external payable {
        revert('no');
    }
}

contract Burning {
    receive() external payable {
        while (true) {}
    }
}

/// Answers with a megabyte, which the caller would have to pay for if it took it.
contract Verbose {
    receive() external payable {
        assembly {
            revert(0, 1000000)
        }
    }
}

contract Reentering {
    receive() external payable {
        Till(payable(msg.sender)).payOwed(address(this), 0);
    }
}

/// Accepts ether once it is opened.
contract Closed {
    bool public open;

    function setOpen() external {
        open = true;
    }

    receive() external payable {
        require(open);
    }
}

/// An ERC-20 token with the habits of some that there are.
contract OddToken {
    enum Habit {
        Plain,
        NoAnswer,
        False,
        Fee,
        Reverts,
        Reenters,
        Burns,
        Verbose,
        Two,
        Pretends,
        Blocks
    }

    Habit public habit;
    uint8 public constant decimals = 18;
    mapping(address => uint256) public balanceOf;
    /// Who gets nothing while it blocks.
    address public blocked;

    function setHabit(Habit next) external {
        habit = next;
    }

    function setBlocked(address next) external {
        blocked = next;
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function transfer(address to, uint256 amount) external {
        _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external {
        _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private {
        require(habit != Habit.Reverts && (habit != Habit.Blocks || to != blocked));
        while (habit == Habit.Burns) {}
        if (habit == Habit.Reenters) Till(payable(msg.sender)).depositToken(1, 1);
        if (habit != Habit.False && habit != Habit.Pretends) {
            balanceOf[from] -= amount;
            balanceOf[to] += habit == Habit.Fee ? amount - 1 : amount;
        }
        if (habit == Habit.NoAnswer) return;
        uint256 answer = habit == Habit.False ? 0 : habit == Habit.Two ? 2 : 1;
        uint256 size = habit == Habit.Verbose ? 60_000 : 32;
        assembly {
            mstore(0, answer)
            return(0, size)
        }
    }
}

/// Has code, and none of the functions of a token.
contract NoToken {}

/// Answers to `decimals`, not to `balanceOf`.
contract HalfToken {
    uint8 public constant decimals = 18;
}

/// A recipient that calls the rollup with data that was left here, whenever it is paid.
contract Caller {
    bytes public data;
    bool public succeeded;

    function setData(bytes calldata next) external {
        data = next;
    }

    receive() external payable {
        if (data.length != 0) (succeeded, ) = msg.sender.call(data);
    }
}

/// Calls for another, who is not the sender of the transaction.
contract Relay {
    function relay(address to, bytes calldata data) external {
        (bool succeeded,) = to.call(data);
        require(succeeded, 'refused');
    }
}
