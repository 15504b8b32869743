import type { SentPayload, SignedOutcome } from './answers.js';
import { unknown, type Outcome } from './outcome.js';

/** A payload that was stored before, to be sent. */
export interface SignedSend {
  /** 64 bytes. */
  readonly hash: Uint8Array;
  /** As of `/sendsignedtx`. */
  readonly body: string;
}

export interface SendGroupsParts<Send extends SignedSend> {
  /** Sends one by a request of its own. */
  readonly alone: (send: Send) => Promise<Outcome<SentPayload>>;
  /** Sends several in one request; tells of each as soon as the manager does. */
  readonly together: (
    sends: readonly Send[],
    tell: (one: SignedOutcome) => void,
  ) => Promise<Outcome<unknown>>;
  /** Runs something after a while. */
  readonly schedule?: (delayMs: number, run: () => void) => void;
}

/** Maximum number of payloads in a request; managers refuse more. */
const MAX_SENDS = 64;

/** Bytes of a request; a longer send goes by itself. */
const GROUP_BYTES = 256 * 1_024;

/** A request that says nothing for so long, since a recipient does not answer, has the next one not wait for it. Units: ms */
const GATHER_MS = 25;

interface Waiting<Send> {
  readonly send: Send;
  readonly name: string;
  readonly done: (outcome: Outcome<SentPayload>) => void;
}

/**
 * Joins sends of payloads into requests: one carries what came while the one before said nothing yet. A send that none is under way
 * before goes at once, by itself.
 */
export class SendGroups<Send extends SignedSend> {
  private waiting: Waiting<Send>[] = [];
  /** The request for which the next one waits. */
  private awaited: symbol | undefined;

  constructor(private readonly parts: SendGroupsParts<Send>) {}

  /** Sends the payload. */
  send(send: Send): Promise<Outcome<SentPayload>> {
    if (send.body.length > GROUP_BYTES) return this.parts.alone(send);
    return new Promise((done) => {
      this.waiting.push({ send, name: nameOf(send.hash), done });
      if (this.awaited === undefined) this.start();
    });
  }

  private start(): void {
    const group = this.take();
    const [first] = group.values();
    if (first === undefined) return;
    const id = Symbol('request');
    this.awaited = id;
    const heard = () => {
      if (this.awaited !== id) return;
      this.awaited = undefined;
      // One turn of the event loop, so that what else was heard at once takes its turn too.
      setImmediate(() => {
        if (this.awaited === undefined) this.start();
      });
    };
    (this.parts.schedule ?? wait)(GATHER_MS, heard);
    void (group.size === 1 ? this.runAlone(first) : this.runTogether(group, heard)).finally(heard);
  }

  /** The oldest that fit, one of each payload: the manager does one after the other of the same. */
  private take(): Map<string, Waiting<Send>> {
    const group = new Map<string, Waiting<Send>>();
    const left: Waiting<Send>[] = [];
    let bytes = 0;
    for (const one of this.waiting) {
      bytes += one.send.body.length;
      const fits = group.size < MAX_SENDS && (group.size === 0 || bytes <= GROUP_BYTES);
      if (fits && !group.has(one.name)) group.set(one.name, one);
      else left.push(one);
    }
    this.waiting = left;
    return group;
  }

  private async runAlone({ send, done }: Waiting<Send>): Promise<void> {
    done(await this.parts.alone(send));
  }

  private async runTogether(group: Map<string, Waiting<Send>>, heard: () => void): Promise<void> {
    const sends = [...group.values()].map(({ send }) => send);
    const result = await this.parts.together(sends, ({ hash, outcome }) => {
      const name = nameOf(hash);
      group.get(name)?.done(outcome);
      group.delete(name);
      heard();
    });
    const left = [...group.values()];
    // Refused as a whole, so that none was begun: another program may have taken the manager's place.
    if (result.kind === 'refused') await Promise.all(left.map((one) => this.runAlone(one)));
    else for (const { done } of left) done(result.kind === 'unknown' ? result : UNTOLD);
  }
}

const UNTOLD = unknown('the answer says nothing of the payload');

function wait(delayMs: number, run: () => void): void {
  setTimeout(run, delayMs).unref();
}

function nameOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');
}
