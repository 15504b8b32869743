import type { Database } from '@tetrad/db';
import { CompletenessStore } from './completeness-store.js';
import { KeyHolderStore } from './key-holder-store.js';
import { openManagerClient } from './manager-client.js';
import { MessageStore } from './message-store.js';
import { PayloadStore } from './payload-store.js';
import { PrivacyGroupStore } from './privacy-group-store.js';
import { RawPayloadStore } from './raw-payload-store.js';
import { StagedPayloadStore } from './staged-payload-store.js';

/** A manager's rows in PostgreSQL. */
export interface ManagerStore {
  readonly payloads: PayloadStore;
  readonly raws: RawPayloadStore;
  readonly staged: StagedPayloadStore;
  readonly groups: PrivacyGroupStore;
  readonly holders: KeyHolderStore;
  readonly completeness: CompletenessStore;
  readonly messages: MessageStore;
  /** Ends the client; the database stays open. */
  close(): Promise<void>;
}

export function openManagerStore(database: Database): ManagerStore {
  const rows = openManagerClient(database);
  return {
    payloads: new PayloadStore(database, rows.client),
    raws: new RawPayloadStore(database),
    staged: new StagedPayloadStore(database, rows.client),
    groups: new PrivacyGroupStore(rows),
    holders: new KeyHolderStore(rows.client),
    completeness: new CompletenessStore(database, rows.client),
    messages: new MessageStore(database, rows.client),
    close: () => rows.close(),
  };
}
