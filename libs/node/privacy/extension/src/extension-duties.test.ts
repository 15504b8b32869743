import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SendRequest } from '@tetrad/api-node';
import type { WorldState } from '@tetrad/node-execution';
import type { ActiveExtension } from '@tetrad/node-store';
import {
  hexFromBytes,
  parseAddress,
  parseHash,
  parsePtmKey,
  silentLogger,
  type Address,
  type Hash,
} from '@tetrad/types';
import { ExtensionDuties } from './extension-duties.js';

const OWN = parseAddress('0x00000000000000000000000000000000000000f1');
const FOREIGN = parseAddress('0x00000000000000000000000000000000000000f2');
const CONTRACT = parseAddress('0x00000000000000000000000000000000000000c1');
const KEY = parsePtmKey('BULeR8JyUWhiuuCMU/HLA0Q5pzkYT+cHII3ZKBey3Bo=');
const OTHER = parsePtmKey('QfeDAys9MPDs2XHExtc84jKGHxZg/aj52DTh0vtA3Xc=');
const [VOTE, SHARE] = ['0xde5828cb', '0x893971ba'];

const managementOf = (index: number): Address => parseAddress(`0x${'00'.repeat(19)}a${index}`);
const rowOf = (index: number, more: Partial<ActiveExtension> = {}): ActiveExtension => ({
  management: managementOf(index),
  contract: CONTRACT,
  initiator: OWN,
  recipient: FOREIGN,
  recipientKey: OTHER,
  creation: Buffer.alloc(64, index),
  isInitiator: true,
  isRecipient: false,
  isApproved: false,
  ...more,
});

/** Fake dependencies of the duties of a node, and the requests that were sent. */
class Surroundings {
  rows: ActiveExtension[] = [];
  readonly voted = new Set<Address>();
  readonly waiting = new Set<Hash>();
  readonly mined = new Set<Hash>();
  readonly waitingTo = new Set<Address>();
  isManagerAway = false;
  readonly sent: { readonly to: Address | undefined; readonly selector: string; readonly hash: Hash }[] = [];
  readonly payloads: { readonly to: readonly string[]; readonly privacyFlag: number }[] = [];
  readonly delays: number[] = [];
  task: (() => void) | undefined;

  readonly duties = new ExtensionDuties({
    store: { listExtensions: async () => this.rows },
    manager: this.manager() as never,
    management: {
      read: async (management) => ({
        isFinished: false,
        creator: OWN,
        voters: [OWN, FOREIGN] as const,
        hasVoted: this.voted.has(management),
      }),
    },
    accounts: () => [OWN],
    send: async (request) => this.send(request),
    isWaiting: (hash) => this.waiting.has(hash),
    isMined: async (hash) => this.mined.has(hash),
    hasWaiting: async (_sender, to) => this.waitingTo.has(to),
    isAtHead: () => true,
    head: { run: async (work) => work({ metadata: { find: async () => new Map() } } as never) },
    privateHead: async () => world() as unknown as WorldState,
    logger: silentLogger,
    clock: {
      now: () => 0,
      schedule: (delay, task) => {
        this.delays.push(delay);
        this.task = task;
        return () => (this.task = undefined);
      },
    },
  });

  /** Waits until all duties that are due now are done. */
  async look(): Promise<void> {
    this.duties.wake();
    for (let turn = 0; turn < 50; turn++) await new Promise((done) => setImmediate(done));
  }

  private send({ to, data = new Uint8Array(0) }: SendRequest): Hash {
    const hash = parseHash(`0x${(this.sent.length + 1).toString(16).padStart(64, '0')}`);
    this.sent.push({ to, selector: hexFromBytes(data).slice(0, 10), hash });
    this.waiting.add(hash);
    return hash;
  }

