// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

/// The account that submits batches. Another one takes over in two steps, so that no typing error leaves the rollup without one.
abstract contract Operator {
    event OperatorProposed(address indexed operator, address indexed next);
    event OperatorChanged(address indexed previous, address indexed next);

    error NotOperator();
    error InvalidOperator();

    address public operator;
    /// Who may take over; the zero address for no account.
    address public proposedOperator;

    constructor(address operator_) {
        require(operator_ != address(0), InvalidOperator());
        operator = operator_;
    }

    modifier onlyOperator() {
        require(msg.sender == operator, NotOperator());
        _;
    }

    /// A later proposal replaces this one. To withdraw it, the operator proposes itself.
    function proposeOperator(address next) external onlyOperator {
        require(next != address(0) && next != address(this), InvalidOperator());
        proposedOperator = next;
        emit OperatorProposed(operator, next);
    }

    function acceptOperator() external {
        require(msg.sender == proposedOperator, NotOperator());
        emit OperatorChanged(operator, msg.sender);
        operator = msg.sender;
        delete proposedOperator;
    }
}
