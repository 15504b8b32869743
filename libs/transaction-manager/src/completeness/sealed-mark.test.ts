import { describe, expect, it } from '@jest/globals';
import { Enclave } from '../enclave/enclave.js';
import { generateKeyPair, keyFromBytes } from '../keys/key-pair.js';
import { KeyRing } from '../keys/key-ring.js';
import {
  newQuestion,
  readMarkAnswer,
  readMarkRequest,
  writeMarkAnswer,
  writeMarkRequest,
  type MarkRequest,
} from './sealed-mark.js';

const [owner, keeper, other] = [1, 2, 3].map(() => new Enclave(new KeyRing([generateKeyPair()]))) as [
  Enclave,
  Enclave,
  Enclave,
];
const parties = { owner: owner.ring.first, keeper: keeper.ring.first };
const request: MarkRequest = { ...parties, question: newQuestion(), order: 7, mark: Buffer.from('mark') };
const everyone = () => true;
const written = (value: MarkRequest, enclave = owner) => writeMarkRequest(value, enclave) ?? '';

describe('a request to keep a mark', () => {
  it('is read by the keeper that it names, and by no other manager', () => {
    const header = written(request);
    expect(readMarkRequest(header, keeper, everyone)).toEqual({
      ...request,
      question: Buffer.from(request.question),
    });
    expect(readMarkRequest(header, other, everyone)).toBeUndefined();
    expect(readMarkRequest(header, keeper, (key) => key !== parties.owner)).toBeUndefined();
  });

  it('is of its owner alone: neither another key nor another direction can be put in front of it', () => {
    const bytes = Buffer.from(written(request), 'base64');
    const swapped = Buffer.concat([bytes.subarray(32, 64), bytes.subarray(0, 32), bytes.subarray(64)]);
    expect(readMarkRequest(swapped.toString('base64'), owner, everyone)).toBeUndefined();
    const forged = Buffer.from(written({ ...request, owner: other.ring.first }, other), 'base64');
    bytes.copy(forged, 0, 0, 32);
    expect(readMarkRequest(forged.toString('base64'), keeper, everyone)).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['no text', ['mark']],
    ['an empty text', ''],
    ['a text that is too short', written(request).slice(0, 40)],
    ['a part', written(request).slice(0, -8)],
    ['a text that is too long', 'A'.repeat(1_100)],
    ['a mark that is too long', written({ ...request, mark: Buffer.alloc(385) })],
    ['an order after which there is no next one', written({ ...request, order: Number.MAX_SAFE_INTEGER })],
  ])('is not %s', (_, header) => {
    expect(readMarkRequest(header, keeper, everyone)).toBeUndefined();
  });

  it('cannot be sealed for a key of low order, nor is one taken from it', () => {
    const low = keyFromBytes(new Uint8Array(32));
    expect(writeMarkRequest({ ...request, keeper: low }, owner)).toBeUndefined();
    const bytes = Buffer.from(written(request), 'base64');
    bytes.fill(0, 0, 32);
    expect(readMarkRequest(bytes.toString('base64'), keeper, everyone)).toBeUndefined();
  });
});

describe('the answer', () => {
  const kept = { order: 9, mark: Buffer.alloc(384, 1) };

  it('tells the owner alone what is kept', () => {
    const header = writeMarkAnswer(request, kept, keeper);
    expect(readMarkAnswer(header, request, owner)).toMatchObject(kept);
    expect(readMarkAnswer(header, { ...request, owner: other.ring.first }, other)).toBeUndefined();
  });

  it('is that to one question, of one keeper', () => {
    const header = writeMarkAnswer(request, kept, keeper);
    expect(readMarkAnswer(header, { ...request, question: newQuestion() }, owner)).toBeUndefined();
    expect(readMarkAnswer(header, { ...request, keeper: other.ring.first }, owner)).toBeUndefined();
    // The request itself, sent back.
    const back = Buffer.from(written(request), 'base64').subarray(64).toString('base64');
    for (const one of [back, '', undefined, [header]])
      expect(readMarkAnswer(one, request, owner)).toBeUndefined();
  });
});
