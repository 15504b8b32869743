import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import { MAX_GROUP, joinPushes, readAnswers, readDropped, type PushAnswer } from '../payload/push-group.js';
import type { PeerClient } from './peer-client.js';

/** By this header of its answers to a push a manager tells that it takes groups; others pass over it. */
export const GROUPS_HEADER = 'tetrad-push-groups';

/** In it the sender of a group tells that it reads of dropped contracts. */
const READS_DROPPED = '2';

/** Header of an answer to a push: places of affected contracts that do not count there (docs/adr/0154). */
export const DROPPED_HEADER = 'tetrad-dropped-contracts';

/** Whether the sender of a group reads of dropped contracts. */
export function readsDropped(headers: IncomingHttpHeaders): boolean {
  return headers[GROUPS_HEADER] === READS_DROPPED;
}

/** Bytes of a group; what is larger goes by itself. */
const GROUP_BYTES = 256 * 1_024;

/** Groups under way to one manager; what comes meanwhile gathers for the next. */
const UNDER_WAY = 2;

/** Managers of which it is remembered whether they take groups. */
const MAX_MANAGERS = 1_000;

interface Waiting {
  readonly body: Uint8Array;
  readonly done: (answer: PushAnswer) => void;
  readonly fail: (error: unknown) => void;
}

interface Lane {
  readonly waiting: Waiting[];
  underWay: number;
}

/**
 * Pushes payloads to managers: those for one manager that takes groups travel together, as each request costs it and us
 * more than what is in it. Every other manager gets each payload by itself, as it always did.
 *
 * Source: docs/spec/transaction-manager.md
 */
export class PushGroups {
  private readonly takesGroups = new LRUCache<string, boolean>({ max: MAX_MANAGERS });
  private readonly lanes = new Map<string, Lane>();

  constructor(private readonly peers: PeerClient) {}

  /**
   * Pushes an encoded payload. In: url — ends with `/`
   *
   * Out:   what the manager said of it
   * Fails: PeerUnreachableError
   */
  push(url: string, body: Uint8Array): Promise<PushAnswer> {
    if (this.takesGroups.get(url) !== true || body.length > GROUP_BYTES) return this.pushOne(url, body);
    return new Promise((done, fail) => {
      this.laneOf(url).waiting.push({ body, done, fail });
      this.drain(url);
    });
  }

  private async pushOne(url: string, body: Uint8Array): Promise<PushAnswer> {
    const { status, text, headers } = await this.peers.post(url, 'push', body);
    // Once it refused a group it is not asked again: another program may have its place, or its bodies are short.
    if (headers[GROUPS_HEADER] !== undefined && !this.takesGroups.has(url)) this.takesGroups.set(url, true);
    const header = headers[DROPPED_HEADER];
    const dropped = typeof header === 'string' ? readDropped(header) : undefined;
    return { status, text, ...(dropped === undefined ? {} : { dropped }) };
  }

  private laneOf(url: string): Lane {
    const lane = this.lanes.get(url) ?? { waiting: [], underWay: 0 };
    this.lanes.set(url, lane);
    return lane;
  }

  private drain(url: string): void {
    const lane = this.laneOf(url);
    if (lane.underWay === UNDER_WAY) return;
    if (lane.waiting.length === 0) {
      if (lane.underWay === 0) this.lanes.delete(url);
      return;
    }
    lane.underWay += 1;
    // One turn of the event loop, so that what was asked for together goes together.
    setImmediate(() => {
      void this.pushGroup(url, takeGroup(lane.waiting)).finally(() => {
        lane.underWay -= 1;
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

  private settleOne(url: string, { body, done, fail }: Waiting): Promise<void> {
    return this.pushOne(url, body).then(done, fail);
  }

  /** Out: an answer for each; nothing when the manager does not take the group, and each has to go by itself */
  private async tryGroup(url: string, group: readonly Waiting[]): Promise<readonly PushAnswer[] | undefined> {
    const body = joinPushes(group.map((one) => one.body));
    const { status, text } = await this.peers.post(url, 'pushes', body, { [GROUPS_HEADER]: READS_DROPPED });
    const answers = status === 200 ? readAnswers(text, group.length) : undefined;
    // 503 says nothing of groups: it has no room at the moment, as it may have none for one payload.
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
