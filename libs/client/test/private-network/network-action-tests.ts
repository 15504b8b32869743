import { beforeAll, expect, it } from '@jest/globals';
import { compile } from '@tetrad/compilers';
import { until } from '@tetrad/testkit';
import { parseAbi, type Address, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  RECORDED_KEYS,
  recordedAccounts,
  type PrivacyNetwork,
} from '../../../../apps/node/test/privacy-network.js';
import {
  NodeAccountNeededError,
  createTetradClient,
  type ContractExtension,
  type TetradClient,
} from '../../src/index.js';

const abi = parseAbi(['constructor(uint256 first)', 'function value() view returns (uint256)']);
const SOURCE = `
pragma solidity ^0.8.0;
contract Box {
  uint256 public value;
  constructor(uint256 first) { value = first; }
}`;
const { bytecode } = compile({ 'Box.sol': { content: SOURCE } }, 'istanbul').get('Box') as { bytecode: Hex };
const [A, B, C] = RECORDED_KEYS.map(({ publicKey }) => publicKey as string) as [string, string, string];
const local = privateKeyToAccount(`0x${'62'.repeat(32)}`);

/** Extensions of a contract of its own, and votes that are taken back. */
export function testNetworkActions(running: () => PrivacyNetwork): void {
  const accounts = recordedAccounts(3);
  const [own, other] = accounts.map(({ address }) => address as Address) as [Address, Address];
  let clients: TetradClient[];
  let address: Address;
  beforeAll(async () => {
    clients = await Promise.all(
      running().nodes.map(({ url }) => createTetradClient({ url, pollingInterval: 50 })),
    );
    const hash = await at(0).deployPrivateContract({
      abi,
      bytecode,
      args: [42n],
      account: own,
      privateFor: [B],
    });
    address = (await at(0).waitForPrivateReceipt({ hash })).contractAddress as Address;
  });

  const at = (index: number) => clients[index] as TetradClient;
  const valueAt = (index: number) => at(index).readContract({ address, abi, functionName: 'value' });

  /**
   * Begins to extend the contract to the third node.
   * @returns the extension as the recipient's node lists it
   */
  async function begin(recipient: Address): Promise<ContractExtension> {
    await at(0).extendContract({ account: own, address, recipient, recipientKey: C });
    let listed: ContractExtension | undefined;
    await until(async () => (listed = (await at(2).getActiveExtensions())[0]) !== undefined);
    return listed as ContractExtension;
  }

  it('says what is served', () => {
    expect(at(0).served).toEqual({
      service: 'node',
      chainId: 1337,
      consensus: 'bft',
      hasPrivacy: true,
      hasPermissions: undefined,
      modules: expect.arrayContaining(['eth', 'ibft', 'chainExtension']),
    });
  });

  it('begins an extension, tells of it, and cancels it', async () => {
    const told: string[] = [];
    const unwatch = at(2).watchExtensions({
      onActive: ({ managementContractAddress }) => told.push(`+${managementContractAddress}`),
      onDone: ({ managementContractAddress }) => told.push(`-${managementContractAddress}`),
    });
    const { managementContractAddress: managementContract } = await begin(other);
    await until(async () => told.length === 1);
    expect(await at(2).getExtensionStatus({ managementContract })).toBe('ACTIVE');
    expect(await at(0).inspectExtension({ address })).toMatchObject({ contract: address, extensionCount: 1 });
    await at(0).cancelExtension({ account: own, managementContract, privateFor: [C] });
    await until(async () => told.length === 2);
    unwatch();
    expect(told).toEqual([`+${managementContract}`, `-${managementContract}`]);
  });

  it('extends a contract to a party whose account is a local key', async () => {
    const { managementContractAddress: managementContract } = await begin(local.address);
    await at(2).approveExtension({ account: local, managementContract, privateFor: [A], gas: 3_000_000n });
    await until(async () => (await at(2).getExtensionStatus({ managementContract })) === 'DONE');
    await until(async () => (await at(2).getCode({ address })) !== undefined);
    expect(await valueAt(2)).toBe(42n);
  });

  it('refuses to begin an extension with a local key', async () => {
    const begun = async () =>
      at(0).extendContract({ account: local, address, recipient: other, recipientKey: C });
    await expect(begun()).rejects.toThrow(NodeAccountNeededError);
  });

  it('reads validators, seals and votes, and votes', async () => {
    const [validator] = await at(0).getValidators();
    expect(await at(0).isValidator()).toBe(true);
    expect(await at(1).isValidator()).toBe(false);
    expect(await at(0).getNodeAddress()).toBe(validator);
    const block = await at(0).getBlock({ blockNumber: 2n });
    const signers = await at(0).getBlockSigners({ blockNumber: 2n });
    expect(signers).toEqual({ number: 2, hash: block.hash, author: validator, committers: [validator] });
    expect(await at(0).getBlockSigners({ blockHash: block.hash })).toEqual(signers);
    expect(await at(0).getValidatorSnapshot({ blockHash: block.hash })).toMatchObject({ number: 2 });
    expect(await at(0).getSealingActivity({ fromBlock: 1n, toBlock: 4n })).toMatchObject({ blocks: 3 });
    await at(1).proposeValidator({ address: other, vote: true });
    expect(await at(1).getValidatorCandidates()).toMatchObject([{ vote: true }]);
    await at(1).discardValidatorCandidate({ address: other });
    expect(await at(1).getValidatorCandidates()).toEqual([]);
    await expect(at(0).getRaftCluster()).rejects.toMatchObject({ reason: 'RAFT_NOT_AVAILABLE' });
  });
}
