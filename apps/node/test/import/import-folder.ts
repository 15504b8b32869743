import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase } from '@tetrad/db';
import { createMetrics, loadConfig, parseCommandLine } from '@tetrad/service';
import { RecordedChain, createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { silentLogger } from '@tetrad/types';
import { importChain, importOptions } from '../../src/commands/import-command.js';

const LIBS = join(import.meta.dirname, '../../../../libs/node');
const FOLDERS = {
  qbft: join(LIBS, 'chain/consensus-bft-chain/vectors'),
  istanbul: join(LIBS, 'chain/consensus-bft-chain/vectors'),
  raft: join(LIBS, 'chain/consensus-raft/vectors'),
  private: join(LIBS, 'privacy/private-state/vectors'),
} as const;

/** A chain that a GoQuorum exported, by the paths of its files. */
export function recordedFiles(name: keyof typeof FOLDERS) {
  const folder = FOLDERS[name];
  return {
    genesisFile: join(folder, `${name}.genesis.json`),
    file: join(folder, `${name}.rlp.gz`),
    /** Encoded, block 0 first. */
    blocks: new RecordedChain(folder, name).encodedBlocks(),
  };
}

/** What the command prints at its end. */
export interface ImportOutcome {
  readonly complete: boolean;
  readonly block: number;
  readonly hash: string;
  readonly stateRoot: string;
  readonly imported: number;
  readonly known: number;
  readonly transactions: number;
}

/** A database, and a folder for files that are imported into it. */
export class ImportFolder {
  constructor(
    readonly folder: string,
    private readonly database: TestDatabase,
  ) {}

  static async create(): Promise<ImportFolder> {
    return new ImportFolder(
      await mkdtemp(join(tmpdir(), 'tetrad-import-')),
      await createTestDatabase('node'),
    );
  }

  get databaseUrl(): string {
    return this.database.url;
  }

  /** The path of a new file. */
  async write(name: string, ...parts: readonly Uint8Array[]): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, Buffer.concat(parts));
    return path;
  }

  async import(
    genesisFile: string,
    paths: readonly string[],
    flags: readonly string[] = [],
    signal: AbortSignal = new AbortController().signal,
  ): Promise<ImportOutcome> {
    const config = loadConfig({
      service: 'node',
      options: importOptions,
      commandLine: parseCommandLine(
        ['--data-dir', this.folder, '--genesis-file', genesisFile, ...flags],
        importOptions,
      ),
      environment: { TETRAD_NODE_DATABASE_URL: this.databaseUrl },
    });
    const environment = {
      name: 'node',
      version: '0.0.0',
      logger: silentLogger,
      tracing: undefined,
      metrics: createMetrics({ service: 'node', version: '0.0.0' }),
    };
    return JSON.parse(await importChain(config, environment, { paths, signal })) as ImportOutcome;
  }

  async query<Row>(text: string): Promise<Row[]> {
    const { pool, close } = await connectDatabase({ url: this.databaseUrl });
    try {
      return (await pool.query(text)).rows as Row[];
    } finally {
      await close();
    }
  }

  /** Number, hash and state root of every stored block, in ascending order. */
  storedBlocks(): Promise<{ number: number; hash: string; root: string }[]> {
    return this.query(
      `SELECT number, '0x' || encode(hash, 'hex') AS hash, '0x' || encode(state_root, 'hex') AS root
         FROM block ORDER BY number`,
    );
  }

  async remove(): Promise<void> {
    await this.database.drop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
