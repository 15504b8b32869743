import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError, type Clock } from '@tetrad/types';

/** Files that are read. */
const MAX_FILES = 200;
/** Bytes of all of them: pages load them at once. */
const MAX_BYTES = 4_194_304;
/** Characters of a file's name; file systems allow 255. */
const MAX_NAME = 100;
/** How often the folder is looked at, at most. */
const LOOK_EVERY_MS = 5_000;

const NAME = /\.(?:json|abi)$/i;

/** A file with ABIs that the operator offers to every reader, as it is. */
export interface OfferedAbi {
  /** With its ending, without the folder. */
  readonly name: string;
  readonly text: string;
}

/** The operator's folder with ABI files. While its new content cannot be read, the last one counts. */
export class AbiFolder {
  private known: readonly OfferedAbi[];
  private version: string;
  private lookedMs: number;

  /** @throws OperatorError with what is wrong with the folder */
  constructor(
    private readonly path: string,
    private readonly clock: Pick<Clock, 'now'>,
  ) {
    this.lookedMs = clock.now();
    const { names, version } = look(path);
    this.version = version;
    this.known = read(path, names);
  }

  current(): readonly OfferedAbi[] {
    const now = this.clock.now();
    if (Math.abs(now - this.lookedMs) < LOOK_EVERY_MS) return this.known;
    this.lookedMs = now;
    try {
      const { names, version } = look(this.path);
      if (version !== this.version) {
        this.known = read(this.path, names);
        this.version = version;
      }
    } catch {
      // It is being written, or is away: what readers have had is the best there is.
    }
    return this.known;
  }
}

/**
 * The names of ABI files in the folder, sorted, and a text that changes with any of them. Links are followed: a mounted ConfigMap has them.
 * @throws OperatorError
 */
function look(path: string): { readonly names: readonly string[]; readonly version: string } {
  const names = entriesOf(path)
    .filter((name) => NAME.test(name) && name.length <= MAX_NAME)
    .sort();
  const files = names.map((name) => ({ name, stats: statSync(join(path, name), { throwIfNoEntry: false }) }));
  const found = files.filter(({ stats }) => stats?.isFile() === true);
  const bytes = found.reduce((sum, { stats }) => sum + (stats?.size ?? 0), 0);
  if (found.length > MAX_FILES || bytes > MAX_BYTES)
    throw fault(
      path,
      `has ${found.length} ABI files of ${bytes} bytes: at most ${MAX_FILES} of ${MAX_BYTES}`,
    );
  return {
    names: found.map(({ name }) => name),
    version: JSON.stringify(found.map(({ name, stats }) => [name, stats?.ino, stats?.size, stats?.mtimeMs])),
  };
}

function entriesOf(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    throw fault(path, 'is not a folder that can be read');
  }
}

function read(path: string, names: readonly string[]): readonly OfferedAbi[] {
  return names.map((name) => {
    try {
      return { name, text: readFileSync(join(path, name), 'utf8') };
    } catch {
      throw fault(join(path, name), 'cannot be read');
    }
  });
}

const fault = (path: string, problem: string) => new OperatorError(`--abi-folder: ${path} ${problem}`);
