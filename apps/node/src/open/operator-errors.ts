import { KeystoreError } from '@tetrad/keystore';
import { InvalidBlockError } from '@tetrad/node-block';
import { GenesisError } from '@tetrad/node-execution';
import { ForeignFollowerError } from '@tetrad/node-private-state';
import { WrongGenesisError } from '@tetrad/node-ledger';
import { LedgerStoreError } from '@tetrad/node-store';
import { RemoteKeyError } from '@tetrad/remote-keys';
import { OperatorError } from '@tetrad/types';

/** Errors of a chain, its database or its keys when a node starts. */
export type ChainError =
  | ForeignFollowerError
  | GenesisError
  | InvalidBlockError
  | KeystoreError
  | LedgerStoreError
  | RemoteKeyError
  | WrongGenesisError;

const CHAIN_ERRORS = [
  ForeignFollowerError,
  GenesisError,
  InvalidBlockError,
  KeystoreError,
  LedgerStoreError,
  RemoteKeyError,
  WrongGenesisError,
];

/** Rethrows an error that the operator can fix as one line; any other error is a bug. */
export function asOperatorError(error: unknown, prefix = ''): never {
  if (isChainError(error)) throw new OperatorError(`${prefix}${error.message}`, { cause: error });
  throw error;
}

function isChainError(error: unknown): error is ChainError {
  return CHAIN_ERRORS.some((one) => error instanceof one);
}
