import { BaseError, type Address } from 'viem';
import { CLIENT_PAGE } from './documentation.js';

/** Neither the call nor the client has an account. */
export class AccountMissingError extends BaseError {
  constructor() {
    super('There is no account to send with.', {
      ...CLIENT_PAGE,
      docsSlug: 'accounts',
      metaMessages: ['Give the call an `account`, or create the client with one.'],
      name: 'AccountMissingError',
    });
  }
}

/** The account signs messages and ordinary transactions only. */
export class AccountCannotSignPrivatelyError extends BaseError {
  constructor({ address, type }: { address: Address; type: string }) {
    super(`The account ${address} (${type}) cannot sign a private transaction.`, {
      ...CLIENT_PAGE,
      docsSlug: 'accounts',
      metaMessages: [
        'A private transaction is signed with v 37 or 38, which needs an account that signs a hash (`sign`).',
        'Use an account of the node, a local key, or send a restricted transaction through a signer.',
      ],
      name: 'AccountCannotSignPrivatelyError',
    });
  }
}

/** A privacy marker of another account than the transaction behind it, which every party would ignore. */
export class MarkerSenderError extends BaseError {
  constructor({ sender, markerSender }: { sender: Address; markerSender: Address | undefined }) {
    super('A privacy marker must be sent by the account that signed the private transaction.', {
      ...CLIENT_PAGE,
      docsSlug: 'privacy-markers',
      metaMessages: [`Private transaction: ${sender}`, `Marker: ${markerSender ?? 'no account'}`],
      name: 'MarkerSenderError',
    });
  }
}

/** What only the node can send, with an account that it holds. */
export class NodeAccountNeededError extends BaseError {
  constructor({ address, method }: { address: Address; method: string }) {
    super(`"${method}" needs an account of the node, and ${address} is a local one.`, {
      ...CLIENT_PAGE,
      docsSlug: 'accounts',
      metaMessages: ['The node sends this transaction itself. Give the address of one of its accounts.'],
      name: 'NodeAccountNeededError',
    });
  }
}
