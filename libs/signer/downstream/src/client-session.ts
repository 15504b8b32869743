import { ForwardedError, writeJson, type RpcId } from '@tetrad/rpc';
import { z } from 'zod';
import { unusableAnswer } from './client-failure.js';
import type { ClientRequest } from './gathered-calls.js';
import { parseNodeAnswer, type ForwardedResponse } from './node-answer.js';

/** Hex or decimal text. Source: docs/spec/signing-proxy.md#nonces. */
const quantity = z.string().regex(/^(?:0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/);

/** Sends a body to the JSON-RPC of the Ethereum client. */
export type SendBody = (body: string) => Promise<ForwardedResponse>;

/** Sends a call that may travel in a batch with those of others. */
export type SendGathered = (request: ClientRequest, id: RpcId) => Promise<ForwardedResponse>;

/** JSON-RPC with the Ethereum client on behalf of one caller. */
export class ClientSession {
  private nextId = 0;

  constructor(
    private readonly send: SendBody,
    private readonly sendGathered: SendGathered,
  ) {}

  /**
   * A call whose result is a quantity.
   * @throws as `call`
   */
  async quantity(method: string, params: readonly unknown[]): Promise<bigint> {
    const parsed = quantity.safeParse(await this.call(method, params));
    if (!parsed.success) throw unusableAnswer();
    return BigInt(parsed.data);
  }

  /** @throws ForwardedError with the client's error as it came; as `clientFailure`; when its answer cannot be used */
  async call(method: string, params: readonly unknown[]): Promise<unknown> {
    const id = this.nextId++;
    const answer = parseNodeAnswer((await this.ask({ method, params }, id)).body);
    if (answer.kind === 'error') throw new ForwardedError(answer.error);
    if (answer.kind === 'unusable' || answer.id !== id) throw unusableAnswer();
    return answer.result;
  }

  /**
   * A call whose answer is wanted as it comes.
   * @throws as `clientFailure`
   */
  ask({ method, params }: ClientRequest, id: RpcId): Promise<ForwardedResponse> {
    return this.send(writeJson({ jsonrpc: '2.0', method, params, id }));
  }

  /**
   * As `ask`, for a call that may travel with others; see `GatheredCalls`.
   * @throws as `clientFailure`; when its answer is not among those of a batch
   */
  askGathered(request: ClientRequest, id: RpcId): Promise<ForwardedResponse> {
    return this.sendGathered(request, id);
  }

  /**
   * Sends requests of a caller in one body.
   * @throws as `clientFailure`
   */
  askBatch(requests: readonly unknown[]): Promise<ForwardedResponse> {
    return this.send(writeJson(requests));
  }
}
