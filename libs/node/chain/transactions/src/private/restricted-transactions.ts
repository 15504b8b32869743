import type { TransactionIntent } from '@tetrad/node-execution';
import {
  PAYLOAD_HASH_BYTES,
  PRIVACY_PRECOMPILE,
  type GroupSender,
  type RestrictedTransaction,
} from '@tetrad/node-private-state';
import { envelopeOf } from '@tetrad/transactions';
import { RequestError, keepNewest, type Address, type Hash, type SignedTransaction } from '@tetrad/types';
import { managerError, type Manager } from './payload-distributor.js';
import type { MarkerSigner } from './marker-signer.js';
import type { PrivateHead } from './head-worlds.js';
import type { RecipientCheck } from './recipient-check.js';

export interface RestrictedTransactionsParts {
  readonly manager: Pick<Manager, 'send'>;
  readonly head: Pick<PrivateHead, 'switches'>;
  readonly signer: MarkerSigner;
  readonly recipients: Pick<RecipientCheck, 'check'>;
  readonly pool: {
    add(transaction: SignedTransaction): Promise<Hash>;
    pendingNonce(sender: Address): Promise<bigint>;
    /** @throws RequestError when the sender is not permitted */
    assertPermitted(intent: TransactionIntent): Promise<void>;
  };
  /**
   * The sender's next nonce in the group, by executed transactions.
   * @throws RequestError PRIVATE_STATE_NOT_AVAILABLE
   */
  readonly countOf: (sender: GroupSender) => Promise<bigint>;
  readonly carryingGas: (data: Uint8Array) => bigint;
}

/** Maximum number of senders in groups whose next nonces are kept; the least recent are dropped. */
const MAX_SENDERS = 10_000;

/** Submits restricted transactions: sends each as a whole to its parties, and a marker of the node to the pool. */
export class RestrictedTransactions {
  /** `sender/group` → its next nonce, counting transactions in the pool. */
  private readonly next = new Map<string, bigint>();
  private tail: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: RestrictedTransactionsParts) {}

  /**
   * @returns hash of the marker
   * @throws RequestError PRIVACY_NOT_AVAILABLE, ACCOUNT_NOT_PERMITTED, NODE_NOT_PERMITTED, NONCE_TOO_LOW,
   *   NONCE_TOO_HIGH, PARTIES_LEFT_OUT, TRANSACTION_MANAGER_REFUSED, TRANSACTION_MANAGER_UNAVAILABLE, KEY_UNAVAILABLE; as the pool
   */
  send(restricted: RestrictedTransaction): Promise<Hash> {
    // One at a time: markers must be on the chain in the order of the hidden nonces.
    const mine = this.tail.then(() => this.submit(restricted));
    this.tail = mine.catch(() => undefined);
    return mine;
  }

  private async submit(restricted: RestrictedTransaction): Promise<Hash> {
    const { head, pool, signer, carryingGas } = this.parts;
    if (!head.switches().markers) {
      const message = 'privacy marker transactions are not in force on this chain';
      throw new RequestError('PRIVACY_NOT_AVAILABLE', message);
    }
    await this.assertPermitted(restricted);
    await this.assertNext(restricted);
    await this.checkRecipients(restricted);
    const data = await this.distribute(restricted);
    const hash = await pool.add(
      await signer.sign(
        envelopeOf({
          chainId: signer.chainId,
          nonce: await pool.pendingNonce(signer.address),
          gasLimit: carryingGas(data),
          to: PRIVACY_PRECOMPILE,
          value: 0n,
          data,
          fees: { type: 'legacy', gasPrice: restricted.gasPrice },
        }),
      ),
    );
    this.remember(restricted);
    return hash;
  }

  /** Rejects what parties or blocks would reject, the sender's action or the node's marker, before a request to the manager. */
  private async assertPermitted({ sender, to, data }: RestrictedTransaction): Promise<void> {
    const { pool, signer } = this.parts;
    await pool.assertPermitted({ sender, data, ...(to === undefined ? {} : { to }) });
    const carried = new Uint8Array(PAYLOAD_HASH_BYTES);
    try {
      await pool.assertPermitted({ sender: signer.address, to: PRIVACY_PRECOMPILE, data: carried });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const account = `${signer.address}, the account of this node's key, signs its privacy marker transactions`;
      throw new RequestError(error.code, `${error.message}: ${account}`);
    }
  }

  private async assertNext({ sender, group, nonce }: RestrictedTransaction): Promise<void> {
    const executed = await this.parts.countOf({ sender, group });
    const next = this.next.get(`${sender}/${group}`) ?? 0n;
    if (nonce < executed) throw new RequestError('NONCE_TOO_LOW', 'nonce too low');
    if (nonce > (next > executed ? next : executed))
      throw new RequestError('NONCE_TOO_HIGH', `nonce too high: the next one in the group is ${executed}`);
  }

  /** The members of a group are known to managers alone. */
  private async checkRecipients({ to, privateFrom, privateFor }: RestrictedTransaction): Promise<void> {
    if (to === undefined || privateFor === undefined) return;
    await this.parts.recipients.check([to], { from: privateFrom, to: privateFor, privacyFlag: 0 });
  }

  private async distribute({ raw, ...restricted }: RestrictedTransaction): Promise<Uint8Array> {
    const { privateFrom, privateFor, group } = restricted;
    const outcome = await this.parts.manager.send({
      payload: raw,
      from: privateFrom,
      to: privateFor ?? [],
      privacyFlag: 0,
      affected: [],
      execHash: '',
      mandatoryFor: [],
      ...(privateFor === undefined ? { privacyGroupId: Buffer.from(group, 'base64') } : {}),
    });
    if (outcome.kind !== 'done') throw managerError(outcome);
    return outcome.value.hash;
  }

  private remember({ sender, group, nonce }: RestrictedTransaction): void {
    const key = `${sender}/${group}`;
    const before = this.next.get(key) ?? 0n;
    this.next.delete(key);
    this.next.set(key, nonce + 1n > before ? nonce + 1n : before);
    keepNewest(this.next, MAX_SENDERS);
  }
}
