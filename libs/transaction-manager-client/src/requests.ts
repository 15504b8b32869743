import type { PtmKey } from '@tetrad/types';

/** How a payload is protected. */
export interface PrivacyMetadata {
  /** 0 to 3. */
  readonly privacyFlag: number;
  /** Hashes of 64 bytes: the payloads that created the affected contracts. */
  readonly affected: readonly Uint8Array[];
  /** Base64 text of the root; empty unless the flag is 3. */
  readonly execHash: string;
  /** Empty unless the flag is 2. */
  readonly mandatoryFor: readonly PtmKey[];
  readonly privacyGroupId?: Uint8Array | undefined;
}

export interface SendRequest extends PrivacyMetadata {
  readonly payload: Uint8Array;
  /** The first key of the manager without it. */
  readonly from: PtmKey | undefined;
  readonly to: readonly PtmKey[];
}

export interface SendSignedRequest extends PrivacyMetadata {
  /** 64 bytes, of a payload that was stored before. */
  readonly hash: Uint8Array;
  readonly to: readonly PtmKey[];
}

export const JSON_TYPE = 'application/json';
export const JSON_HEADERS = { 'content-type': JSON_TYPE, accept: JSON_TYPE };
export const V2_1 = 'application/vnd.tessera-2.1+json';
export const V4_0 = 'application/vnd.tessera-4.0+json';
export const BYTES = 'application/octet-stream';

export function sendBody({ payload, from, to, ...metadata }: SendRequest): string {
  const sender = from === undefined ? {} : { from };
  return JSON.stringify({ payload: base64(payload), ...sender, to, ...metadataMembers(metadata) });
}

export function sendSignedBody({ hash, to, ...metadata }: SendSignedRequest): string {
  return JSON.stringify({ hash: base64(hash), to, ...metadataMembers(metadata) });
}

/** @param sends - each with its body of `/sendsignedtx` */
export function sendGroupBody(sends: readonly { readonly body: string }[]): string {
  return `{"sends":[${sends.map(({ body }) => body).join(',')}]}`;
}

export function lookupBody(hashes: readonly Uint8Array[]): string {
  return JSON.stringify({ hashes: hashes.map(base64) });
}

/** Members that are not needed are left out, as older managers do not know them. */
function metadataMembers(metadata: PrivacyMetadata): object {
  const { privacyFlag, affected, execHash, mandatoryFor, privacyGroupId } = metadata;
  return {
    privacyFlag,
    affectedContractTransactions: affected.map(base64),
    ...(execHash === '' ? {} : { execHash }),
    ...(mandatoryFor.length === 0 ? {} : { mandatoryRecipients: mandatoryFor }),
    ...(privacyGroupId === undefined ? {} : { privacyGroupId: base64(privacyGroupId) }),
  };
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
