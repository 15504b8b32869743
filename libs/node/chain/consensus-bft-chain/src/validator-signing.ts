import { encodeSignature65, type SigningKey } from '@tetrad/crypto';
import { roundTimeoutMs, type HeightContext } from '@tetrad/node-consensus-bft';
import type { Clock, Counter, Histogram, Logger, Metrics } from '@tetrad/types';

/** Of the time of the first round, for one signature: a round has up to five, one after the other. */
const PART_OF_ROUND = 10;
/** A round that is shorter than any network has leaves a local HSM this. Units: ms */
const LEAST_MS = 50;

export interface ValidatorSigningOptions {
  readonly key: SigningKey;
  /** Of the block after the head. */
  readonly context: () => HeightContext;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Signs for a validator whose key may be in an HSM or key service, within a part of a round: a validator that waits longer loses the
 * messages of the others too. While a call that was given up has not ended, no other one is made, so that a service that hangs
 * costs that time once.
 */
export class ValidatorSigning {
  private isHanging = false;
  private readonly seconds: Histogram;
  private readonly unsigned: Counter;

  constructor(private readonly options: ValidatorSigningOptions) {
    const { metrics } = options;
    const help = 'Time of one signature of this validator, when its key is in an HSM or key service';
    this.seconds = metrics.histogram('node_consensus_remote_sign_seconds', help);
    const without = 'Consensus messages that were not sent, as the HSM or key service did not sign in time';
    this.unsigned = metrics.counter('node_consensus_unsigned_total', without);
  }

  /** At once with a key in memory; otherwise undefined when there is no signature in time. */
  sign(digest: Uint8Array): Uint8Array | Promise<Uint8Array | undefined> {
    const { signNow } = this.options.key;
    return signNow === undefined ? this.signElsewhere(digest) : encodeSignature65(signNow(digest));
  }

  private async signElsewhere(digest: Uint8Array): Promise<Uint8Array | undefined> {
    const started = performance.now();
    const made = this.isHanging ? undefined : await this.inTime(digest);
    if (made !== undefined) this.seconds.observe((performance.now() - started) / 1_000);
    else this.unsigned.increment();
    return made;
  }

  /** What comes later is dropped. */
  private inTime(digest: Uint8Array): Promise<Uint8Array | undefined> {
    const { key, clock, logger, context } = this.options;
    const timeoutMs = Math.max(LEAST_MS, roundTimeoutMs(context(), 0) / PART_OF_ROUND);
    return new Promise((done) => {
      const cancel = clock.schedule(timeoutMs, () => {
        this.isHanging = true;
        logger.warn('the key of this validator does not sign in time', { address: key.address, timeoutMs });
        done(undefined);
      });
      const end = (signature: Uint8Array | undefined) => {
        cancel();
        this.isHanging = false;
        done(signature);
      };
      // Its fault is in the log already, with the words of the service.
      void key.sign(digest).then(
        (signature) => end(encodeSignature65(signature)),
        () => end(undefined),
      );
    });
  }
}
