export { stateBytes, stateDigest, readState, type ContractState } from './signed/contract-state.js';
export { FixedFields, KEY_BYTES, fixed, keyBytes, startsWith } from './signed/fixed-fields.js';
export { openSigned, signMessage, type OpenedMessage } from './signed/node-signature.js';
export { readMessage } from './signed/read-message.js';
export {
  logsHash,
  outcomeDigest,
  sortContracts,
  type ContractOutcome,
  type ToldOutcome,
  type TransactionOutcome,
} from './outcome/transaction-outcome.js';
export { listDigest, type ListedOutcome, type ToldList } from './outcome/outcome-list.js';
export {
  STATEMENT_BYTES,
  openBlockStatement,
  signBlockStatement,
  type BlockStatement,
  type SignedBlockStatement,
  type StatementSubject,
} from './statement/block-statement.js';
export {
  decodeList,
  decodeOutcome,
  encodeList,
  encodeOutcome,
  isListOf,
  isOutcomeOf,
  statementHash,
  type Detail,
} from './statement/statement-details.js';
export {
  firstInLists,
  firstInOutcomes,
  type ContractDifference,
  type ListDifference,
  type OutcomeDifference,
} from './difference/first-difference.js';
