import type { ExecutionAbortedError, InvalidTransactionError } from '@tetrad/node-evm';
import type { StateError } from '../state/state-error.js';

/** Why an execution has no outcome, told apart by `code`; that of a contract that fails is a value. */
export type ExecutionError = ExecutionAbortedError | InvalidTransactionError | StateError;
