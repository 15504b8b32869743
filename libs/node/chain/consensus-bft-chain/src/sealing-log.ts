import type { HeightContext } from '@tetrad/node-consensus-bft';
import type { Address, Logger } from '@tetrad/types';

/**
 * Logs the node's part in block production, in the words of GoQuorum, for which its operators and their acceptance tests
 * search. GoQuorum repeats a failure for every block; here one line marks each change.
 */
export class SealingLog {
  private isValidator: boolean | undefined;

  constructor(
    private readonly address: Address,
    private readonly logger: Logger,
  ) {}

  /** A height begins; its parent may be a block of this node, and the validator set may have changed. */
  began({ height, parentHash, lastAuthor, validators }: HeightContext): void {
    const { address, logger } = this;
    if (lastAuthor === address && this.isValidator !== undefined)
      logger.info('Successfully sealed new block', { number: height - 1, hash: parentHash });
    const isValidator = validators.includes(address);
    if (isValidator === this.isValidator) return;
    this.isValidator = isValidator;
    if (isValidator) logger.info('this node is a validator', { address, height });
    else logger.warn('Block sealing failed', { reason: 'unauthorized', address, height });
  }
}
