import { randomBytes } from 'node:crypto';
import type { SigningKey } from '@tetrad/crypto';
import { Confirmations, PartyMessages, checkSharedState, partyMail } from '@tetrad/node-extension';
import type { Ledger } from '@tetrad/node-ledger';
import type { PeerNetwork } from '@tetrad/node-peer';
import type { ServiceEnvironment } from '@tetrad/service';
import { hashFromBytes, systemClock } from '@tetrad/types';
import type { ConfirmationConfig } from '../options/confirmation-options.js';
import { contractParties, partyStates } from './contract-parties.js';
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
  const messages = new PartyMessages({
    chainId,
    nodeKey,
    mail,
    states,
    store,
    manager,
    clock,
    logger,
    partiesOf: contractParties(ledger, privacy, own),
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
