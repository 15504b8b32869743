import { connectDatabase, type Database } from '@tetrad/db';
import { createTestDatabase, seededRandom, type TestDatabase } from '@tetrad/testkit';
import {
  startTransactionManager,
  type KeyPair,
  type RunningTransactionManager,
} from '@tetrad/transaction-manager';
import { silentLogger, type PtmKey } from '@tetrad/types';
import { decodeBinaryPayload } from '../../../../../../transaction-manager/src/payload/binary-payload.js';
import {
  decodeCborPayload,
  encodeCborPayload,
} from '../../../../../../transaction-manager/src/payload/cbor-payload.js';
import { FaultyLink, type RequestFault } from './faulty-link.js';

/** Faults of requests that only read. */
const OF_READS: readonly RequestFault[] = [
  'refused',
  'dropped',
  'delayed',
  'failing',
  'strange',
  'garbled',
  'truncated',
] as const;
const OF_WRITES: readonly RequestFault[] = [...OF_READS, 'twice', 'late', 'again'];

const LOOPBACK = { host: '127.0.0.1', port: 0 };
/** Long enough that slowness causes no failure. */
const PATIENCE_MS = 60_000;

/** A Tetrad manager with its own database. Its clients reach it through links that inject faults into requests. */
export class FaultyManager {
  private constructor(
    private readonly parts: {
      readonly pair: KeyPair;
      readonly peers: readonly string[];
      readonly testDatabase: TestDatabase;
      readonly database: Database;
      readonly links: Links;
    },
    private running: RunningTransactionManager,
  ) {}

  /**
   * @param random - decides faults
   * @param peers - managers that were opened before
   */
  static async open(
    pair: KeyPair,
    random: () => number,
    peers: readonly FaultyManager[],
  ): Promise<FaultyManager> {
    const testDatabase = await createTestDatabase('transaction-manager');
    const database = await connectDatabase({ url: testDatabase.url, poolSize: 4 });
    const running = () => manager.running;
    const links = await openLinks(running, random);
    const urls = peers.map((peer) => `${peer.links.ofPeers.url}/`);
    const parts = { pair, peers: urls, testDatabase, database, links };
    const manager: FaultyManager = new FaultyManager(parts, await start(parts));
    return manager;
  }

  get key(): PtmKey {
    return this.parts.pair.publicKey;
  }

  get links(): Links {
    return this.parts.links;
  }

  /** Whether it knows where the keys are. */
  knows(keys: readonly PtmKey[]): boolean {
    const { entries } = this.running.parties;
    return keys.every((key) => entries.some((entry) => entry.key === key));
  }

  async restart(): Promise<void> {
    await this.running.stop();
    this.running = await start(this.parts);
  }

  /** Changes a byte of every payload that is stored; done twice, they are as they were. */
  async flipStored(): Promise<void> {
    const flipped = 'set_byte(encoded, $1, get_byte(encoded, $1) # 255)';
    await this.parts.database.pool.query(`UPDATE payload SET encoded = ${flipped}`, [FIRST_CIPHER_BYTE]);
  }

  async end(): Promise<void> {
    for (const link of Object.values(this.links)) await link.close();
    await this.running.stop();
    await this.parts.database.close();
    await this.parts.testDatabase.drop();
  }
}

/** Layout: length(8) | sender(32) | length(8) | ciphertext */
const FIRST_CIPHER_BYTE = 48;

export interface Links {
  /** Between the follower of the node and the manager. */
  readonly ofFollower: FaultyLink;
  /** Between the sending part of the node and the manager. */
  readonly ofSender: FaultyLink;
  /** Between other managers and this one. */
  readonly ofPeers: FaultyLink;
}

async function openLinks(running: () => RunningTransactionManager, random: () => number): Promise<Links> {
  const drawOf = (faults: readonly RequestFault[]) => {
    const own = seededRandom(Math.floor(random() * 2 ** 31));
    return () => (own() < 0.55 ? 'none' : (faults[Math.floor(own() * faults.length)] as RequestFault));
  };
  const toClients = { target: () => running().clientUrl ?? '' };
  return {
    ofFollower: await FaultyLink.open({ ...toClients, isCounted: () => true, draw: drawOf(OF_READS) }),
    ofSender: await FaultyLink.open({
      ...toClients,
      isCounted: ({ path }) => path === '/send',
      draw: drawOf(OF_WRITES),
    }),
    ofPeers: await FaultyLink.open({
      target: () => running().peerUrl,
      isCounted: ({ path }) => path === '/push',
      draw: drawOf(OF_WRITES),
      garble: garblePush,
    }),
  };
}

function start(parts: {
  readonly pair: KeyPair;
  readonly peers: readonly string[];
  readonly database: Database;
  readonly links: Links;
}): Promise<RunningTransactionManager> {
  const { pair, peers, database, links } = parts;
  return startTransactionManager({
    database,
    logger: silentLogger,
    version: 'test',
    keys: [pair],
    peers,
    client: LOOPBACK,
    peer: LOOPBACK,
    url: `${links.ofPeers.url}/`,
    partyIntervalMs: 200,
    peerTimeoutMs: PATIENCE_MS,
  });
}

/** The payload with another ciphertext, which is well formed and cannot be decrypted. */
function garblePush(body: Buffer): Buffer {
  const payload = body[0] === 0 ? decodeBinaryPayload(body) : decodeCborPayload(body);
  const cipherText = payload.cipherText.map((byte) => byte ^ 0xff);
  return Buffer.from(encodeCborPayload({ ...payload, cipherText }));
}
