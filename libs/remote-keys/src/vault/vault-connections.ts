import type { Clock } from '@tetrad/types';
import { Agent } from 'undici';
import type { VaultAccess } from './vault-access.js';
import { vaultConnector } from './vault-trust.js';

/** After which files of trust and certificates are read again. */
const READ_AGAIN_AFTER_MS = 10_000;
/** Bytes of the largest answer that is read. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** To one vault at a time. */
const CONNECTIONS = 64;

/** Connections that were made with the same trust. */
interface Held {
  readonly agent: Promise<Agent>;
  readonly until: number;
  users: number;
  isReplaced: boolean;
}

/** Connections to vaults, which stay open for calls that follow one another. */
export class VaultConnections {
  private readonly held = new Map<string, Held>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /**
   * Runs a call over connections that meet the trust of the access.
   * @throws VaultError, FileError; as the call
   */
  async use<Result>(access: VaultAccess, call: (agent: Agent) => Promise<Result>): Promise<Result> {
    const held = this.heldFor(access);
    held.users += 1;
    try {
      return await call(await held.agent);
    } finally {
      held.users -= 1;
      endUnused(held);
    }
  }

  /** Calls under way are ended by their own time limits. */
  close(): void {
    for (const [identity, held] of this.held) this.replace(identity, held);
  }

  private heldFor(access: VaultAccess): Held {
    const identity = JSON.stringify(access);
    const open = this.held.get(identity);
    const now = this.clock.now();
    if (open !== undefined && now < open.until) return open;
    if (open !== undefined) this.replace(identity, open);
    const made: Held = {
      agent: agentOf(access),
      until: now + READ_AGAIN_AFTER_MS,
      users: 0,
      isReplaced: false,
    };
    this.held.set(identity, made);
    // The next call reads the files again.
    made.agent.catch(() => {
      if (this.held.get(identity) === made) this.held.delete(identity);
    });
    return made;
  }

  private replace(identity: string, held: Held): void {
    this.held.delete(identity);
    held.isReplaced = true;
    endUnused(held);
  }
}

function endUnused(held: Held): void {
  if (!held.isReplaced || held.users > 0) return;
  void held.agent.then(
    (agent) => agent.destroy(),
    () => undefined,
  );
}

async function agentOf(access: VaultAccess): Promise<Agent> {
  const { trust, timeoutMs, certificate } = access;
  const times = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  const limits = { connections: CONNECTIONS, maxResponseSize: MAX_ANSWER_BYTES, ...times };
  const connect =
    trust === undefined
      ? { timeout: timeoutMs }
      : await vaultConnector(trust, access, { timeoutMs, certificate });
  return new Agent({ ...limits, connect });
}
