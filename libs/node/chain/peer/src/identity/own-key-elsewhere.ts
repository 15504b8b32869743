import type { Clock, Logger } from '@tetrad/types';
import type { DuplicateKey } from '../ports.js';

/** How long the node reports trouble after the last sign of a duplicate. */
const REMEMBERED_MS = 60_000;

/** Notices that another running node has this node's key: two validators with one key may contradict each other. */
export class OwnKeyElsewhere {
  private seen: { readonly addresses: readonly string[]; readonly atMs: number } | undefined;

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly logger: Pick<Logger, 'error'>,
  ) {}

  report({ isOwn, nodeId, addresses }: DuplicateKey): void {
    const text = isOwn ? 'another running node has the key of this one' : 'two running nodes have one key';
    this.logger.error(text, { nodeId, addresses });
    if (isOwn) this.seen = { addresses, atMs: this.clock.now() };
  }

  /** Undefined when it was not noticed lately. */
  trouble(): string | undefined {
    if (this.seen === undefined || this.clock.now() - this.seen.atMs > REMEMBERED_MS) return undefined;
    const at = this.seen.addresses.length === 0 ? '' : ` at ${this.seen.addresses.join(', ')}`;
    return `another running node${at} has the key of this one`;
  }
}
