import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { dockerfile } from './dockerfile.js';
import { manifestOf } from './service-manifest.js';
import { ROOT, SERVICES } from './services.js';

describe('the Dockerfile', () => {
  it.each(SERVICES)('of %s is the one that is committed', async (service) => {
    expect(await readFile(`${ROOT}docker/${service}/Dockerfile`, 'utf8')).toBe(
      dockerfile(service, (await manifestOf(service)).version),
    );
  });

  it('begins with the same build for all services, so that it runs once', () => {
    const builds = SERVICES.map((service) => {
      const text = dockerfile(service, '1.2.3');
      return text.slice(text.indexOf('\nARG '), text.indexOf('\nFROM ${BASE_IMAGE} AS described'));
    });
    expect(builds[0]).toMatch(/^FROM .* AS build$/m);
    expect(new Set(builds).size).toBe(1);
  });

  it('says what it is, in which version, under which licence', () => {
    const text = dockerfile('wallet', '1.2.3');
    for (const label of [
      'title="Tetrad wallet signer"',
      'description="The wallet signer of Tetrad, ',
      'version="1.2.3"',
      'licenses="Apache-2.0"',
      'revision="${REVISION}"',
      'created="${CREATED}"',
      'source="${SOURCE}"',
      'base.name="${BASE_IMAGE}"',
    ])
      expect(text).toContain(`org.opencontainers.image.${label}`);
    // An argument belongs to the stage that declares it.
    const last = text.slice(text.lastIndexOf('\nFROM '));
    for (const name of ['REVISION', 'CREATED', 'SOURCE']) expect(last).toContain(`\nARG ${name}=`);
    expect(last).toContain('\nARG BASE_IMAGE\n');
    // What a build mounts for a command stays in the image of the command.
    expect(last).not.toMatch(/^RUN /m);
  });
});

describe("the node's image", () => {
  it('takes libsecp256k1 along, named in the bill of materials, where the linker looks for it', () => {
    const text = dockerfile('node', '1.2.3');
    const at = (part: string) => {
      expect(text).toContain(part);
      return text.indexOf(part);
    };
    const install = at('apt-get install --yes --no-install-recommends "${RECOVERY_PACKAGE}"');
    expect(at('/app/lib/; }')).toBeGreaterThan(install);
    expect(at('/app/debian-packages.mjs')).toBeGreaterThan(install);
    expect(at('ENV LD_LIBRARY_PATH=/app/lib\n')).toBeGreaterThan(text.lastIndexOf('\nFROM '));
    expect(dockerfile('signer', '1.2.3')).not.toContain('RECOVERY_PACKAGE');
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
    for (const name of ['LICENSE', 'NOTICE']) expect(admitted).toContain(name);
    expect(rules).toEqual(
      expect.arrayContaining(['**/nodekey', '**/*.key', '**/*.pem', '**/keystore-password']),
    );
  });
});
