export { stateBytes, stateDigest, readState, type ContractState } from './signed/contract-state.js';
export { compareStated, type StateVerdict } from './signed/compare-stated.js';
export { FixedFields, KEY_BYTES, fixed, keyBytes, startsWith } from './signed/fixed-fields.js';
export { openSigned, signMessage, type OpenedMessage } from './signed/node-signature.js';
export { readMessage } from './signed/read-message.js';
export {
  logsHash,
  outcomeBytes,
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
export {
  RULES,
  differentRules,
  openRules,
  signRules,
  type ExecutionRules,
  type RuleDifference,
  type StatedRules,
} from './statement/stated-rules.js';
export { encodeDisclosedList } from './outcome/own-list.js';
export { splitBlock, withBlock } from './statement/statement-details.js';
export { statedIn } from './statement/block-statement.js';
export { BlockResults, type BlockResultsParts, type TransactionParties } from './results/block-results.js';
export type { PayloadParties } from './results/payload-parties.js';
export { SharedContracts } from './results/shared-contracts.js';
export { AgreementDuty } from './exchange/agreement-duty.js';
export type { ExchangeParts } from './exchange/exchange-parts.js';
export {
  AgreementReader,
  type ContractAgreement,
  type Disagreements,
  type TransactionAgreement,
} from './reading/agreement-reader.js';
export type { Agreement, PartyAgreement, CannotTell } from './reading/party-agreement.js';
export { ContractRepairs, type ContractRepairsParts, type WantedRepair } from './repair/contract-repairs.js';
export type { RepairOrder, RepairPhase, RepairProgress } from './repair/repair-session.js';
export { REPAIR_KINDS, decodePart, decodeRefusal, encodePart, encodeRefusal } from './repair/repair-parts.js';
export {
  openRequest,
  signRequest,
  type RepairPurpose,
  type RepairRequest,
  type RepairSubject,
} from './repair/repair-request.js';
export {
  openRepairDone,
  openRepairStatement,
  signRepairDone,
  signRepairStatement,
  splitStatements,
  type RepairDone,
  type RepairStatement,
} from './repair/repair-statement.js';
export { stateIn } from './repair/tell-repairs.js';
export { AgreementExplainer, type AgreementExplainerParts } from './explanation/agreement-explainer.js';
export type { Cause, Difference, End, PairExplanation } from './explanation/explanation.js';
export { AgreementWaiter, type AwaitedAgreement } from './reading/agreement-waiter.js';
