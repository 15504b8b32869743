import { afterEach, describe, expect, it } from '@jest/globals';
import { silentLogger, silentMetrics } from '@tetrad/types';
import fc from 'fast-check';
import { Cast } from '../../test/cast/cast.js';
import { VirtualClock } from '@tetrad/testkit';
import { validatorKey, type ValidatorKey } from '../../test/simulator/validator-keys.js';
import { encodeMessage } from '../messages/message-encoding.js';
import { decodeMessage } from '../messages/message-decoding.js';
import { decodeSignedRecord } from '../record/signed-record-rlp.js';
import { BftEngine } from './bft-engine.js';
import type { BftEngineOptions, ConsensusLedger } from './engine-ports.js';

const formatAt = () => 'qbft' as const;
const cast = new Cast(4);
const proposer = cast.proposer(0);
const self = cast.proposer(3);
const block = cast.block(proposer);
const proposal = encodeMessage(cast.proposal(proposer, 0, block));
const prepares = cast.others(self).map((key) => encodeMessage(cast.prepare(key, 0, block.hash)));
const commits = cast.others(self).map((key) => encodeMessage(cast.commit(key, 0, block)));

const engines: BftEngine[] = [];
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.stop()));
});

/** An engine whose ports write down what they were asked for, in order. */
class Stage {
  readonly log: string[] = [];
  readonly errors: string[] = [];
  readonly clock = new VirtualClock();
  stored: Uint8Array | undefined;
  storing = () => Promise.resolve();
  readonly engine: BftEngine;

  constructor(
    readonly set: Cast = cast,
    key: ValidatorKey = self,
    ledger: Partial<ConsensusLedger> = {},
    options: Partial<BftEngineOptions> = {},
  ) {
    const describeMessage = (bytes: Uint8Array) =>
      decodeMessage(bytes, { formatAt, maxBytes: 1e6, maxNested: 10 }).kind;
    this.engine = new BftEngine({
      address: key.address,
      sign: key.sign,
      formatAt,
      clock: this.clock,
      metrics: silentMetrics,
      logger: { ...silentLogger, error: (text) => this.errors.push(text) },
      network: {
        broadcast: (bytes) => this.log.push(`broadcast ${describeMessage(bytes)}`),
        send: (_, bytes) => this.log.push(`send ${describeMessage(bytes)}`),
      },
      ledger: {
        buildCandidate: () => Promise.resolve(set.block(key).encoded),
        validateProposal: () => Promise.resolve('valid'),
        commitBlock: ({ header }) => Promise.resolve(void this.log.push(`commit ${header.number}`)),
        ...ledger,
      },
      persist: async (record) => {
        await this.storing();
        this.stored = record;
        this.log.push('persist');
      },
      ...options,
    });
    engines.push(this.engine);
  }

  async start(stored?: Uint8Array): Promise<this> {
    this.engine.start(stored, this.set.context);
    return this.pass();
  }

  /** Lets everything happen that can, and time pass. */
  async pass(ms = 0): Promise<this> {
    await new Promise((turn) => setImmediate(turn));
    await this.clock.runUntil(this.clock.now() + ms, () => false);
    return this;
  }

  async hear(...messages: readonly Uint8Array[]): Promise<this> {
    for (const message of messages) this.engine.onMessage(message);
    return this.pass();
  }
}

