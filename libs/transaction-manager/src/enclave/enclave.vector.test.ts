import { describe, expect, it } from '@jest/globals';
import { hexBytes, recorded, recordedPair, recordedPairs, recordedPayload } from '../../test/recorded.js';
import { keyPairFromPrivate } from '../keys/key-pair.js';
import { KeyRing } from '../keys/key-ring.js';
import { decodeBinaryPayload } from '../payload/binary-payload.js';
import { payloadHash } from '../payload/encoded-payload.js';
import { securityHasher } from '../privacy/security-hash.js';
import { Enclave, type RandomSource } from './enclave.js';

const hexOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex');
const everyKey = new Enclave(new KeyRing(recordedPairs('a1', 'a2', 'b1', 'b2', 'c1')));

/** An enclave of the named keys that draws the recorded randomness. */
function replaying(names: readonly string[], masterKey: string, nonces: readonly string[]): Enclave {
  const left = [...nonces];
  const random: RandomSource = {
    masterKey: () => hexBytes(masterKey),
    nonce: () => hexBytes(left.shift() ?? ''),
  };
  return new Enclave(new KeyRing(recordedPairs(...names)), random);
}

describe('keys', () => {
  it.each(Object.entries(recorded.keys))('the public key of %s follows from the private one', (name, key) => {
    expect(recordedPair(name).publicKey).toBe(key.public);
  });
});

describe('payloads that a running manager pushed', () => {
  const pushes = recorded.pushes.map((push, index) => ({ push, index }));

  it.each(pushes)('the recipient of push $index reads it', ({ push }) => {
    const payload = decodeBinaryPayload(hexBytes(push.body));
    const [own] = payload.recipientKeys;
    expect(hexOf(everyKey.masterKey(payload, own!))).toBe(push.decoded.masterKey);
    expect(hexOf(everyKey.read(payload, own!))).toBe(push.decoded.plaintext);
  });

  it.each(pushes)('push $index comes of its plaintext and randomness', ({ push }) => {
    const { sender, masterKey, cipherTextNonce, recipientNonce, plaintext } = push.decoded;
    const enclave = replaying([sender], masterKey, [cipherTextNonce, recipientNonce]);
    const sealed = enclave.seal(recordedPair(sender).publicKey, hexBytes(plaintext));
    const { recipientBoxes } = enclave.box(sealed, recordedPayload(push).recipientKeys.slice(0, 1));
    expect(hexOf(sealed.cipherText)).toBe(push.decoded.cipherText);
    expect(recipientBoxes.map(hexOf)).toEqual(push.decoded.recipientBoxes);
  });

  it('the sender reads its own record, and a stranger reads nothing', () => {
    const { a1, b1, c1 } = recorded.keys;
    const record = recorded.senderRecords.find(({ recipientKeys }) => recipientKeys.join() === 'b1,a1');
    const payload = decodeBinaryPayload(hexBytes(record?.encodedPayload ?? ''));
    expect(hexOf(everyKey.read(payload, a1!.public))).toBe('6060604052');
    expect(hexOf(everyKey.read(payload, b1!.public))).toBe('6060604052');
    expect(everyKey.read(payload, c1!.public)).toBeUndefined();
  });

  const affected = recorded.pushes.flatMap((push) =>
    push.decoded.affected.flatMap(({ acoth, securityHash }) => {
      const creation = recorded.pushes.find(({ hash }) => hash === acoth);
      return creation === undefined ? [] : [{ push, creation, securityHash, hash: push.hash }];
    }),
  );
  it.each(affected)(
    'the security hash in $hash follows from the creation',
    ({ push, creation, ...expected }) => {
      const known = {
        cipherText: hexBytes(creation.decoded.cipherText),
        masterKey: hexBytes(creation.decoded.masterKey),
      };
      expect(hexOf(securityHasher(hexBytes(push.decoded.cipherText))(known))).toBe(expected.securityHash);
    },
  );
});

