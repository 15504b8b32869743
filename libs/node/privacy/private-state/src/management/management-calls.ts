import { bytesFromHex, type Address } from '@tetrad/types';
import { AbiReader, encodeArguments, type AbiValue } from './abi.js';

/** Selectors of management contracts. Source: docs/spec/contract-extension.md#management-contract */
export const MANAGEMENT_SELECTORS = {
  checkIfExtensionFinished: '0x1962cb9b',
  checkIfVoted: '0xcb2805ec',
  creator: '0x02d05d3f',
  walletAddressesToVote: '0x79d41b8f',
  doVote: '0xde5828cb',
  finish: '0xd56b2889',
  setSharedStateHash: '0x893971ba',
} as const;

/** Call data of reads of a management contract. The voters are the creator and the recipient, in this order. */
export const managementReads = {
  isFinished: call('checkIfExtensionFinished', []),
  /** Whether the calling account has voted. */
  hasVoted: call('checkIfVoted', []),
  creator: call('creator', []),
  /** @param index - 0 or 1 */
  voter: (index: 0 | 1): Uint8Array => call('walletAddressesToVote', [index === 1]),
} as const;

/** Call data of transactions to a management contract. */
export const managementWrites = {
  finish: call('finish', []),
  vote: (approves: boolean, uuid: string): Uint8Array => call('doVote', [approves, { text: uuid }]),
  /** @param stateHash - base64 of the hash of the payload with the state */
  shareState: (stateHash: string): Uint8Array => call('setSharedStateHash', [{ text: stateHash }]),
} as const;

/**
 * Data of the transaction that creates a management contract.
 * @param code - of its creation
 */
export function managementCreation(
  code: Uint8Array,
  extension: { readonly contract: Address; readonly recipient: Address; readonly recipientKey: string },
): Uint8Array {
  const { contract, recipient, recipientKey } = extension;
  return Buffer.concat([code, encodeArguments([contract, recipient, { text: recipientKey }])]);
}

/** Decodes the result of a read; undefined when it is invalid, as from an account that is not a management contract. */
export const readAnswer = {
  boolean: (output: Uint8Array): boolean | undefined => new AbiReader(output).boolean(0),
  address: (output: Uint8Array): Address | undefined => new AbiReader(output).address(0),
} as const;

/** A boolean and a small number are the same word. */
function call(name: keyof typeof MANAGEMENT_SELECTORS, values: readonly AbiValue[]): Uint8Array {
  return Buffer.concat([bytesFromHex(MANAGEMENT_SELECTORS[name]), encodeArguments(values)]);
}
