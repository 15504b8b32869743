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
import type { PrivateHead } from './head-worlds.js';
import { dryRunPayload, type PrivateCall, type DryRun } from './dry-run-payload.js';
import type { RecipientCheck } from './recipient-check.js';

/** HTTP status of the client for requests that it does not send. */
const NOT_ASKED = 501;

/** The error of a caller for a manager that refused or failed, in the words of existing nodes. */
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
 * A signed private transaction in the form of a marker's payload, which `readMarkedTransaction` reads.
 *
 * Source: docs/spec/private-transactions.md#marker-transactions
 */
export function markedJson(transaction: SignedTransaction): string {
  const { nonce, gasLimit, value, data, v, r, s, to, hash } = transaction;
  const gasPrice = transaction.type === 'dynamicFee' ? transaction.maxFeePerGas : transaction.gasPrice;
  return JSON.stringify({
    type: '0x0',
    nonce: quantity(nonce),
    gasPrice: quantity(gasPrice),
    gas: quantity(gasLimit),
    value: quantity(value),
    input: hexFromBytes(data),
    v: quantity(v),
    r: quantity(r),
    s: quantity(s),
    to: to ?? null,
    hash,
  });
}

/** The requests to a transaction manager that distribution needs. */
export type Manager = Pick<
  ManagerClient,
  'findRaw' | 'participants' | 'receive' | 'send' | 'sendSigned' | 'storeRaw'
>;

const NOTHING: DryRun = { affected: [], called: [] };

/**
 * Lets the manager encrypt private payloads and send them to their parties, after a dry run on this node.
 *
 * All methods fail with RequestError TRANSACTION_MANAGER_REFUSED, TRANSACTION_MANAGER_UNAVAILABLE; those that distribute a
 * payload also as `dryRunPayload`, `PrivateHead.run` and `RecipientCheck.check`
 */
export class PayloadDistributor {
  constructor(
    private readonly parts: {
      readonly manager: Manager;
      readonly head: PrivateHead;
      readonly recipients: Pick<RecipientCheck, 'check'>;
    },
  ) {}

  /**
   * Sends the payload after a dry run.
   * @returns the hash that the transaction carries as its data
   */
  async distribute(
    call: PrivateCall,
    distribution: Distribution,
    signal?: AbortSignal,
  ): Promise<PayloadHash> {
    const dryRun = await this.dryRun(call, distribution.privacyFlag, signal);
    await this.parts.recipients.check(dryRun.called, distribution);
    const { from, to } = distribution;
    const metadata = metadataOf(distribution, dryRun);
    const outcome = await this.parts.manager.send({ payload: call.payload, from, to, ...metadata }, signal);
    if (outcome.kind !== 'done') throw managerError(outcome);
    return payloadHash(outcome.value.hash);
  }

  /** Stores the payload with the manager for a transaction that the client signs; it is not sent to the parties yet. */
  async store(payload: Uint8Array, from: PtmKey | undefined, signal?: AbortSignal): Promise<PayloadHash> {
    const outcome = await this.parts.manager.storeRaw(payload, from, signal);
    if (outcome.kind !== 'done') throw managerError(outcome);
    return payloadHash(outcome.value.hash);
  }

  /**
   * Sends the payload that was stored for the transaction.
   *
   * Repeatable: a client sends a transaction again when the first response was lost or the pool was full, and then the payload
   * is already distributed.
   *
   * @returns the distribution, with the key under which it was stored
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
    const dryRun = await this.dryRun(callOf(transaction, stored.plaintext), distribution.privacyFlag, signal);
    await this.parts.recipients.check(dryRun.called, distribution);
    const { to } = distribution;
    const metadata = metadataOf(distribution, dryRun);
    const outcome = await manager.sendSigned({ hash, to, ...metadata }, signal);
    if (outcome.kind === 'unknown') throw managerError(outcome);
    if (outcome.kind === 'refused' && !(await this.isDistributed(hash, distribution, signal)))
      throw managerError(outcome);
    return distribution;
  }

  /**
   * Sends a signed private transaction to its parties.
   * @returns the hash that its marker carries as its data
   */
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
   * Skipped without privacy enhancements, when parties compare nothing. With flag 0 the result is not declared, but the dry run
   * still rejects what the parties would reject, and waits for private state as with the other flags.
   */
  private async dryRun(
    call: PrivateCall,
    privacyFlag: PrivacyFlag,
    signal: AbortSignal | undefined,
  ): Promise<DryRun> {
    const { head } = this.parts;
    if (!head.switches().enhancements) return { ...NOTHING, called: call.to === undefined ? [] : [call.to] };
    return head.run((worlds) => dryRunPayload(worlds, call, privacyFlag), signal);
  }

  private async findStored(hash: Uint8Array, signal: AbortSignal | undefined): Promise<PrivatePayload> {
    const found = await this.parts.manager.findRaw(hash, signal);
    if (found.kind === 'found') return found.value;
    if (found.kind === 'unknown') throw managerError(found);
    const text = `Raw Transaction with hash ${Buffer.from(hash).toString('base64')} was not found`;
    throw managerError({ kind: 'refused', status: 404, text });
  }

  /** Whether the manager has the payload for at least these parties, with the flag. */
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
  { affected, root }: DryRun,
) {
  return {
    privacyFlag,
    mandatoryFor,
    affected: affected.map((hash) => bytesFromHex(hash)),
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
