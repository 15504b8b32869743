import { ethBlockMethods } from './eth-standard/blocks.js';
import { ethChainMethods } from './eth-standard/chain.js';
import { ethExecutionMethods } from './eth-standard/execution.js';
import { ethFilterMethods } from './eth-standard/filters.js';
import { ethStateMethods } from './eth-standard/state.js';
import { ethTransactionMethods } from './eth-standard/transactions.js';

/** The eth methods of the public Ethereum execution API, beyond those of the interface document. */
export const ethStandardMethods = {
  ...ethChainMethods,
  ...ethBlockMethods,
  ...ethTransactionMethods,
  ...ethStateMethods,
  ...ethExecutionMethods,
  ...ethFilterMethods,
};
