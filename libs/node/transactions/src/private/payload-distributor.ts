import { payloadHash, payloadHashOf, type PayloadHash, type PrivacyFlag } from '@tetrad/node-private-state';
import {
  type ManagerClient,
  type PrivatePayload,
  rejectionText,
  type Refused,
  type Unknown,
} from '@tetrad/transaction-manager-client';
import {
  RequestError,
  bytesFromHex,
  hashToBytes,
  type PtmKey,
  type SignedTransaction,
  hexFromBytes,
} from '@tetrad/types';
import type { Distribution } from './distribution.js';
import type { PrivateStages } from './private-stage.js';
import { simulatePayload, type PrivateCall, type Simulated } from './simulate-payload.js';

/** HTTP status that the client gives to what it does not even ask. */
const NOT_ASKED = 501;

/** What a caller is told of a manager that did not do what it was asked for, in the words of existing nodes. */
export function managerError(outcome: Refused | Unknown): RequestError {
  if (outcome.kind === 'unknown') {
    const message = `private transaction manager is not ready: ${outcome.reason}`;
    return new RequestError('TRANSACTION_MANAGER_UNAVAILABLE', message);
  }
  const message = outcome.status === NOT_ASKED ? outcome.text : rejectionText(outcome);
  return new RequestError('TRANSACTION_MANAGER_REFUSED', message);
}

const quantity = (value: bigint) => `0x${value.toString(16)}`;

/**
 * A signed private transaction as it stands behind a marker: what `readMarkedTransaction` reads.
 *
 * Source: privacy-and-extension.md, section 1.7
 */
export function markedJson(transaction: SignedTransaction): string {
  const { nonce, gasLimit, value, data, v, r, s, to, hash } = transaction;
  const gasPrice = transaction.type === 'dynamicFee' ? transaction.maxFeePerGas : transaction.gasPrice;
  return JSON.stringify({
    ...{ type: '0x0', nonce: quantity(nonce), gasPrice: quantity(gasPrice), gas: quantity(gasLimit) },
    ...{ value: quantity(value), input: hexFromBytes(data), v: quantity(v), r: quantity(r), s: quantity(s) },
    ...{ to: to ?? null, hash },
  });
}

/** What is asked of a transaction manager. */
export type Manager = Pick<
  ManagerClient,
  'participants' | 'receive' | 'receiveRaw' | 'send' | 'sendSigned' | 'storeRaw'
>;

const NOTHING: Simulated = { affected: [] };

/**
 * Has private payloads encrypted and sent to their parties, after they were tried here.
 *
 * All fail: RequestError TRANSACTION_MANAGER_REFUSED, TRANSACTION_MANAGER_UNAVAILABLE; what is distributed fails besides as
 * `simulatePayload` and `PrivateStages.run`
 */
export class PayloadDistributor {
  constructor(private readonly parts: { readonly manager: Manager; readonly stages: PrivateStages }) {}

  /** Tries the payload and sends it. Out: what the transaction carries in its place */
  async distribute(
    call: PrivateCall,
    distribution: Distribution,
    signal?: AbortSignal,
  ): Promise<PayloadHash> {
    const simulated = await this.simulate(call, distribution.privacyFlag, signal);
    const { from, to } = distribution;
    const metadata = metadataOf(distribution, simulated);
    const outcome = await this.parts.manager.send({ payload: call.payload, from, to, ...metadata }, signal);
    if (outcome.kind !== 'done') throw managerError(outcome);
    return payloadHash(outcome.value.hash);
  }

  /** Has the payload kept for a transaction that is signed elsewhere; nobody else gets it yet. */
  async store(payload: Uint8Array, from: PtmKey | undefined, signal?: AbortSignal): Promise<PayloadHash> {
    const outcome = await this.parts.manager.storeRaw(payload, from, signal);
    if (outcome.kind !== 'done') throw managerError(outcome);
    return payloadHash(outcome.value.hash);
  }

