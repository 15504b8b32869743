import { keccak256, signDigest } from '@tetrad/crypto';
import { encodeRlp } from '@tetrad/rlp';
import { chainOf, legacyFields, protectedSignature } from '@tetrad/transactions';
import { hexFromBytes, type Address } from '@tetrad/types';

export interface RestrictedContent {
  readonly nonce: bigint;
  readonly chainId: bigint;
  readonly to?: Address | undefined;
  readonly data: Uint8Array;
  readonly privateFrom: string;
  /** Keys of the recipients, or the id of a group; base64. */
  readonly recipients: readonly string[] | string;
}

const keyBytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));

/** A restricted transaction as signing proxies sign it. Source: docs/spec/signing-proxy.md#restricted-transactions */
export function signRestricted(content: RestrictedContent, privateKey: Uint8Array): string {
  const { chainId, privateFrom, recipients, ...rest } = content;
  const fields = legacyFields({ ...rest, to: rest.to, gasPrice: 0n, gasLimit: 3_000_000n, value: 0n });
  const parties = typeof recipients === 'string' ? keyBytes(recipients) : recipients.map(keyBytes);
  const privacy = [keyBytes(privateFrom), parties, new TextEncoder().encode('restricted')];
  const digest = keccak256(encodeRlp([...fields, ...chainOf(chainId), ...privacy]));
  const signature = protectedSignature(chainId, signDigest(digest, privateKey));
  return hexFromBytes(encodeRlp([...fields, ...signature, ...privacy]));
}
