import { RequestError } from '@tetrad/types';
import type { Endpoint } from '../identity/enode.js';
import { decodeProof, encodeChallenge, type Head } from '../wire/handshake-messages.js';
import {
  decodeIntroduction,
  encodeIntroduction,
  versionOf,
  type Introduction,
} from '../wire/introduction.js';
import type { Rejection } from '../wire/rejection.js';
import type { Acquaintance } from './dial.js';
import { introduce, checkIntroduction } from './introduce.js';
import {
  createEphemeralKey,
  deriveSessionKeys,
  hasSigned,
  signHandshake,
  type EphemeralKey,
  type Transcript,
} from './key-agreement.js';
import type { LocalNode } from './local-node.js';
import { Session } from './session.js';
import { FIRST_RANGED, agreedVersion, isFallback, versionsOf, type Versions } from './versions.js';
import { encodeWelcome } from './welcome.js';

/** An answer to a step: bytes, or a rejection. */
export type HandshakeAnswer = { readonly body: Uint8Array } | { readonly rejection: Rejection };

/** Admits a node that has proven its key, or rejects it. */
export type Admit = (
  acquaintance: Acquaintance,
  remote: Endpoint,
) => Promise<{ readonly head: Head } | { readonly rejection: Rejection }>;

/** Checked before anything is computed for a hello. */
export type MayEnter = (introduction: Introduction, remote: Endpoint) => Rejection | undefined;

/** An introduction, and the version of the protocol to speak with its sender. */
type Read = Pick<Acquaintance, 'introduction' | 'version'>;

interface Pending extends Read {
  readonly transcript: Transcript;
  readonly ephemeral: EphemeralKey;
  readonly clockOffsetMs: number;
  readonly untilMs: number;
}

/** Limit on handshakes that wait for their proof: more than may begin at once (HandshakeLimit). */
const MAX_PENDING = 256;
const PENDING_MS = 10_000;

/** The listener's side of handshakes: hello → challenge, proof → welcome. */
export class HandshakeResponder {
  private readonly pending = new Map<string, Pending>();

  constructor(
    private readonly options: {
      readonly local: LocalNode;
      readonly now: () => number;
      readonly mayEnter: MayEnter;
      readonly admit: Admit;
    },
  ) {}

  get size(): number {
    return this.pending.size;
  }

  async hello(body: Uint8Array, remote: Endpoint): Promise<HandshakeAnswer> {
    const { local, now, mayEnter } = this.options;
    const read = this.readHello(body);
    if (typeof read === 'string') return { rejection: read };
    const { introduction, version } = read;
    const rejection =
      checkIntroduction(local, introduction, { nowMs: now() }) ?? mayEnter(introduction, remote);
    if (rejection !== undefined) return { rejection };
    const ephemeral = createEphemeralKey();
    const own = introduce(local, {
      peerId: introduction.nodeId,
      ephemeral: ephemeral.publicKey,
      nowMs: now(),
      inOldest: version < FIRST_RANGED,
    });
    const transcript = { dialer: Uint8Array.from(body), listener: encodeIntroduction(own) };
    this.remember(nonceKey(own.nonce), {
      introduction: decodeIntroduction(transcript.dialer),
      version,
      transcript,
      ephemeral,
      clockOffsetMs: introduction.timestampMs - now(),
      untilMs: now() + PENDING_MS,
    });
    try {
      const signature = await signHandshake('listener', transcript, local.listenerKey);
      return { body: encodeChallenge({ introduction: transcript.listener, signature }) };
    } catch (error) {
      // The HSM or key service of the node key is away; the dialer tries again.
      if (error instanceof RequestError) return { rejection: 'busy' };
      throw error;
    }
  }

  /** A challenge can be answered once, whatever the outcome. */
  async prove(body: Uint8Array, remote: Endpoint): Promise<HandshakeAnswer> {
    const proof = readOr(() => decodeProof(body));
    if (proof === undefined) return { rejection: 'wrong-form' };
    const key = nonceKey(proof.nonce);
    const pending = this.pending.get(key);
    this.pending.delete(key);
    if (pending === undefined || pending.untilMs < this.options.now())
      return { rejection: 'wrong-signature' };
    const { introduction, version, transcript, clockOffsetMs } = pending;
    if (!hasSigned(introduction.nodeId, 'dialer', { transcript, signature: proof.signature })) {
      return { rejection: 'wrong-signature' };
    }
    const session = this.openSession(pending);
    if (session === undefined) return { rejection: 'wrong-form' };
    const entry = await this.options.admit({ session, introduction, version, clockOffsetMs }, remote);
    const welcome = encodeWelcome(
      'head' in entry
        ? { isWelcome: true, head: entry.head }
        : { isWelcome: false, rejection: entry.rejection },
    );
    return { body: session.seal('welcome', welcome).frame };
  }

  private readHello(body: Uint8Array): Read | Rejection {
    const { versions } = this.options.local;
    const introduction = readOr(() => decodeIntroduction(body));
    if (introduction === undefined)
      return isSpoken(versionOf(body), versions) ? 'wrong-form' : 'wrong-version';
    const version = agreedVersion(versions, versionsOf(introduction));
    if (version === undefined) return 'wrong-version';
    const isDowngraded = version < FIRST_RANGED && versions.newest >= FIRST_RANGED;
    return isDowngraded && isFallback(introduction.nonce) ? 'wrong-version' : { introduction, version };
  }

  /** Undefined when the ephemeral key of the other side is invalid. */
  private openSession({ introduction, transcript, ephemeral }: Pending): Session | undefined {
    const secret = readOr(() => ephemeral.agree(introduction.ephemeral));
    if (secret === undefined) return undefined;
    const keys = deriveSessionKeys('listener', secret, transcript);
    const instance = Buffer.from(introduction.instance).toString('hex');
    return new Session(keys, false, instance, this.options.now());
  }

  private remember(key: string, pending: Pending): void {
    for (const [old, { untilMs }] of this.pending) {
      if (untilMs >= this.options.now() && this.pending.size < MAX_PENDING) break;
      this.pending.delete(old);
    }
    this.pending.set(key, pending);
  }
}

/** Whether bytes of the version should have been readable; also those without one. */
function isSpoken(version: number | undefined, { oldest, newest }: Versions): boolean {
  return version === undefined || (version >= oldest && version <= newest);
}

function nonceKey(nonce: Uint8Array): string {
  return Buffer.from(nonce).toString('hex');
}

function readOr<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
