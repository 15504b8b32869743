import { describe, expect, it } from '@jest/globals';
import { addressFromWord } from '@tetrad/node-evm';
import { seededRandom } from '@tetrad/testkit';
import { hexFromBytes, type Address } from '@tetrad/types';
import { COINBASE } from '../../../evm/test/fuzz/oracle.js';
import { scenarioOf, type Scenario } from '../../../evm/test/fuzz/random-world.js';
import { NO_BUDGET, traceState, type TracedAccount, type TracedAccounts } from '../../src/index.js';
import { oracleState, type DescribedAccount } from './oracle/touched-state.js';
import { stageOf } from './scenario-stage.js';

const SEEDS = Array.from({ length: 500 }, (_, n) => 90_000 + n);

type Difference = { readonly pre: TracedAccounts; readonly post: TracedAccounts };

async function trace(scenario: Scenario, cold = false): Promise<{ plain: TracedAccounts; diff: Difference }> {
  const options = { budget: NO_BUDGET };
  const [plain, diff] = [
    await traceState(stageOf(scenario, cold), scenario.request, { ...options, diffMode: false }),
    await traceState(stageOf(scenario, cold), scenario.request, { ...options, diffMode: true }),
  ];
  return { plain: plain as TracedAccounts, diff: diff as Difference };
}

/** An account as it is shown, with what is absent because it is empty. */
function whole({ balance = 0n, nonce = 0n, code, storage = new Map() }: TracedAccount): DescribedAccount {
  const text = code === undefined ? '0x' : hexFromBytes(code);
  return { balance: `${balance}`, nonce: `${nonce}`, code: text, storage: Object.fromEntries(storage) };
}

const NONE: NonNullable<DescribedAccount> = { balance: '0', nonce: '0', code: '0x', storage: {} };

describe('states of random programs', () => {
  it('before them are those of EthereumJS', async () => {
    for (const seed of SEEDS) {
      const scenario = scenarioOf(seededRandom(seed));
      const { from, to } = scenario.request;
      const known = [from, to, COINBASE].filter((address): address is Address => address !== undefined);
      const { pre, created } = await oracleState(scenario, known);
      const { plain } = await trace(scenario);
      const expected = Object.entries(pre).flatMap(([address, account]) =>
        account === null && created.has(address) ? [] : [[address, account ?? NONE]],
      );
      const ours = [...plain].map(([address, account]) => [address, whole(account)]);
      expect({ seed, ...Object.fromEntries(ours) }).toEqual({ seed, ...Object.fromEntries(expected) });
    }
  });

  it('of changed accounts turn the state before into the state after', async () => {
    for (const seed of SEEDS) {
      const scenario = scenarioOf(seededRandom(seed));
      const { from, to } = scenario.request;
      const known = [from, to, COINBASE].filter((address): address is Address => address !== undefined);
      const { pre, post } = await oracleState(scenario, known);
      const { diff } = await trace(scenario);
      for (const [address, before] of Object.entries(pre)) {
        const after = post[address] ?? null;
        const old = diff.pre.get(address as Address);
        const now = diff.post.get(address as Address);
        // Applied to what was before, the difference gives what is after.
        const account = withoutEmpty(apply(before, { old, now }));
        expect({ seed, address, account }).toEqual({ seed, address, account: withoutEmpty(after) });
        if (old !== undefined && before !== null) expect(before).toMatchObject(withoutStorage(old));
      }
    }
  });

  it('are the same when everything must be fetched first', async () => {
    for (const seed of SEEDS.slice(0, 100)) {
      const scenario = scenarioOf(seededRandom(seed));
      expect(await trace(scenario, true)).toEqual(await trace(scenario));
    }
  });

  it('name no account twice, and leave out what is created', async () => {
    const { plain } = await trace({
      fork: 'osaka',
      pre: { [addressFromWord(7)]: { balance: '0xff' } },
      request: {
        from: addressFromWord(7),
        gas: 100_000,
        gasPrice: 0n,
        value: 0n,
        accessList: [],
        data: Uint8Array.of(0x60, 1, 0x5f, 0xf3),
      },
    });
    expect([...plain.keys()]).toEqual([addressFromWord(7), COINBASE]);
  });
});

/** Without slots of zero; an empty account, which the first forks could have, is shown like a missing one. */
function withoutEmpty(account: DescribedAccount): DescribedAccount {
  const { storage, ...rest } = account ?? NONE;
  const slots = Object.entries(storage).filter(([, value]) => BigInt(value) !== 0n);
  return { ...rest, storage: Object.fromEntries(slots) };
}

function withoutStorage(account: TracedAccount): object {
  const { balance, nonce, code } = whole(account) as NonNullable<DescribedAccount>;
  return { balance, nonce, code };
}

/** An account after a difference, with zeros for the slots that it empties. */
function apply(
  before: DescribedAccount,
  { old, now }: { old: TracedAccount | undefined; now: TracedAccount | undefined },
): DescribedAccount {
  if (old === undefined && now === undefined) return before;
  if (now === undefined) return null;
  const start = before ?? NONE;
  const emptied = [...(old?.storage?.keys() ?? [])].map((slot) => [slot, `0x${'0'.repeat(64)}`]);
  return {
    balance: `${now.balance ?? start.balance}`,
    nonce: `${now.nonce ?? start.nonce}`,
    code: now.code === undefined ? start.code : hexFromBytes(now.code),
    storage: { ...start.storage, ...Object.fromEntries(emptied), ...Object.fromEntries(now.storage ?? []) },
  };
}
