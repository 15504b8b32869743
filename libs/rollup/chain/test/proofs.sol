// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {Grumpkin} from './Grumpkin.sol';
import {Poseidon2} from './Poseidon2.sol';
import {Poseidon2Constants} from './Poseidon2Constants.sol';
import {StateProofs} from './StateProofs.sol';

/// The internal functions of the libraries as calls, each with the gas that it takes.
contract Proofs {
    function constants() external pure returns (uint256[88] memory words) {
        uint256 table = Poseidon2Constants.load();
        for (uint256 index = 0; index < 88; index++) {
            uint256 word;
            assembly ('memory-safe') {
                word := mload(add(table, mul(32, index)))
            }
            words[index] = word;
        }
    }

    function hashWords(uint256[] memory words) external view returns (uint256 hash, uint256 gasUsed) {
        uint256 table = Poseidon2Constants.load();
        uint256 before = gasleft();
        hash = Poseidon2.hashWords(table, words);
        gasUsed = before - gasleft();
    }

    function hash2(uint256 left, uint256 right) external view returns (uint256 hash, uint256 gasUsed) {
        uint256 table = Poseidon2Constants.load();
        uint256 before = gasleft();
        hash = Poseidon2.hash2(table, left, right);
        gasUsed = before - gasleft();
    }

    function isSigned(
        uint256[2] memory key,
        uint256 message,
        Grumpkin.Signature memory signature
    ) external view returns (bool isTrue, uint256 gasUsed) {
        uint256 table = Poseidon2Constants.load();
        uint256 before = gasleft();
        isTrue = Grumpkin.isSigned(table, key, message, signature);
        gasUsed = before - gasleft();
    }
}

/// The linked library as calls.
contract ProofCalls {
    function requireTransfer(StateProofs.Transfer calldata transfer, uint256 domain, uint256 stateRoot) external view {
        StateProofs.requireTransfer(transfer, domain, stateRoot);
    }

    function requireRedemption(
        StateProofs.Redemption calldata redemption,
        uint256 domain,
        uint256 stateRoot
    ) external view {
        StateProofs.requireRedemption(redemption, domain, stateRoot);
    }

    function requireClaim(StateProofs.Claim calldata claim, uint256 domain, uint256 stateRoot) external view {
        StateProofs.requireClaim(claim, domain, stateRoot);
    }

    function requireBalance(uint256 balancesRoot, StateProofs.Balance calldata balance) external pure {
        StateProofs.Balance[] memory balances = new StateProofs.Balance[](1);
        balances[0] = balance;
        StateProofs.requireBalances(balancesRoot, balances);
    }

    function requireOrder(
        uint256 historyRoot,
        uint256 accountId,
        uint256 redemptionIndex,
        StateProofs.Order calldata order
    ) external pure {
        StateProofs.Order[] memory orders = new StateProofs.Order[](1);
        orders[0] = order;
        StateProofs.requireOrders(historyRoot, accountId, redemptionIndex, orders);
    }
}
