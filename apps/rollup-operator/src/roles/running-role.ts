import type { RpcWebSocket } from '@tetrad/rpc';
import type { ReadinessChecks, RequestHandler } from '@tetrad/service';

/** What a role of the operator runs. */
export interface RunningRole {
  /** JSON-RPC; one role at most has it. */
  readonly handle?: RequestHandler;
  /** JSON-RPC with notices, of the same role. */
  readonly webSocket?: RpcWebSocket;
  readonly readiness: ReadinessChecks;
  /** Finishes what is under way. */
  stop(): Promise<void>;
}
