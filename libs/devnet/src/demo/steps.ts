import { crashNode } from './crash-node.js';
import type { DemoContext } from './demo-context.js';
import { deployToken } from './deploy-token.js';
import { readBack } from './read-back.js';
import { sendTransfers } from './send-transfers.js';
import { useSigner } from './use-signer.js';
import { useWallet } from './use-wallet.js';
import { verifyChain } from './verify-chain.js';

/** The walk: each step does something over HTTP and says what it proved, or throws. */
export const steps: readonly ((context: DemoContext) => Promise<string>)[] = [
  deployToken,
  sendTransfers,
  readBack,
  useSigner,
  crashNode,
  verifyChain,
  useWallet,
];
