import { loadToken } from '@tetrad/testkit';
import { ContractFactory } from 'ethers';
import { assert, type DemoContext } from './demo-context.js';

const SUPPLY = 10n ** 24n;

/** Deploys the token through the signer, which signs for a caller that holds no key. */
export async function deployToken(context: DemoContext): Promise<string> {
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
