import { readFileSync } from 'node:fs';
import type { PtmKey } from '@tetrad/types';
import { keyPairFromPrivate, type KeyPair } from '../src/keys/key-pair.js';
import type { EncodedPayload } from '../src/payload/encoded-payload.js';

/** A pushed payload with what is in it; names of keys are those of `recorded.keys`. */
export interface RecordedPush {
  readonly to: number;
  readonly hash: string;
  readonly status: number;
  readonly body: string;
  readonly decoded: {
    readonly sender: string;
    readonly cipherText: string;
    readonly cipherTextNonce: string;
    readonly recipientNonce: string;
    readonly recipientBoxes: readonly string[];
    readonly recipientKeys: readonly string[];
    readonly privacyFlag: number;
    readonly affected: readonly { readonly acoth: string; readonly securityHash: string }[];
    readonly execHash: string;
    readonly privacyGroupId: string | null;
    readonly masterKey: string;
    readonly plaintext: string;
  };
}

export interface RecordedExchange {
  readonly name: string;
  readonly server: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | null;
    readonly bodyHex?: string | null;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | null;
    readonly bodyHex?: string | null;
  };
}

export interface RecordedBytes {
  readonly hex: string;
  readonly bytes: number;
}

interface Recorded {
  readonly keys: Readonly<
    Record<string, { readonly public: PtmKey; readonly private: string; readonly node: number }>
  >;
  readonly http: readonly RecordedExchange[];
  readonly forgedPushes: readonly RecordedExchange[];
  readonly factSheetVectorsOnRealPeer: readonly RecordedExchange[];
  readonly privacyGroup: {
    readonly members: readonly string[];
    readonly seed: string;
    readonly id: string;
  };
  readonly remoteKeyValidation: readonly RecordedExchange[];
  readonly pushes: readonly RecordedPush[];
  readonly senderRecords: readonly {
    readonly hash: string;
    readonly encodedPayload: string;
    readonly recipientKeys: readonly string[];
    readonly boxes: number;
    readonly privacyFlag: number;
  }[];
  readonly storeraw: readonly {
    readonly hash: string;
    readonly cipherText: string;
    readonly encryptedKey: string;
    readonly nonce: string;
    readonly sender: PtmKey;
    readonly masterKey: string;
    readonly plaintext: string;
  }[];
  readonly otherP2P: Readonly<
    Record<
      string,
      {
        readonly port: number;
        readonly requestHead: readonly string[];
        readonly requestHex: string;
        readonly responseHex: string;
        readonly decoded?: {
          readonly url: string;
          readonly keys: readonly [PtmKey, string][];
          readonly parties: readonly string[];
        };
      }
    >
  >;
  readonly notFromARunningPeer: {
    readonly legacyFlag2: RecordedBytes;
    readonly cbor: Readonly<Record<'V2cbor' | 'V2mppcbor' | 'V4cbor', RecordedBytes>>;
  };
}

/** Exchanges recorded from running managers; see ../vectors/ORIGIN.md. */
export const recorded = JSON.parse(
  readFileSync(new URL('../vectors/exchanges.json', import.meta.url), 'utf8'),
) as Recorded;

/** The pair of a recorded name: a1 and a2 are keys of the first manager, b1 and b2 of the second, c1 of the third. */
export function recordedPair(name: string): KeyPair {
  return keyPairFromPrivate(Buffer.from(recorded.keys[name]?.private ?? '', 'base64'));
}

export function recordedPairs(...names: readonly string[]): KeyPair[] {
  return names.map(recordedPair);
}

export function hexBytes(hex: string): Uint8Array {
  return Buffer.from(hex, 'hex');
}

/** A recorded push as the payload that it encodes. */
export function recordedPayload({ decoded }: RecordedPush): EncodedPayload {
  return {
    sender: recordedPair(decoded.sender).publicKey,
    cipherText: hexBytes(decoded.cipherText),
    cipherTextNonce: hexBytes(decoded.cipherTextNonce),
    recipientBoxes: decoded.recipientBoxes.map(hexBytes),
    recipientNonce: hexBytes(decoded.recipientNonce),
    recipientKeys: decoded.recipientKeys.map((name) => recordedPair(name).publicKey),
    privacyFlag: decoded.privacyFlag,
    affected: decoded.affected.map(({ acoth, securityHash }) => ({
      hash: Buffer.from(acoth, 'base64'),
      securityHash: hexBytes(securityHash),
    })),
    execHash: Buffer.from(decoded.execHash),
    mandatoryRecipients: [],
    privacyGroupId:
      decoded.privacyGroupId === null ? undefined : Buffer.from(decoded.privacyGroupId, 'base64'),
  };
}
