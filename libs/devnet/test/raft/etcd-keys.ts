/** An entry below a prefix of etcd, with the revision at which it was written last. */
export interface EtcdEntry {
  readonly key: string;
  readonly value: Buffer;
}

const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');

/** An operator's actions on etcd with etcdctl, over its HTTP gateway. */
export class EtcdKeys {
  constructor(private readonly endpoint: string) {}

  async list(prefix: string): Promise<readonly EtcdEntry[]> {
    const { kvs = [] } = (await this.post('kv/range', {
      key: base64(prefix),
      range_end: base64(`${prefix}\uffff`),
    })) as { kvs?: readonly { readonly key: string; readonly value?: string }[] };
    return kvs.map(({ key, value = '' }) => ({
      key: Buffer.from(key, 'base64').toString(),
      value: Buffer.from(value, 'base64'),
    }));
  }

  async put(key: string, value: Buffer): Promise<void> {
    await this.post('kv/put', { key: base64(key), value: base64(value) });
  }

  async delete(key: string, rangeEnd?: string): Promise<void> {
    const end = rangeEnd === undefined ? {} : { range_end: base64(rangeEnd) };
    await this.post('kv/deleterange', { key: base64(key), ...end });
  }

  /** Compacts all revisions before now. */
  async compact(): Promise<void> {
    const { header } = (await this.post('kv/range', { key: base64('x') })) as {
      header: { revision: string };
    };
    await this.post('kv/compaction', { revision: header.revision, physical: true });
  }

  /** Defragments this member. */
  async defragment(): Promise<void> {
    await this.post('maintenance/defragment', {});
  }

  /** Disarms the alarm after the cluster was full. */
  async disarm(): Promise<void> {
    const alarm = { action: 'GET' };
    const { alarms = [] } = (await this.post('maintenance/alarm', alarm)) as {
      alarms?: readonly { readonly memberID: string; readonly alarm: string }[];
    };
    for (const { memberID, alarm: kind } of alarms)
      await this.post('maintenance/alarm', { action: 'DEACTIVATE', memberID, alarm: kind });
  }

  /** @throws Error with etcd's message */
  private async post(path: string, body: object): Promise<unknown> {
    const response = await fetch(`${this.endpoint}/v3/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response.json();
  }
}
