import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { EthereumClient } from '@tetrad/rollup-chain';
import { multiplyGenerator } from '@tetrad/rollup-crypto';
import type { Address } from '@tetrad/types';
import { loadContract } from '../../chain/src/contract/artifact.js';
import { deployRollup, deployVerifier } from '../../chain/src/contract/deploy-rollup.js';
import { describeWithAnvil, startChain, type TestChain } from '../../chain/test/anvil-chain.js';
import { deployWithTurns } from '../../chain/test/contract-with-turns.js';
import { deployEarlierVerifiers, deployWithoutConsents } from '../../chain/test/contract-without-consents.js';
import { connectEthereum, readPresentState, verifyContract } from '../src/index.js';
import { AlteredContracts, STALL_TIMEOUT, creationOf } from './altered-contracts.js';

const operatorKey = multiplyGenerator(99n);
const TERMS = { operatorKey, stallTimeoutSeconds: 86_400, etherUnit: 10n ** 9n };

describeWithAnvil('verifying a contract', () => {
  let chain: TestChain;
  let client: EthereumClient;
  let altered: AlteredContracts;
  let operator: Address;

  beforeAll(async () => {
    chain = await startChain(['--hardfork', 'cancun']);
    client = connectEthereum(chain.url);
    [operator] = chain.accounts as [Address];
    altered = await AlteredContracts.start(chain);
  });
  afterAll(async () => {
    await client?.close();
    await chain?.stop();
  });

  const verify = (address: Address) => verifyContract(client, address, { fromBlock: 0 });
  /** What is said against a contract. */
  const against = async (address: Address): Promise<string> => {
    const error = await verify(address).then(
      () => new Error('it was taken'),
      (reason: unknown) => reason as Error,
    );
    expect([error.name, error.message]).toEqual(['UnverifiedContractError', expect.any(String)]);
    return error.message.replace(`the contract at ${address} is not verified: `, '');
  };

  it.each([
    ['standard', [1]],
    ['optimized', [2]],
    ['standard', [2, 1]],
    ['optimized', [1, 2]],
  ] as const)('takes the contract of the release with %s verifiers of %p', async (verifier, sizes) => {
    const address = await deployRollup(chain.create, { ...TERMS, operator, sizes, verifier });
    const verified = await verify(address);
    expect(verified).toMatchObject({ version: 'present', chainId: chain.chainId, doubts: [] });
    expect(verified.creationBlock).toBe(verified.blockNumber);
    expect(verified.verifiers.map(({ size, kind }) => [size, kind])).toEqual(
      sizes.map((size) => [size, verifier]),
    );
    expect(verified.terms).toMatchObject({ operator, operatorKey, stallTimeout: STALL_TIMEOUT });
    expect(await readPresentState(client, address, 0)).toMatchObject({ operator, isFrozen: false });
  });

  it('takes the contract with turns of the version before', async () => {
    const verifiers = await deployEarlierVerifiers(chain.create, [1, 2]);
    const address = await deployWithTurns(chain.create, { operator, operatorKey, verifiers });
    expect(await verify(address)).toMatchObject({ version: 'with turns', terms: { turnBlocks: 32n } });
    expect(await readPresentState(client, address, 0)).toMatchObject({ proposedOperator: undefined });
    const yes = [{ size: 1, verifier: altered.agreeing }];
    const other = await deployWithTurns(chain.create, { operator, operatorKey, verifiers: yes });
    expect(await against(other)).toMatch(/^the verifier of batches of 1 at .* is of no version$/);
  });

  it('takes the contract without consents of the version before, with verifiers of its circuit alone', async () => {
    const sizes = [1, 2];
    const address = await deployWithoutConsents(chain.create, { operator, operatorKey, sizes });
    const verified = await verify(address);
    expect(verified).toMatchObject({ version: 'without consents', terms: { requestsPerTimeout: 4n } });
    expect(verified.verifiers.map(({ size }) => size)).toEqual(sizes);
    const present = [{ size: 2, verifier: altered.verifier }];
    const mixed = await deployWithTurns(chain.create, { operator, operatorKey, verifiers: present });
    expect(await against(mixed)).toBe(
      `the verifier of batches of 2 at ${altered.verifier}: it is of the circuit with consents, and the contract is not`,
    );
  });

  it('refuses verifiers of the circuit without consents, by which no account could be proved', async () => {
    const [earlier] = await deployEarlierVerifiers(chain.create, [2]);
    const said = `the verifier of batches of 2 at ${earlier!.verifier}: it is of the circuit without consents, and the contract is not`;
    expect(await against(await altered.over({ size: 2n, verifier: earlier!.verifier }))).toBe(said);
    const honest = { size: 2n, verifier: altered.verifier };
    const both = await altered.over(honest, { size: 1n, verifier: earlier!.verifier });
    expect(await against(both)).toContain(`batches of 1 at ${earlier!.verifier}: it verifies batches of 2`);
  });

  it('doubts terms with which holders wait for years', async () => {
    const years = { ...TERMS, operator, sizes: [2], stallTimeoutSeconds: 10 * 365 * 86_400 };
    const slow = await deployRollup(chain.create, { ...years, requestsPerTimeout: 1_000_000 });
    expect((await verify(slow)).doubts).toEqual([expect.stringContaining('nothing for 3650 days')]);
    const one = await deployRollup(chain.create, { ...TERMS, operator, sizes: [2], requestsPerTimeout: 1 });
    expect((await verify(one)).doubts).toEqual([expect.stringContaining('open for 1000 days')]);
  });

  it('refuses an account without code, a proxy, and an account that runs other code', async () => {
    const account = chain.accounts[5] as Address;
    expect(await against(account)).toBe('the contract: there is no code');
    const honest = await altered.over({ size: 2n, verifier: altered.verifier });
    const target = honest.slice(2);
    const proxy = await chain.create(
      creationOf(`363d3d373d3d3d363d73${target}5af43d82803e903d91602b57fd5bf3`),
    );
    expect(await against(proxy)).toBe(`the contract: it is a proxy of ${honest}`);
    await chain.ask('anvil_setCode', [account, `0xef0100${target}`]);
    expect(await against(account)).toBe(`the contract: it is an account that runs the code at ${honest}`);
  });

  it('refuses a contract that asks for no proof, or pays its operator', async () => {
    const unproved = await altered.ofSource('Rollup.sol', 'require(holds, InvalidProof());', 'holds;');
    expect(await against(unproved)).toMatch(/^the contract: its code of \d+ bytes is of no version$/);
    const takes =
      'function takeAll() external onlyOperator { payable(operator).transfer(address(this).balance); }';
    const paying = await altered.ofSource('Rollup.sol', 'function addToken(', `${takes}\nfunction addToken(`);
    expect(await against(paying)).toMatch(/^the contract: its code of \d+ bytes is of no version$/);
  });

  it('refuses verifiers of no release, whichever size they are for', async () => {
    const { verifier, agreeing } = altered;
    const honest = { size: 2n, verifier };
    const ofNoVersion = (size: bigint) => `the verifier of batches of ${size} at ${agreeing}: its code of`;
    expect(await against(await altered.over({ size: 2n, verifier: agreeing }))).toContain(ofNoVersion(2n));
    expect(await against(await altered.over(honest, { size: 1n, verifier: agreeing }))).toContain(
      ofNoVersion(1n),
    );
    // The contract does not list its sizes: it would have to be asked for this one.
    const hidden = await against(await altered.over(honest, { size: 2n ** 40n, verifier: agreeing }));
    expect(hidden).toBe(
      `the verifier of batches of ${2n ** 40n} at ${agreeing}: this release has no verifier of that size`,
    );
    expect(await against(await altered.over({ size: 1n, verifier }))).toBe(
      `the verifier of batches of 1 at ${verifier}: it verifies batches of 2`,
    );
    expect(await against(await altered.over(honest, { size: 3n, verifier: operator }))).toContain(
      `the verifier of batches of 3 at ${operator}: there is no code`,
    );
    expect(await against(await altered.over())).toBe('it has no verifier, and takes no batch');
  });

  it('refuses a verifier with another key, or with another library', async () => {
    const keyed = await altered.withOtherKey();
    expect(await against(await altered.over({ size: 2n, verifier: keyed }))).toMatch(
      /^the verifier of batches of 2 at \w+: its code of \d+ bytes is of no version$/,
    );
    const related = await altered.withOtherRelations();
    expect(await against(await altered.over({ size: 2n, verifier: related }))).toContain(
      `library RelationsLib2 of the verifier of batches of 2 at ${related} at ${altered.agreeing}: its code`,
    );
  });

  it('refuses other state proofs, and a copy of the right ones that believes to be elsewhere', async () => {
    expect(await against(await altered.withLibrary(altered.agreeing))).toMatch(
      /^library StateProofs of the contract at \w+: its code of \d+ bytes is of no version$/,
    );
    const right = await chain.create((await loadContract('StateProofs')).bytecode);
    const copy = await chain.create(creationOf(await altered.codeAt(right)));
    expect(await against(await altered.withLibrary(copy))).toBe(
      `library StateProofs of the contract at ${copy}: it was deployed at another address`,
    );
  });

  it('refuses the right code over a state that another constructor wrote', async () => {
    const honest = await altered.over({ size: 2n, verifier: altered.verifier });
    expect(await against(await altered.withState(honest, 5n))).toMatch(
      /^its creation in \w+: the constructor is of no version, and may have written any state$/,
    );
  });

  it('refuses arguments that no deployment writes, and a creation by another contract', async () => {
    const creation = altered.creation + altered.argumentsOf();
    expect(await against(await chain.create(`${creation}00`))).toMatch(
      /^its creation in \w+: the arguments of the constructor are not as a deployment writes them$/,
    );
    expect(await against(await altered.byFactory(creation))).toMatch(
      /^its creation: another contract created it, in \w+, and may have written any state$/,
    );
  });

  it('refuses parts that may have had other code before: another contract or account made them', async () => {
    const optimized = (await loadContract('OptimizedBatchVerifier2')).bytecode;
    const made = await altered.byFactory(optimized);
    const difference = 'did not create it before by a transaction, so that it may have had other code';
    expect(await against(await altered.over({ size: 2n, verifier: made }))).toBe(
      `the verifier of batches of 2 at ${made}: ${operator}, who created the contract, ${difference}`,
    );
    const from = chain.accounts[3] as Address;
    const { contractAddress } = await chain.send({ from, data: optimized });
    expect(await against(await altered.over({ size: 2n, verifier: contractAddress as Address }))).toContain(
      difference,
    );
  });

  it('refuses answers of a client that do not belong together', async () => {
    const patched = async (change: (code: string) => string) => {
      const address = await altered.over({ size: 2n, verifier: altered.verifier });
      await altered.replaceCode(address, change);
      return against(address);
    };
    const word = (value: bigint) => value.toString(16).padStart(64, '0');
    expect(await patched((code) => code.replaceAll(word(STALL_TIMEOUT), word(1n)))).toBe(
      `the contract: stallTimeout is 1, not ${STALL_TIMEOUT}`,
    );
    expect(await patched((code) => code.replace(word(STALL_TIMEOUT), word(1n)))).toBe(
      'the contract: stallTimeout differs from place to place',
    );
  });

  it('does not take a contract whose creation the client does not show', async () => {
    const verifier = await deployVerifier(chain.create, 2, 'optimized');
    const address = await altered.over({ size: 2n, verifier });
    await chain.ask('evm_mine');
    const fromBlock = await client.blockNumber();
    await expect(verifyContract(client, address, { fromBlock })).rejects.toThrow(
      `no event of its creation from block ${fromBlock} on; --from-block says where to look`,
    );
  });
});
