import { createTetradClient, type PrivacyParameters, type TetradClient } from '@tetrad/client';
import { http, type Address, type LocalAccount } from 'viem';
import { getAddresses } from 'viem/actions';
import { isLinked, type HardhatRuntime } from './hardhat-types.js';
import { chooseNetwork } from './network-choice.js';
import { executed, privateContract, type PrivateContract } from './private-contract.js';
import { chooseSender } from './sender.js';

/** Who sends, and through which node. */
export interface Sending {
  /** Of the configuration, by its name; that of `--network`, or the only one of type http, by default. */
  readonly network?: string | undefined;
  /** The configured one, or the first of the node, by default. */
  readonly account?: Address | LocalAccount | undefined;
}

/** Private contracts in Hardhat: `hre.privacy`. */
export interface Privacy {
  /**
   * Deploys a contract for its parties, and waits until it is there.
   * @throws Error when it is reverted, or needs libraries
   */
  deploy(
    contractName: string,
    parameters: PrivacyParameters & Sending & { readonly args?: readonly unknown[] | undefined },
  ): Promise<PrivateContract>;
  /** A contract that is there, for calls to its parties. */
  at(
    contractName: string,
    address: Address,
    parameters: PrivacyParameters & Sending,
  ): Promise<PrivateContract>;
  /** A client of a node, with all actions of `@tetrad/client`. */
  client(network?: string): Promise<TetradClient>;
}

/**
 * What the plugin adds to the runtime. Transactions do not go through Hardhat's provider: one that signs knows nothing of parties, and
 * would send what is private to everyone.
 *
 * @param hre - the runtime
 * @returns the addition
 */
export function createPrivacy(hre: HardhatRuntime): Privacy {
  const client = (network?: string) => clientOf(hre, network);
  const reach = async ({ network, account }: Sending) => {
    const reached = await client(network);
    const sender = await chooseSender(chooseNetwork(hre, network), () => getAddresses(reached), account);
    return { client: reached, account: sender };
  };
  return {
    client,
    async deploy(contractName, { network, account, args = [], ...privacy }) {
      const { abi, bytecode } = await hre.artifacts.readArtifact(contractName);
      if (!isLinked(bytecode))
        throw new Error(`${contractName}: is no contract with code, or needs libraries`);
      const reached = await reach({ network, account });
      const sending = { ...privacy, account: reached.account };
      const hash = await reached.client.deployPrivateContract({ abi, bytecode, args, ...sending });
      const receipt = await reached.client.waitForPrivateReceipt({ hash, abi });
      const { contractAddress } = executed(receipt, `the creation of ${contractName}`);
      return privateContract({ ...privacy, ...reached, abi, address: contractAddress as Address });
    },
    async at(contractName, address, { network, account, ...privacy }) {
      const { abi } = await hre.artifacts.readArtifact(contractName);
      return privateContract({ ...privacy, ...(await reach({ network, account })), abi, address });
    },
  };
}

async function clientOf(hre: HardhatRuntime, network?: string): Promise<TetradClient> {
  const { url: configured, httpHeaders, timeout } = chooseNetwork(hre, network);
  const url = await configured.getUrl();
  return createTetradClient({
    url,
    transport: http(url, { timeout, fetchOptions: { headers: httpHeaders } }),
  });
}
