import { describe, expect, it } from '@jest/globals';
import { blake2b32 } from '@tetrad/crypto';
import { RequestError } from '@tetrad/types';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatCoinAddress, parseCoinAddress } from './address-text.js';
import { coinAddressFromBytes } from './coin-address.js';

interface Refused {
  readonly id: string;
  readonly detail?: string;
  readonly message?: string;
}

interface AddressVectors {
  readonly accepted: readonly { readonly id: string; readonly text: string; readonly bytes: string }[];
  readonly canonical: { readonly text: string };
  readonly refusedTexts: readonly (Refused & { readonly text: string })[];
  readonly refusedBytes: readonly (Refused & { readonly bytes: string })[];
  readonly checksum: { readonly text: string; readonly checksum: string };
}

const file = join(import.meta.dirname, '../../vectors/address/addresses.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as AddressVectors;

function rejectionOf(work: () => unknown): RequestError {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(RequestError);
    return error as RequestError;
  }
  throw new Error('was not refused');
}

describe('published addresses', () => {
  it.each(vectors.accepted)('$id $text', ({ text, bytes }) => {
    const address = parseCoinAddress(text);
    expect(Buffer.from(address.toBytes()).toString('hex')).toBe(bytes);
    expect(address.key).toBe(bytes);
    expect(formatCoinAddress(address, 'main')).toBe(text);
    expect(coinAddressFromBytes(Buffer.from(bytes, 'hex')).equals(address)).toBe(true);
  });

  it('WP-35 has one canonical text', () => {
    const { text } = vectors.canonical;
    expect(formatCoinAddress(parseCoinAddress(text), 'main')).toBe(text);
  });

  it('WP-36 checksum', () => {
    const { text, checksum } = vectors.checksum;
    expect(Buffer.from(blake2b32(Buffer.from(text))).toString('hex')).toBe(checksum);
  });
});

describe('published errors', () => {
  it.each(vectors.refusedTexts)('$id $text', ({ text, detail, message }) => {
    const rejection = rejectionOf(() => parseCoinAddress(text));
    expect(rejection.code).toBe('INVALID_COIN_ADDRESS');
    if (detail !== undefined) expect(rejection.data).toEqual({ detail });
    if (message !== undefined) expect(rejection.message).toBe(message);
  });

  it.each(vectors.refusedBytes)('$id bytes $bytes', ({ bytes, detail }) => {
    const rejection = rejectionOf(() => coinAddressFromBytes(Buffer.from(bytes, 'hex')));
    expect(rejection).toMatchObject({ code: 'INVALID_COIN_ADDRESS', data: { detail } });
  });
});
