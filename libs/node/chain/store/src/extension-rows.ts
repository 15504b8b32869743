import { asBuffer, clientBytes } from '@tetrad/db';
import { addressFromBytes, addressToBytes, parsePtmKey, type Address, type PtmKey } from '@tetrad/types';
import type { PrivateExtensionModel } from './generated/models.js';
import type { NodeCalls } from './node-client.js';

/** An extension of a private contract known to this node, as its management contract started it. */
export interface StoredExtension {
  readonly management: Address;
  readonly contract: Address;
  readonly initiator: Address;
  readonly recipient: Address;
  readonly recipientKey: PtmKey;
  /** Hash of the payload that created the management contract, 64 bytes. */
  readonly creation: Uint8Array;
  /** Whether this node's manager sent that payload. */
  readonly isInitiator: boolean;
  /** Whether this node's manager holds the key of the recipient. */
  readonly isRecipient: boolean;
}

/** An active extension. */
export interface ActiveExtension extends StoredExtension {
  /** Whether all have approved, so that the state may be shared. */
  readonly isApproved: boolean;
}

/** An extension, active or not. */
export interface KnownExtension extends StoredExtension {
  readonly approvedBlock: number | undefined;
  readonly finishedBlock: number | undefined;
}

/** Changes of a block to extensions, by their management contracts; changes of unknown ones are not stored. */
export interface ExtensionChanges {
  readonly started: readonly StoredExtension[];
  readonly approved: readonly Address[];
  readonly finished: readonly Address[];
}

/** Limit on the listed active extensions; starting one costs a transaction. */
export const MAX_ACTIVE = 10_000;
/** Limit on the listed extensions of one contract that have ended. */
const MAX_ENDED = 100;

const OLDEST_FIRST = [{ startedBlock: 'asc' }, { management: 'asc' }] as const;

/** @returns undefined for a management contract unknown to this node, and for one that has finished */
export async function findActiveExtension(
  calls: NodeCalls,
  management: Address,
): Promise<ActiveExtension | undefined> {
  const row = await calls.privateExtension.findUnique({
    where: { management: bytesOf(management), finishedBlock: null },
  });
  return row === null ? undefined : toActive(row);
}

/** As `findActiveExtension`, also one that has finished. */
export async function findAnyExtension(
  calls: NodeCalls,
  management: Address,
): Promise<KnownExtension | undefined> {
  const row = await calls.privateExtension.findUnique({ where: { management: bytesOf(management) } });
  return row === null ? undefined : toKnown(row);
}

/** Extensions of the contract that were approved and have ended, oldest first. Bounds: 100 */
export async function listEndedExtensions(calls: NodeCalls, contract: Address): Promise<KnownExtension[]> {
  const rows = await calls.privateExtension.findMany({
    where: { contract: bytesOf(contract), approvedBlock: { not: null }, finishedBlock: { not: null } },
    orderBy: [...OLDEST_FIRST],
    take: MAX_ENDED,
  });
  return rows.map(toKnown);
}

/** Whether this node has started an extension of the contract that is active: other nodes cannot block one. */
export async function isExtending(calls: NodeCalls, contract: Address): Promise<boolean> {
  const row = await calls.privateExtension.findFirst({
    where: { contract: bytesOf(contract), finishedBlock: null, isInitiator: true },
    select: { management: true },
  });
  return row !== null;
}

/** Active extensions of the contract known to this node, also those in which it has no part, oldest first. Bounds: 10,000 */
export async function listExtensionsOf(calls: NodeCalls, contract: Address): Promise<ActiveExtension[]> {
  const rows = await calls.privateExtension.findMany({
    where: { contract: bytesOf(contract), finishedBlock: null },
    orderBy: [...OLDEST_FIRST],
    take: MAX_ACTIVE,
  });
  return rows.map(toActive);
}

/** Those of the contracts of which an extension to the key was approved and has ended, as far as this node knows of it. */
export async function listExtendedTo(
  calls: NodeCalls,
  contracts: readonly Address[],
  key: PtmKey,
): Promise<Address[]> {
  const rows = await calls.privateExtension.groupBy({
    by: ['contract'],
    where: {
      contract: { in: contracts.map(bytesOf) },
      recipientKey: Buffer.from(key, 'base64'),
      approvedBlock: { not: null },
      finishedBlock: { not: null },
    },
  });
  return rows.map(({ contract }) => addressFromBytes(contract));
}

/** Fields that describe an extension, as a statement reads them. */
export const EXTENSION_FIELDS = [
  'management',
  'contract',
  'initiator',
  'recipient',
  'recipientKey',
  'creation',
  'isInitiator',
  'isRecipient',
  'approvedBlock',
] as const;

type ReadExtension = Pick<PrivateExtensionModel, Exclude<(typeof EXTENSION_FIELDS)[number], 'approvedBlock'>>;

function toKnown(row: ReadExtension & Pick<PrivateExtensionModel, 'approvedBlock' | 'finishedBlock'>) {
  const { approvedBlock, finishedBlock } = row;
  return {
    ...toExtension(row),
    approvedBlock: approvedBlock === null ? undefined : Number(approvedBlock),
    finishedBlock: finishedBlock === null ? undefined : Number(finishedBlock),
  };
}

/** @param row - of the client or of a statement */
export function toActive(
  row: ReadExtension & { readonly approvedBlock: bigint | number | null },
): ActiveExtension {
  return { ...toExtension(row), isApproved: row.approvedBlock !== null };
}

function toExtension(row: ReadExtension): StoredExtension {
  return {
    management: addressFromBytes(row.management),
    contract: addressFromBytes(row.contract),
    initiator: addressFromBytes(row.initiator),
    recipient: addressFromBytes(row.recipient),
    recipientKey: parsePtmKey(asBuffer(row.recipientKey).toString('base64')),
    creation: row.creation,
    isInitiator: row.isInitiator,
    isRecipient: row.isRecipient,
  };
}

function bytesOf(address: Address): Uint8Array<ArrayBuffer> {
  return clientBytes(addressToBytes(address));
}
