import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seededRandom } from '@tetrad/testkit';
import type { Address } from '@tetrad/types';
import { AgreeingRollup, SIZE, UNIT, type Header } from './agreeing-rollup.js';
import { anvilProgram, startChain, type TestChain } from './anvil-chain.js';
import { TurnRules, answerTo, takingOf, type Place } from './turn-rules.js';

/** Seconds on the clock of the chain. */
const VIRTUAL_SECONDS = Number(process.env['TETRAD_ROLLUP_VIRTUAL_SECONDS'] ?? 3_600);
const SEED = Number(process.env['TETRAD_ROLLUP_SEED'] ?? 11);
const GENESIS_TIME = 1_800_000_000;
const ACCOUNTS = 3;
const AMOUNTS = 8;
const MOODS = ['serves', 'censors', 'away'] as const;
const MOOD_SECONDS = 600;
/** A transfer that answers no request. */
const UNASKED: Header = { kind: 'transfer', account: 1, amount: BigInt(AMOUNTS + 1) };
/** What a call may differ in from the block after the last one. */
const [SECONDS_OFF, BLOCKS_OFF] = [3, 2];
/** Without which a run has not tried much. */
const HAPPENED = [
  ...['operator accepted', 'others accepted', 'operator could', 'holder could', 'depositor could'],
  ...['operator DepositOverdue', 'operator TooEarly', 'others NotYourTurn', 'others TooEarly'],
];
const program = anvilProgram();

/**
 * An operator and others that submit whatever comes to their minds, request, deposit and wait, for an hour on the chain's
 * clock. After each act everything that docs/adr/0215 promises to either side is tried, on a call that changes nothing.
 */
