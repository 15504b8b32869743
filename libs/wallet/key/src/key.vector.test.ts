import { describe, expect, it } from '@jest/globals';
import { formatCoinAddress, parseCoinAddress } from './address/address-text.js';
import type { KeyKind } from './signature/coin-signature.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportKey, importKey } from './key-file.js';
import { lotusFileName, parseLotusFileName } from './lotus-key-store.js';
import { derivationPath, keyFromPhrase } from './phrase-key.js';
import { CoinPrivateKey } from './private-key.js';

interface KeyVectors {
  readonly keys: readonly {
    readonly id: string;
    readonly kind: KeyKind;
    readonly privateKey: string;
    readonly address: string;
    readonly bigEndianHex?: string;
  }[];
  readonly derived: readonly Readonly<Record<'id' | 'phrase' | 'path' | 'privateKey' | 'address', string>>[];
  readonly exported: { readonly kind: KeyKind; readonly privateKey: string; readonly hexLotus: string };
  readonly fileNames: readonly Readonly<Record<'id' | 'entry' | 'fileName', string>>[];
}

const file = join(import.meta.dirname, '../vectors/keys.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as KeyVectors;
const keyOf = (kind: KeyKind, base64: string) =>
  CoinPrivateKey.fromBytes(kind, Buffer.from(base64, 'base64'));
const base64Of = (key: CoinPrivateKey) => key.use((bytes) => Buffer.from(bytes).toString('base64'));

describe('published keys', () => {
  it.each(vectors.keys)('$id $kind $address', ({ kind, privateKey, address, bigEndianHex }) => {
    const network = address.startsWith('f') ? 'main' : 'test';
    expect(formatCoinAddress(keyOf(kind, privateKey).address(), network)).toBe(address);
    const json = JSON.stringify({ Type: kind, PrivateKey: privateKey });
    expect(importKey(json, { format: 'json-lotus' }).address().equals(parseCoinAddress(address))).toBe(true);
    if (bigEndianHex !== undefined) {
      const bigEndian = Buffer.from(privateKey, 'base64').reverse();
      expect(bigEndian.toString('hex')).toBe(bigEndianHex);
    }
  });

  it.each(vectors.derived)('$id at $path', async ({ phrase, path, privateKey, address }) => {
    const key = await keyFromPhrase({ kind: 'secp256k1', phrase, path });
    expect(base64Of(key)).toBe(privateKey);
    expect(formatCoinAddress(key.address(), 'main')).toBe(address);
  });

  it('WP-17 to WP-19 are at the usual path of the main network', () => {
    expect(vectors.derived.slice(1).map(({ path }) => path)).toEqual(
      [1, 1, 4].map((index) => derivationPath('secp256k1', 'main', index)),
    );
  });

  it('WP-13 is exported byte for byte', () => {
    const { kind, privateKey, hexLotus } = vectors.exported;
    expect(exportKey(keyOf(kind, privateKey))).toBe(hexLotus);
    expect(base64Of(importKey(hexLotus))).toBe(privateKey);
  });

  it.each(vectors.fileNames)('$id $entry', ({ entry, fileName }) => {
    expect(lotusFileName(entry)).toBe(fileName);
    expect(parseLotusFileName(fileName)?.name).toBe(entry);
  });
});
