import type { ManagerClient } from '@tetrad/transaction-manager-client';
import { addressToBytes, bytesFromHex, type Address, type PtmKey } from '@tetrad/types';
import type { PayloadHash } from '../payload/payload-hash.js';
import type { PayloadSource, PrivatePayload } from '../payload/payload-source.js';
import type { Known, SharedStates } from './shared-states.js';

/** Maximum size of a vote in bytes; an encrypted address as JSON is smaller. */
const MAX_VOTE_BYTES = 16 * 1024;

/** HTTP statuses from here on are faults of the manager, not answers. */
const FAULT = 500;

/** Votes and shared states of a transaction manager. */
export class ManagerSharedStates implements SharedStates {
  constructor(
    private readonly manager: Pick<ManagerClient, 'decrypt' | 'isSender' | 'participants'>,
    private readonly payloads: PayloadSource,
  ) {}

  /** Source: docs/spec/contract-extension.md#votes */
  async isOwnVote(vote: PayloadHash, management: Address): Promise<Known<boolean>> {
    const own = await this.manager.isSender(bytesFromHex(vote));
    if (own.kind === 'unknown') return unavailable(own.reason);
    if (own.kind === 'not-found' || !own.value) return known(false);
    const found = await this.findState(vote);
    if (found.kind === 'unavailable') return found;
    if (found.value === undefined || !isJsonObject(found.value.data)) return known(false);
    const decrypted = await this.manager.decrypt(found.value.data);
    if (decrypted.kind === 'unknown') return unavailable(decrypted.reason);
    if (decrypted.kind === 'refused')
      return decrypted.status < FAULT
        ? known(false)
        : unavailable(`${decrypted.status} status: ${decrypted.text}`);
    return known(Buffer.from(addressToBytes(management)).equals(decrypted.value.plaintext));
  }

  async findState(hash: PayloadHash): Promise<Known<PrivatePayload | undefined>> {
    const answer = await this.payloads.find(hash);
    if (answer.kind === 'unavailable') return answer;
    return known(answer.kind === 'payload' ? answer.payload : undefined);
  }

  async partiesOf(hash: PayloadHash): Promise<Known<readonly PtmKey[]>> {
    const [payload, found] = [
      await this.findState(hash),
      await this.manager.participants(bytesFromHex(hash)),
    ];
    if (payload.kind === 'unavailable') return payload;
    if (found.kind === 'unknown') return unavailable(found.reason);
    // A manager that only received the payload does not count its sender among the parties.
    const sender = payload.value?.sender;
    return known([...(sender === undefined ? [] : [sender]), ...(found.kind === 'found' ? found.value : [])]);
  }
}

function known<T>(value: T): Known<T> {
  return { kind: 'known', value };
}

function unavailable(reason: string): Known<never> {
  return { kind: 'unavailable', reason: `private transaction manager is not ready: ${reason}` };
}

/** Whether it can be a vote. Other bytes must not be sent to the manager, whose failure to decrypt them would look like a fault. */
function isJsonObject(bytes: Uint8Array): boolean {
  if (bytes.length > MAX_VOTE_BYTES) return false;
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return typeof value === 'object' && value !== null && 'cipherText' in value;
  } catch {
    return false;
  }
}
