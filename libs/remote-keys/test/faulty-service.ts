import { SECP256K1_ORDER, publicKeyFromPrivateKey, signDigest } from '@tetrad/crypto';
import { scalarFromBytes, type Clock } from '@tetrad/types';
import { RemoteKeyError, type RemoteKeyFault, type ServiceKey } from '@tetrad/remote-keys';
import { scalarBytes } from '../src/scalar-bytes.js';

/** What the service does with one call. */
export type Behaviour =
  | 'signs'
  | 'gives a high s'
  | 'signs with another key'
  | 'signs another digest'
  | 'gives zeros'
  | 'gives 63 bytes'
  | 'hangs'
  | 'hangs after having signed'
  | 'fails with an unknown error'
  | RemoteKeyFault;

const OTHER_KEY = new Uint8Array(32).fill(9);

/** A key service with a local key, whose calls behave as a test says: in the order given, then well. */
export class FaultyService implements ServiceKey {
  readonly name = 'faulty service, key a';
  /** Signatures made, whether they were answered or not. */
  signed = 0;
  calls = 0;
  underWay = 0;
  maxUnderWay = 0;
  publicKey: Uint8Array;
  private readonly releases: (() => void)[] = [];

  constructor(
    private readonly privateKey: Uint8Array,
    readonly behaviours: Behaviour[] = [],
  ) {
    this.publicKey = publicKeyFromPrivateKey(privateKey);
  }

  async readPublicKey(): Promise<Uint8Array> {
    await this.behave(new Uint8Array(32));
    return this.publicKey;
  }

  sign(digest: Uint8Array): Promise<Uint8Array> {
    return this.behave(digest);
  }

  /** What hangs gets its answer. */
  release(): void {
    for (const release of this.releases.splice(0)) release();
  }

  private async behave(digest: Uint8Array): Promise<Uint8Array> {
    this.calls += 1;
    this.underWay += 1;
    this.maxUnderWay = Math.max(this.maxUnderWay, this.underWay);
    try {
      return await this.answer(this.behaviours.shift() ?? 'signs', digest);
    } finally {
      this.underWay -= 1;
    }
  }

  private async answer(behaviour: Behaviour, digest: Uint8Array): Promise<Uint8Array> {
    switch (behaviour) {
      case 'signs':
        return this.signature(digest);
      case 'gives a high s':
        return withHighS(this.signature(digest));
      case 'signs with another key':
        return this.signature(digest, OTHER_KEY);
      case 'signs another digest':
        return this.signature(new Uint8Array(32).fill(7));
      case 'gives zeros':
        return new Uint8Array(64);
      case 'gives 63 bytes':
        return this.signature(digest).slice(1);
      case 'hangs':
        await new Promise<void>((done) => this.releases.push(done));
        return this.signature(digest);
      case 'hangs after having signed': {
        const signature = this.signature(digest);
        await new Promise<void>((done) => this.releases.push(done));
        return signature;
      }
      case 'fails with an unknown error':
        throw new TypeError(`a secret and ${Buffer.from(digest).toString('hex')}`);
      default:
        throw new RemoteKeyError(behaviour, `${this.name}: ${behaviour}`);
    }
  }

  private signature(digest: Uint8Array, privateKey = this.privateKey): Uint8Array {
    this.signed += 1;
    const { r, s } = signDigest(digest, privateKey);
    return Buffer.concat([r, s]);
  }
}

function withHighS(compact: Uint8Array): Uint8Array {
  const high = scalarBytes(SECP256K1_ORDER - scalarFromBytes(compact.slice(32)));
  return Buffer.concat([compact.slice(0, 32), high]);
}

/** A clock that a test moves. */
export class ManualClock implements Clock {
  private nowMs = 1_000_000;
  private readonly timers = new Set<{ readonly atMs: number; readonly task: () => void }>();

  now(): number {
    return this.nowMs;
  }

  schedule(delayMs: number, task: () => void): () => void {
    const timer = { atMs: this.nowMs + delayMs, task };
    this.timers.add(timer);
    return () => void this.timers.delete(timer);
  }

  /** Moves to the earliest timer within the time and runs it, again and again, with the work in between done. */
  async advance(byMs: number): Promise<void> {
    const endMs = this.nowMs + byMs;
    await settled();
    for (let next = this.earliest(endMs); next !== undefined; next = this.earliest(endMs)) {
      this.timers.delete(next);
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.task();
      await settled();
    }
    this.nowMs = endMs;
  }

  private earliest(endMs: number) {
    const due = [...this.timers].filter(({ atMs }) => atMs <= endMs);
    return due.sort((one, other) => one.atMs - other.atMs)[0];
  }
}

/** Once promises that wait for nothing else are settled. */
function settled(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}