describe('an engine', () => {
  it('stores what it signs before it sends it, and commits with a quorum', async () => {
    const stage = await new Stage().start();
    await stage.hear(proposal);
    await stage.hear(...prepares);
    await stage.hear(...commits);
    expect(stage.log).toEqual(['persist', 'broadcast prepare', 'persist', 'broadcast commit', 'commit 1']);
    expect(stage.engine.status()).toMatchObject({ height: 1, round: 0, phase: 'committed' });
  });

  it('of a single validator makes a block alone', async () => {
    const lone = new Cast(1);
    const stage = await new Stage(lone, lone.key(0)).start();
    expect(stage.log.at(-1)).toBe('commit 1');
    const record = decodeSignedRecord(stage.stored ?? new Uint8Array(0), formatAt);
    expect(record).toMatchObject({ height: 1, round: 0, commit: record.certificate?.block.hash });
  });

  it('continues where the stored record was left', async () => {
    const before = await new Stage().start();
    await before.hear(proposal);
    await before.hear(...prepares);
    await before.engine.stop();
    const after = await new Stage().start(before.stored);
    expect(after.log).toContain('broadcast commit');
    expect(after.engine.status().phase).toBe('prepared');
  });

  it('does not start on a damaged record', () => {
    const { engine } = new Stage();
    expect(() => engine.start(Uint8Array.of(1, 2, 3), cast.context)).toThrow('record');
  });

  it('sends nothing while its record cannot be stored, and then all of it', async () => {
    const stage = await new Stage().start();
    stage.storing = () => Promise.reject(new Error('the database is unavailable'));
    await stage.hear(proposal);
    await stage.hear(...prepares);
    await stage.pass(5_000);
    expect(stage.log.filter((line) => line.startsWith('broadcast'))).toEqual([]);
    expect(stage.engine.trouble()).toBe('the database is unavailable');
    expect(stage.errors).toEqual(['signed record cannot be stored']);
    stage.storing = () => Promise.resolve();
    await stage.pass(1_000);
    expect(stage.engine.trouble()).toBeUndefined();
    expect(stage.log).toContain('broadcast prepare');
  });

  it('checks a proposal again when it could not be checked', async () => {
    let attempts = 0;
    const validateProposal = () => {
      attempts += 1;
      return attempts < 2
        ? Promise.reject(new Error('the database is unavailable'))
        : Promise.resolve('valid' as const);
    };
    const stage = await new Stage(cast, self, { validateProposal }).start();
    await stage.hear(proposal);
    await stage.pass(600);
    expect(attempts).toBe(2);
    expect(stage.log).toContain('broadcast prepare');
  });

  it('enters the next round when the chain does not accept the block', async () => {
    const commitBlock = () => Promise.reject(new Error('no'));
    const stage = await new Stage(cast, self, { commitBlock }).start();
    await stage.hear(proposal);
    await stage.hear(...prepares, ...commits);
    expect(stage.engine.status()).toMatchObject({ round: 1, phase: 'awaiting' });
    expect(stage.errors).toEqual(['a committed block could not be added to the chain']);
  });

  it('tolerates a builder that fails, and does not call it again for a past height', async () => {
    const failing = await new Stage(cast, proposer, {
      buildCandidate: () => Promise.reject(new Error('no')),
    }).start();
    expect(failing.errors).toEqual(['no block could be built']);
    const signals: AbortSignal[] = [];
    const buildCandidate: ConsensusLedger['buildCandidate'] = (_, aborted) => {
      signals.push(aborted);
      return new Promise((done) => aborted.addEventListener('abort', () => done(undefined)));
    };
    const waiting = await new Stage(cast, proposer, { buildCandidate }).start();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    waiting.engine.onHead({ ...cast.context, height: 2, parentHash: block.hash });
    await waiting.pass();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  it('reports that other validators are ahead', async () => {
    const heights: number[] = [];
    const stage = new Stage(cast, self, {}, { onBehind: (height) => heights.push(height) });
    await stage.start();
    await stage.hear(...cast.others(self).map((key) => encodeMessage(cast.prepare(key, 0, block.hash, 3))));
    expect(heights).toEqual([3]);
  });

  it('stops while work is running, and does nothing afterwards', async () => {
    const stage = await new Stage().start();
    stage.storing = () => Promise.reject(new Error('the database is unavailable'));
    await stage.hear(proposal);
    await stage.engine.stop();
    const sent = stage.log.length;
    expect(stage.engine.onMessage(proposal)).toEqual({ outcome: 'ignored', reason: 'notRunning' });
    await stage.pass(60_000);
    expect(stage.log).toHaveLength(sent);
  });
});

describe('an engine whose key is elsewhere', () => {
  const later = (digest: Uint8Array) => Promise.resolve(self.sign(digest));

  it('sends what one with its own key sends, and nothing before it is stored', async () => {
    const stage = await new Stage(cast, self, {}, { sign: later }).start();
    await stage.hear(proposal);
    await stage.hear(...prepares);
    await stage.hear(...commits);
    expect(stage.log).toEqual(['persist', 'broadcast prepare', 'persist', 'broadcast commit', 'commit 1']);
  });

  it('handles no other event while a signature is made, and all of them then', async () => {
    let give = (): void => undefined;
    const given = new Promise<void>((done) => (give = done));
    const sign = (digest: Uint8Array) => given.then(() => self.sign(digest));
    const stage = await new Stage(cast, self, {}, { sign }).start();
    await stage.hear(proposal);
    await stage.hear(...prepares, ...commits);
    expect([stage.log, stage.engine.status().phase]).toEqual([[], 'validating']);
    give();
    await stage.pass();
    expect(stage.log).toContain('broadcast prepare');
    expect(stage.log.at(-1)).toBe('commit 1');
  });

  it.each([
    ['refuses', () => Promise.resolve(undefined)],
    ['fails', () => Promise.reject(new Error('away'))],
  ])('goes along with the others while it %s, and sends nothing', async (_, sign) => {
    const stage = await new Stage(cast, self, {}, { sign }).start();
    await stage.hear(proposal);
    await stage.hear(...prepares);
    await stage.hear(...commits);
    expect(stage.log.filter((line) => line.startsWith('broadcast'))).toEqual([]);
    expect(stage.log.at(-1)).toBe('commit 1');
    expect(stage.errors).toEqual([]);
  });

  it('announces the next round once the key is back, and what was not sent is not contradicted', async () => {
    let isAway = true;
    const sign = async (digest: Uint8Array) => (isAway ? undefined : self.sign(digest));
    const stage = await new Stage(cast, self, {}, { sign }).start();
    await stage.hear(proposal);
    const other = cast.block(proposer, 1);
    isAway = false;
    await stage.hear(encodeMessage(cast.proposal(proposer, 0, other)));
    expect(stage.log.filter((line) => line.startsWith('broadcast'))).toEqual([]);
    await stage.pass(120_000);
    expect(stage.log).toContain('broadcast roundChange');
    expect(decodeSignedRecord(stage.stored ?? new Uint8Array(0), formatAt).round).toBeGreaterThan(0);
  });

  it('stops while a signature is made that never comes to an end in time', async () => {
    const sign = (digest: Uint8Array) =>
      new Promise<Uint8Array>((done) => setTimeout(() => done(self.sign(digest)), 50));
    const stage = await new Stage(cast, self, {}, { sign }).start();
    await stage.hear(proposal);
    await stage.engine.stop();
    expect(stage.log).toEqual([]);
  });
});

describe('a received message', () => {
  it('is accepted once', async () => {
    const stage = await new Stage().start();
    expect(stage.engine.onMessage(proposal)).toEqual({ outcome: 'accepted' });
    expect(stage.engine.onMessage(proposal)).toEqual({ outcome: 'ignored', reason: 'duplicate' });
  });

  it('is accepted again when it is repeated later, for validators that missed it', async () => {
    const stage = await new Stage().start();
    const change = encodeMessage(cast.roundChange(proposer, 1));
    await stage.hear(change);
    expect(stage.engine.onMessage(change)).toEqual({ outcome: 'ignored', reason: 'duplicate' });
    await stage.pass(1_000);
    expect(stage.engine.onMessage(change)).toEqual({ outcome: 'accepted' });
  });

  it('is ignored from non-validators, for past heights, and before the start', async () => {
    const stage = new Stage();
    expect(stage.engine.onMessage(proposal)).toEqual({ outcome: 'ignored', reason: 'notRunning' });
    await stage.start();
    const strange = encodeMessage(cast.prepare(validatorKey(60), 0, block.hash));
    expect(stage.engine.onMessage(strange)).toEqual({ outcome: 'ignored', reason: 'notValidator' });
    const old = encodeMessage(cast.prepare(proposer, 0, block.hash, 0));
    expect(stage.engine.onMessage(old)).toEqual({ outcome: 'ignored', reason: 'old' });
  });

  it('is invalid with a score when it is malformed or too large', async () => {
    const stage = await new Stage(cast, self, {}, { maxMessageBytes: 200 }).start();
    expect(stage.engine.onMessage(Uint8Array.of(0x13, 0xc0))).toMatchObject({
      outcome: 'invalid',
      score: 20,
    });
    expect(stage.engine.onMessage(proposal)).toMatchObject({
      outcome: 'invalid',
      reason: 'message: above 200 bytes',
    });
  });

  it('is queued, and one validator cannot fill the queue', async () => {
    const stage = await new Stage().start();
    let store = () => undefined as void;
    stage.storing = () => new Promise((done) => (store = done));
    await stage.hear(proposal);
    const flood = Array.from({ length: 300 }, (_, round) =>
      encodeMessage(cast.roundChange(proposer, round + 1)),
    );
    const outcomes = flood.map((message) => stage.engine.onMessage(message));
    expect(outcomes.at(-1)).toEqual({ outcome: 'ignored', reason: 'busy' });
    expect(stage.engine.onMessage(prepares[1] ?? proposal)).toEqual({ outcome: 'accepted' });
    store();
  });

  it('never throws, whatever it is', async () => {
    const stage = await new Stage().start();
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom(0x12, 0x13, 0x14, 0x15, 0x16),
        async (rest, code) => {
          expect(stage.engine.onMessage(Uint8Array.of(code, ...rest)).outcome).toBe('invalid');
        },
      ),
    );
    expect(stage.errors).toEqual([]);
  });
});
