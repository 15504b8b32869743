import type { ExecutionAbortedError, InvalidTransactionError } from '@tetrad/node-evm';
import type { StateError } from '../state/state-error.js';

/** Why an execution has no outcome, distinguished by `code`. A contract that fails is an outcome, not an error. */
export type ExecutionError = ExecutionAbortedError | InvalidTransactionError | StateError;
