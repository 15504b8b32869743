import type { Address } from '@tetrad/types';
import type { PayloadHash } from '../payload/payload-hash.js';
import type { SharedState } from './shared-state.js';
import type { Known } from './shared-states.js';

/** A state that an approved extension shares with this node, which may become a contract. */
export interface SharedStateOffer {
  readonly management: Address;
  readonly contract: Address;
  /** State hash of the payload with the state. */
  readonly stateHash: PayloadHash;
  readonly state: SharedState;
  /** In which it is shared. */
  readonly block: number;
}

/** Decides whether an offered state becomes a contract of this node. May take seconds, as it may ask other parties. */
export type SharedStateCheck = (offer: SharedStateOffer) => Promise<Known<boolean>>;
