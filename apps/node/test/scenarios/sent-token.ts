import { fileURLToPath } from 'node:url';
import { Interface } from 'ethers/abi';
import { compileFolder } from '@tetrad/compilers';
import { loadToken, until, type developmentAccounts } from '@tetrad/testkit';
import { signTransaction } from '@tetrad/transactions';
import { bytesFromHex, hexFromBytes, type Address } from '@tetrad/types';
import type { NodeHome } from '../node-process.js';
import { post } from '../running-node.js';

type Account = ReturnType<typeof developmentAccounts>[number];

interface Content {
  readonly to?: Address;
  readonly data: string;
}

/** A token of an account that signs itself, so that it is sent to a node which may be started again in between. */
export class SentToken {
  private nonce = 0;

  private constructor(
    private readonly home: Pick<NodeHome, 'url'>,
    private readonly owner: Account,
    readonly abi: Interface,
    /** Address of the contract. */
    readonly address: Address,
  ) {}

  static async deploy(home: Pick<NodeHome, 'url'>, owner: Account): Promise<SentToken> {
    await compileFolder(fileURLToPath(new URL('../../../../libs/testkit', import.meta.url)));
    const { abi: definition, bytecode } = await loadToken();
    const abi = new Interface(JSON.stringify(definition));
    const supply = abi.encodeDeploy(['Token', 'T', 10n ** 24n]).slice(2);
    const sender = new SentToken(home, owner, abi, owner.address as Address);
    const { contractAddress } = await sender.mined(await sender.send({ data: bytecode + supply }));
    const token = new SentToken(home, owner, abi, contractAddress as Address);
    token.nonce = sender.nonce;
    return token;
  }

  /** @returns the hash, once the node has acknowledged it */
  transfer(to: string, value: bigint): Promise<string> {
    return this.send({ to: this.address, data: this.abi.encodeFunctionData('transfer', [to, value]) });
  }

  async mined(hash: string): Promise<{ readonly contractAddress: string; readonly blockNumber: string }> {
    const receipt = async () => (await post(this.home.url, 'eth_getTransactionReceipt', [hash])).result;
    await until(async () => (await receipt()) !== null);
    return (await receipt()) as { contractAddress: string; blockNumber: string };
  }

  private async send({ to, data }: Content): Promise<string> {
    const fields = { chainId: 1337n, gasLimit: 2_000_000n, value: 0n, nonce: BigInt(this.nonce) };
    const fees = { type: 'legacy', gasPrice: 0n } as const;
    const content = { ...fields, to, data: bytesFromHex(data), fees };
    const raw = hexFromBytes(signTransaction(content, this.owner.privateKey));
    const { result, error } = await post(this.home.url, 'eth_sendRawTransaction', [raw]);
    if (typeof result !== 'string') throw new Error(error?.message);
    this.nonce += 1;
    return result;
  }
}
