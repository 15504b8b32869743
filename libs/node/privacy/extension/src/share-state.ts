import { managementWrites, type PrivacyMetadata } from '@tetrad/node-private-state';
import type { PrivateHead } from '@tetrad/node-transactions';
import type { ActiveExtension } from '@tetrad/node-store';
import {
  RequestError,
  bytesFromHex,
  hashToBytes,
  type Address,
  type Logger,
  type PtmKey,
} from '@tetrad/types';
import type { HeadReader } from './extension-checks.js';
import { done, stored, type ExtensionManager, type SentPayload } from './manager-answers.js';
import { readState, type ReadState } from './read-state.js';

export interface ShareParts extends HeadReader {
  readonly manager: ExtensionManager;
  readonly head: Pick<PrivateHead, 'run'>;
  readonly logger: Logger;
}

const MANDATORY = 2;
const VALIDATED = 3;

/**
 * Sends the state that the contract has at the head to all parties of the extension, under the contract's privacy flag.
 *
 * Source: docs/spec/contract-extension.md#course; docs/adr/0147
 *
 * @returns data of the transaction that announces it; undefined when the state cannot be shared
 * @throws RequestError TRANSACTION_MANAGER_REFUSED, TRANSACTION_MANAGER_UNAVAILABLE, PRIVATE_STATE_NOT_AVAILABLE
 */
export async function shareState(
  parts: ShareParts,
  { contract, management }: ActiveExtension,
  { from, parties }: SentPayload,
): Promise<Uint8Array | undefined> {
  const state = await readShareable(parts, contract, management);
  if (state === undefined) return undefined;
  const metadata = await findMetadata(parts, contract);
  const { payload, storageRoot } = state;
  const sent = await parts.manager.send({
    payload,
    from,
    to: parties,
    privacyFlag: metadata?.privacyFlag ?? 0,
    affected: [],
    execHash: metadata?.privacyFlag === VALIDATED ? base64(hashToBytes(storageRoot)) : '',
    mandatoryFor: await findMandatory(parts.manager, metadata),
  });
  return managementWrites.shareState(base64(done(sent).hash));
}

/** Undefined for a contract that has grown too large since, or has destroyed itself; its initiator may cancel. */
async function readShareable(
  { privateHead, logger }: ShareParts,
  contract: Address,
  management: Address,
): Promise<ReadState | undefined> {
  try {
    return await readState(await privateHead(), contract);
  } catch (error) {
    if (!(error instanceof RequestError) || error.code === 'PRIVATE_STATE_NOT_AVAILABLE') throw error;
    logger.error('the state of a contract cannot be shared', { contract, management, error });
    return undefined;
  }
}

function findMetadata(
  { head }: Pick<ShareParts, 'head'>,
  contract: Address,
): Promise<PrivacyMetadata | undefined> {
  return head.run(async ({ metadata }) => (await metadata.find([contract])).get(contract));
}

async function findMandatory(
  manager: ExtensionManager,
  metadata: PrivacyMetadata | undefined,
): Promise<readonly PtmKey[]> {
  if (metadata?.privacyFlag !== MANDATORY) return [];
  return stored(await manager.mandatoryRecipients(bytesFromHex(metadata.creation))) ?? [];
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
