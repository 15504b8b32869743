import type { ManagerRequest } from './connection.js';
import type { ManagerRequests } from './manager-requests.js';
import type { Outcome } from './outcome.js';
import {
  MAX_MESSAGES,
  MAX_MESSAGES_BYTES,
  messageBody,
  messagesBody,
  readTaken,
  readTakenAll,
  type MessageOutcome,
  type PartyMessage,
} from './party-messages.js';
import { JSON_TYPE } from './requests.js';

type Sent = Outcome<MessageOutcome>;

/** Gives messages to the manager: many in one request where it takes such. */
export class MessageSends {
  constructor(private readonly requests: Pick<ManagerRequests, 'ask' | 'features' | 'forgetFeatures'>) {}

  async send(message: PartyMessage): Promise<Sent> {
    return this.requests.ask(post(messageBody(message)), ({ body }) => readTaken(body));
  }

  /** @returns for each what `send` returns; once the manager can take none, it is not asked for the ones that follow */
  async sendAll(messages: readonly PartyMessage[]): Promise<readonly Sent[]> {
    const features = await this.requests.features();
    if (features.kind !== 'done') return messages.map(() => features);
    const isGrouped = features.value.messageGroups && messages.length > 1;
    const sent: Sent[] = [];
    for (const group of isGrouped ? groupsOf(messages) : messages.map((one) => [one])) {
      const last = sent.at(-1);
      if (last !== undefined && isAway(last)) sent.push(...group.map(() => last));
      else sent.push(...(await (group.length > 1 ? this.together(group) : this.oneByOne(group))));
    }
    return sent;
  }

  private async together(group: readonly PartyMessage[]): Promise<readonly Sent[]> {
    const read = (answer: { readonly body: Uint8Array }) => readTakenAll(answer.body, group.length);
    const outcome = await this.requests.ask(post(messagesBody(group)), read);
    if (outcome.kind === 'done') return outcome.value;
    if (isAway(outcome)) return group.map(() => outcome);
    // It refuses the request for one of them, or is another program by now.
    this.requests.forgetFeatures();
    return this.oneByOne(group);
  }

  private async oneByOne(messages: readonly PartyMessage[]): Promise<readonly Sent[]> {
    const sent: Sent[] = [];
    for (const message of messages) {
      const last = sent.at(-1);
      sent.push(last !== undefined && isAway(last) ? last : await this.send(message));
    }
    return sent;
  }
}

/** Whether the manager, or its database, is not there: later messages must not come before earlier ones. */
function isAway(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'unknown' || (outcome.kind === 'refused' && outcome.status >= 500);
}

function post(body: string): ManagerRequest {
  const headers = { 'content-type': JSON_TYPE, accept: JSON_TYPE };
  return { method: 'POST', path: '/partymessages', headers, body };
}

/** In their order, each within the bounds of a request. */
function groupsOf(messages: readonly PartyMessage[]): PartyMessage[][] {
  const groups: PartyMessage[][] = [];
  let [group, bytes]: [PartyMessage[], number] = [[], 0];
  for (const message of messages) {
    const isFull = group.length === MAX_MESSAGES || bytes + message.body.length > MAX_MESSAGES_BYTES;
    if (group.length === 0 || isFull) {
      [group, bytes] = [[], 0];
      groups.push(group);
    }
    group.push(message);
    bytes += message.body.length;
  }
  return groups;
}
