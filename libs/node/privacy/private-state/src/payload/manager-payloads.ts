import type {
  ManagerClient,
  ManagerFeatures,
  Outcome,
  PrivatePayload as ManagerPayload,
} from '@tetrad/transaction-manager-client';
import { bytesFromHex, hashFromBytes, type Hash } from '@tetrad/types';
import { payloadHash, type PayloadHash } from './payload-hash.js';
import { RecentParties } from './recent-parties.js';
import type { PayloadAnswer, PayloadSource, PrivacyFlag, PrivatePayload } from './payload-source.js';

const ROOT_BYTES = 32;

/** Payloads of a transaction manager. */
export class ManagerPayloads implements PayloadSource {
  /** Of the payloads that were found last. */
  readonly recentParties = new RecentParties();

  constructor(
    private readonly manager: Pick<ManagerClient, 'features' | 'refreshFeatures' | 'find'>,
    private readonly options: {
      /** Whether the chain has privacy flags; a manager without support for them returns payloads without flags. */
      readonly needsPrivacyFlags: boolean;
    },
  ) {}

  async find(hash: PayloadHash): Promise<PayloadAnswer> {
    const obstacle = await this.findObstacle();
    if (obstacle !== undefined) return { kind: 'unavailable', reason: obstacle };
    const found = await this.manager.find(bytesFromHex(hash));
    if (found.kind === 'not-found') return { kind: 'notParty' };
    if (found.kind === 'unknown') return { kind: 'unavailable', reason: unavailable(found.reason) };
    this.recentParties.add(hash, found.value);
    return { kind: 'payload', payload: toPayload(found.value) };
  }

  /** Why the manager cannot be used now; undefined when it can. */
  async findObstacle(): Promise<string | undefined> {
    const { needsPrivacyFlags } = this.options;
    let features = await this.manager.features();
    // Missing features are requested again: the manager may have been upgraded.
    if (features.kind === 'done' && needsPrivacyFlags && !features.value.privacyFlags) {
      features = await this.manager.refreshFeatures();
    }
    return this.obstacleOf(features);
  }

  /** As `findObstacle`, but with a fresh request instead of cached features. */
  async findPresentObstacle(signal?: AbortSignal): Promise<string | undefined> {
    return this.obstacleOf(await this.manager.refreshFeatures(signal));
  }

  private obstacleOf(features: Outcome<ManagerFeatures>): string | undefined {
    const { needsPrivacyFlags } = this.options;
    if (features.kind === 'unknown') return unavailable(features.reason);
    if (features.kind === 'refused') return unavailable(`${features.status} status: ${features.text}`);
    return needsPrivacyFlags && !features.value.privacyFlags
      ? 'private transaction manager does not support privacy enhancements'
      : undefined;
  }
}

function unavailable(reason: string): string {
  return `private transaction manager is not ready: ${reason}`;
}

function toPayload(answer: ManagerPayload): PrivatePayload {
  const executionRoot = rootOf(answer.execHash);
  return {
    data: answer.plaintext,
    privacyFlag: answer.privacyFlag as PrivacyFlag,
    affectedCreations: new Set(answer.affected.map(payloadHash)),
    ...(executionRoot === undefined ? {} : { executionRoot }),
    sender: answer.sender,
    managedParties: answer.managedParties,
  };
}

/** The root in a text of the sender; undefined when it is invalid, which fails the transaction like a missing root. */
function rootOf(text: string): Hash | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === ROOT_BYTES && bytes.some((byte) => byte !== 0) ? hashFromBytes(bytes) : undefined;
}
