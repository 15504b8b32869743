import { crashNode } from './crash-node.js';
import type { DemoContext } from './demo-context.js';
import { deployToken } from './deploy-token.js';
import { readBack } from './read-back.js';
import { sendTransfers } from './send-transfers.js';
import { stopValidators } from './stop-validators.js';
import { usePrivacyFlags } from './use-privacy-flags.js';
import { usePrivacy } from './use-privacy.js';
import { useRaft } from './use-raft.js';
import { useRollup } from './use-rollup.js';
import { useSigner } from './use-signer.js';
import { useWallet } from './use-wallet.js';
import { verifyChain } from './verify-chain.js';
import { voteFifth } from './vote-fifth.js';

/** The steps: each calls the services over HTTP and returns what it showed, or throws. */
export const steps: readonly ((context: DemoContext) => Promise<string>)[] = [
  deployToken,
  sendTransfers,
  readBack,
  useSigner,
  crashNode,
  voteFifth,
  stopValidators,
  usePrivacy,
  usePrivacyFlags,
  verifyChain,
  useWallet,
  useRollup,
  useRaft,
];
