import { loadToken } from '@tetrad/testkit';
import { ContractFactory } from 'ethers';
import { crashNode } from './crash-node.js';
import { type DemoContext, type StepResult, assert } from './demo-context.js';
import { extendContract } from './extend-contract.js';
import { findNoSecrets } from './find-secrets.js';
import { joinByState } from './join-by-state.js';
import { leaveRollup } from './leave-rollup.js';
import { readBack } from './read-back.js';
import { repairContract } from './repair-contract.js';
import { sendTransfers } from './send-transfers.js';
import { stopValidators } from './stop-validators.js';
import { traceTransaction } from './trace-transaction.js';
import { usePermissions } from './use-permissions.js';
import { usePrivacyFlags } from './use-privacy-flags.js';
import { usePrivacy } from './use-privacy.js';
import { useRaft } from './use-raft.js';
import { useRollup } from './use-rollup.js';
import { useSigner } from './use-signer.js';
import { useWallet } from './use-wallet.js';
import { verifyChain } from './verify-chain.js';
import { voteFifth } from './vote-fifth.js';

const SUPPLY = 10n ** 24n;

/** Deploys the token through the signer, which signs for a caller that holds no key. */
async function deployToken(context: DemoContext): Promise<string> {
  const signer = await context.signer();
  const { abi, bytecode } = await loadToken();
  const factory = new ContractFactory([...abi], bytecode, signer);
  const contract = await factory.deploy('Demo', 'DEMO', SUPPLY, { gasPrice: 0, gasLimit: 2_000_000 });
  const receipt = await contract.deploymentTransaction()?.wait();
  assert(receipt?.status === 1, 'the deployment failed');
  context.token = await contract.getAddress();
  assert((await signer.provider.getCode(context.token)).length > 2, 'the address has no code');
  signer.provider.destroy();
  return `a token contract, deployed by ethers through the signer, is at ${context.token} in block ${receipt.blockNumber}`;
}

/** The steps: each calls the services over HTTP and returns what it showed, or throws. */
export const steps: readonly ((context: DemoContext) => Promise<StepResult>)[] = [
  deployToken,
  sendTransfers,
  readBack,
  useSigner,
  crashNode,
  voteFifth,
  stopValidators,
  usePrivacy,
  usePrivacyFlags,
  extendContract,
  repairContract,
  joinByState,
  traceTransaction,
  verifyChain,
  useWallet,
  useRollup,
  usePermissions,
  useRaft,
  leaveRollup,
  findNoSecrets,
];
