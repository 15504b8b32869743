import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compile } from '@tetrad/compilers';
import { RollupCodec, createdAddress } from '@tetrad/rollup-chain';
import { multiplyGenerator } from '@tetrad/rollup-crypto';
import { parseAddress, type Address, type Hash } from '@tetrad/types';
import { loadContract, loadLinked } from '../../chain/src/contract/artifact.js';
import { deployLibraries, deployVerifier } from '../../chain/src/contract/deploy-rollup.js';
import { verifierNames } from '../../chain/src/contract/generate-verifiers.js';
import type { TestChain } from '../../chain/test/anvil-chain.js';
import { deployAgreeingVerifier } from '../../chain/test/agreeing-verifier.js';

const CONTRACTS = join(import.meta.dirname, '../../chain/contracts');
export const STALL_TIMEOUT = 86_400n;
/** Copies its call data as code of a creation into memory, creates a contract of it, and returns the address. */
const FACTORY = '365f5f37365f5ff05f5260205ff3';
const PUSH4 = '63';

export interface SizedVerifier {
  readonly size: bigint;
  readonly verifier: Address;
}

/** Contracts that look like those of the release, and parts to make them of. */
export class AlteredContracts {
  private constructor(
    readonly chain: TestChain,
    private readonly codec: RollupCodec,
    /** Creation of the rollup with its library, before the arguments. */
    readonly creation: string,
    readonly verifier: Address,
    readonly agreeing: Address,
    private readonly factory: Address,
  ) {}

  static async start(chain: TestChain): Promise<AlteredContracts> {
    const codec = new RollupCodec();
    const creation = await deployLibraries(chain.create);
    const verifier = await deployVerifier(chain.create, 2, 'standard');
    const agreeing = await deployAgreeingVerifier(chain.create);
    const factory = await chain.create(creationOf(FACTORY));
    return new AlteredContracts(chain, codec, creation, verifier, agreeing, factory);
  }

  /** Arguments of the constructor, as a deployment writes them. */
  argumentsOf(
    sized: readonly SizedVerifier[] = [{ size: 2n, verifier: this.verifier }],
    stallTimeout = STALL_TIMEOUT,
  ): string {
    const { x, y } = multiplyGenerator(99n);
    const terms = [stallTimeout, 300, 1_500, 10n ** 9n, 1];
    return this.codec.abi.encodeDeploy([this.chain.accounts[0], [x, y], terms, sized]).slice(2);
  }

  /** The contract of the release over other verifiers. */
  over(...sized: readonly SizedVerifier[]): Promise<Address> {
    return this.chain.create(this.creation + this.argumentsOf(sized));
  }

  /** The contract of the release, with which holders wait for long. */
  waiting(stallTimeout: bigint): Promise<Address> {
    return this.chain.create(this.creation + this.argumentsOf(undefined, stallTimeout));
  }

  /** The contract of a changed source, over the verifier of the release. */
  async ofSource(file: string, from: string, to: string): Promise<Address> {
    const names = ['Rollup', 'Operator', 'OperatorKeys', 'Deposits', 'Withdrawals', 'Requests', 'Payments'];
    const sources: Record<string, { content: string }> = {};
    const more = ['RollupState', 'OwedPayments', 'BatchData', 'StateProofs', 'Grumpkin', 'MerkleTree'];
    for (const name of [...names, ...more, 'Poseidon2', 'Poseidon2Constants'])
      sources[`${name}.sol`] = { content: await readFile(join(CONTRACTS, `${name}.sol`), 'utf8') };
    const before = sources[file]?.content ?? '';
    if (!before.includes(from)) throw new Error(`${file} does not say: ${from}`);
    sources[file] = { content: before.replace(from, to) };
    const bytecode = compile(sources, 'istanbul').get('Rollup')?.bytecode ?? '';
    const library = await this.chain.create((await loadContract('StateProofs')).bytecode);
    return this.chain.create(bytecode.replaceAll(/__\$\w{34}\$__/g, library.slice(2)) + this.argumentsOf());
  }

