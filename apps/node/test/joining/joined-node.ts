import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectDatabase } from '@tetrad/db';
import { freePort } from '@tetrad/testkit';
import { createNodeHome, type NodeHome } from '../node-process.js';
import { post } from '../running-node.js';
import { keyOf } from '../validator-chain.js';

/** What a node that joins has of its network. */
export interface JoiningSetup {
  readonly genesis: object;
  /** Enode URLs of the nodes that it connects with. */
  readonly peers: readonly string[];
  readonly flags?: readonly string[];
  /** More files of the data folder: name → content. */
  readonly files?: Readonly<Record<string, string>>;
  /** A free one when nothing else is said. */
  readonly peerPort?: number;
  /** D of `keyOf` when nothing else is said. */
  readonly key?: Uint8Array;
}

/** A process of its own that has joined by state. */
export interface JoinedNode {
  readonly url: string;
  /** The block whose state it took. */
  readonly joinedBlock: number;
  stop(): Promise<void>;
}

/** A node that is to join: its files are there, and nothing runs. */
export class JoiningNode {
  private constructor(
    readonly home: NodeHome,
    readonly peerPort: number,
    readonly flags: readonly string[],
  ) {}

  static async create(setup: JoiningSetup): Promise<JoiningNode> {
    const { genesis, peers, flags = [], files = {}, key } = setup;
    const home = await createNodeHome([]);
    const [genesisFile, keyFile] = [join(home.folder, 'joined.json'), join(home.folder, 'joined.key')];
    await writeFile(genesisFile, JSON.stringify(genesis));
    await writeFile(keyFile, Buffer.from(key ?? keyOf('D')).toString('hex'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(home.folder, name), text);
    const peerPort = setup.peerPort ?? (await freePort());
    const own = ['--genesis-file', genesisFile, '--node-key-file', keyFile];
    const network = [
      '--peers',
      peers.join(),
      '--peer-exchange',
      'false',
      '--peer-listen-port',
      `${peerPort}`,
    ];
    const served = ['--http-api', 'eth,admin,debug,ibft,raft,chainPermission'];
    const role = flags.includes('--validator') ? [] : ['--validator', 'false'];
    return new JoiningNode(home, peerPort, [...own, ...network, ...served, ...role, ...flags]);
  }

  /**
   * Joins, and is ready for clients.
   * @throws Error when it executed the past instead
   */
  async start(): Promise<JoinedNode> {
    const node = await this.home.start([...this.flags, '--sync', 'state']);
    const joinedBlock = await this.joinedBlock();
    if (joinedBlock === undefined) throw new Error('the node has not joined by state');
    const stop = async () => {
      await node.stop();
      await this.home.remove();
    };
    return { url: this.home.url, joinedBlock, stop };
  }

  private async joinedBlock(): Promise<number | undefined> {
    const { pool, close } = await connectDatabase({ url: this.home.databaseUrl, poolSize: 1 });
    try {
      const { rows } = await pool.query<{ joined: string | null }>(
        'SELECT joined_block::text AS joined FROM state_sync',
      );
      const joined = rows[0]?.joined ?? undefined;
      return joined === undefined ? undefined : Number(joined);
    } finally {
      await close();
    }
  }
}

/** Height of a node by its URL. */
export async function heightAt(url: string): Promise<number> {
  return Number((await post(url, 'eth_blockNumber', [])).result);
}
