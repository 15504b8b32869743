import { WebSocket } from 'ws';

export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly data?: { readonly reason: string } };
  readonly params?: { readonly subscription: string; readonly result: Readonly<Record<string, unknown>> };
}

/** A WebSocket client that keeps every message and can wait for one. */
export class NoticeClient {
  private readonly messages: Message[] = [];
  private readonly waiting: (() => void)[] = [];
  private calls = 0;

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      this.messages.push(JSON.parse(data.toString()) as Message);
      for (const wake of this.waiting.splice(0)) wake();
    });
  }

  static async connect(url: string, token?: string): Promise<NoticeClient> {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const socket = new WebSocket(url.replace('http', 'ws'), { headers });
    await new Promise((done, fail) => socket.once('open', done).once('error', fail));
    return new NoticeClient(socket);
  }

  call(method: string, params: readonly unknown[] = []): Promise<Message> {
    const id = ++this.calls;
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return this.waitFor((message) => message.id === id);
  }

  async waitFor(wanted: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.messages.find(wanted);
      if (found !== undefined) return found;
      await new Promise<void>((done) => this.waiting.push(done));
    }
  }

  /** The notices of a subscription so far. */
  notices(subscription: unknown): unknown[] {
    return this.messages
      .filter(({ params }) => params?.subscription === subscription)
      .map(({ params }) => params?.result);
  }

  async close(): Promise<void> {
    this.socket.close();
    await new Promise((done) => this.socket.once('close', done));
  }
}
