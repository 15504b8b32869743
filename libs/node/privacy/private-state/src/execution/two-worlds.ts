import type { Account, Frame, Hooks, Word, World } from '@tetrad/node-evm';
import type { WorldState } from '@tetrad/node-execution';

/** How a private execution entered a contract. */
export type AffectedBy = 'creation' | 'call';

/**
 * Public and private state as one private execution sees them.
 *
 * An address is answered by the private world if that has the account, by the public one if that has it, else by the
 * world in which the code runs. Code that runs in the public world changes nothing, nor does what it calls.
 *
 * Source: docs/spec/private-transactions.md#two-worlds and #dry-run
 */
export class TwoWorlds implements Hooks {
  /** Accounts whose code was entered, in frames that were reverted too. */
  readonly affected = new Map<Word, AffectedBy>();
  /** Accounts of the private world that code named, as EXTCODESIZE and BALANCE do without entering them. */
  readonly named = new Set<Word>();

  constructor(
    readonly publicWorld: World,
    readonly privateWorld: World,
  ) {}

  accountOf(address: Word, current: World): Account | undefined {
    const own = this.privateWorld.account(address);
    if (own?.exists === true) this.named.add(address);
    if (own === undefined || own.exists) return own;
    const shared = this.publicWorld.account(address);
    if (shared === undefined || shared.exists) return shared;
    return current.account(address);
  }

  isWritable(world: World): boolean {
    return world === this.privateWorld;
  }

  /**
   * A CALL to an account without code enters nothing. The other calls count even then: GoQuorum starts its interpreter for
   * them, and parties that disagree about which contracts were entered would disagree about the state.
   */
  entered({ isCreation, kind, account, code, codeAddress }: Frame): void {
    if (isCreation) {
      // A creation at an address that is taken enters a frame as well, which fails at once.
      if (account.createdIn === account.world.journal.transaction) this.affected.set(account.key, 'creation');
    } else if ((kind !== 'CALL' || code.size > 0) && !this.affected.has(codeAddress)) {
      this.affected.set(codeAddress, 'call');
    }
  }
}

/**
 * Hooks for executions that begin in a private contract and are thrown away.
 * @param privateWorld - with what the executions are to find in it; it stays as it is
 * @returns the hooks for a public world in which such an execution runs; each begins with private state anew
 */
export function overBothWorlds(privateWorld: WorldState): (publicWorld: WorldState['evm']) => TwoWorlds {
  const { evm } = privateWorld;
  return (publicWorld) => new TwoWorlds(publicWorld, evm.copy(evm.source, publicWorld.journal));
}
