import { TetradError } from '@tetrad/types';

/** A file does not hold what `geth export` writes; the message says what is wrong, and at which byte. */
export class ChainFileError extends TetradError {
  override readonly name = 'ChainFileError';
  override readonly code = 'CHAIN_FILE';
}

/** A block of a file cannot follow the stored chain. */
export class ChainImportError extends TetradError {
  override readonly name = 'ChainImportError';
  override readonly code = 'CHAIN_IMPORT';

  constructor(
    /** Undefined where the bytes name no number. */
    readonly blockNumber: number,
    /** The field of the header, or the part of the block. */
    readonly field: string,
    reason: string,
    /** Whether the block breaks a rule of the chain, which follows from the genesis file. */
    readonly breaksRule = false,
  ) {
    super(`block ${blockNumber}: ${field}: ${reason}`);
  }
}
