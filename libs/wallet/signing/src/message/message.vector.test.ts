import { describe, expect, it } from '@jest/globals';
import { parseCoinAddress, signData, verifySignature, type KeyKind } from '@tetrad/wallet-key';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CoinMessage } from './coin-message.js';
import { formatContentId, messageContentId, signedMessageContentId } from './content-id.js';
import { findInclusionFault } from './inclusion-rules.js';
import { decodeCoinMessage, encodeCoinMessage } from './message-codec.js';
import type { MessageField } from './message-error.js';
import { bytesToSign, textEnvelope } from './signed-bytes.js';

interface SignatureVector {
  readonly address: string;
  readonly type: number;
  readonly kind?: KeyKind;
  readonly privateKey?: string;
  readonly signature: string;
}

interface MessageVector {
  readonly id: string;
  readonly message: Readonly<Record<MessageField, string>>;
  readonly cbor?: string;
  readonly contentId?: string;
  readonly signedContentId?: string;
  readonly signatures?: readonly SignatureVector[];
}

const file = join(import.meta.dirname, '../../vectors/messages.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly messages: readonly MessageVector[];
  readonly envelope: Readonly<Record<'text' | 'privateKey' | 'envelope' | 'signature', string>>;
};
const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'));
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

function messageOf({ message }: MessageVector): CoinMessage {
  return {
    version: BigInt(message.Version),
    to: parseCoinAddress(message.To),
    from: parseCoinAddress(message.From),
    nonce: BigInt(message.Nonce),
    value: BigInt(message.Value),
    gasLimit: BigInt(message.GasLimit),
    gasFeeCap: BigInt(message.GasFeeCap),
    gasPremium: BigInt(message.GasPremium),
    method: BigInt(message.Method),
    params: hex(message.Params),
  };
}

const withCbor = vectors.messages.filter(({ cbor }) => cbor !== undefined);
const withId = vectors.messages.filter(({ contentId }) => contentId !== undefined);
const signed = vectors.messages.flatMap((vector) =>
  (vector.signatures ?? []).map((signature) => ({ ...vector, ...signature, vector })),
);

describe('published messages', () => {
  it.each(withCbor)('$id encodes and decodes', (vector) => {
    const message = messageOf(vector);
    expect(text(encodeCoinMessage(message))).toBe(vector.cbor);
    expect(decodeCoinMessage(hex(vector.cbor as string))).toEqual(message);
  });

  it.each(withId)('$id has its content id', (vector) => {
    expect(formatContentId(messageContentId(messageOf(vector)))).toBe(vector.contentId);
  });

  it('WP-58 is signable by form and refused by the strict rules', () => {
    const vector = vectors.messages.find(({ id }) => id === 'WP-58') as MessageVector;
    expect(findInclusionFault(messageOf(vector))).toEqual({
      field: 'Value',
      message: "'Value' field cannot be negative",
    });
  });
});

describe('published signatures of messages', () => {
  it.each(signed)('$id by $address', ({ vector, address, type, kind, privateKey, signature }) => {
    const signer = parseCoinAddress(address);
    const bytes = bytesToSign(messageOf(vector), signer, 314n);
    expect(verifySignature(signer, bytes, { type, data: hex(signature) })).toBe(true);
    if (kind === undefined || privateKey === undefined) return;
    const made = signData(kind, hex(privateKey), bytes);
    expect({ type: made.type, data: text(made.data) }).toEqual({ type, data: signature });
  });

  it('has the content id of a signed message', () => {
    const vector = vectors.messages.find(({ id }) => id === 'WP-47') as MessageVector;
    const [{ type, signature }] = vector.signatures as [SignatureVector];
    const id = signedMessageContentId(messageOf(vector), { type, data: hex(signature) });
    expect(formatContentId(id)).toBe(vector.signedContentId);
  });

  it('has the content id of the message alone with a BLS signature', () => {
    const vector = vectors.messages.find(({ id }) => id === 'WP-59') as MessageVector;
    const [{ type, signature }] = vector.signatures as [SignatureVector];
    const id = signedMessageContentId(messageOf(vector), { type, data: hex(signature) });
    expect(formatContentId(id)).toBe(vector.contentId);
  });
});

describe('the text envelope', () => {
  it('WP-42', () => {
    const { envelope } = vectors;
    const wrapped = textEnvelope(Buffer.from(envelope.text));
    expect(text(wrapped)).toBe(envelope.envelope);
    expect(text(signData('secp256k1', hex(envelope.privateKey), wrapped).data)).toBe(envelope.signature);
  });
});
