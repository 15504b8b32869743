import { generatePrivateKey, signingKeyOf } from '@tetrad/crypto';
import { parseEnode, type Enode } from '../src/index.js';
import { dialHandshake, type Acquaintance } from '../src/session/dial.js';
import { createLocalNode, type LocalNode } from '../src/session/local-node.js';
import { PeerClient, type PeerAnswer } from '../src/transport/peer-client.js';
import { PATHS, SESSION_HEADER, STATUS, type PostedKind } from '../src/transport/protocol.js';
import { encodePush, type PushMessage } from '../src/wire/push-message.js';
import { CHAIN_ID, GENESIS } from './fake-chain.js';

/** A peer with a key of its own that does with its session whatever a test wants. */
export class HostilePeer {
  private constructor(
    readonly local: LocalNode,
    readonly client: PeerClient,
    readonly acquaintance: Acquaintance,
    readonly target: Enode,
  ) {}

  /**
   * Shakes hands properly.
   * @param options.port - where it says that it listens
   * @param options.genesisHash - of the chain it says it is on
   */
  static async connect(
    node: { readonly enode: string },
    {
      key = signingKeyOf(generatePrivateKey()) as LocalNode['key'],
      port = 1,
      genesisHash = GENESIS.hash,
    } = {},
  ): Promise<HostilePeer> {
    const target = parseEnode(node.enode);
    const local = createLocalNode({
      key,
      chainId: CHAIN_ID,
      genesisHash,
      name: 'hostile',
      endpoint: () => ({ host: '127.0.0.1', port }),
    });
    const client = new PeerClient(target, { connections: 16, connectTimeoutMs: 5_000 });
    const acquaintance = await dialHandshake(local, target.nodeId, {
      now: () => Date.now(),
      post: async (step, body) => {
        const answer = await postRaw(client, PATHS[step], { body });
        return { accepted: answer.status === STATUS.done, body: answer.body };
      },
    });
    return new HostilePeer(local, client, acquaintance, target);
  }

  get sessionId(): string {
    return this.acquaintance.session.id;
  }

  seal(kind: PostedKind, plaintext: Uint8Array): Uint8Array {
    return this.acquaintance.session.seal(kind, plaintext).frame;
  }

  /** Posts bytes as they are under the session. */
  async post(kind: PostedKind, frame: Uint8Array, session = this.sessionId): Promise<number> {
    const headers = { [SESSION_HEADER]: session };
    return (await postRaw(this.client, PATHS[kind], { body: frame, headers })).status;
  }

  push(messages: readonly PushMessage[]): Promise<number> {
    return this.post('push', this.seal('push', encodePush(messages)));
  }

  close(): void {
    this.client.close();
  }
}

/** Status of Node.js for a request of which the headers came too late: nothing of it was read. */
const REQUEST_TIMEOUT = 408;

export async function postRaw(
  client: PeerClient,
  path: string,
  { body, headers = {} }: { body: Uint8Array; headers?: Record<string, string> },
): Promise<PeerAnswer> {
  for (;;) {
    const answer = await client.post({ path, headers, body, timeoutMs: 20_000, answerBytes: 1_000_000 });
    // A busy host is slow to send them, and some tests allow little time.
    if (answer.status !== REQUEST_TIMEOUT) return answer;
  }
}