describe('payloads that wait for their signed transaction', () => {
  it.each(recorded.storeraw)('$hash is made and opened', (raw) => {
    const enclave = replaying(['a1'], raw.masterKey, [raw.nonce]);
    const sealed = enclave.seal(raw.sender, hexBytes(raw.plaintext));
    const stored = enclave.toRaw(sealed);
    expect(hexOf(stored.cipherText)).toBe(raw.cipherText);
    expect(hexOf(stored.encryptedKey)).toBe(raw.encryptedKey);
    expect(Buffer.from(payloadHash(stored)).toString('base64')).toBe(raw.hash);
    const opened = enclave.fromRaw(stored);
    expect(hexOf(opened?.masterKey)).toBe(raw.masterKey);
    expect(hexOf(enclave.open(opened!))).toBe(raw.plaintext);
  });

  it('a key that was sealed for another payload opens nothing', () => {
    const [first, second] = recorded.storeraw;
    const enclave = new Enclave(new KeyRing(recordedPairs('a1')));
    const mixed = {
      sender: first!.sender,
      cipherText: hexBytes(first!.cipherText),
      nonce: hexBytes(first!.nonce),
      encryptedKey: hexBytes(second!.encryptedKey),
    };
    expect(enclave.fromRaw(mixed)).toBeUndefined();
  });
});

describe('vectors V1 and V3 of the fact sheet', () => {
  const fill = (size: number, byte: number) => Buffer.alloc(size, byte);
  const sender = keyPairFromPrivate(Buffer.from('Wl+xSyXVuuqzpvznOS7dOobhcn4C5auxkFRi7yLtgtA=', 'base64'));
  const recipient = keyPairFromPrivate(Buffer.from('yAWAJjwPqUtNVlqGjSrBmr1/iIkghuOh1803Yzx9jLM=', 'base64'));

  function sealWith(payload: string, first: number) {
    const nonces = [fill(24, first + 1), fill(24, first + 2)];
    const random = { masterKey: () => fill(32, first), nonce: () => nonces.shift() ?? fill(24, 0) };
    const enclave = new Enclave(new KeyRing([sender]), random);
    const sealed = enclave.seal(sender.publicKey, hexBytes(payload));
    return { sealed, ...enclave.box(sealed, [recipient.publicKey, sender.publicKey]) };
  }

  it('V1: ciphertext, hash and boxes', () => {
    const { sealed, recipientBoxes } = sealWith('6060604052', 1);
    expect(sender.publicKey).toBe('BULeR8JyUWhiuuCMU/HLA0Q5pzkYT+cHII3ZKBey3Bo=');
    expect(recipient.publicKey).toBe('/+UuD63zItL1EbjxkKUljMgG8Z1w0AJ8pNOR4iq2yQc=');
    expect(hexOf(sealed.cipherText)).toBe('75fcf4f42932c6b83c63191518bba2419d05bebd2c');
    expect(Buffer.from(payloadHash(sealed)).toString('base64')).toBe(
      '36vEOkH5MR+W6nPEMRU5RmO/dZbrU2gbDv8Gln+3xT5RfMwc7XUjAGYE/RWGu583lsZWC5V+5XWrPMTtT5fntA==',
    );
    expect(recipientBoxes.map(hexOf)).toEqual([
      'f446d8bcdf566efee0ecf8502ec09ae2af0f46e7a9c4ccb2e6e9c67999a86b9241a569e63a90fe6945f9e5755025962e',
      '89210dcfd7eb3c50b8dd8434b4c551f0a469f557fa23c39598f3327fc4cf75ba99e676c3a78349ba633ff7c175cc556d',
    ]);
  });

  it('V3: the security hash of a second payload over the first', () => {
    const [first, second] = [sealWith('6060604052', 1), sealWith('deadbeef', 4)];
    expect(hexOf(second.sealed.cipherText)).toBe('9838e25e9758f7234b66bc3100089d68e5e8835b');
    expect(hexOf(securityHasher(second.sealed.cipherText)(first.sealed))).toBe(
      'd171037d738f0c20890db267aadcc3349bfcc7841c435bc37ff6313668cbaeddeaded089825476d75fd727bc673ca941e5822d580b4b1f3a169377d406f3554f',
    );
  });
});
