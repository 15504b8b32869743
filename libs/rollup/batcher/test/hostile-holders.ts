import type { DemandGame, Sum } from './demand-game.js';

type Random = () => number;

/** What holders do before each batch, knowing all, with all accounts in one hand. */
export type Holders = (game: DemandGame, random: Random) => void;

export const oneOf = <Value>(random: Random, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value;

/** Deposits in a queue that they keep at most: each costs gas. */
const MAX_DEPOSITS = 100;
const MONEY = 1_000_000;

/** Brings back part of what was paid out. */
function bringBack(game: DemandGame, account: number, part = 1): void {
  const back = Math.floor(game.paid * part);
  if (back < 1) return;
  game.paid -= back;
  game.deposit(account, back);
}

/** Brings money once, divided as the list says; all of it comes again when all has left. */
function bring(game: DemandGame, parts: readonly number[]): void {
  if (game.held > 0) return;
  game.paid = 0;
  parts.forEach((part, account) => game.deposit(account, Math.max(1, Math.floor(part))));
}

const isIdle = (game: DemandGame) => game.waitingDeposits === 0 && game.requests.size === 0;
const equalParts = (accounts: number) => Array.from({ length: accounts }, () => MONEY / accounts);
const askAll = (game: DemandGame, sums: readonly Sum[], part = 1) => {
  for (const sum of [...sums]) game.request(sum, part);
};

/** Whatever comes to mind, seldom. */
function random(accounts: number): Holders {
  return (game, draw) => {
    if (draw() >= 0.1) return;
    const account = Math.floor(draw() * accounts);
    const actions: readonly (() => void)[] = [
      () => game.deposit(account, oneOf(draw, [1, 30, 10_000, MONEY])),
      () => {
        for (let more = 0; more < 8 && game.waitingDeposits < MAX_DEPOSITS; more += 1)
          game.deposit(account, 1);
      },
      () => game.sums.length > 0 && game.request(oneOf(draw, game.sums), oneOf(draw, [1, 0.5, 0.001])),
      () => askAll(game, game.sums, oneOf(draw, [1, 1, 0.5, 0.001])),
      () => bringBack(game, account, draw()),
      () => game.sums.length > 0 && game.move(oneOf(draw, game.sums), account),
    ];
    oneOf(draw, actions)();
  };
}

/** All ask for all at all times, and what leaves comes back at once. */
function pressing(accounts: number): Holders {
  let next = 0;
  return (game) => {
    bring(game, equalParts(accounts));
    bringBack(game, (next += 1) % accounts);
    askAll(game, game.sums);
  };
}

/**
 * The filler of the cup game: equal requests at the same time, and none come back, so that those who wait have ever larger shares of
 * what is left.
 */
function emptying(accounts: number): Holders {
  return (game) => {
    bring(game, equalParts(accounts));
    // All at once, first the orders and then the balances.
    if (isIdle(game)) askAll(game, game.sums);
  };
}

/** The same with sums of which each is half of the one before: the largest leave first, and dust becomes all that is held. */
function halving(accounts: number): Holders {
  const parts = Array.from({ length: accounts }, (_, account) => MONEY / 2 ** Math.min(account + 1, 30));
  return (game) => {
    bring(game, parts);
    if (isIdle(game)) askAll(game, game.sums);
  };
}

/** Dust is asked for without end, so that one who has nearly all waits behind it, who asks at any time. */
function crowding(accounts: number): Holders {
  return (game, draw) => {
    bring(game, [MONEY, ...equalParts(accounts).map(() => 2_000)]);
    const [whale, dust] = [0, 1].map((isDust) =>
      game.sums.filter(({ account }) => Number(account !== 0) === isDust),
    );
    askAll(game, dust as Sum[], 0.0005);
    if (draw() < 0.02) askAll(game, whale as Sum[]);
    if (draw() < 0.02) bringBack(game, 0);
    if (draw() < 0.1 && game.sums.length + game.waitingDeposits < 3 * accounts)
      game.deposit(1 + Math.floor(draw() * accounts), 1);
  };
}

/** The queue of deposits is full at all times, and large sums come in behind it and leave again. */
function flooding(accounts: number): Holders {
  return (game, draw) => {
    while (game.waitingDeposits < MAX_DEPOSITS) game.deposit(Math.floor(draw() * accounts), 1);
    // An account of its own, which has nothing open.
    if (draw() < 0.05) bringBack(game, accounts + 1);
    if (game.held < MONEY / 2) game.deposit(accounts, MONEY);
    askAll(
      game,
      game.sums.filter(() => draw() < 0.2),
    );
  };
}

/** Asks while much is held, lets the much leave, and moves what is left from account to account by operations of its own. */
function pumping(accounts: number): Holders {
  return (game, draw) => {
    bring(game, [...equalParts(accounts - 1).map(() => 10), 1_000 * MONEY]);
    askAll(game, game.sums, oneOf(draw, [1, 0.5]));
    if (draw() < 0.3 && game.sums.length > 0)
      game.move(oneOf(draw, game.sums), Math.floor(draw() * accounts));
    if (game.held < MONEY && draw() < 0.1) bringBack(game, accounts - 1);
  };
}

/** Kinds of hostile holders, each made for a number of accounts. */
export const HOLDERS: Readonly<Record<string, (accounts: number) => Holders>> = {
  random,
  pressing,
  emptying,
  halving,
  crowding,
  flooding,
  pumping,
};
