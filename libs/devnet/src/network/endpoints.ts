import { writeWhole } from '@tetrad/files';
import type { Address } from '@tetrad/types';

/** Where everything of a network is; the form is fixed by design.md, section 3. */
export interface Endpoints {
  readonly chainId: number;
  readonly nodes: readonly {
    readonly name: string;
    readonly rpc: string;
    readonly ws: string;
    readonly p2p: string | null;
    readonly ptm: string | null;
    readonly ptmKey: string | null;
    readonly enode: string;
    readonly address: Address;
    readonly accounts: readonly Address[];
    readonly pid: number;
  }[];
  readonly signer: { readonly rpc: string; readonly address: Address; readonly pid: number } | null;
  readonly rollup: null;
  readonly wallet: { readonly rpc: string; readonly path: string; readonly pid: number } | null;
  readonly funded: readonly { readonly address: Address; readonly privateKey: string }[];
  readonly database: { readonly url: string };
}

/** Writes the file whole or not at all, readable by its owner only: it holds keys and passwords. */
export async function writeEndpointsFile(path: string, endpoints: Endpoints): Promise<void> {
  await writeWhole(path, `${JSON.stringify(endpoints, null, 2)}\n`, 0o600);
}
