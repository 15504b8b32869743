// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.27;

import {RoleManager} from './RoleManager.sol';

/// Access: 0 none, 1 transfers and calls, 2 and 3 everything. Nodes decide by their copies of the records.
contract RoleManagerV1 is RoleManager {
    constructor(address upgradable) RoleManager(upgradable, 4) {}
}
