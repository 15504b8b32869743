import type { Database } from '@tetrad/db';
import { orderStaged, type StagedOrder } from './hot/order-staged.js';
import { stagePayload, type EarlyPayload } from './hot/stage-payload.js';
import type { ManagerClient } from './manager-client.js';

/** Rows of payloads that came in a recovery before those they refer to. */
export class StagedPayloadStore {
  constructor(
    private readonly database: Database,
    private readonly client: ManagerClient['client'],
  ) {}

  /** Once, however often it comes. */
  add(payload: EarlyPayload): Promise<void> {
    return stagePayload(this.database, payload);
  }

  /** All of them, and which of the others each refers to. */
  order(): Promise<readonly StagedOrder[]> {
    return orderStaged(this.database);
  }

  async find(sequence: number): Promise<Uint8Array | undefined> {
    const row = await this.client.stagedPayload.findUnique({
      where: { sequence },
      select: { encoded: true },
    });
    return row?.encoded;
  }

  async remove(sequence: number): Promise<void> {
    await this.client.stagedPayload.deleteMany({ where: { sequence } });
  }
}
