import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@tetrad/testkit';

/** A transfer as the application keeps it. */
interface TransferRow {
  readonly id: string;
  readonly hash: string;
  readonly block: string;
  readonly from: string;
  readonly to: string;
  readonly value: string;
}

const SCHEMA = `
import { onchainTable } from 'ponder';
export const transfer = onchainTable('transfer', (column) => ({
  id: column.text().primaryKey(),
  hash: column.hex().notNull(),
  block: column.bigint().notNull(),
  index: column.integer().notNull(),
  from: column.hex().notNull(),
  to: column.hex().notNull(),
  value: column.bigint().notNull(),
}));`;

/** An insert of what is there already would fail: each event has to come once. */
const INDEXING = `
import { ponder } from 'ponder:registry';
import { transfer } from 'ponder:schema';
ponder.on('Token:Transfer', async ({ event: { transaction, log, block, args }, context }) => {
  const { from, to, value } = args;
  const id = transaction.hash + '-' + log.logIndex;
  const fields = { hash: transaction.hash, block: block.number, index: log.logIndex };
  await context.db.insert(transfer).values({ id, ...fields, from, to, value });
});`;

const API = `
import { Hono } from 'hono';
import { db } from 'ponder:api';
import schema from 'ponder:schema';
const app = new Hono();
app.get('/transfers', async (context) => {
  const rows = await db.select().from(schema.transfer).orderBy(schema.transfer.block, schema.transfer.index);
  return context.json(rows.map(({ id, hash, block, from, to, value }) =>
    ({ id, hash, block: String(block), from: from.toLowerCase(), to: to.toLowerCase(), value: String(value) })));
});
export default app;`;

const configuration = (url: string, token: string) => `
import { createConfig } from 'ponder';
const abi = [{ type: 'event', name: 'Transfer', inputs: [
  { name: 'from', type: 'address', indexed: true },
  { name: 'to', type: 'address', indexed: true },
  { name: 'value', type: 'uint256', indexed: false } ] }] as const;
export default createConfig({
  database: { kind: 'pglite', directory: './rows' },
  chains: { tetrad: { id: 1337, rpc: '${url}', pollingInterval: 200 } },
  contracts: { Token: { chain: 'tetrad', abi, address: '${token}', startBlock: 0 } },
});`;

/** An application of Ponder that keeps the transfers of a token in files of its own. */
export class PonderApplication {
  private process: ChildProcess | undefined;
  private printed = '';

  private constructor(
    private readonly folder: string,
    private readonly installed: string,
    private readonly port: number,
  ) {}

  /**
   * Writes the application.
   * @param options.installed - folder with Ponder and its Node.js
   * @param options.url - of the node
   */
  static async write({
    folder,
    installed,
    url,
    token,
  }: {
    readonly folder: string;
    readonly installed: string;
    readonly url: string;
    readonly token: string;
  }): Promise<PonderApplication> {
    await mkdir(join(folder, 'src/api'), { recursive: true });
    await symlink(join(installed, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{ "name": "transfers", "type": "module" }');
    await writeFile(join(folder, 'ponder.config.ts'), configuration(url, token));
    await writeFile(join(folder, 'ponder.schema.ts'), SCHEMA);
    await writeFile(join(folder, 'src/index.ts'), INDEXING);
    await writeFile(join(folder, 'src/api/index.ts'), API);
    return new PonderApplication(folder, installed, await freePort());
  }

  start(): void {
    const program = join(this.installed, 'node_modules/ponder/dist/esm/bin/ponder.js');
    const words = ['start', '--schema', 'transfers', '--hostname', '127.0.0.1', '--port', String(this.port)];
    this.process = spawn(join(this.installed, 'node'), [program, ...words], {
      cwd: this.folder,
      env: { ...process.env, NODE_OPTIONS: '', PONDER_TELEMETRY_DISABLED: 'true', DO_NOT_TRACK: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.process.stdout, this.process.stderr])
      stream?.on(
        'data',
        (chunk: Buffer) => (this.printed = (this.printed + chunk.toString()).slice(-20_000)),
      );
  }

  /**
   * In the order of the chain; none before the application serves them.
   * @throws Error when its process has ended
   */
  async rows(): Promise<readonly TransferRow[]> {
    if (this.process?.exitCode !== null) throw new Error(`Ponder has ended: ${this.printed}`);
    const answer = await fetch(`http://127.0.0.1:${this.port}/transfers`).catch(() => undefined);
    return answer?.ok === true ? ((await answer.json()) as readonly TransferRow[]) : [];
  }

  async kill(): Promise<void> {
    const { process: child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
}
