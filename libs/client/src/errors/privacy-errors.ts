import { BaseError, type Hash } from 'viem';
import { CLIENT_PAGE } from './documentation.js';
import { ExplainedError } from './explained-error.js';

/** Privacy parameters that no node would accept, found before anything is sent. */
export class InvalidPrivacyError extends BaseError {
  readonly field: string;

  constructor({ field, problem }: { field: string; problem: string }) {
    super(`${field} ${problem}.`, { ...CLIENT_PAGE, docsSlug: 'privacy', name: 'InvalidPrivacyError' });
    this.field = field;
  }
}

/** Characters of what a node says. */
const MAX_SAID = 200;

/** The node filled in another transaction than the one that was asked for; it was not signed. */
export class UnexpectedTransactionError extends BaseError {
  constructor({ field, wanted, filled }: { field: string; wanted: string; filled: string }) {
    super('The node filled in another transaction than the one that was asked for.', {
      ...CLIENT_PAGE,
      docsSlug: 'local-keys',
      metaMessages: [`Field:  ${field}`, `Wanted: ${wanted}`, `Filled: ${filled.slice(0, MAX_SAID)}`],
      name: 'UnexpectedTransactionError',
    });
  }
}

/** The node gave the receipt of another transaction than the one that was asked for. */
export class UnexpectedReceiptError extends BaseError {
  constructor({ hash, found }: { hash: Hash; found: string }) {
    super('The node gave the receipt of another transaction.', {
      ...CLIENT_PAGE,
      docsSlug: 'receipts',
      metaMessages: [`Asked: ${hash}`, `Given: ${found.slice(0, MAX_SAID)}`],
      name: 'UnexpectedReceiptError',
    });
  }
}

/** The transaction was not mined, or its private state was not there, within the time. */
export class WaitForPrivateReceiptTimeoutError extends ExplainedError {
  constructor({ hash, cause }: { hash: Hash; cause?: Error | undefined }) {
    super(`There is no receipt of the transaction ${hash} yet.`, {
      ...CLIENT_PAGE,
      docsSlug: 'receipts',
      cause,
      metaMessages: [
        cause === undefined
          ? 'The transaction has not been mined.'
          : 'It has been mined, but the node does not have its private state: its transaction manager may be down.',
      ],
      name: 'WaitForPrivateReceiptTimeoutError',
    });
  }
}

/** What a signer cannot do for a private transaction. */
export class UnsupportedBySignerError extends BaseError {
  constructor({ field }: { field: string }) {
    super(`A signer does not send private transactions with ${field}.`, {
      ...CLIENT_PAGE,
      docsSlug: 'accounts',
      metaMessages: ['Behind a signer they are restricted transactions (`eea_sendTransaction`).'],
      name: 'UnsupportedBySignerError',
    });
  }
}
