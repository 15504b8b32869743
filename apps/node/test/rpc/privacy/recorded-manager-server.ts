import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  ManagerAnswer,
  Step,
} from '../../../../../libs/node/privacy/private-state/test/recorded-chain.js';

/** A port that answers as the manager of a recorded node did, or is unavailable. */
export interface RecordedManagerServer {
  readonly url: string;
  /** While set, every connection is cut. */
  isUnavailable: boolean;
  /** While set, what it answers about any payload. */
  instead: { readonly status: number; readonly body: string } | undefined;
  /** API versions that it claims. */
  versions: readonly string[];
  close(): Promise<void>;
}

export async function startRecordedManager(
  steps: readonly Step[],
  node: number,
): Promise<RecordedManagerServer> {
  const answers = new Map<string, ManagerAnswer>();
  const add = (hash: string | undefined, answer: ManagerAnswer | undefined) => {
    if (hash === undefined || answer === undefined) return;
    answers.set(Buffer.from(hash.slice(2), 'hex').toString('base64'), answer);
  };
  for (const { transaction, manager, innerHash, innerManager } of steps) {
    add(transaction?.input, manager?.[node]);
    add(innerHash, innerManager?.[node]);
  }
  const server = createServer((request, response) => {
    if (manager.isUnavailable) return void request.socket.destroy();
    if (request.url === '/version/api') return void response.end(JSON.stringify(manager.versions));
    const name = decodeURIComponent(request.url?.replace('/transaction/', '') ?? '');
    const answer = manager.instead ?? answers.get(name) ?? { status: 500, body: `not recorded: ${name}` };
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const manager: RecordedManagerServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isUnavailable: false,
    instead: undefined,
    versions: ['1.0', '2.0', '2.1', '3.0'],
    close() {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
  return manager;
}
