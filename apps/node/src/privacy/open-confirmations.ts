import { randomBytes } from 'node:crypto';
import { EMPTY_KECCAK, type SigningKey } from '@tetrad/crypto';
import { TransactionDecodeError } from '@tetrad/node-execution';
import {
  Confirmations,
  PartyMessages,
  findKnownParties,
  checkSharedState,
  partyMail,
  type PartyStates,
} from '@tetrad/node-extension';
import type { Ledger } from '@tetrad/node-ledger';
import type { PeerNetwork } from '@tetrad/node-peer';
import { StoredMetadata, payloadHashOf } from '@tetrad/node-private-state';
import type { ServiceEnvironment } from '@tetrad/service';
import { bytesFromHex, hashFromBytes, systemClock, type Address } from '@tetrad/types';
import type { ConfirmationConfig } from '../options/confirmation-options.js';
import type { PrivateParts, Privacy } from './open-privacy.js';

interface Opened {
  readonly ledger: Ledger;
  readonly peers: PeerNetwork;
  readonly privacy: Privacy;
  readonly own: PrivateParts;
  readonly nodeKey: SigningKey;
}

/** Answers other parties' questions, and asks them about states that are shared with this node. */
export function openConfirmations(
  config: ConfirmationConfig,
  { logger }: Pick<ServiceEnvironment, 'logger'>,
  { ledger, peers, privacy, own, nodeKey }: Opened,
) {
  const { manager, store } = own;
  const { chainId } = ledger.genesis;
  const states = partyStates(ledger, own);
  const mail = partyMail(manager, peers);
  const clock = systemClock;
  const randomId = () => hashFromBytes(randomBytes(32));
  const confirmations = new Confirmations({ chainId, mail, hashOf: states.hashOf, randomId, clock });
  const metadata = () => new StoredMetadata(store, own.follower.head);
  const known = { store, manager, states, metadata, payloadHashOf: payloadOf(privacy) };
  const messages = new PartyMessages({
    chainId,
    nodeKey,
    mail,
    states,
    store,
    manager,
    clock,
    logger,
    partiesOf: (contract: Address) => findKnownParties(known, contract),
    onStatement: (statement, sender, node) => confirmations.take(statement, sender, node),
  });
  const { extensionConfirmation: rule, extensionConfirmationWait: waitMs } = config;
  own.confirmations.bind({
    check: (offer) => checkSharedState({ rule, waitMs, confirmations, store, manager, logger }, offer),
    received: (hash, node) => messages.received(hash, node),
  });
  const close = async () => {
    own.confirmations.close();
    confirmations.stop();
    await messages.stop();
  };
  return { hearing: rule === 'off' ? undefined : { confirmations, waitMs }, close };
}

function partyStates(ledger: Ledger, { view }: Pick<PrivateParts, 'view'>): PartyStates {
  return {
    demand: (block) => view.demand(block),
    hashOf: async (block) => (await ledger.findBlock(block))?.hash,
    rootAt: (block) => view.rootAt(block),
    async findState(contract, block) {
      const account = await (await view.worldAt(block)).findAccount(contract);
      return account === undefined || account.codeHash === EMPTY_KECCAK ? undefined : account;
    },
  };
}

/** The payload hash of an executed transaction; undefined for a restricted one, which carries its payload itself. */
function payloadOf({ decode }: Pick<Privacy, 'decode'>): (raw: Uint8Array) => Uint8Array | undefined {
  return (raw) => {
    try {
      const hash = payloadHashOf(decode(raw).data);
      return hash && bytesFromHex(hash);
    } catch (error) {
      if (error instanceof TransactionDecodeError) return undefined;
      throw error;
    }
  };
}
