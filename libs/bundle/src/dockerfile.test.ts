import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { dockerfile } from './dockerfile.js';
import { ROOT, SERVICES } from './services.js';

describe('the Dockerfile', () => {
  it.each(SERVICES)('of %s is the one that is committed', async (service) => {
    expect(await readFile(`${ROOT}docker/${service}/Dockerfile`, 'utf8')).toBe(dockerfile(service));
  });
});

describe('the build context', () => {
  it('contains the named files only: no keys of a network that was set up in the folder', async () => {
    const rules = (await readFile(`${ROOT}.dockerignore`, 'utf8'))
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(rules[0]).toBe('*');
    const admitted = rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1));
    for (const name of admitted) expect(existsSync(`${ROOT}${name}`)).toBe(true);
    const { workspaces } = JSON.parse(await readFile(`${ROOT}package.json`, 'utf8')) as {
      workspaces: string[];
    };
    for (const pattern of workspaces) expect(admitted).toContain(pattern.split('/')[0]);
    expect(rules).toEqual(
      expect.arrayContaining(['**/nodekey', '**/*.key', '**/*.pem', '**/keystore-password']),
    );
  });
});
