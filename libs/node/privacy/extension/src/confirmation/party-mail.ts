import type { ManagerClient } from '@tetrad/transaction-manager-client';
import type { PtmKey } from '@tetrad/types';
import { done } from '../manager-answers.js';

/** Sends messages to other parties: the managers carry them, and their hashes are announced to peers. */
export interface PartyMail {
  /**
   * @param from - a key of this node's manager, its default when undefined
   * @returns the hash (64 bytes) under which managers have the message
   * @throws RequestError TRANSACTION_MANAGER_REFUSED, TRANSACTION_MANAGER_UNAVAILABLE
   */
  send(message: Uint8Array, from: PtmKey | undefined, to: PtmKey): Promise<Uint8Array>;
  /** Announces the hash to the connected peers. */
  notify(hash: Uint8Array): void;
}

/** A payload without privacy flags. */
const STANDARD = { privacyFlag: 0, affected: [], execHash: '', mandatoryFor: [] } as const;

export function partyMail(
  manager: Pick<ManagerClient, 'send'>,
  peers: { readonly notify: (hash: Uint8Array) => void },
): PartyMail {
  return {
    async send(payload, from, to) {
      const { hash } = done(await manager.send({ ...STANDARD, payload, from, to: [to] }));
      peers.notify(hash);
      return hash;
    },
    notify: (hash) => peers.notify(hash),
  };
}
