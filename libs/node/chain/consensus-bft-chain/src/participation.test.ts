import { afterEach, describe, expect, it } from '@jest/globals';
import { MessageError, decodeSignedRecord, encodeMessage } from '@tetrad/node-consensus-bft';
import { VirtualClock } from '@tetrad/testkit';
import { silentLogger, silentMetrics } from '@tetrad/types';
import { Cast, OTHER_DIGEST } from '../../consensus-bft/test/cast/cast.js';
import { Participation } from './participation.js';
import type { Neighbour } from './silence.js';

const cast = new Cast(4);
const self = cast.proposer(3);
const formatAt = () => 'qbft' as const;

const running: Participation[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()));
});

/** A validator of four, over ports that note what it does. */
class Stage {
  readonly clock = new VirtualClock();
  readonly log: string[] = [];
  readonly warnings: string[] = [];
  readonly counted: string[] = [];
  stored: Uint8Array | undefined;
  fails = false;
  peers: Neighbour[] = [];
  participation!: Participation;
  private headTimeMs = this.clock.now();

  constructor(public head: number) {}

  async start(): Promise<this> {
    const { clock, log } = this;
    this.participation = await Participation.start({
      address: self.address,
      sign: self.sign,
      formatAt,
      clock,
      logger: { ...silentLogger, warn: (text) => this.warnings.push(text) },
      metrics: {
        ...silentMetrics,
        counter: (name, help) => ({
          ...silentMetrics.counter(name, help),
          increment: (labels) => this.counted.push(`${name} ${labels?.['what'] ?? ''}`),
        }),
      },
      network: { broadcast: () => log.push(`sent at ${this.head + 1}`), send: () => undefined },
      ledger: {
        buildCandidate: () => Promise.resolve(undefined),
        validateProposal: () => Promise.resolve('valid'),
        commitBlock: () => Promise.resolve(),
      },
      records: {
        find: () => Promise.resolve(this.stored),
        save: (_, { record }) => this.save(record),
      },
      persist: (record) => this.save(record),
      neighbours: {
        list: () => this.peers,
        areExpected: true,
        announceUnrecorded: (flag) => log.push(flag ? 'says it has no record' : 'has a record'),
      },
      context: () => this.context(),
      headTimeMs: () => this.headTimeMs,
    });
    running.push(this.participation);
    return this.pass();
  }

  /** All others have this head. */
  others(head: number, isUnrecorded = false): this {
    this.peers = cast.others(self).map(({ address }) => ({ address, head, isUnrecorded }));
    return this;
  }

  async block(): Promise<void> {
    this.head += 1;
    this.headTimeMs = this.clock.now();
    if ((this.peers[0]?.head ?? 0) < this.head) this.others(this.head);
    this.participation.onHead(this.context());
    await this.pass();
  }

  /** Lets everything happen that can, and time pass. */
  async pass(ms = 0): Promise<this> {
    await new Promise((turn) => setImmediate(turn));
    await this.clock.runUntil(this.clock.now() + ms, () => false);
    await new Promise((turn) => setImmediate(turn));
    return this;
  }

  private async save(record: Uint8Array): Promise<void> {
    if (this.fails) throw new Error('the database is unavailable');
    this.stored = record;
    this.log.push('stored');
  }

  private context() {
    const periodEndsMs = this.clock.now();
    return { ...cast.context, height: this.head + 1, periodEndsMs, idleEndsMs: periodEndsMs };
  }
}

