import { KeystoreError } from '@tetrad/keystore';
import { InvalidBlockError } from '@tetrad/node-block';
import { GenesisError } from '@tetrad/node-execution';
import { ForeignFollowerError } from '@tetrad/node-private-state';
import { WrongGenesisError } from '@tetrad/node-ledger';
import { LedgerStoreError } from '@tetrad/node-store';
import { OperatorError } from '@tetrad/types';

/** What may be wrong with a chain, its database or its keys when a node starts. */
export type ChainError =
  | ForeignFollowerError
  | GenesisError
  | InvalidBlockError
  | KeystoreError
  | LedgerStoreError
  | WrongGenesisError;

const CHAIN_ERRORS = [
  ForeignFollowerError,
  GenesisError,
  InvalidBlockError,
  KeystoreError,
  LedgerStoreError,
  WrongGenesisError,
];

/** Rethrows with one line for the operator where the error is one that he can mend; anything else is a fault. */
export function asOperatorError(error: unknown, prefix = ''): never {
  if (isChainError(error)) throw new OperatorError(`${prefix}${error.message}`, { cause: error });
  throw error;
}

function isChainError(error: unknown): error is ChainError {
  return CHAIN_ERRORS.some((one) => error instanceof one);
}
