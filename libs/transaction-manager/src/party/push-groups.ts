import type { IncomingHttpHeaders } from 'node:http';
import type { TraceHeaders } from '@tetrad/types';
import { LRUCache } from 'lru-cache';
import { MAX_GROUP, joinPushes, readAnswers, readDropped, type PushAnswer } from '../payload/push-group.js';
import type { PeerClient } from './peer-client.js';

/** With this header of its answers to a push a manager declares that it accepts groups; other managers ignore it. */
export const GROUPS_HEADER = 'tetrad-push-groups';

/** The value with which the sender of a group declares that it reads lists of dropped contracts. */
const READS_DROPPED = '2';

/** Header of an answer to a push: indexes of affected contracts that do not count there (docs/adr/0154). */
export const DROPPED_HEADER = 'tetrad-dropped-contracts';

/** Whether the sender of a group reads lists of dropped contracts. */
export function readsDropped(headers: IncomingHttpHeaders): boolean {
  return headers[GROUPS_HEADER] === READS_DROPPED;
}

/** Bytes of a group; a larger payload is sent by itself. */
const GROUP_BYTES = 256 * 1_024;

/** Groups in flight to one manager; payloads that arrive meanwhile form the next. */
const UNDER_WAY = 2;

/** Managers for which it is remembered whether they accept groups. */
const MAX_MANAGERS = 1_000;

interface Waiting {
  readonly body: Uint8Array;
  /** The span that pushes it. */
  readonly trace: TraceHeaders | undefined;
  readonly done: (answer: PushAnswer) => void;
  readonly fail: (error: unknown) => void;
}

/** Payloads for one manager. */
interface PushQueue {
  readonly waiting: Waiting[];
  underWay: number;
}

/**
 * Pushes payloads to managers. Payloads for a manager that accepts groups are sent together, as a request costs both sides
 * more than its content. Every other manager gets each payload by itself.
 *
 * Source: docs/spec/transaction-manager.md
 */
export class PushGroups {
  private readonly takesGroups = new LRUCache<string, boolean>({ max: MAX_MANAGERS });
  private readonly queues = new Map<string, PushQueue>();

  constructor(private readonly peers: PeerClient) {}

  /**
   * Pushes an encoded payload.
   * @param url - ends with `/`
   * @returns the manager's answer
   * @throws PeerUnreachableError
   */
  push(url: string, body: Uint8Array): Promise<PushAnswer> {
    if (this.takesGroups.get(url) !== true || body.length > GROUP_BYTES) return this.pushOne(url, body);
    return new Promise((done, fail) => {
      this.queueOf(url).waiting.push({ body, trace: this.peers.traceHeaders(), done, fail });
      this.drain(url);
    });
  }

  private async pushOne(url: string, body: Uint8Array, trace?: TraceHeaders): Promise<PushAnswer> {
    const { status, text, headers } = await this.peers.post(url, 'push', body, trace);
    // After it refused a group it gets no more: another program may have replaced it, or its body limit is small.
    if (headers[GROUPS_HEADER] !== undefined && !this.takesGroups.has(url)) this.takesGroups.set(url, true);
    const header = headers[DROPPED_HEADER];
    const dropped = typeof header === 'string' ? readDropped(header) : undefined;
    return { status, text, ...(dropped === undefined ? {} : { dropped }) };
  }

  private queueOf(url: string): PushQueue {
    const queue = this.queues.get(url) ?? { waiting: [], underWay: 0 };
    this.queues.set(url, queue);
    return queue;
  }

  private drain(url: string): void {
    const queue = this.queueOf(url);
    if (queue.underWay === UNDER_WAY) return;
    if (queue.waiting.length === 0) {
      if (queue.underWay === 0) this.queues.delete(url);
      return;
    }
    queue.underWay += 1;
    // One turn of the event loop, so that payloads pushed together are sent together.
    setImmediate(() => {
      void this.pushGroup(url, takeGroup(queue.waiting)).finally(() => {
        queue.underWay -= 1;
        this.drain(url);
      });
    });
  }

  private async pushGroup(url: string, group: readonly Waiting[]): Promise<void> {
    try {
      const answers = group.length > 1 ? await this.tryGroup(url, group) : undefined;
      if (answers === undefined) await Promise.all(group.map((one) => this.settleOne(url, one)));
      else group.forEach(({ done }, index) => done(answers[index] as PushAnswer));
    } catch (error) {
      for (const { fail } of group) fail(error);
    }
  }

  private settleOne(url: string, { body, trace, done, fail }: Waiting): Promise<void> {
    return this.pushOne(url, body, trace).then(done, fail);
  }

  /**
   * @returns an answer for each; undefined when the manager does not accept the group, and each has to be sent by
   *   itself
   */
  private async tryGroup(url: string, group: readonly Waiting[]): Promise<readonly PushAnswer[] | undefined> {
    const body = joinPushes(group.map((one) => one.body));
    // A request has one trace: that of the first payload.
    const headers = { ...group[0]?.trace, [GROUPS_HEADER]: READS_DROPPED };
    const { status, text } = await this.peers.post(url, 'pushes', body, headers);
    const answers = status === 200 ? readAnswers(text, group.length) : undefined;
    // 503 does not refuse groups: the manager is out of room at the moment, as it may be for a single payload.
    if (answers === undefined && status !== 503) this.takesGroups.set(url, false);
    return answers;
  }
}

function takeGroup(waiting: Waiting[]): Waiting[] {
  let [end, bytes] = [0, 0];
  for (const { body } of waiting) {
    bytes += body.length;
    if (end === MAX_GROUP || (end > 0 && bytes > GROUP_BYTES)) break;
    end += 1;
  }
  return waiting.splice(0, end);
}
