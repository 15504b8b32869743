import { describe, expect, it } from '@jest/globals';
import { permissionDecisions, type PermissionModel } from '@tetrad/node-permission-contracts';
import { ZERO_ADDRESS, parseAddress, type Address } from '@tetrad/types';
import fc from 'fast-check';
import { accessAllows, accessOf } from '../src/records/access.js';
import { checkTransaction } from '../src/explanation/check-account.js';
import { previewChange } from '../src/explanation/preview-change.js';
import { ADMINS, ContractChain } from './contract-chain.js';
import { MEMBERS, prelude, step, type Step } from './random-operations.js';

const KINDS = ['transfer', 'call', 'deploy'] as const;
const RECIPIENT = parseAddress(`0x${'00'.repeat(19)}01`);
const SENDERS = [ADMINS[0] as Address, ...MEMBERS];

const rulesOf = (chain: ContractChain) => ({
  records: chain.followed,
  policy: chain.config,
  model: chain.config.model,
});

/** By the contracts under the second model, by the access that pools use under the first. */
async function enforced(chain: ContractChain, sender: Address): Promise<boolean[]> {
  if (chain.config.model === 'v1') {
    const access = accessOf(chain.followed, chain.config, sender);
    return KINDS.map((kind) => accessAllows(access, kind === 'deploy'));
  }
  const state = await chain.state();
  const answers: boolean[] = [];
  for (const kind of KINDS) {
    const to = kind === 'deploy' ? ZERO_ADDRESS : RECIPIENT;
    const data = kind === 'transfer' ? new Uint8Array(0) : Uint8Array.of(0);
    const asked = await state.ask(permissionDecisions.transactionAllowed, sender, to, 0n, 0n, 0n, data);
    answers.push(asked ?? false);
  }
  return answers;
}

const explained = (chain: ContractChain, sender: Address) =>
  KINDS.map((kind) => checkTransaction(rulesOf(chain), sender, kind));

async function networks(model: PermissionModel, perform: (steps: readonly Step[]) => Promise<ContractChain>) {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      const chain = await perform(steps);
      for (const sender of SENDERS) {
        const found = explained(chain, sender);
        expect(found.map(({ isAllowed }) => isAllowed)).toEqual(await enforced(chain, sender));
        for (const { rule, isAllowed, remedy } of found) {
          seen.add(rule);
          expect(remedy === undefined).toBe(isAllowed);
        }
      }
    }),
    { numRuns: model === 'v1' ? 20 : 10 },
  );
  return seen;
}

describe.each(['v1', 'v2'] as const)('an explanation of transactions, under %s', (model) => {
  it('decides as enforcement does, after any operations', async () => {
    const start = await ContractChain.boot(model);
    for (const { from, operation } of prelude(model)) await start.operate(from, operation);
    const seen = await networks(model, async (steps) => {
      const chain = await start.copy();
      for (const { from, operation } of steps) await chain.operate(from, operation);
      return chain;
    });
    for (const rule of ['ADMIN_ROLE', 'ROLE_ACCESS']) expect(seen).toContain(rule);
  });

  it('previews exactly the permissions that a change takes and gives', async () => {
    const start = await ContractChain.boot(model);
    for (const { from, operation } of prelude(model)) await start.operate(from, operation);
    const [orgAdmin, payer] = MEMBERS as [Address, Address];
    const chain = await start.copy();
    const before = await Promise.all(SENDERS.map((sender) => enforced(chain, sender)));
    const preview = await previewChange(rulesOf(chain), 'updateAccountStatus', ['ABC', payer, '1']);
    const operation = { name: 'updateAccountStatus', orgId: 'ABC', account: payer, action: 1 } as const;
    expect(await chain.operate(orgAdmin, operation)).toBe(true);
    const expected = [];
    for (const [index, sender] of SENDERS.entries())
      for (const [kind, isAllowed] of (await enforced(chain, sender)).entries())
        if (isAllowed !== before[index]?.[kind])
          expected.push({ subject: 'account', id: sender, action: KINDS[kind], isAllowed });
    expect(expected.length).toBeGreaterThan(0);
    expect(preview).toEqual({ changes: expected, total: expected.length });
  });
});
