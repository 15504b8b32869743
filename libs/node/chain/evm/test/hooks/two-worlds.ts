import type {
  Account,
  Frame,
  FrameKind,
  Hooks,
  MessageCall,
  Precompile,
  Word,
  World,
} from '../../src/index.js';

/**
 * A small model of private execution: an address is answered by the private world if it has the account, by the public one
 * if that has it, else by the world in which the code runs; nothing in the public world may be changed.
 */
export class TwoWorlds implements Hooks {
  readonly calls: { address: Word; kind: FrameKind }[] = [];
  refused: (call: MessageCall) => string | null | undefined = () => null;
  chainPrecompile: { readonly address: Word; readonly precompile: Precompile } | undefined;

  constructor(
    private readonly privateWorld: World,
    private readonly publicWorld: World,
  ) {}

  accountOf(address: Word, current: World): Account | undefined {
    const own = this.privateWorld.account(address);
    if (own === undefined || own.exists) return own;
    const shared = this.publicWorld.account(address);
    if (shared === undefined || shared.exists) return shared;
    return current.account(address);
  }

  isWritable(world: World): boolean {
    return world === this.privateWorld;
  }

  rejection(call: MessageCall): string | null | undefined {
    return this.refused(call);
  }

  entered({ account, kind }: Frame): void {
    this.calls.push({ address: account.key, kind });
  }

  precompile(address: Word): Precompile | undefined {
    return this.chainPrecompile?.address === address ? this.chainPrecompile.precompile : undefined;
  }
}