describe('a validator whose database has no record of its key', () => {
  it('signs nothing at the open height and four after, whatever time passes, and then stores a record first', async () => {
    const stage = await new Stage(200).others(203).start();
    expect(stage.log).toEqual(['says it has no record']);
    for (let block = 0; block < 3; block++) await stage.block();
    expect(stage.participation.report?.reason).toContain('it signs again after block 208');
    for (let block = 0; block < 4; block++) await (await stage.pass(5_000)).block();
    await stage.pass(5_000);
    expect(stage.participation.isActive).toBe(false);
    expect(stage.log).toEqual(['says it has no record']);
    await stage.block();
    await stage.pass(20_000);
    expect(stage.log.slice(1, 3)).toEqual(['stored', 'has a record']);
    expect(stage.log).toContain('sent at 209');
    expect(stage.participation.report).toBeUndefined();
    expect(stage.warnings.join()).toContain('no record of what its key has signed');
  });

  it('is silent anew when it is restarted before', async () => {
    const first = await new Stage(200).others(200).start();
    await first.block();
    expect(first.stored).toBeUndefined();
    const second = await new Stage(201).others(201).start();
    expect(second.participation.report?.reason).toContain('206');
  });

  it('signs block 1 of a new network, and what it signed counts after a restart', async () => {
    const stage = await new Stage(0).others(0, true).start();
    await stage.pass(20_000);
    expect(stage.log).toContain('sent at 1');
    expect(stage.log.indexOf('stored')).toBeLessThan(stage.log.indexOf('sent at 1'));
    const again = new Stage(0).others(5);
    again.stored = stage.stored;
    await again.start();
    expect(again.participation.isActive).toBe(true);
  });

  it('says that it began without a record until the first block of a network that all began so', async () => {
    const stage = await new Stage(700).others(700, true).start();
    expect(stage.participation.isActive).toBe(true);
    expect(stage.log).not.toContain('has a record');
    await stage.block();
    expect(stage.log.filter((line) => line.startsWith('has'))).toEqual(['has a record']);
  });

  it('stays silent while its first record cannot be stored', async () => {
    const stage = new Stage(700).others(700);
    await stage.start();
    stage.fails = true;
    for (let block = 0; block < 5; block++) await stage.block();
    await stage.pass(20_000);
    expect(stage.log.filter((line) => line.startsWith('sent'))).toEqual([]);
    expect(stage.participation.isActive).toBe(false);
    stage.fails = false;
    await stage.pass(20_000);
    expect(stage.log).toContain('sent at 706');
    expect(stage.warnings.filter((line) => line.includes('cannot end'))).toHaveLength(1);
  });

  it('signs nothing when it is resumed before the silence is over, nor when that ends while it is paused', async () => {
    const stage = await new Stage(200).others(200).start();
    await stage.participation.pause();
    await stage.participation.resume();
    await stage.pass(20_000);
    expect(stage.participation.isActive).toBe(false);
    await stage.participation.pause();
    for (let block = 0; block < 6; block++) await stage.block();
    await stage.pass(20_000);
    expect(stage.log.filter((line) => line.startsWith('sent'))).toEqual([]);
    await stage.participation.resume();
    await stage.pass(20_000);
    expect(stage.log).toContain('sent at 207');
  });

  it('counts conflicting votes of others while it is silent, and while it is paused', async () => {
    const liar = cast.proposer(0);
    const votes = (height: number) =>
      [OTHER_DIGEST, cast.block(liar).hash].map((digest) =>
        encodeMessage(cast.prepare(liar, 0, digest, height)),
      );
    const stage = await new Stage(200).others(200).start();
    const hear = (height: number) =>
      votes(height).map((vote) => stage.participation.current.onMessage(vote).outcome);
    expect(hear(201)).toEqual(['accepted', 'accepted']);
    const equivocations = () => stage.counted.filter((line) => line.endsWith(' equivocation'));
    expect(equivocations()).toEqual(['node_consensus_reports_total equivocation']);
    await stage.participation.pause();
    await stage.block();
    // The first was decided meanwhile.
    expect(hear(200)).toEqual(['ignored', 'ignored']);
    expect(equivocations()).toHaveLength(2);
  });
});

describe('a validator with a record', () => {
  it('signs at once, and does not start on a damaged one', async () => {
    const before = await new Stage(0).others(0, true).start();
    await before.pass(20_000);
    const record = decodeSignedRecord(before.stored ?? new Uint8Array(0), formatAt);
    expect(record).toMatchObject({ height: 1, roundChange: true });
    const damaged = new Stage(0);
    damaged.stored = Uint8Array.of(1, 2, 3);
    await expect(damaged.start()).rejects.toThrow(MessageError);
  });
});
