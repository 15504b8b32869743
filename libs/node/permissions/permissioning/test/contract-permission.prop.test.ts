import { describe, expect, it } from '@jest/globals';
import type { WorldState } from '@tetrad/node-execution';
import { permissionDecisions } from '@tetrad/node-permission-contracts';
import { ZERO_ADDRESS, type Address, type SignedTransaction } from '@tetrad/types';
import fc from 'fast-check';
import { WorldEditor } from '../../../chain/execution/src/testing/edit-world.js';
import { ContractState } from '../src/contracts/contract-state.js';
import { ContractPermission } from '../src/enforcement/contract-permission.js';
import { accessAllows, accessOf } from '../src/records/access.js';
import { ADMINS, ContractChain } from './contract-chain.js';
import { MEMBERS, prelude, step } from './random-operations.js';

const BARRIER = {
  reason: 'ACCOUNT_NOT_PERMITTED',
  message: 'account does not have permission for the transaction',
};
const [ADMIN, ORG_ADMIN, PAYER, CALLER] = [ADMINS[0], ...MEMBERS] as [Address, Address, Address, Address];
const KINDS = [
  { data: Uint8Array.of(1, 2) },
  { to: ADMIN, data: Uint8Array.of(1, 2, 3, 4, 5) },
  { to: ADMIN, data: new Uint8Array(0) },
];
const transactionOf = (sender: Address, kind: object) =>
  ({ sender, value: 1n, gasLimit: 21_000n, type: 'legacy', gasPrice: 0n, ...kind }) as SignedTransaction;

/** Returns 1 for a call without parameters, such as whether the network is set up, and reverts for any other. */
const SET_UP_AND_SILENT = Buffer.from('36600414600b57600080fd5b600160005260206000f3', 'hex');

function permissionOf({ rules: { chainId }, executor, config }: ContractChain, enforcedFrom = 0) {
  const permission = new ContractPermission({
    chainId,
    executor,
    config,
    isEnforced: (head) => head >= enforcedFrom,
  });
  return async (sender: Address, world: WorldState, number = 1) => {
    const place = { block: { number, timestamp: 1 }, world };
    const answers = [];
    for (const kind of KINDS) answers.push(await permission.mayTransact(transactionOf(sender, kind), place));
    return answers;
  };
}

/** Deploy, call, transfer. */
const only = (...allowed: readonly boolean[]) => allowed.map((is) => (is ? undefined : BARRIER));

describe('permission to transact by the contracts', () => {
  it('is given to every account until contracts are deployed, set up and enforced', async () => {
    const chain = await ContractChain.deploy('v2');
    const world = await chain.world();
    expect(await permissionOf(chain)(CALLER, world)).toEqual(only(true, true, true));
    expect(await permissionOf(chain)(CALLER, world.base())).toEqual(only(true, true, true));
    await chain.setUp();
    const [ask, later] = [permissionOf(chain), await chain.world()];
    expect(await ask(CALLER, world)).toEqual(only(true, true, true));
    expect(await ask(CALLER, later)).toEqual(only(false, false, false));
    expect(await ask(ADMIN, later)).toEqual(only(true, true, true));
    const afterwards = permissionOf(chain, 5);
    expect(await afterwards(CALLER, later, 5)).toEqual(only(true, true, true));
    expect(await afterwards(CALLER, later, 6)).toEqual(only(false, false, false));
  });

  it('is decided in the state before the block, regardless of changes in the block so far', async () => {
    const chain = await ContractChain.boot('v2');
    for (const { from, operation } of prelude('v2')) await chain.operate(from, operation);
    const before = await chain.world();
    const ask = permissionOf(chain);
    const inBlock = await chain.copy();
    const account = { orgId: 'ABC', account: CALLER };
    expect(await inBlock.operate(ORG_ADMIN, { name: 'updateAccountStatus', ...account, action: 1 })).toBe(
      true,
    );
    expect(inBlock.changedWorld.root).toBe(before.root);
    for (const world of [before, inBlock.changedWorld]) {
      expect(await ask(CALLER, world)).toEqual(only(false, true, true));
      expect(await ask(PAYER, world)).toEqual(only(false, false, true));
    }
    const after = await inBlock.world();
    expect(await ask(CALLER, after)).toEqual(only(false, false, false));
    expect(await ask(PAYER, after)).toEqual(only(false, false, true));
    expect(await ask(CALLER, before)).toEqual(only(false, true, true));
  });

  it('is that of a direct call for each transaction, in any order of states', async () => {
    const start = await ContractChain.boot('v2');
    for (const { from, operation } of prelude('v2')) await start.operate(from, operation);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 12 }), fc.nat(), async (steps, earlier) => {
        const chain = await start.copy();
        const [ask, worlds] = [permissionOf(chain), [await chain.world()]];
        for (const { from, operation } of steps) {
          await chain.operate(from, operation);
          worlds.push(await chain.world());
        }
        for (const world of [...worlds, worlds[earlier % worlds.length]] as WorldState[])
          for (const sender of [ADMIN, ...MEMBERS])
            expect(await ask(sender, world)).toEqual(only(...(await answersOf(chain, sender, world))));
      }),
      { numRuns: 5 },
    );
  });

  it('follows the access in their entries under the first model, without records of the node', async () => {
    const start = await ContractChain.boot('v1');
    expect(await permissionOf(start)(CALLER, await start.world())).toEqual(only(false, false, false));
    for (const { from, operation } of prelude('v1')) await start.operate(from, operation);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 12 }), async (steps) => {
        const chain = await start.copy();
        const ask = permissionOf(chain);
        for (const { from, operation } of steps) {
          await chain.operate(from, operation);
          const world = await chain.world();
          for (const sender of [ADMIN, ...MEMBERS]) {
            const access = accessOf(chain.followed, chain.config, sender);
            const byRecords = [true, false, false].map((isDeployment) => accessAllows(access, isDeployment));
            expect(await ask(sender, world)).toEqual(only(...byRecords));
          }
        }
      }),
      { numRuns: 3 },
    );
  });

  it('is denied when broken contracts give no answer', async () => {
    const chain = await ContractChain.boot('v2');
    const broken = await chain.copy();
    const editor = new WorldEditor(broken.stage.world);
    await editor.putCode(chain.config.addresses.interface, SET_UP_AND_SILENT);
    editor.end();
    expect(await permissionOf(chain)(ADMIN, await broken.world())).toEqual(only(false, false, false));
  });
});

/** Answers of the contracts for the exact transactions. */
async function answersOf(chain: ContractChain, sender: Address, world: WorldState): Promise<boolean[]> {
  const state = new ContractState({ ...chain.rules, world: world.base() });
  const answers: boolean[] = [];
  for (const kind of KINDS) {
    const { to = ZERO_ADDRESS, value, gasLimit, data } = transactionOf(sender, kind);
    const { transactionAllowed } = permissionDecisions;
    answers.push((await state.ask(transactionAllowed, sender, to, value, 0n, gasLimit, data)) ?? false);
  }
  return answers;
}
