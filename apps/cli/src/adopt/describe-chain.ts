import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceMain } from '@tetrad/devnet/paths';
import { AdoptedFileError } from './adopted-file-error.js';

/** The chain of a genesis file, as the node reads it. */
export interface DescribedChain {
  /** `qbft`, `ibft` or `raft`. */
  readonly engine: string;
  /** Chain id and rules, as the node prints them. */
  readonly chain: string;
  /** Hash of block 0. */
  readonly genesisHash: string;
  /** Keys without effect; a line each. */
  readonly warnings: readonly string[];
}

/**
 * Lets the node's program check a genesis file; nothing is started and nothing stays behind.
 *
 * @param genesisFile - path of the file
 * @returns what the node makes of it
 * @throws AdoptedFileError with the node's words for a file that it refuses
 */
export async function describeChain(genesisFile: string): Promise<DescribedChain> {
  const scratch = await mkdtemp(join(tmpdir(), 'tetrad-genesis-'));
  try {
    const lines = (await askNode(['enode', '--genesis-file', genesisFile, '--data-dir', scratch])).split(
      '\n',
    );
    const values = (name: string) =>
      lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length).trim());
    const valueOf = (name: string) => values(name)[0] ?? '';
    return {
      engine: valueOf('engine'),
      chain: valueOf('chain'),
      genesisHash: valueOf('genesis'),
      warnings: values('warning'),
    };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Without the node's own settings in the environment, which are not those of the node that is adopted. */
function askNode(args: readonly string[]): Promise<string> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('TETRAD_NODE_')),
  );
  return new Promise((done, fail) => {
    execFile(process.execPath, [serviceMain('node'), ...args], { env }, (error, stdout, stderr) => {
      if (error === null) done(stdout);
      else fail(new AdoptedFileError(stderr.trim().split('\n')[0] || error.message));
    });
  });
}
