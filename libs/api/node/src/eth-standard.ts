import { ethBlockMethods } from './eth-standard/blocks.js';
import { ethChainMethods } from './eth-standard/chain.js';
import { ethExecutionMethods } from './eth-standard/execution.js';
import { ethForkConfigMethods } from './eth-standard/fork-config.js';
import { ethHeaderMethods } from './eth-standard/headers.js';
import { ethRawTransactionMethods } from './eth-standard/raw-transactions.js';
import { ethSimulationMethods } from './eth-standard/simulation.js';
import { ethSubmissionMethods } from './eth-standard/submissions.js';
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
  ...ethHeaderMethods,
  ...ethRawTransactionMethods,
  ...ethSubmissionMethods,
  ...ethSimulationMethods,
  ...ethForkConfigMethods,
};
