import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { bundleFolder } from '../src/bundle-app.js';

/** Texts of Prisma's runtime, of its adapter and of its compiler of queries. */
const PARTS = ['PrismaClientKnownRequestError', 'PrismaPgAdapter', 'QueryCompiler'];

describe.each(['node', 'rollup-operator'] as const)('the bundle of the service %s', (service) => {
  it("has Prisma's client in files that are loaded with its first use alone", () => {
    const folder = bundleFolder(service);
    const files = new Map(
      readdirSync(folder)
        .filter((name) => name.endsWith('.js'))
        .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
    );
    const holders = (part: string) =>
      [...files].filter(([, text]) => text.includes(part)).map(([name]) => name);
    for (const part of PARTS) {
      expect(holders(part)).not.toEqual([]);
      expect(holders(part).filter((name) => !/^(?:open-client|query_compiler)/.test(name))).toEqual([]);
    }
    const loaders = [...files].filter(([, text]) => /"\.\/open-client-\w+\.js"/.test(text));
    expect(loaders.length).toBeGreaterThan(0);
    // A static import would load it at the start.
    const statics = loaders.filter(([, text]) => /(?:from|import) ?"\.\/open-client-\w+\.js"/.test(text));
    expect(statics.map(([name]) => name)).toEqual([]);
  });
});
