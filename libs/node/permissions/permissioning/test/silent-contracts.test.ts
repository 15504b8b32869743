import { describe, expect, it } from '@jest/globals';
import { parseAddress } from '@tetrad/types';
import { ContractState } from '../src/contracts/contract-state.js';
import { askContracts } from '../src/contracts/silent-contracts.js';
import { ContractChain } from './contract-chain.js';

const UNUSED = parseAddress(`0x${'99'.repeat(20)}`);

type Addresses = ContractChain['config']['addresses'];

/** What the contracts answer where the file has these addresses instead. */
async function ask(chain: ContractChain, changes: (addresses: Addresses) => Partial<Addresses>) {
  const { model } = chain.config;
  const addresses = { ...chain.config.addresses, ...changes(chain.config.addresses) };
  const state = new ContractState({ ...chain.rules, addresses, world: await chain.world() });
  return askContracts(state, { model, addresses });
}

describe.each(['v1', 'v2'] as const)('the contracts of permission-config.json (%s)', (model) => {
  it('all answer, before and after the network is set up', async () => {
    const deployed = await ContractChain.deploy(model);
    const all = { silent: [], anyAnswered: true, otherImplementation: undefined };
    expect(await ask(deployed, () => ({}))).toEqual(all);
    expect(await ask(await ContractChain.boot(model), () => ({}))).toEqual(all);
  });

  it('that are not there, or are others, are named', async () => {
    const chain = await ContractChain.deploy(model);
    expect(await ask(chain, () => ({ orgManager: UNUSED }))).toMatchObject({
      silent: ['orgManager'],
      anyAnswered: true,
    });
    expect(
      await ask(chain, ({ roleManager, nodeManager }) => ({
        roleManager: nodeManager,
        nodeManager: roleManager,
      })),
    ).toMatchObject({ silent: ['roleManager', 'nodeManager'] });
    expect(await ask(chain, () => ({ implementation: UNUSED }))).toEqual({
      silent: ['implementation'],
      anyAnswered: true,
      otherImplementation: chain.config.addresses.implementation,
    });
  });

  it('are not there yet', async () => {
    const chain = await ContractChain.deploy(model);
    const none = (addresses: Addresses) =>
      Object.fromEntries(Object.keys(addresses).map((name) => [name, UNUSED])) as Partial<Addresses>;
    expect(await ask(chain, none)).toMatchObject({ anyAnswered: false, otherImplementation: undefined });
  });
});
