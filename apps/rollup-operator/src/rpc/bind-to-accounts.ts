import {
  accountRules,
  rollupHolderMethods,
  type AccountField,
  type AccountRule,
} from '@tetrad/api-rollup-operator';
import { AccountAccess } from '@tetrad/rollup-operations';
import type { CallContext, MethodTable } from '@tetrad/rpc';

/** The accounts that the caller of a method reads and sends for. */
export type AccessReader = (context: Pick<CallContext, 'claims'>) => AccountAccess;

/**
 * @param claim - the claim that lists accounts
 * @returns fails as `AccountAccess.ofClaim`; a token is read once
 */
export function accessReader(claim: string): AccessReader {
  const known = new WeakMap<Readonly<Record<string, unknown>>, AccountAccess>();
  return ({ claims }) => {
    if (claims === undefined) return AccountAccess.all;
    let access = known.get(claims);
    if (access === undefined) {
      access = AccountAccess.ofClaim(claims[claim]);
      known.set(claims, access);
    }
    return access;
  };
}

type Names = keyof typeof accountRules;
type AnyHandlers = Readonly<Record<Names, (params: never, context: CallContext) => unknown>>;
type Run = (params: readonly unknown[], context: CallContext) => unknown;

/** Handlers that a token which is bound to accounts uses for those alone. */
export function bindToAccounts<Table extends AnyHandlers>(handlers: Table, accessOf: AccessReader): Table {
  const bound = Object.keys(accountRules).map((name) => {
    const method = name as Names;
    return [name, bind(handlers[method] as Run, checkOf(method), accessOf)];
  });
  return Object.fromEntries(bound) as Table;
}

/** Both may throw or change the answer. */
interface Check {
  before?(params: readonly unknown[], access: AccountAccess): void;
  after?(answer: unknown, access: AccountAccess): unknown;
}

function bind(run: Run, check: Check, accessOf: AccessReader): Run {
  return async (params, context) => {
    const access = accessOf(context);
    check.before?.(params, access);
    const answer = await run(params, context);
    return check.after === undefined ? answer : check.after(answer, access);
  };
}

function checkOf(method: Names): Check {
  const rule: AccountRule = accountRules[method];
  switch (rule.by) {
    case 'parameter': {
      const { params } = (rollupHolderMethods as MethodTable)[method] ?? { params: [] };
      const place = params.findIndex(({ name }) => name === rule.name);
      if (place < 0) throw new Error(`${method} has no parameter ${rule.name}`);
      return {
        before(values, access) {
          const id = values[place];
          if (id !== undefined) access.assertCovers(rule.name, id as number);
        },
      };
    }
    case 'answer':
      return { after: (found, access) => (isOf(found, rule.account, access) ? found : null) };
    case 'registration':
      return { before: (_, access) => access.assertUnbound(rule.name) };
    case 'nothing':
      return {};
  }
}

/** @param found - an order's record, which names its accounts in the order, or a transfer's */
function isOf(found: unknown, field: AccountField, access: AccountAccess): boolean {
  if (found === null) return true;
  const record = found as Readonly<Record<AccountField, number>> & {
    readonly moneyOrder?: Readonly<Record<AccountField, number>>;
  };
  return access.covers((record.moneyOrder ?? record)[field]);
}