  /** The contract of the release with another library. */
  async withLibrary(library: Address): Promise<Address> {
    const { bytecode } = await loadContract('Rollup');
    return this.chain.create(bytecode.replaceAll(/__\$\w{34}\$__/g, library.slice(2)) + this.argumentsOf());
  }

  /** Creates a contract by another contract. */
  async byFactory(creation: string): Promise<Address> {
    const [from] = this.chain.accounts as [Address];
    const answer = await this.chain.ask<string>('eth_call', [{ from, to: this.factory, data: creation }]);
    // An estimate would be enough for the call and too little for the creation in it.
    await this.chain.send({ from, to: this.factory, data: creation, gas: 20_000_000n });
    return parseAddress(`0x${answer.slice(-40)}`);
  }

  /** Code of the release over another state: what is at a place of the storage is written by a constructor of its own. */
  async withState(honest: Address, slot: bigint): Promise<Address> {
    const [from] = this.chain.accounts as [Address];
    const nonce = Number(await this.chain.ask<string>('eth_getTransactionCount', [from, 'latest']));
    const code = await this.codeAt(honest);
    const word = (value: bigint) => value.toString(16).padStart(64, '0');
    const topic = this.codec.abi.getEvent('TokenAdded')?.topicHash as Hash;
    const store = `7f${word(1n)}7f${word(slot)}55`;
    const event = `5f5f7f${topic.slice(2)}5f5fa3`;
    const created = await this.chain.create(creationOf(code, store + event));
    if (created !== createdAddress(from, nonce)) throw new Error('another nonce');
    return created;
  }

  /** The verifier of the release with another hash of its key: it differs by an immutable alone. */
  async withOtherKey(): Promise<Address> {
    const file = join(CONTRACTS, verifierNames(2, 'standard').file);
    const [, hash = ''] = /VK_HASH = 0x(\w{64})/.exec(await readFile(file, 'utf8')) ?? [];
    const names = verifierNames(2, 'standard');
    const libraries = [];
    for (const name of names.libraries) {
      const address = await this.chain.create((await loadContract(name)).bytecode);
      libraries.push({ name, file: names.file, address });
    }
    const creation = await loadLinked(names.contract, libraries);
    if (!creation.includes(hash)) throw new Error('the key is not in the code');
    return this.chain.create(creation.replaceAll(hash, hash.replace(/^./, '0').replace(/.$/, '7')));
  }

  /** The verifier of the release over a library that is another contract. */
  async withOtherRelations(): Promise<Address> {
    const names = verifierNames(2, 'standard');
    const transcript = await this.chain.create((await loadContract('ZKTranscriptLib2')).bytecode);
    const libraries = names.libraries.map((name) => ({
      name,
      file: names.file,
      address: name.startsWith('ZK') ? transcript : this.agreeing,
    }));
    return this.chain.create(await loadLinked(names.contract, libraries));
  }

  async codeAt(address: Address): Promise<string> {
    return (await this.chain.ask<string>('eth_getCode', [address, 'latest'])).slice(2);
  }

  /** Replaces the code of a contract, as no chain does. */
  async replaceCode(address: Address, change: (code: string) => string): Promise<void> {
    const code = await this.codeAt(address);
    const changed = change(code);
    if (changed === code) throw new Error('nothing was changed');
    await this.chain.ask('anvil_setCode', [address, `0x${changed}`]);
  }
}

/** Creation that leaves a code, after it did something else. */
export function creationOf(code: string, first = ''): string {
  const size = (code.length / 2).toString(16).padStart(8, '0');
  // PUSH4 size, PUSH4 start, PUSH0, CODECOPY, PUSH4 size, PUSH0, RETURN
  const start = (first.length / 2 + 19).toString(16).padStart(8, '0');
  return `0x${first}${PUSH4}${size}${PUSH4}${start}5f39${PUSH4}${size}5ff3${code}`;
}