  /**
   * Sends the payload that was stored for the transaction. Out: the distribution, with the key under which it was stored
   *
   * A transaction that comes again, because the first answer was lost or the pool had no room, finds its payload sent.
   */
  async distributeStored(
    transaction: SignedTransaction,
    wanted: Distribution,
    signal?: AbortSignal,
  ): Promise<Distribution> {
    const { manager } = this.parts;
    const hash = hashBytesOf(transaction);
    const stored = await this.findStored(hash, signal);
    const distribution = { ...wanted, from: stored.sender ?? wanted.from };
    const simulated = await this.simulate(
      callOf(transaction, stored.plaintext),
      distribution.privacyFlag,
      signal,
    );
    const { to } = distribution;
    const metadata = metadataOf(distribution, simulated);
    const outcome = await manager.sendSigned({ hash, to, ...metadata }, signal);
    if (outcome.kind === 'unknown') throw managerError(outcome);
    if (outcome.kind === 'refused' && !(await this.isDistributed(hash, distribution, signal)))
      throw managerError(outcome);
    return distribution;
  }

  /** Sends a signed private transaction to its parties. Out: what its marker carries */
  async distributeMarked(
    transaction: SignedTransaction,
    { from, to }: Distribution,
    signal?: AbortSignal,
  ): Promise<PayloadHash> {
    const payload = new TextEncoder().encode(markedJson(transaction));
    const metadata = metadataOf({ privacyFlag: 0, mandatoryFor: [] }, NOTHING);
    const outcome = await this.parts.manager.send({ payload, from, to, ...metadata }, signal);
    if (outcome.kind !== 'done') throw managerError(outcome);
    return payloadHash(outcome.value.hash);
  }

  /**
   * Without enhancements nobody compares anything. With flag 0 it only serves to refuse what the parties' checks would fail, but
   * always: it waits for private state as the other flags do.
   */
  private async simulate(
    call: PrivateCall,
    privacyFlag: PrivacyFlag,
    signal: AbortSignal | undefined,
  ): Promise<Simulated> {
    const { stages } = this.parts;
    if (!stages.switches().enhancements) return NOTHING;
    return stages.run((stage) => simulatePayload(stage, call, privacyFlag), signal);
  }

  private async findStored(hash: Uint8Array, signal: AbortSignal | undefined): Promise<PrivatePayload> {
    const found = await this.parts.manager.receiveRaw(hash, signal);
    if (found.kind === 'found') return found.value;
    if (found.kind === 'unknown') throw managerError(found);
    const text = `Raw Transaction with hash ${Buffer.from(hash).toString('base64')} was not found`;
    throw managerError({ kind: 'refused', status: 404, text });
  }

  /** Whether the manager holds the payload for these parties, at least, and under the flag. */
  private async isDistributed(
    hash: Uint8Array,
    { from, to, privacyFlag }: Distribution,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const { manager } = this.parts;
    const payload = await manager.receive(hash, undefined, signal);
    if (payload.kind !== 'found' || payload.value.privacyFlag !== privacyFlag) return false;
    const parties = await manager.participants(hash, signal);
    if (parties.kind !== 'found') return false;
    return [...to, ...(from === undefined ? [] : [from])].every((key) => parties.value.includes(key));
  }
}

function metadataOf(
  { privacyFlag, mandatoryFor }: Pick<Distribution, 'privacyFlag' | 'mandatoryFor'>,
  { affected, root }: Simulated,
) {
  return {
    ...{ privacyFlag, mandatoryFor, affected: affected.map((hash) => bytesFromHex(hash)) },
    execHash: root === undefined ? '' : Buffer.from(hashToBytes(root)).toString('base64'),
  };
}

function callOf(transaction: SignedTransaction, payload: Uint8Array): PrivateCall {
  const { sender, to, nonce, gasLimit } = transaction;
  const gasPrice = 'gasPrice' in transaction ? transaction.gasPrice : 0n;
  return { sender, to, nonce, gasLimit, gasPrice, payload };
}

function hashBytesOf({ data }: SignedTransaction): Uint8Array {
  const hash = payloadHashOf(data);
  if (hash === undefined) throw new RequestError('INVALID_PAYLOAD_HASH', 'not the hash of a private payload');
  return bytesFromHex(hash);
}