  private manager() {
    const found = <T>(value: T) =>
      this.isManagerAway ? { kind: 'unknown', reason: 'away' } : { kind: 'found', value };
    return {
      receive: async () => found({ sender: KEY }),
      participants: async () => found([OTHER, KEY]),
      encrypt: async () => ({ kind: 'done', value: Buffer.from('{}') }),
      send: async (request: Surroundings['payloads'][number]) => {
        this.payloads.push(request);
        return { kind: 'done', value: { hash: Buffer.alloc(64, 7) } };
      },
    };
  }
}

function world() {
  const account = {
    balance: 0n,
    nonce: 1n,
    codeHash: `0x${'01'.repeat(32)}`,
    storageRoot: `0x${'02'.repeat(32)}`,
  };
  const settled = {
    findAccount: async () => account,
    readCode: async () => Buffer.of(0),
    storageTrie: () => ({ readAll: async () => [] }),
  };
  return { settled: async () => settled };
}

let node: Surroundings;
beforeEach(() => {
  node = new Surroundings();
});

const selectors = () => node.sent.map(({ selector }) => selector);

describe('the node of an initiator', () => {
  it('votes once for each extension that it began, if it has the key of the account', async () => {
    const others = [rowOf(3, { isInitiator: false, isRecipient: true }), rowOf(4, { initiator: FOREIGN })];
    node.rows = [rowOf(1), rowOf(2), ...others];
    for (let block = 0; block < 3; block++) await node.look();
    expect(node.sent.map(({ to }) => to)).toEqual([managementOf(1), managementOf(2)]);
    expect(selectors()).toEqual([VOTE, VOTE]);
    expect(node.payloads.map(({ to }) => to)).toEqual([
      [OTHER, KEY],
      [OTHER, KEY],
    ]);
  });

  it('shares the state once all have approved, once', async () => {
    node.rows = [rowOf(1)];
    await node.look();
    node.voted.add(managementOf(1));
    node.waiting.clear();
    await node.look();
    node.rows = [rowOf(1, { isApproved: true })];
    for (let block = 0; block < 3; block++) await node.look();
    expect(selectors()).toEqual([VOTE, SHARE]);
    expect(Buffer.from((node.payloads[1] as unknown as { payload: Uint8Array }).payload).toString()).toMatch(
      /^\{"0x0{38}[cC]1":\{"state":/,
    );
  });

  it('does not vote again after a restart, whether its vote is in a block or waits for one', async () => {
    node.rows = [rowOf(1), rowOf(2)];
    node.voted.add(managementOf(1));
    node.waitingTo.add(managementOf(2));
    await node.look();
    expect(node.sent).toEqual([]);
    node.waitingTo.clear();
    await node.look();
    expect(node.sent.map(({ to }) => to)).toEqual([managementOf(2)]);
  });

  it('resends a transaction that the pool lost, but not one that was mined without effect', async () => {
    node.rows = [rowOf(1)];
    await node.look();
    node.waiting.clear();
    await node.look();
    expect(selectors()).toEqual([VOTE, VOTE]);
    node.waiting.clear();
    node.mined.add(node.sent[1]?.hash as Hash);
    for (let block = 0; block < 3; block++) await node.look();
    expect(node.sent).toHaveLength(2);
  });

  it('retries with a growing delay while the manager is unavailable, and not with every block', async () => {
    node.rows = [rowOf(1), rowOf(2)];
    node.isManagerAway = true;
    for (let attempt = 0; attempt < 7; attempt++) {
      await node.look();
      await node.look();
      const { task } = node;
      node.task = undefined;
      task?.();
    }
    expect(node.delays.slice(0, 7)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect(node.sent).toEqual([]);
    await node.look();
    node.isManagerAway = false;
    node.task?.();
    await node.look();
    expect(selectors()).toEqual([VOTE, VOTE]);
  });

  it('does nothing after it was stopped', async () => {
    node.rows = [rowOf(1)];
    await node.duties.stop();
    await node.look();
    expect(node.sent).toEqual([]);
  });
});
