import { RequestError, type Counter, type Histogram, type Logger, type Metrics } from '@tetrad/types';
import {
  formatCoinAddress,
  type CoinAddress,
  SigningError,
  type CoinSignature,
  type SigningPool,
} from '@tetrad/wallet-key';
import type { CoinMessage } from './message/coin-message.js';
import {
  PassphraseChangedError,
  WalletStoreError,
  type AuditRecord,
  type SealedKey,
  type WalletStore,
  DamagedKeyError,
  type KeySealer,
} from '@tetrad/wallet-store';
import { cidOf, signingRecord, type Requester } from './audit-entry.js';
import { checkData, type DataMeta } from './data-rules.js';
import { keyKindOf, noKeys } from './key-admin.js';
import { describeForeignSender, checkMessage } from './message-rules.js';
import { poolError } from './verify-data.js';
import type { RemoteCoinKeys } from './remote/remote-coin-keys.js';
import type { SigningPolicy } from './signing-policy.js';

export interface WalletSignerParts {
  readonly store: Pick<WalletStore, 'sealedKeys' | 'audit'>;
  readonly sealer: KeySealer;
  readonly pool: SigningPool;
  /** Which sign for their addresses, also where the wallet has the key too. */
  readonly remote: Pick<RemoteCoinKeys, 'sign'>;
  readonly policy: SigningPolicy;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

interface SigningTask {
  readonly address: CoinAddress;
  readonly bytes: Uint8Array;
  readonly record: AuditRecord;
  readonly rejection: RequestError | undefined;
}

/** A further attempt is needed only when the key's row changes between two statements. */
const MAX_ATTEMPTS = 3;

/** Signs with the keys of a wallet. A signature leaves only after the record of it is durable. */
export class WalletSigner {
  private readonly signatures: Counter;
  private readonly seconds: Histogram;

  constructor(private readonly parts: WalletSignerParts) {
    const { metrics } = parts;
    this.signatures = metrics.counter('wallet_signatures_total', 'Requests to sign, by key and outcome.', [
      'key',
      'decision',
    ]);
    this.seconds = metrics.histogram('wallet_sign_seconds', 'Time of one signature, without its record.', [
      'key',
    ]);
  }

  /**
   * Signs data as it is.
   * @throws RequestError NO_KEYS_FOR_ADDRESS, BLIND_SIGNING_REFUSED, MESSAGE_META_MISMATCH, MESSAGE_META_REQUIRED,
   *   INVALID_COIN_MESSAGE, DAMAGED_KEY, KEY_UNAVAILABLE, VAULT_CHANGED, TOO_MANY_CONCURRENT_REQUESTS
   */
  signData(request: {
    readonly address: CoinAddress;
    readonly data: Uint8Array;
    readonly meta?: DataMeta | undefined;
    readonly requester: Requester;
  }): Promise<CoinSignature> {
    const { address, data, meta, requester } = request;
    const { policy } = this.parts;
    const { rejection, content, cid, message } = checkData(data, meta, { signer: address, policy });
    const record = signingRecord(requester, address, { content, bytes: data, cid, message }, policy.network);
    return this.sign({ address, bytes: data, record, rejection });
  }

  /**
   * Signs a message of the address.
   * @throws RequestError INVALID_COIN_MESSAGE, and as `signData` of keys
   */
  signMessage(request: {
    readonly address: CoinAddress;
    readonly message: CoinMessage;
    readonly requester: Requester;
  }): Promise<CoinSignature> {
    const { address, message, requester } = request;
    const { policy, logger } = this.parts;
    const { bytes, rejection } = checkMessage(message, address, policy);
    const foreign = policy.uncheckedMessages
      ? describeForeignSender(message, address, policy.network)
      : undefined;
    if (foreign !== undefined) logger.warn('message from another sender', { problem: foreign, ...requester });
    const cid = rejection === undefined ? cidOf(message) : undefined;
    const record = signingRecord(
      requester,
      address,
      { content: 'message', bytes, cid, message },
      policy.network,
    );
    return this.sign({ address, bytes, record, rejection });
  }

  private async sign(job: SigningTask): Promise<CoinSignature> {
    const { store } = this.parts;
    try {
      if (job.rejection !== undefined) throw job.rejection;
      const { key, signature } = (await this.signRemotely(job)) ?? (await this.signOnRecord(job));
      this.signatures.increment({ key, decision: 'done' });
      return signature;
    } catch (error) {
      const rejection = asRejection(error, formatCoinAddress(job.address, this.parts.policy.network));
      if (rejection === undefined) throw error;
      this.signatures.increment({ key: 'none', decision: 'refused' });
      await store.audit.append({ ...job.record, decision: 'refused', reason: rejection.code });
      throw rejection;
    }
  }

  /** With a key that is not in the wallet, and has no row that could have changed meanwhile. */
  private async signRemotely({ address, bytes, record }: Pick<SigningTask, 'address' | 'bytes' | 'record'>) {
    const started = performance.now();
    const made = await this.parts.remote.sign(address, bytes);
    if (made === undefined) return undefined;
    this.seconds.observe((performance.now() - started) / 1000, { key: made.key });
    await this.parts.store.audit.append(record);
    return made;
  }

  /** A key that was changed or deleted meanwhile gives no record, and so no signature: it is looked up again. */
  private async signOnRecord({ address, bytes, record }: Pick<SigningTask, 'address' | 'bytes' | 'record'>) {
    const { sealedKeys, audit } = this.parts.store;
    const addressBytes = address.toBytes();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const row = await sealedKeys.find(addressBytes);
      if (row === undefined) throw noKeys();
      try {
        const made = await this.makeSignature(row, bytes);
        if (await audit.appendUse(record, row.version)) return made;
      } catch (error) {
        sealedKeys.forget(addressBytes);
        throw error;
      }
      sealedKeys.forget(addressBytes);
    }
    throw new PassphraseChangedError();
  }

  private async makeSignature(row: SealedKey, bytes: Uint8Array) {
    const { sealer, pool } = this.parts;
    const key = keyKindOf(row.kind);
    const started = performance.now();
    const signature = await sealer.use(row, (privateKey) => pool.sign(key, privateKey, bytes));
    this.seconds.observe((performance.now() - started) / 1000, { key });
    return { key, signature };
  }
}

/** The error for the caller; undefined for internal faults. No text contains key material. */
function asRejection(error: unknown, address: string): RequestError | undefined {
  if (error instanceof RequestError) return error;
  if (error instanceof DamagedKeyError || error instanceof WalletStoreError) {
    return new RequestError('DAMAGED_KEY', `the stored key of ${address} is damaged`, { address });
  }
  if (error instanceof PassphraseChangedError) return new RequestError('VAULT_CHANGED', error.message);
  if (!(error instanceof SigningError)) return undefined;
  if (error.code === 'INVALID_KEY') {
    return new RequestError('DAMAGED_KEY', `the stored key of ${address} is not a valid key`, { address });
  }
  if (error.code === 'DATA_TOO_LONG') return new RequestError('OVERSIZED_DATA', error.message);
  return poolError(error);
}
