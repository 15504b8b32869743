import { keepNewest } from '@tetrad/types';
import type { BftEngineOptions } from './engine-ports.js';

/** Of one height: a validator signs a handful in each round. */
const MAX_KEPT = 1_024;

/** A step needs a signature that is being made elsewhere; it is taken again, from the same state, once that is there. */
export class SignatureAwaited extends Error {
  constructor(readonly made: Promise<void>) {
    super('a signature is being made');
  }
}

/**
 * Signatures for the steps of a machine, which are synchronous and pure: one that is made elsewhere ends the step, is kept, and is
 * there when the same step is taken again.
 */
export class AwaitedSignatures {
  /** Hex of digests → what came of them. */
  private readonly kept = new Map<string, Uint8Array | undefined>();

  constructor(private readonly make: BftEngineOptions['sign']) {}

  /**
   * @returns undefined when the key did not sign in time
   * @throws SignatureAwaited
   */
  sign(digest: Uint8Array): Uint8Array | undefined {
    const key = Buffer.from(digest).toString('hex');
    if (this.kept.has(key)) return this.kept.get(key);
    const made = this.make(digest);
    if (made instanceof Uint8Array) return made;
    throw new SignatureAwaited(
      made.then(
        (signature) => this.keep(key, signature),
        () => this.keep(key, undefined),
      ),
    );
  }

  /** The step is done: what was not signed is asked for again when a later one needs it. */
  endStep(): void {
    for (const [key, signature] of this.kept) if (signature === undefined) this.kept.delete(key);
  }

  endHeight(): void {
    this.kept.clear();
  }

  private keep(key: string, signature: Uint8Array | undefined): void {
    this.kept.set(key, signature);
    keepNewest(this.kept, MAX_KEPT);
  }
}