(program === undefined ? describe.skip : describe)('batches at random', () => {
  let chain: TestChain;
  let rollup: AgreeingRollup;
  let operators: [Address, Address];
  let [stranger, recipient]: Address[] = [];
  let operating = 0;
  let began = 0;
  const rules = new TurnRules();
  const random = seededRandom(SEED);
  const below = (bound: number) => Math.floor(random() * bound);
  const acts: Record<string, number> = {};

  beforeAll(async () => {
    // Each block is a second after the one before, whatever the host's clock says: a seed decides all that happens.
    chain = await startChain(program as string, ['--timestamp', String(GENESIS_TIME)]);
    await chain.ask('anvil_setBlockTimestampInterval', [1]);
    const [first, second, ...others] = chain.accounts as [Address, Address, ...Address[]];
    operators = [first, second];
    [stranger, recipient] = others;
    rollup = await AgreeingRollup.deploy(chain);
    const creations = [1, 2, 3].map((account) => ({ kind: 'create', account }) as const);
    await rollup.submit(first, creations);
    // What the transfers pay out.
    await rollup.send(first, 'registerInboundTransferETH', [1], 1_000_000n * UNIT);
    await rollup.submit(first, [{ kind: 'deposit', account: 1, amount: 1_000_000n }]);
    rules.acceptedOfOperator([], await here());
    began = await rollup.now();
  });
  afterAll(() => chain?.stop());

  const here = async (): Promise<Place> => ({
    block: Number(await chain.ask('eth_blockNumber')),
    time: await rollup.now(),
  });
  const operator = () => operators[operating] as Address;
  const transfer = () =>
    answerTo({ account: 1 + below(ACCOUNTS), amount: BigInt(1 + below(AMOUNTS)) }, recipient as Address);

  /** Some deposits, then transfers that answer something or nothing. */
  function someHeaders(most: number): Header[] {
    const deposits = rules.deposits.slice(0, below(most + 1)).map(takingOf);
    return [...deposits, ...Array.from({ length: below(most + 1 - deposits.length) }, transfer)];
  }

  /** It changes its mind every ten minutes: it serves at random, it censors, it is away. */
  async function submitAsOperator(): Promise<void> {
    const mood = MOODS[Math.floor(((await rollup.now()) - began) / MOOD_SECONDS) % MOODS.length];
    if (mood === 'away') return;
    const served = mood === 'censors' ? [] : someHeaders(SIZE);
    const headers = served.length === 0 && random() < 0.5 ? [UNASKED] : served;
    const outcome = await rollup.submit(operator(), headers);
    count(`operator ${typeof outcome === 'string' ? outcome : 'accepted'}`);
    if (typeof outcome !== 'string') expect(rules.acceptedOfOperator(headers, await here())).toBeUndefined();
  }

  async function submitAsOther(): Promise<void> {
    const headers = someHeaders(1);
    const outcome = await rollup.submit(stranger as Address, headers);
    count(`others ${typeof outcome === 'string' ? outcome : 'accepted'}`);
    if (typeof outcome !== 'string') expect(rules.acceptedOfOthers(headers, await here())).toBeUndefined();
  }

  async function request(): Promise<void> {
    const [account, amount] = [1 + below(ACCOUNTS), BigInt(1 + below(AMOUNTS))];
    const values = [account, recipient, 0, amount];
    const outcome = await rollup.send(stranger as Address, 'requestOutboundTransfer', values);
    count(`request ${typeof outcome === 'string' ? outcome : 'made'}`);
    if (typeof outcome === 'string') return;
    const [hash] = await rollup.read('requestHash', values);
    const [overdueAt, expiresAt] = (await rollup.read('requestTimes', [hash])).map(Number);
    // The same request may have been there, and expired.
    const before = rules.requests.findIndex((one) => one.account === account && one.amount === amount);
    if (before !== -1) rules.requests.splice(before, 1);
    rules.requests.push({ account, amount, overdueAt: overdueAt as number, expiresAt: expiresAt as number });
  }

  async function deposit(): Promise<void> {
    const [account, amount] = [1 + below(ACCOUNTS), BigInt(1 + below(9))];
    const outcome = await rollup.send(
      stranger as Address,
      'registerInboundTransferETH',
      [account],
      amount * UNIT,
    );
    expect(outcome).toEqual(expect.objectContaining({ status: '0x1' }));
    rules.deposits.push({ account, amount, at: await rollup.now() });
  }

  async function pass(): Promise<void> {
    if (random() < 0.5) await rollup.passBlocks(1 + below(6));
    else await chain.ask('evm_setNextBlockTimestamp', [(await rollup.now()) + 1 + below(25)]);
  }

  /** In the first block that is its turn while a request is overdue, or in the one before. */
  async function submitAtTheTurn(): Promise<void> {
    const early = below(2);
    await rollup.passBlocks(Math.max(0, rules.waitOfOperator(await here()) - 1 - early));
    await submitAsOperator();
  }

  async function changeOperator(): Promise<void> {
    const next = 1 - operating;
    await rollup.send(operator(), 'setOperator', [operators[next]]);
    operating = next;
  }

  const count = (what: string) => (acts[what] = (acts[what] ?? 0) + 1);

  async function act(): Promise<void> {
    const choice = random();
    if (choice < 0.2) return submitAsOperator();
    if (choice < 0.4) return submitAsOther();
    if (choice < 0.47) return request();
    if (choice < 0.52) return deposit();
    if (choice < 0.56) return submitAtTheTurn();
    return choice < 0.57 ? changeOperator() : pass();
  }

  /** The operator is never kept from its batch for longer than its wait, whatever the others do. */
  async function expectOperatorServed(place: Place): Promise<void> {
    const isWaiting = rules.requests.some(
      ({ overdueAt, expiresAt }) =>
        place.time + SECONDS_OFF >= overdueAt && place.time < expiresAt + SECONDS_OFF,
    );
    if (isWaiting && rules.waitOfOperator(place) > -BLOCKS_OFF) return;
    const due = rules.overdueDeposits(place.time + SECONDS_OFF).slice(0, SIZE);
    expect([place, await rollup.judge(operator(), due.map(takingOf))]).toEqual([place, 'accepted']);
    count('operator could');
  }

  /** A holder with something overdue has a batch, whatever the operator does. */
  async function expectOthersServed(place: Place): Promise<void> {
    for (const one of rules.overdueRequests(place.time)) {
      const isClear = place.time >= one.overdueAt + SECONDS_OFF && place.time + SECONDS_OFF < one.expiresAt;
      if (!isClear || rules.waitOfOthers(one.account, 'request', place) > -BLOCKS_OFF) continue;
      const headers = [answerTo(one, recipient as Address)];
      expect([place, await rollup.judge(stranger as Address, headers)]).toEqual([place, 'accepted']);
      count('holder could');
    }
    const [overdue] = rules.overdueDeposits(place.time - SECONDS_OFF);
    if (overdue === undefined || rules.waitOfOthers(overdue.account, 'deposit', place) > -BLOCKS_OFF) return;
    expect(await rollup.judge(stranger as Address, [takingOf(overdue)])).toBe('accepted');
    count('depositor could');
  }

  it(`keep the promises to both sides for ${VIRTUAL_SECONDS} seconds of the chain, seed ${SEED}`, async () => {
    // Some runs take longer until everything has happened.
    const isOver = (time: number) =>
      time >= began + VIRTUAL_SECONDS &&
      (HAPPENED.every((what) => what in acts) || time >= began + 4 * VIRTUAL_SECONDS);
    for (let place = await here(); !isOver(place.time); place = await here()) {
      await act();
      const now = await here();
      await expectOperatorServed(now);
      await expectOthersServed(now);
    }
    expect(Object.keys(acts)).toEqual(expect.arrayContaining([...HAPPENED]));
  }, 600_000);
});
