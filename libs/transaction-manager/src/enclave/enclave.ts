import { createHmac } from 'node:crypto';
import type { PtmKey } from '@tetrad/types';
import type { KeyRing } from '../keys/key-ring.js';
import type { EncodedPayload } from '../payload/encoded-payload.js';
import { NONCE_BYTES, open, randomNonce, randomSecret, seal } from './secretbox.js';

/** A payload under its master key, before the key is boxed for recipients. */
export interface SealedPayload {
  readonly sender: PtmKey;
  /** tag (16) | ciphertext. */
  readonly cipherText: Uint8Array;
  /** 24 bytes. */
  readonly nonce: Uint8Array;
  /** 32 bytes; known to all who can read the payload. */
  readonly masterKey: Uint8Array;
}

/** A payload that waits for the signed transaction it belongs to, readable by its sender alone. */
export interface RawPayload {
  readonly sender: PtmKey;
  readonly cipherText: Uint8Array;
  /** 24 bytes; of the ciphertext and of the key. */
  readonly nonce: Uint8Array;
  /** The sealed master key, 48 bytes. */
  readonly encryptedKey: Uint8Array;
}

/** The boxes of a payload: one for each recipient, under one nonce. */
export type Boxes = Pick<EncodedPayload, 'recipientBoxes' | 'recipientNonce' | 'recipientKeys'>;

/** Where randomness comes from; tests give that of recorded payloads. */
export interface RandomSource {
  /** 32 bytes. */
  masterKey(): Uint8Array;
  /** 24 bytes. */
  nonce(): Uint8Array;
}

const SYSTEM_RANDOM: RandomSource = { masterKey: randomSecret, nonce: randomNonce };

/**
 * The nonce of the boxes of a payload that may be sent again: recipients refuse a payload that they have if it comes with
 * boxes under another nonce. Under one nonce a box is always the same bytes, so that none serves two messages.
 * @returns 24 bytes of HMAC-SHA256 under the master key
 */
export function repeatableNonce(masterKey: Uint8Array): Uint8Array {
  return createHmac('sha256', masterKey).update('recipient nonce').digest().subarray(0, NONCE_BYTES);
}

/** Encrypts and decrypts payloads with the keys of the ring: NaCl box for keys, secretbox for payloads. */
export class Enclave {
  constructor(
    readonly ring: KeyRing,
    private readonly random: RandomSource = SYSTEM_RANDOM,
  ) {}

  /** Encrypts a payload under a new master key. */
  seal(sender: PtmKey, payload: Uint8Array): SealedPayload {
    const [masterKey, nonce] = [this.random.masterKey(), this.random.nonce()];
    return { sender, nonce, masterKey, cipherText: seal(masterKey, nonce, payload) };
  }

  /**
   * Boxes the master key for each recipient.
   * @throws UnknownKeyError for the sender; InvalidPublicKeyError
   */
  box(
    { sender, masterKey }: SealedPayload,
    recipientKeys: readonly PtmKey[],
    recipientNonce = this.random.nonce(),
  ): Boxes {
    const recipientBoxes = recipientKeys.map((key) =>
      seal(this.ring.sharedKey(sender, key), recipientNonce, masterKey),
    );
    return { recipientBoxes, recipientNonce, recipientKeys };
  }

  /**
   * The payload in the form it waits in for its signed transaction. The nonce serves twice, under two keys of which
   * each is used once.
   */
  toRaw({ sender, cipherText, nonce, masterKey }: SealedPayload): RawPayload {
    return {
      sender,
      cipherText,
      nonce,
      encryptedKey: seal(this.ring.sharedKey(sender, sender), nonce, masterKey),
    };
  }

  /** The payload of `toRaw`; nothing when its master key is not readable with the sender's key. */
  fromRaw({ sender, cipherText, nonce, encryptedKey }: RawPayload): SealedPayload | undefined {
    const masterKey = open(this.ring.sharedKey(sender, sender), nonce, encryptedKey);
    return masterKey === undefined ? undefined : { sender, cipherText, nonce, masterKey };
  }

  /** The plaintext under a master key; nothing when they do not belong together. */
  open({ cipherText, nonce, masterKey }: SealedPayload): Uint8Array | undefined {
    return open(masterKey, nonce, cipherText);
  }

  /**
   * The plaintext, read with a key of ours.
   * @returns nothing when the key opens no box, or the wrong one
   */
  read(payload: EncodedPayload, own: PtmKey): Uint8Array | undefined {
    const masterKey = this.masterKey(payload, own);
    return masterKey === undefined ? undefined : open(masterKey, payload.cipherTextNonce, payload.cipherText);
  }

  /**
   * The master key of a payload. The sender opens the first box as its recipient would; a recipient opens the box at
   * the place of its key, or the only one, or whichever it can where older managers left out the keys.
   */
  masterKey(payload: EncodedPayload, own: PtmKey): Uint8Array | undefined {
    const { sender, recipientKeys, recipientBoxes, recipientNonce } = payload;
    if (own === sender && recipientKeys[0] !== undefined)
      return openBox(this.ring.sharedKey(own, recipientKeys[0]), recipientNonce, recipientBoxes[0]);
    if (recipientKeys.length === 0) {
      const shared = this.ring.sharedKey(own, sender);
      for (const box of recipientBoxes) {
        const masterKey = openBox(shared, recipientNonce, box);
        if (masterKey !== undefined) return masterKey;
      }
      return undefined;
    }
    const place = recipientBoxes.length === 1 ? 0 : recipientKeys.indexOf(own);
    return openBox(this.ring.sharedKey(own, sender), recipientNonce, recipientBoxes[place]);
  }

  /** Bytes that the owners of both keys alone can seal and open. Layout: nonce (24) | tag (16) | ciphertext */
  sealBetween(own: PtmKey, other: PtmKey, bytes: Uint8Array): Uint8Array {
    const nonce = this.random.nonce();
    return Buffer.concat([nonce, seal(this.ring.sharedKey(own, other), nonce, bytes)]);
  }

  /** What `sealBetween` sealed with the same two keys; nothing when it did not. */
  openBetween(own: PtmKey, other: PtmKey, sealed: Uint8Array): Uint8Array | undefined {
    if (sealed.length < NONCE_BYTES) return undefined;
    const [nonce, box] = [sealed.subarray(0, NONCE_BYTES), sealed.subarray(NONCE_BYTES)];
    return open(this.ring.sharedKey(own, other), nonce, box);
  }
}

function openBox(key: Uint8Array, nonce: Uint8Array, box: Uint8Array | undefined): Uint8Array | undefined {
  return box === undefined ? undefined : open(key, nonce, box);
}
