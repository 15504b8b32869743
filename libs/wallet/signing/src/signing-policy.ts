import type { CoinNetwork } from '@tetrad/wallet-key';

/** What the operator lets be signed. */
export interface SigningPolicy {
  /** Letter of addresses in texts for people. */
  readonly network: CoinNetwork;
  /** Of the Ethereum transactions that delegated keys sign. */
  readonly delegatedChainId: bigint;
  /** Whether data that is a chain message is signed without checking the message. */
  readonly allowBlindSign: boolean;
  /** Whether a bare content id is refused when the message does not come with it. */
  readonly requireMessageMeta: boolean;
  /** Whether messages are held to the rules for inclusion in a block. */
  readonly strictMessages: boolean;
  /** Whether messages of any sender and with negative amounts are signed, as the network's own signers do. */
  readonly uncheckedMessages: boolean;
}
