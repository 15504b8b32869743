import { until } from '@tetrad/testkit';
import type { PtmKey } from '@tetrad/types';
import type { TestManager } from '../../privacy-network.js';

/** A message as a manager hands it to its node. */
interface Message {
  readonly id: string;
  readonly from: string;
  readonly kind: string;
  readonly body: string;
}

/** A party whose manager has no node: the test reads and sends its messages. */
export class MessageParty {
  private readonly heard: Message[] = [];

  constructor(private readonly manager: TestManager) {}

  get key(): PtmKey {
    return this.manager.key as PtmKey;
  }

  /** Resolves when the manager has taken the message. */
  async tell(to: string, kind: string, body: Uint8Array): Promise<void> {
    const message = { from: this.key, to, kind, body: Buffer.from(body).toString('base64') };
    await until(async () => (await this.post('/partymessages', message)).includes('accepted'));
  }

  /** The first message of the kind that the predicate takes. */
  async hear(from: string, kind: string, isIt: (body: Buffer) => boolean): Promise<Buffer> {
    let found: Buffer | undefined;
    await until(async () => (found = (await this.listHeard(from, kind)).find(isIt)) !== undefined);
    return found as Buffer;
  }

  /** All messages of the kind so far. */
  async listHeard(from: string, kind: string): Promise<Buffer[]> {
    const response = await fetch(`${this.manager.url}/partymessages?max=64`);
    const { messages } = (await response.json()) as { messages: Message[] };
    this.heard.push(...messages);
    if (messages.length > 0)
      await this.post('/partymessages/acknowledge', { ids: messages.map(({ id }) => id) });
    return this.heard
      .filter((message) => message.kind === kind && message.from === from)
      .map(({ body }) => Buffer.from(body, 'base64'));
  }

  private async post(path: string, body: object): Promise<string> {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await (await fetch(`${this.manager.url}${path}`, init)).text()) || '{}';
  }
}
