import { describe, expect, it } from '@jest/globals';
import { AheadPayloads } from './ahead-payloads.js';
import { payloadHash, type PayloadHash } from './payload-hash.js';
import type { PayloadAnswer, PayloadSource } from './payload-source.js';

const hashes = Array.from({ length: 40 }, (_, index) => payloadHash(new Uint8Array(64).fill(index + 1)));
const hashAt = (place: number) => hashes[place] as PayloadHash;

function payloadOf(data: Uint8Array): PayloadAnswer {
  const payload = { data, privacyFlag: 0, affectedCreations: new Set<PayloadHash>() } as const;
  return { kind: 'payload', payload: { ...payload, sender: undefined, managedParties: undefined } };
}

/** A source that answers when the test calls `answerAll`. */
class Held implements PayloadSource {
  readonly asked: PayloadHash[] = [];
  private readonly open: ((answer: PayloadAnswer) => void)[] = [];

  find(hash: PayloadHash): Promise<PayloadAnswer> {
    this.asked.push(hash);
    return new Promise((done) => this.open.push(done));
  }

  answerAll(answer: PayloadAnswer): void {
    for (const done of this.open.splice(0)) done(answer);
  }
}

describe('payloads of a block', () => {
  it('are requested sixteen at a time, before the first has arrived', async () => {
    const source = new Held();
    const ahead = new AheadPayloads(source, hashes);
    const first = ahead.find(hashAt(0));
    expect(source.asked).toEqual(hashes.slice(0, 16));
    source.answerAll({ kind: 'notParty' });
    expect(await first).toEqual({ kind: 'notParty' });
    for (let place = 1; place < 16; place += 1) void ahead.find(hashAt(place));
    expect(source.asked).toEqual(hashes.slice(0, 32));
    void ahead.find(hashAt(16));
    expect(source.asked).toEqual(hashes);
  });

  it('are each requested once, and returned for their own hash', async () => {
    const asked: PayloadHash[] = [];
    const source: PayloadSource = {
      find: async (hash) => {
        asked.push(hash);
        return payloadOf(Buffer.from(hash));
      },
    };
    const ahead = new AheadPayloads(source, hashes);
    for (const hash of hashes) expect(await ahead.find(hash)).toEqual(payloadOf(Buffer.from(hash)));
    expect(asked).toEqual(hashes);
  });

  it('of one hash in two places are requested twice, since the manager may be back by then', async () => {
    const source = new Held();
    const ahead = new AheadPayloads(source, [hashAt(0), hashAt(0)]);
    const both = [ahead.find(hashAt(0)), ahead.find(hashAt(0))];
    expect(source.asked).toEqual([hashAt(0), hashAt(0)]);
    source.answerAll({ kind: 'notParty' });
    await Promise.all(both);
  });

  it('that are skipped are dropped, and one that is not in the block is requested', async () => {
    const source = new Held();
    const ahead = new AheadPayloads(source, hashes.slice(0, 39));
    void ahead.find(hashAt(20));
    expect(source.asked).toEqual(hashes.slice(20, 36));
    void ahead.find(hashAt(3));
    void ahead.find(hashAt(39));
    expect(source.asked.slice(16)).toEqual([hashAt(3), hashAt(39)]);
  });

  it('are no longer prefetched while those that have arrived are large', async () => {
    const source = new Held();
    const ahead = new AheadPayloads(source, hashes);
    const first = ahead.find(hashAt(0));
    source.answerAll(payloadOf(new Uint8Array(1_048_576)));
    await first;
    void ahead.find(hashAt(1));
    expect(source.asked).toHaveLength(16);
  });

  it('fail for the caller of `find`, without an unhandled rejection', async () => {
    const ahead = new AheadPayloads({ find: () => Promise.reject(new Error('gone')) }, hashes);
    await expect(ahead.find(hashAt(0))).rejects.toThrow('gone');
    await new Promise((turn) => setImmediate(turn));
  });
});
