import { FaultyProxy, type LinkFault } from './faulty-proxy.js';

/** Links between nodes, one in each direction of each pair, that can be partitioned into groups and healed. */
export class FaultyNetwork {
  private constructor(private readonly links: readonly (readonly (FaultyProxy | undefined)[])[]) {}

  /** @param ports - of the nodes, asked for at each connection */
  static async open(ports: readonly (() => number)[]): Promise<FaultyNetwork> {
    const links = await Promise.all(
      ports.map((_, from) =>
        Promise.all(
          ports.map((port, to) => (from === to ? Promise.resolve(undefined) : FaultyProxy.open({ port }))),
        ),
      ),
    );
    return new FaultyNetwork(links);
  }

  /** The port under which one node is to reach another. */
  portOf(from: number, to: number): number {
    return this.link(from, to).port;
  }

  link(from: number, to: number): FaultyProxy {
    const link = this.links[from]?.[to];
    if (link === undefined) throw new RangeError(`no link from ${from} to ${to}`);
    return link;
  }

  /** Cuts every link between nodes of different groups, and heals the others; a node in no group is alone. */
  partition(groups: readonly (readonly number[])[], fault: LinkFault = { kind: 'cut' }): void {
    const groupOf = (node: number) => groups.findIndex((group) => group.includes(node));
    this.links.forEach((row, from) =>
      row.forEach((link, to) => {
        const isTogether = groupOf(from) >= 0 && groupOf(from) === groupOf(to);
        link?.set(isTogether ? { kind: 'none' } : fault);
      }),
    );
  }

  heal(): void {
    for (const link of this.links.flat()) link?.heal();
  }

  async close(): Promise<void> {
    await Promise.all(this.links.flat().map((link) => link?.close()));
  }
}
