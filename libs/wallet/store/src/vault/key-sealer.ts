import { randomBytes, type KeyObject } from 'node:crypto';
import { inspect } from 'node:util';
import type { ScryptCost } from '@tetrad/crypto';
import { PassphraseChangedError } from '../parse-key-row.js';
import type { KeyKind, SealedKey, SealingParameters } from '../wallet-rows.js';
import type { Resealed } from '../reseal.js';
import { CIPHER, openBytes, sealBytes } from './authenticated-text.js';
import {
  DEFAULT_SCRYPT_COST,
  deriveSealingKey,
  DamagedKeyError,
  SealingError,
} from './derive-sealing-key.js';

/** A key as it is before it is sealed. */
export interface UnsealedKey {
  readonly address: Uint8Array;
  readonly kind: KeyKind;
  readonly privateKey: Uint8Array;
}

/** A private key in memory, and how many work with it. */
interface OpenKey {
  readonly privateKey: Uint8Array;
  users: number;
}

const SALT_BYTES = 32;
/** Sealed beside the salt: what opens it is the right passphrase. */
const CHECK_TEXT = Buffer.from('tetrad wallet vault');
const KEY_CONTEXT = Buffer.from('tetrad wallet key');

/** Seals and opens private keys with what a passphrase gave. Printing it shows nothing. */
export class KeySealer {
  readonly #sealingKey: KeyObject;
  /** Keys that are open at the moment, by row. Opening one takes longer than most other steps of a signature. */
  readonly #open = new Map<SealedKey, OpenKey>();

  private constructor(
    readonly generation: number,
    sealingKey: KeyObject,
  ) {
    this.#sealingKey = sealingKey;
  }

  /**
   * A new sealer and the row that opens it again.
   * @throws SealingError on an empty passphrase
   */
  static async create(
    passphrase: string,
    { generation = 1, cost = DEFAULT_SCRYPT_COST }: { generation?: number; cost?: ScryptCost } = {},
  ): Promise<{ sealer: KeySealer; row: SealingParameters }> {
    if (passphrase === '') throw new SealingError('the passphrase is empty');
    const parameters = {
      kdf: 'scrypt',
      scryptN: cost.n,
      scryptR: cost.r,
      scryptP: cost.p,
      salt: randomBytes(SALT_BYTES),
    };
    const sealingKey = await deriveSealingKey(passphrase, parameters);
    const check = sealBytes(sealingKey, CHECK_TEXT, checkContext(generation));
    return {
      sealer: new KeySealer(generation, sealingKey),
      row: { generation, ...parameters, checkNonce: check.nonce, checkText: check.sealed },
    };
  }

  /** @throws SealingError when the passphrase is not the sealer's */
  static async open(passphrase: string, row: SealingParameters): Promise<KeySealer> {
    const sealingKey = await deriveSealingKey(passphrase, row);
    const check = { nonce: row.checkNonce, sealed: row.checkText };
    const text = openBytes(sealingKey, check, checkContext(row.generation));
    if (text === undefined || !CHECK_TEXT.equals(text)) {
      throw new SealingError('the passphrase does not open this wallet');
    }
    return new KeySealer(row.generation, sealingKey);
  }

  seal({ address, kind, privateKey }: UnsealedKey): Omit<SealedKey, 'derivationPath' | 'label'> {
    const { generation } = this;
    const sealed = sealBytes(this.#sealingKey, privateKey, keyContext(address, kind));
    return { address, kind, generation, cipher: CIPHER, ...sealed };
  }

  /**
   * Passes the private key to the work, which must not change it. The key is wiped when the work has ended, also with an
   * error, and no other work uses the same row.
   * @throws PassphraseChangedError when the row is under another passphrase; DamagedKeyError when it does not open
   */
  async use<Result>(
    row: SealedKey,
    work: (privateKey: Uint8Array) => Promise<Result> | Result,
  ): Promise<Result> {
    const key = this.#take(row);
    try {
      return await work(key.privateKey);
    } finally {
      this.#giveBack(row, key);
    }
  }

  /**
   * The same keys under another sealer.
   * @throws as `use`
   */
  reseal(keys: readonly SealedKey[], next: { sealer: KeySealer; row: SealingParameters }): Resealed {
    return {
      parameters: next.row,
      keys: keys.map((row) => {
        const privateKey = this.#privateKeyOf(row);
        const { address, kind } = row;
        const resealed = next.sealer.seal({ address, kind, privateKey });
        privateKey.fill(0);
        return resealed;
      }),
    };
  }

  toJSON(): string {
    return '[key sealer]';
  }

  [inspect.custom](): string {
    return '[key sealer]';
  }

  #take(row: SealedKey): OpenKey {
    let key = this.#open.get(row);
    if (key === undefined) {
      key = { privateKey: this.#privateKeyOf(row), users: 0 };
      this.#open.set(row, key);
    }
    key.users += 1;
    return key;
  }

  #giveBack(row: SealedKey, key: OpenKey): void {
    key.users -= 1;
    if (key.users > 0) return;
    this.#open.delete(row);
    key.privateKey.fill(0);
  }

  #privateKeyOf(row: SealedKey): Uint8Array {
    if (row.generation !== this.generation) throw new PassphraseChangedError();
    const privateKey = openBytes(this.#sealingKey, row, keyContext(row.address, row.kind));
    if (privateKey !== undefined) return privateKey;
    throw new DamagedKeyError(
      `wallet_key row of address ${Buffer.from(row.address).toString('hex')} is damaged: it does not open`,
    );
  }
}

/** "tetrad wallet key" (17) ‖ kind (1) ‖ address: rows cannot be swapped, nor a key used as one of another kind. */
function keyContext(address: Uint8Array, kind: KeyKind): Uint8Array {
  return Buffer.concat([KEY_CONTEXT, Uint8Array.of(kind), address]);
}

/** "tetrad wallet vault" (19) ‖ generation (4, big-endian). */
function checkContext(generation: number): Uint8Array {
  const context = Buffer.alloc(CHECK_TEXT.length + 4);
  CHECK_TEXT.copy(context);
  context.writeUInt32BE(generation, CHECK_TEXT.length);
  return context;
}
