import { BaseError } from 'viem';
import { CLIENT_PAGE } from './documentation.js';

/** A message of a coin network that no wallet would sign, found before anything is sent. */
export class InvalidCoinMessageError extends BaseError {
  readonly field: string;

  constructor({ field, problem }: { field: string; problem: string }) {
    super(`${field} ${problem}.`, { ...CLIENT_PAGE, docsSlug: 'wallets', name: 'InvalidCoinMessageError' });
    this.field = field;
  }
}
