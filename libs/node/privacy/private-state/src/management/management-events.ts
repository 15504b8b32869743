import type { Address, Log } from '@tetrad/types';
import { AbiReader } from './abi.js';

/** Topics of the events of management contracts; no argument is indexed. Source: docs/spec/contract-extension.md#management-contract */
export const MANAGEMENT_TOPICS = {
  created: '0x04576ede6057794ada68966eebc285c98a2726cbc4929ffd1ad9900336728d93',
  shareable: '0xfd46cafaa71d87561071b8095703a7f081265fad232945049f5cf2d2c39b3d28',
  stateShared: '0x67a92539f3cbd7c5a9b36c23c0e2beceb27d2e1b3cd8eda02c623689267ae71e',
  finished: '0x79c47b570b18a8a814b785800e5fcbf104e067663589cef1bba07756e3c6ede9',
} as const;

/** The events of a management contract that have an effect outside of it. */
export type ManagementEvent =
  | {
      readonly kind: 'created';
      readonly contract: Address;
      /** As its creator wrote it, unchecked. */
      readonly recipientKey: string;
      readonly recipient: Address;
    }
  /** All have approved: the creator may share the state. */
  | { readonly kind: 'shareable' }
  | {
      readonly kind: 'stateShared';
      readonly contract: Address;
      /** Base64 of the hash of the payload with the state. */
      readonly stateHash: string;
      /** `0x` and the hash of the payload by which a voter's manager knows the vote. */
      readonly uuid: string;
    }
  | { readonly kind: 'finished' };

/** Maximum size of a text in an event, in bytes; the longest valid one has 130. */
const MAX_TEXT = 256;

/** @returns undefined for another log, also for one with a topic of these and other data */
export function readManagementEvent({ topics, data }: Log): ManagementEvent | undefined {
  if (topics.length !== 1) return undefined;
  const reader = new AbiReader(data);
  switch (topics[0] as string) {
    case MANAGEMENT_TOPICS.created:
      return readCreated(reader);
    case MANAGEMENT_TOPICS.stateShared:
      return readStateShared(reader);
    case MANAGEMENT_TOPICS.shareable:
      return { kind: 'shareable' };
    case MANAGEMENT_TOPICS.finished:
      return { kind: 'finished' };
    default:
      return undefined;
  }
}

function readCreated(reader: AbiReader): ManagementEvent | undefined {
  const [contract, recipientKey, recipient] = [
    reader.address(0),
    reader.text(1, MAX_TEXT),
    reader.address(2),
  ];
  if (contract === undefined || recipientKey === undefined || recipient === undefined) return undefined;
  return { kind: 'created', contract, recipientKey, recipient };
}

function readStateShared(reader: AbiReader): ManagementEvent | undefined {
  const [contract, stateHash, uuid] = [reader.address(0), reader.text(1, MAX_TEXT), reader.text(2, MAX_TEXT)];
  if (contract === undefined || stateHash === undefined || uuid === undefined) return undefined;
  return { kind: 'stateShared', contract, stateHash, uuid };
}
