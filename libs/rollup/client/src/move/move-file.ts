import { rm } from 'node:fs/promises';
import { readBounded, takeFolderLock, writeWhole, type FolderLock } from '@tetrad/files';
import { addressCodec } from '@tetrad/rpc';
import { OperatorError, type Address } from '@tetrad/types';
import { z } from 'zod';

/** A rollup that a move goes to. */
export interface Successor {
  readonly address: Address;
  /** Index of the next deposit there when the move turned to it: earlier ones are not of the move. */
  readonly firstDeposit: number;
}

/** What was decided when a move began; all else follows from the chain. */
export interface MoveStart {
  readonly chainId: bigint;
  /** The rollup that is left. */
  readonly contract: Address;
  /** Where the money goes, last; before it those that were frozen during the move. */
  readonly successors: readonly Successor[];
  /** Tokens that move, the zero address for ether; undefined for all. */
  readonly tokens: readonly Address[] | undefined;
  /** Number of the latest block: what was paid up to it is not of the move. */
  readonly block: number;
  /** Height of the contract then: orders of later batches are not of the move while the contract is served. */
  readonly height: number;
}

const MAX_BYTES = 65_536;
/** All but one were frozen during one move. */
const MAX_SUCCESSORS = 16;
const MAX_TOKENS = 256;

const fileSchema = z.strictObject({
  version: z.literal(1),
  /** Decimal text. */
  chainId: z.string().regex(/^[1-9][0-9]{0,77}$/),
  contract: addressCodec,
  successors: z
    .array(z.strictObject({ address: addressCodec, firstDeposit: z.int().nonnegative() }))
    .min(1)
    .max(MAX_SUCCESSORS),
  tokens: z.array(addressCodec).min(1).max(MAX_TOKENS).nullable(),
  block: z.int().nonnegative(),
  height: z.int().nonnegative(),
});

/** Where a move goes now. */
export const presentSuccessor = ({ successors }: Pick<MoveStart, 'successors'>): Address =>
  (successors.at(-1) as Successor).address;

/**
 * The file of a move that has begun: whole at every moment, on the disk before anything is sent, and open in one process at a
 * time. It is there from the beginning of the move to its end.
 */
export class MoveFile {
  private constructor(
    private readonly path: string,
    private readonly lock: FolderLock,
    private known: MoveStart | undefined,
  ) {}

  /**
   * Opens the file, which need not exist.
   *
   * @param path - beside the key file
   * @returns it, locked
   * @throws OperatorError for a file that is not of a move, or cannot be read; FolderInUseError while another process moves
   */
  static async open(path: string): Promise<MoveFile> {
    const lock = await takeFolderLock(`${path}.lock`);
    try {
      return new MoveFile(path, lock, await read(path));
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** Undefined while no move has begun. */
  get start(): MoveStart | undefined {
    return this.known;
  }

  /**
   * Writes down a move, or its next successor.
   *
   * @param start - what is decided
   * @throws OperatorError for more successors than the file can name; as `node:fs`
   */
  async write(start: MoveStart): Promise<void> {
    const { chainId, tokens = null, ...others } = start;
    if (others.successors.length > MAX_SUCCESSORS)
      throw new OperatorError(
        `${this.path}: ${MAX_SUCCESSORS} successors were frozen during this move; abandon it`,
      );
    const file = { version: 1, chainId: String(chainId), ...others, tokens };
    await writeWhole(this.path, `${JSON.stringify(file, undefined, 2)}\n`, 0o600);
    this.known = start;
  }

  /** The move is over. */
  async remove(): Promise<void> {
    await rm(this.path, { force: true });
    this.known = undefined;
  }

  close(): Promise<void> {
    return this.lock.release();
  }
}

async function read(path: string): Promise<MoveStart | undefined> {
  let text: string | undefined;
  try {
    text = await readBounded(path, MAX_BYTES);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new OperatorError(`${path}: cannot be read (${code})`, { cause: error });
  }
  const parsed = fileSchema.safeParse(parseJson(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new OperatorError(
      `${path}: is not the file of a move: ${issue?.path.join('.') || 'it'}: ${issue?.message}`,
    );
  }
  const { chainId, contract, successors, tokens, block, height } = parsed.data;
  return {
    chainId: BigInt(chainId),
    contract,
    successors,
    tokens: tokens ?? undefined,
    block,
    height,
  };
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '') as unknown;
  } catch {
    return undefined;
  }
}
