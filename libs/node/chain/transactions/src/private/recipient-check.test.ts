import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  RequestError,
  parseAddress,
  parsePtmKey,
  silentLogger,
  type Address,
  type PtmKey,
} from '@tetrad/types';
import { RecipientCheck, type ContractParties } from './recipient-check.js';

const keyOf = (index: number): PtmKey => parsePtmKey(Buffer.alloc(32, index).toString('base64'));
const [OWN, B, C] = [keyOf(1), keyOf(2), keyOf(3)];
const contractOf = (index: number): Address => parseAddress(`0x${index.toString(16).padStart(40, '0')}`);
const CONTRACT = contractOf(1);
const SENT = { from: OWN, to: [B], privacyFlag: 0 } as const;

let parties: ReadonlyMap<Address, readonly PtmKey[]>;
let failure: Error | undefined;
let asked: Address[];
let blockNumber: number;
let nowMs: number;
let warned: Readonly<Record<string, unknown>>[];
beforeEach(() => {
  [parties, failure, asked] = [new Map([[CONTRACT, [OWN, B, C]]]), undefined, []];
  [blockNumber, nowMs, warned] = [1, 0, []];
});

const checkThat = (refuses: boolean) =>
  new RecipientCheck({
    async partiesOf(contract): Promise<ContractParties> {
      asked.push(contract);
      if (failure !== undefined) throw failure;
      return { parties: new Set(parties.get(contract)), own: new Set([OWN]) };
    },
    blockNumber: () => blockNumber,
    refuses,
    clock: { now: () => nowMs },
    logger: { ...silentLogger, warn: (_, fields) => void warned.push(fields ?? {}) },
  });
/** Until the checks that no transaction waits for have ended. */
const settled = () => new Promise((done) => setImmediate(done));

describe('with refusals', () => {
  it('a transaction that leaves out a party is refused with its key', async () => {
    await expect(checkThat(true).check([CONTRACT], SENT)).rejects.toMatchObject({
      code: 'PARTIES_LEFT_OUT',
      message: `privateFor leaves out parties of contract ${CONTRACT}, which allowSubset would permit: ${C}`,
      data: { contract: CONTRACT, keys: C },
    });
  });

  it.each([
    ['to all parties', { to: [C, B] }],
    ['that may leave parties out', { allowSubset: true }],
    ['of another flag, whose parties managers check', { privacyFlag: 1 as const }],
  ])('a transaction %s is sent', async (_, members) => {
    await expect(checkThat(true).check([CONTRACT], { ...SENT, ...members })).resolves.toBeUndefined();
  });

  it('own keys are parties in any case, named as the sender or not', async () => {
    await checkThat(true).check([CONTRACT], { ...SENT, from: undefined, to: [B, C] });
  });

  it('a contract whose parties are not known has none', async () => {
    await checkThat(true).check([contractOf(2)], SENT);
  });

  it('all contracts are looked at, also after one without others', async () => {
    const check = checkThat(true).check([contractOf(2), CONTRACT], SENT);
    await expect(check).rejects.toMatchObject({ data: { contract: CONTRACT } });
  });

  it('a manager that does not answer refuses, and is asked again', async () => {
    const check = checkThat(true);
    failure = new RequestError('TRANSACTION_MANAGER_UNAVAILABLE', 'no');
    await expect(check.check([CONTRACT], SENT)).rejects.toBe(failure);
    failure = undefined;
    await expect(check.check([CONTRACT], SENT)).rejects.toMatchObject({ code: 'PARTIES_LEFT_OUT' });
  });

  it('of many parties some are named', async () => {
    parties = new Map([[CONTRACT, Array.from({ length: 200 }, (_, index) => keyOf(index + 1))]]);
    const check = checkThat(true).check([CONTRACT], { ...SENT, to: [] });
    await expect(check).rejects.toThrow(new RegExp(`, ${keyOf(33)} and 167 more$`));
  });

  it('parties are asked for once in a block, and again in the next, where an extension may have added one', async () => {
    const check = checkThat(true);
    parties = new Map([[CONTRACT, [OWN, B]]]);
    await Promise.all([check.check([CONTRACT], SENT), check.check([CONTRACT], SENT)]);
    expect(asked).toEqual([CONTRACT]);
    parties = new Map([[CONTRACT, [OWN, B, C]]]);
    blockNumber = 2;
    await expect(check.check([CONTRACT], SENT)).rejects.toMatchObject({ code: 'PARTIES_LEFT_OUT' });
  });
});

describe('without refusals', () => {
  it('a transaction is sent, and the keys that it leaves out are logged', async () => {
    await checkThat(false).check([CONTRACT], SENT);
    await settled();
    expect(warned).toEqual([{ contract: CONTRACT, keys: [C], count: 1 }]);
  });

  it('warnings come at a bounded rate', async () => {
    const check = checkThat(false);
    const send = async (times: number) => {
      for (let sent = 0; sent < times; sent += 1) {
        await check.check([CONTRACT], SENT);
        await settled();
      }
    };
    await send(30);
    expect(warned.length).toBe(10);
    nowMs = 10_000;
    await send(30);
    expect(warned.length).toBe(11);
  });

  it('checks of many transactions at a time are bounded', async () => {
    const check = checkThat(false);
    const many = Array.from({ length: 100 }, (_, index) => contractOf(index + 100));
    await Promise.all(many.map((contract) => check.check([contract], SENT)));
    await settled();
    expect(asked.length).toBe(16);
  });

  it('a manager that does not answer stops no transaction', async () => {
    failure = new RequestError('TRANSACTION_MANAGER_UNAVAILABLE', 'no');
    await checkThat(false).check([CONTRACT], SENT);
    await settled();
    expect(warned).toEqual([]);
  });
});
